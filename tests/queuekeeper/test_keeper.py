"""The keeper, the frontier and the walk together, in virtual time: the four rules from the servers' log."""

from collections import deque
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.world import RULES, Content, Player, Server, World, site
from txtr.manners.rules import Rules
from txtr.model import Link, Trouble


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


def test_a_domain_that_is_resolved_late_joins_the_running_series_at_once() -> None:
    """Spec 2: max-hosts domains side by side; to wait for another domain's next answer helps nobody."""
    servers = {name: site(name, 10, "192.0.2.1") for name in ("a.cz", "b.cz")}
    world = World(servers, Rules(req_delay=60.0, max_hosts=2, max_reqs=20, general_pause=300.0))
    world.start("http://a.cz/", harvesters=1)
    world.at(10.0, lambda: world.frontier.admit([Link("b.cz", "/", depth=0)], world.now))
    world.run()
    assert min(entry.start for entry in world.log if entry.host == "b.cz") < 12.0
    assert not world.violations()


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


def test_a_line_that_is_cut_for_a_moment_costs_nothing() -> None:
    """Spec 6: the harvester goes on with its batches and says again what may not have been heard."""
    world = World({"a.cz": site("a.cz", 12, "192.0.2.1"), "b.cz": site("b.cz", 12, "192.0.2.2")})
    world.start("http://a.cz/", "http://b.cz/", harvesters=1)
    world.at(6.0, lambda: world.cut(world.players["h1"]))
    world.at(9.0, lambda: world.mend(world.players["h1"]))
    world.run()
    assert sorted(world.reported) == sorted(world.everything())
    assert not world.violations()


@pytest.mark.parametrize("seconds", [12.0, 14.0, 20.0, 50.0])
def test_a_harvester_that_was_stopped_and_goes_on_is_at_nobodys_address(seconds: float) -> None:
    """wire/lease.py: without a lease it starts nothing; what it brings late is taken in."""
    world = World({f"{n}.cz": site(f"{n}.cz", 9, f"192.0.2.{n % 2}") for n in range(4)})
    world.start(*(f"http://{name}/" for name in world.servers), harvesters=2)
    world.at(5.0, lambda: world.freeze(world.players["h1"]))
    world.at(5.0 + seconds, lambda: world.thaw(world.players["h1"]))
    world.run()
    assert sorted(world.reported) == sorted(world.everything())
    assert not [found for found in world.violations() if found.rule != "double-fetch"]


def test_a_busy_server_is_asked_again_when_it_said() -> None:
    """Spec 2, beyond: 429 and 503 with Retry-After; its neighbours on the address go on."""
    busy: deque[Content] = deque([Trouble.BUSY, Trouble.BUSY, []])
    world = World({"a.cz": Server("192.0.2.1", {"/": busy}), "b.cz": site("b.cz", 20, "192.0.2.1")})
    world.servers["a.cz"].retry_after = 400.0
    world.start("http://a.cz/", "http://b.cz/")
    world.run()
    asked = [entry.start for entry in world.log if entry.host == "a.cz" and entry.path == "/"]
    assert len(asked) == 3
    assert all(later - earlier >= 400 for earlier, later in pairwise(asked))
    assert sum(entry.host == "b.cz" and entry.start < 400 for entry in world.log) == 22
    assert not world.violations()


def test_a_server_that_dies_is_given_up_and_the_crawl_ends() -> None:
    """Spec 6: the server runs while something is queued or active."""
    world = World({"a.cz": site("a.cz", 200, "192.0.2.1"), "b.cz": site("b.cz", 5, "192.0.2.2")})
    world.start("http://a.cz/", "http://b.cz/")
    world.at(60.0, lambda: setattr(world.servers["a.cz"], "trouble", Trouble.CONNECT))
    world.run()
    assert sum(entry.host == "a.cz" and entry.start > 60 for entry in world.log) == 3
    assert sum(url.startswith("http://b.cz") for url in world.reported) == 6
    assert not world.violations()


