"""Orders of the user, while a crawl is running: in virtual time, judged by the servers' logs."""

from tests.world import World, site
from txtr.queuekeeper.keeper import PATIENCE
from txtr.urls import split

RUN = ("http://a.cz/", "http://b.cz/")


def world() -> World:
    return World({"a.cz": site("a.cz", 30, "192.0.2.1"), "b.cz": site("b.cz", 30, "192.0.2.2")})


def give(running: World, verb: str, *names: str) -> None:
    task = running.keeper.order(verb, names)
    while not task.is_done:
        running.keeper.go_on_with(task, running.now)


def requests_to(running: World, domain: str) -> list[float]:
    return [entry.start for entry in running.log if entry.host == domain]


def test_a_domain_that_is_blocked_while_it_is_fetched_gets_no_further_request() -> None:
    """Never contacted again, though a harvester has its requests in hand."""
    running = world()
    running.start(*RUN)
    running.at(7.0, lambda: give(running, "block", "a.cz"))
    running.run()
    assert 0 < len(requests_to(running, "a.cz")) < 6
    assert max(requests_to(running, "a.cz")) < 7.0 + 0.31 + 0.01  # one may have been under way
    assert {url for url in running.everything() if split(url)[0] == "b.cz"} <= set(running.fetched())
    assert running.violations() == []


def test_a_harvester_that_was_cut_off_when_a_domain_was_blocked_hears_of_it_when_it_is_back() -> None:
    running = world()
    running.start(*RUN, harvesters=1)
    (player,) = running.players.values()
    running.at(6.0, lambda: running.cut(player))
    running.at(6.5, lambda: give(running, "block", "a.cz"))
    running.at(7.0, lambda: running.mend(player))
    running.run()
    assert max(requests_to(running, "a.cz")) < 8.0
    assert running.violations() == []


def test_a_domain_that_is_unblocked_is_fetched_to_its_end() -> None:
    running = world()
    running.start(*RUN)
    running.at(7.0, lambda: give(running, "block", "a.cz"))
    running.at(20.0, lambda: give(running, "unblock", "a.cz"))
    running.run()
    assert set(running.fetched()) == running.everything()
    assert len(running.fetched()) == len(set(running.fetched()))
    assert running.violations() == []


def test_what_is_dropped_is_not_fetched_unless_it_is_found_again() -> None:
    running = World({"a.cz": site("a.cz", 30, "192.0.2.1")})
    running.start("http://a.cz/")
    running.at(7.0, lambda: give(running, "drop", "a.cz"))
    running.run()
    assert 0 < len(running.fetched()) < 10
    assert running.violations() == []


def test_links_that_are_added_are_fetched() -> None:
    running = world()
    running.start("http://a.cz/")
    running.at(7.0, lambda: give(running, "add", "http://b.cz/"))
    running.run()
    assert set(running.fetched()) == running.everything()


def test_harvesters_are_not_blamed_for_a_slow_disk() -> None:
    """A slow disk only slows. While we write we do not listen; that is not their silence."""
    running = world()
    running.start(*RUN)
    running.run()
    harvester = next(iter(running.keeper.harvesters.values()))
    later = harvester.last_heard + 2 * PATIENCE
    running.keeper.was_held_up(2 * PATIENCE)
    running.keeper.tick(later)
    assert harvester.name in running.keeper.harvesters
