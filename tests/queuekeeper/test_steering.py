"""The judgement steers the crawl: in virtual time, with the real keeper and walks."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.babel import build
from tests.world import Content, Server, World, site
from txtr.manners.rules import Rules
from txtr.model import Trouble


@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_wanted_comes_first_and_nearly_all_of_it_comes(seed: int) -> None:
    """At least 2.5 times the share without a judge, and 95 % of all wanted in the end."""
    web = build(hosts=80, mean_pages=20, seed=seed)
    first = len(web.wanted)
    steered = web.curve(web.crawl(is_judged=True))
    blind = web.curve(web.crawl(is_judged=False))
    assert steered[first] > 2.8 * blind[first]
    assert steered[web.pages // 10] > 2.8 * blind[web.pages // 10]
    assert steered[-1] > 0.97 * first
    assert blind[-1] == first


def test_what_is_wanted_comes_first_even_when_there_is_time_for_everybody() -> None:
    """Delays so short, and a start list so long, that only holding back makes an order at all."""
    web = build(hosts=80, mean_pages=20, seed=3)
    web.seeds = [f"http://{host}/" for host in web.servers]
    quick = Rules(req_delay=0.05, max_hosts=5, max_reqs=50, general_pause=0.3)
    first = web.pages // 4
    steered = web.curve(web.crawl(is_judged=True, rules=quick))
    blind = web.curve(web.crawl(is_judged=False, rules=quick))
    assert steered[first] > 2 * blind[first]
    assert steered[-1] > 0.97 * blind[-1]


def useless(name: str, pages: int, address: str) -> Server:
    server = site(name, pages, address)
    server.usability = 0.0
    return server


def when(world: World, domain: str) -> list[float]:
    return [entry.start for entry in world.log if entry.host == domain and not entry.is_robots]


def test_hopeless_domains_wait_for_the_better_but_not_for_ever() -> None:
    """They are sampled meanwhile, and go at full speed at the end."""
    good = site("good.cz", 300, "192.0.2.1")
    front = good.pages["/"]
    assert isinstance(front, list)
    front.insert(0, "http://bad.cz/")
    world = World({"good.cz": good, "bad.cz": useless("bad.cz", 48, "192.0.2.2")})
    world.start("http://good.cz/")
    world.run()
    better, hopeless = when(world, "good.cz"), when(world, "bad.cz")
    assert (len(better), len(hopeless)) == (301, 49)
    early = [start for start in hopeless if start < better[-1]]
    assert 12 <= len(early) <= 30
    assert hopeless[-1] - better[-1] < 500  # some twenty in the end, in series of five
    assert not world.violations()


def test_a_hopeless_neighbour_takes_no_part_in_the_series_of_a_better_one() -> None:
    """Except in every tenth, although there would be room for two."""
    good = site("good.cz", 200, "192.0.2.1")
    front = good.pages["/"]
    assert isinstance(front, list)
    front.insert(0, "http://bad.cz/")
    world = World({"good.cz": good, "bad.cz": useless("bad.cz", 48, "192.0.2.1")})
    world.start("http://good.cz/")
    world.run()
    better, hopeless = when(world, "good.cz"), when(world, "bad.cz")
    early = [start for start in hopeless if start < better[-1]]
    assert 10 <= len(early) <= 30
    assert len(hopeless) == 49
    assert not world.violations()


def test_a_domain_in_the_wanted_language_is_not_held_back_by_its_foreign_front_page() -> None:
    """The URL says more than the parent: /cs/ on a page that is of no use itself."""
    links = ["http://a.org/en/1", "http://a.org/cs/1"]
    pages: dict[str, Content] = {"/": links, "/en/1": [], "/cs/1": []}
    server = Server("192.0.2.1", {**pages}, usabilities={"/": 0.0, "/en/1": 0.0})
    world = World({"a.org": server}, wanted=["cs"])
    world.start("http://a.org/")
    world.run()
    assert world.fetched() == ["http://a.org/", "http://a.org/cs/1", "http://a.org/en/1"]


def test_a_domain_that_yields_nothing_is_abandoned_in_the_middle_of_the_crawl() -> None:
    """After a fair trial; the crawl ends."""
    server = useless("bad.cz", 100, "192.0.2.1")
    server.size_bytes = 20_000
    world = World({"bad.cz": server, "good.cz": site("good.cz", 5, "192.0.2.2")})
    world.start("http://bad.cz/", "http://good.cz/")
    world.run()
    assert list(world.frontier.abandoned) == ["bad.cz"]
    assert 20 <= sum(url.startswith("http://bad.cz") for url in world.reported) <= 30
    assert sum(url.startswith("http://good.cz") for url in world.reported) == 6
    assert "abandoned" in world.events


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_steered_history_ends_and_breaks_no_rule(data: st.DataObject) -> None:
    """Whatever is judged how, found behind which door and in trouble with whom: nobody waits for ever."""
    names = [f"{n}.cz" for n in range(data.draw(st.integers(1, 6)))]
    places = [f"{name}{path}" for name in names for path in ("/", "/0", "/1", ":81/0", "/cs/1")]
    robots = st.sampled_from(["", "", 404, f"http://{names[0]}/robots.txt", "http://gone.cz/robots.txt"])
    usabilities = st.sampled_from([0.0, 0.0, 0.05, 0.3, 1.0])
    servers = {}
    for n, name in enumerate(names):
        server = site(name, data.draw(st.integers(0, 8)), f"192.0.2.{n % 3}", data.draw(robots))
        links = data.draw(st.lists(st.sampled_from(places), max_size=4))
        server.pages |= {"/0": [f"http://{place}" for place in links], ":81/0": [], "/cs/1": []}
        server.usability = data.draw(usabilities)
        server.usabilities = data.draw(st.dictionaries(st.sampled_from([*server.pages]), usabilities))
        server.other_robots = {":81/robots.txt": data.draw(robots)}
        server.size_bytes = data.draw(st.sampled_from([100, 50_000]))
        servers[name] = server
    world = World(servers, seed=data.draw(st.integers(0, 1000)), wanted=["cs"])
    world.start(*(f"http://{name}/" for name in names), harvesters=data.draw(st.integers(1, 3)))
    for moment in data.draw(st.lists(st.floats(0, 100), max_size=2)):
        world.at(moment, partial(_ail, world, data.draw(st.sampled_from(names))))
    world.run()
    ours = ("req-delay", "two-at-once", "max-hosts", "max-reqs")
    assert not [found for found in world.violations() if found.rule in ours]
    assert not world.frontier.waiting.held
    assert not world.frontier.links.queued_count


def _ail(world: World, name: str) -> None:
    world.servers[name].trouble = Trouble.CONNECT
    world.at(100.0, lambda: setattr(world.servers[name], "trouble", None))