def test_all_doors_of_a_domain_are_one_domain() -> None:
    """The issue: http and https, and all ports, of one domain are one domain for manners."""
    doors = ["/", "s/", ":8080/", "s:8443/"]
    pages: dict[str, Content | deque[Content]] = {f"{door}{n}": [] for door in doors for n in range(4)}
    world = World({"a.cz": Server("192.0.2.1", pages)})
    world.start(*world.everything())
    world.run()
    assert sorted(world.reported) == sorted(world.everything())
    assert sum(entry.is_robots for entry in world.log) == 4
    assert not [found for found in world.violations() if found.rule not in ("double-fetch", "robots-first")]


def test_the_stricter_crawl_delay_of_two_doors_counts_for_both() -> None:
    """Spec 2, beyond: as the server's own log shows it."""
    pages: dict[str, Content | deque[Content]] = {"/1": [], "/2": [], "s/1": [], "s/2": []}
    server = Server("192.0.2.1", pages, other_robots={"s/robots.txt": "User-agent: *\nCrawl-delay: 50"})
    world = World({"a.cz": server})
    world.start("https://a.cz/1", "https://a.cz/2", "http://a.cz/1", "http://a.cz/2")
    world.run()
    starts = [entry.start for entry in world.log]
    learned = next(index for index, entry in enumerate(world.log) if entry.is_robots)
    assert all(later - earlier >= 50 for earlier, later in list(pairwise(starts))[learned + 1 :])


def test_robots_redirects_are_requests_like_any_other() -> None:
    """RFC 9309 2.3.1.2 and the issue: followed to another path and another domain, by the four rules."""
    servers = {f"{n}.cz": site(f"{n}.cz", 3, "192.0.2.1", robots="http://hub.cz/all.txt") for n in range(6)}
    servers["hub.cz"] = Server(
        "192.0.2.1",
        {},
        other_robots={"/all.txt": "https://hub.cz/end.txt", "s/end.txt": "User-agent: *\nDisallow: /2"},
    )
    world = World(servers)
    world.start(*(f"http://{n}.cz/" for n in range(6)))
    world.run()
    assert len(world.reported) == 6 * 3
    assert not any(url.endswith("/2") for url in world.fetched())
    ours = ("req-delay", "two-at-once", "max-hosts", "max-reqs")
    assert not [found for found in world.violations() if found.rule in ours]


def test_a_robots_redirect_to_a_domain_that_is_not_there_closes_the_door() -> None:
    """RFC 9309 2.3.1.4: unreachable means disallowed; and the crawl ends."""
    world = World({"a.cz": site("a.cz", 3, "192.0.2.1", robots="http://gone.cz/robots.txt")})
    world.start("http://a.cz/")
    world.run()
    assert world.fetched() == []
    assert not world.frontier.permits.waiting


def test_a_domain_that_moves_is_found_at_its_new_address() -> None:
    """The issue: pinned to one address while it is known, and moves when DNS says so."""
    servers = {"a.cz": site("a.cz", 40, "192.0.2.1"), "b.cz": site("b.cz", 40, "192.0.2.2")}
    world = World(servers, Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=600.0))
    world.start("http://a.cz/", "http://b.cz/")
    world.at(100.0, lambda: setattr(world.servers["a.cz"], "address", "192.0.2.2"))
    world.run()
    places = [entry.address for entry in world.log if entry.host == "a.cz"]
    assert places == sorted(places)
    assert {*places} == {"192.0.2.1", "192.0.2.2"}
    assert sorted(world.reported) == sorted(world.everything())
    assert not world.violations()


