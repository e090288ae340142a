"""The keeper, the frontier and the walk together, in virtual time: the four rules from the servers' log."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.world import RULES, Server, World, site
from txtr.model import Trouble


def test_every_page_is_fetched_once() -> None:
    """Spec 1 and 5: go on until the queue is empty; nothing twice."""
    world = World({"a.cz": site("a.cz", 30, "192.0.2.1"), "b.cz": site("b.cz", 3, "192.0.2.2")})
    world.start("http://a.cz/", "http://b.cz/")
    world.run()
    assert sorted(world.fetched()) == sorted({*world.fetched()})
    assert len(world.fetched()) == 35
    assert not world.violations()


def test_a_series_is_topped_up_with_what_is_found_while_it_runs() -> None:
    """Spec 6, beyond: results stream back, so one series uses its whole quota."""
    world = World({"a.cz": site("a.cz", 3, "192.0.2.1")})
    world.start("http://a.cz/")
    world.run()
    last = max(entry.start for entry in world.log)
    assert last < RULES.general_pause  # robots.txt, front page and three pages, without a pause


def test_a_hoster_of_many_domains_is_asked_by_few_at_once() -> None:
    """Spec 2: max-hosts and the general pause hold for the address, robots.txt included."""
    servers = {f"{n}.cz": site(f"{n}.cz", 2, "192.0.2.1") for n in range(20)}
    world = World(servers)
    world.start(*(f"http://{name}/" for name in servers), harvesters=5)
    world.run()
    assert len(world.fetched()) == 60
    assert not world.violations()


def test_disallowed_paths_are_never_requested() -> None:
    """Spec 2: robots.txt is obeyed without exception."""
    world = World({"a.cz": site("a.cz", 9, "192.0.2.1", robots="User-agent: *\nDisallow: /3\nDisallow: /4")})
    world.start("http://a.cz/")
    world.run()
    assert len(world.fetched()) == 8
    assert not world.violations()


def test_a_server_without_working_robots_is_left_alone() -> None:
    """RFC 9309 2.3.1.4: unreachable means disallowed; the crawl ends all the same."""
    world = World({"a.cz": site("a.cz", 3, "192.0.2.1", robots=500)})
    world.start("http://a.cz/")
    world.run()
    assert world.fetched() == []
    assert 1 < len(world.log) < 5


def test_a_longer_crawl_delay_is_kept() -> None:
    """Spec 2, beyond: Crawl-delay when longer than ours, also longer than the general pause."""
    world = World({"a.cz": site("a.cz", 4, "192.0.2.1", robots="User-agent: *\nCrawl-delay: 50")})
    world.start("http://a.cz/")
    world.run()
    starts = [entry.start for entry in world.log]
    assert all(later - earlier >= 50 for earlier, later in pairwise(starts))
    assert len(world.fetched()) == 5


def test_a_page_that_fails_is_tried_again_and_then_dropped() -> None:
    """Spec 5: the number of tries is raised by failures that may heal."""
    world = World({"a.cz": Server("192.0.2.1", {"/": ["http://a.cz/x"], "/x": Trouble.SERVER_ERROR})})
    world.start("http://a.cz/")
    world.run()
    assert world.fetched().count("http://a.cz/x") == 3
    assert not world.violations()


def test_a_redirect_to_another_domain_is_a_link_for_the_queue() -> None:
    """Spec 5: both addresses count as dealt with; the other domain's robots.txt is asked first."""
    world = World(
        {
            "a.cz": Server("192.0.2.1", {"/": "http://b.cz/x"}),
            "b.cz": Server("192.0.2.2", {"/x": ["http://a.cz/"]}, robots="User-agent: *\nDisallow:"),
        }
    )
    world.start("http://a.cz/")
    world.run()
    assert world.fetched() == ["http://a.cz/", "http://b.cz/x"]
    assert not world.violations()


def test_links_are_not_followed_deeper_than_depth() -> None:
    """Spec 4: depth is the number of clicks from a start page."""
    chain = {f"/{n}": [f"http://a.cz/{n + 1}"] for n in range(9)}
    world = World({"a.cz": Server("192.0.2.1", chain)}, depth=3)
    world.start("http://a.cz/0")
    world.run()
    assert len(world.fetched()) == 4


def test_a_harvester_that_dies_costs_nothing_but_time() -> None:
    """Spec 6: an unanswered batch goes back to the queue; what was reported is not fetched again."""
    world = World({"a.cz": site("a.cz", 12, "192.0.2.1")})
    world.start("http://a.cz/", harvesters=1)
    world.at(6.0, lambda: world.kill(world.players["h1"]))
    world.at(7.0, lambda: world.add_harvester() and None)
    world.run()
    assert len(set(world.fetched())) == 13
    assert len(world.reported) == len(set(world.reported)) == 13
    assert not [found for found in world.violations() if found.rule != "double-fetch"]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_history_breaks_a_rule_or_loses_a_page(data: st.DataObject) -> None:
    """What counts 1 and 2: under any web, any timing, with harvesters dying and joining."""
    names = [f"{n}.cz" for n in range(data.draw(st.integers(1, 8)))]
    addresses = st.integers(1, 4).map(lambda n: f"192.0.2.{n}")
    paces = st.sampled_from([0.01, 0.5, 4.0])
    servers = {
        name: site(name, data.draw(st.integers(0, 12)), data.draw(addresses), took=data.draw(paces))
        for name in names
    }
    world = World(servers, seed=data.draw(st.integers(0, 1000)))
    world.start(*(f"http://{name}/" for name in names), harvesters=data.draw(st.integers(1, 4)))
    for moment in data.draw(st.lists(st.floats(0, 200), max_size=4)):
        world.at(moment, lambda: _replace(world))
    world.run()
    everything = {f"http://{name}{path}" for name, server in servers.items() for path in server.pages}
    assert set(world.reported) == everything
    assert len(world.reported) == len(everything)
    assert not [found for found in world.violations() if found.rule != "double-fetch"]


def _replace(world: World) -> None:
    """A harvester dies, another one comes."""
    alive = [player for player in world.players.values() if player.is_alive]
    if alive:
        world.kill(world.random.choice(alive))
    world.add_harvester()