def test_a_hoster_of_hundreds_of_domains_gets_no_burst_of_robots_requests() -> None:
    """Spec 2: ten thousand domains on one address must not get ten thousand robots.txt requests at once."""
    servers = {f"{n}.cz": Server("192.0.2.1", {"/": []}) for n in range(100)}
    world = World(servers)
    world.start(*(f"http://{name}/" for name in servers), harvesters=4)
    world.run()
    assert len(world.reported) == 100
    assert not world.violations()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_history_breaks_a_rule_or_loses_a_page(data: st.DataObject) -> None:
    """What counts: under any web, any timing, with harvesters dying, cut off, stopped and joining."""
    names = [f"{n}.cz" for n in range(data.draw(st.integers(1, 8)))]
    addresses = st.integers(1, 4).map(lambda n: f"192.0.2.{n}")
    paces = st.sampled_from([0.01, 0.5, 4.0])
    servers = {
        name: site(name, data.draw(st.integers(0, 12)), data.draw(addresses), took=data.draw(paces))
        for name in names
    }
    world = World(servers, seed=data.draw(st.integers(0, 1000)))
    world.start(*(f"http://{name}/" for name in names), harvesters=data.draw(st.integers(1, 4)))
    mishaps = st.tuples(st.sampled_from([_replace, _cut, _stop]), st.floats(0, 200), st.floats(0.1, 60))
    for mishap, moment, lasts in data.draw(st.lists(mishaps, max_size=5)):
        world.at(moment, partial(mishap, world, lasts))
    world.run()
    assert sorted(world.reported) == sorted(world.everything())
    assert not [found for found in world.violations() if found.rule != "double-fetch"]


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_every_history_of_troubles_ends(data: st.DataObject) -> None:
    """Spec 6: whatever goes wrong with whom, in the end nobody waits for anything, and no rule is broken."""
    names = [f"{n}.cz" for n in range(data.draw(st.integers(1, 5)))]
    troubles = st.sampled_from(list(Trouble))
    targets = st.sampled_from(
        [f"{name}/{path}" for name in [*names, "gone.cz"] for path in ("0", "1", "robots.txt")]
    )
    contents = st.one_of(
        troubles,
        targets.map("http://{}".format),
        targets.map("https://{}".format),
        troubles.map(lambda trouble: deque([trouble, []])),
    )
    robots = st.sampled_from(
        ["", 404, 500, 503, f"http://{names[-1]}/robots.txt", "http://gone.cz/robots.txt"]
    )
    servers = {name: site(name, 5, f"192.0.2.{n % 3}", data.draw(robots)) for n, name in enumerate(names)}
    for server in servers.values():
        server.pages |= data.draw(st.dictionaries(st.sampled_from(["/0", "/1", "/2"]), contents, max_size=3))
        server.retry_after = data.draw(st.sampled_from([None, 5.0, 300.0, float("nan")]))
    world = World(servers, seed=data.draw(st.integers(0, 1000)))
    world.start(*(f"http://{name}/" for name in names), harvesters=data.draw(st.integers(1, 3)))
    mishaps = st.tuples(
        st.sampled_from([_replace, _cut, _stop, _ail]), st.floats(0, 200), st.floats(0.1, 300)
    )
    for mishap, moment, lasts in data.draw(st.lists(mishaps, max_size=4)):
        world.at(moment, partial(mishap, world, lasts))
    world.run()
    assert len(world.reported) == len({*world.reported})
    assert not world.frontier.links.queued_count
    assert not world.frontier.permits.waiting
    assert not any(domain.errands for domain in world.frontier.domains.domains.values())
    ours = ("req-delay", "two-at-once", "max-hosts", "max-reqs")
    assert not [found for found in world.violations() if found.rule in ours]


def _someone(world: World) -> Player | None:
    alive = [player for player in world.players.values() if player.is_alive and player.is_up]
    return world.random.choice(alive) if alive else None


def _replace(world: World, _: float) -> None:
    """A harvester dies, another one comes."""
    if player := _someone(world):
        world.kill(player)
    world.add_harvester()


def _cut(world: World, lasts: float) -> None:
    """The line to a harvester breaks for a while."""
    if player := _someone(world):
        world.cut(player)
        world.at(lasts, lambda: world.mend(player))


def _stop(world: World, lasts: float) -> None:
    """A harvester's process stands still for a while."""
    if (player := _someone(world)) and not player.is_frozen:
        world.freeze(player)
        world.at(lasts, lambda: world.thaw(player))


def _ail(world: World, lasts: float) -> None:
    """A server is in trouble for a while."""
    server = world.random.choice(list(world.servers.values()))
    server.trouble = world.random.choice(list(Trouble))
    world.at(lasts, lambda: setattr(server, "trouble", None))


def test_a_robots_txt_that_leads_to_itself_breaks_no_rule_when_the_line_is_cut() -> None:
    """An answer that was said again was taken for the next one, and the address rested too early."""
    servers = {
        "0.cz": site("0.cz", 5, "192.0.2.0"),
        "1.cz": site("1.cz", 5, "192.0.2.1", "http://1.cz/robots.txt"),
    }
    world = World(servers)
    world.start("http://0.cz/", "http://1.cz/", harvesters=1)
    world.at(1.0, partial(_cut, world, 1.0))
    world.run()
    assert world.violations() == []
