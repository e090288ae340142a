"""Overrides: what the user orders is done, in portions, and no rule is broken by it."""

import pytest

from txtr.errors import TheirMistake
from txtr.frontier import orders
from txtr.frontier.domains import GIVEN_UP_FOR
from txtr.frontier.frontier import Frontier
from txtr.frontier.orders import LINKS_AT_ONCE, Done, Task
from txtr.gate import Gate
from txtr.manners.remedies import REMEDIES
from txtr.manners.rules import Rules
from txtr.model import (
    Document,
    Failure,
    Figures,
    Link,
    Purpose,
    Redirect,
    Resolution,
    RobotsFile,
    Trouble,
    Visit,
)
from txtr.urls import split

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
HERE, THERE = "192.0.2.1", "192.0.2.2"


def frontier(*urls: str, exclude: str = "^$") -> Frontier:
    front = Frontier(RULES, Gate(".*", exclude, 0), "texttractor")
    front.admit([Link(*split(url), depth=0) for url in urls], 0)
    return front


def settle(front: Frontier, now: float = 0.0, address: str = HERE) -> None:
    for name in front.new_domains(1000, batch=99):
        front.resolved(Resolution(name, [address]), now)


def deal(front: Frontier, batch: int, now: float) -> list[Visit]:
    front.pass_time(now)
    return list(front.visits(batch, 1000, now))


def order(front: Frontier, verb: str, *names: str, now: float = 0.0) -> list[Done]:
    task = Task(front, verb, names)
    done: list[Done] = []
    while not task.is_done:
        done += task.go_on(now)
    return done


def in_series(*urls: str) -> Frontier:
    """Batch 1 has just learned that everything is allowed at a.cz."""
    front = frontier(*urls)
    settle(front)
    deal(front, 1, 0)
    front.robots(RobotsFile("a.cz", "/robots.txt", 200, "", 0.1), 1, 0)
    return front


def nobody_answers(front: Frontier) -> None:
    """At a.cz, which was about to bring /1 and /2: it is given up."""
    front.failed(Failure("a.cz", "/1", Trouble.GONE), 1, 1)
    front.domain("a.cz").troubles = REMEDIES[Trouble.DNS].patience - 1
    front.failed(Failure("a.cz", "/2", Trouble.DNS), 1, 1)
    front.close(HERE, 2)


def test_an_unknown_order_is_refused_by_name() -> None:
    with pytest.raises(TheirMistake, match="'burn'"):
        Task(frontier(), "burn", ["a.cz"])


def test_an_added_link_is_queued_once_and_everything_else_is_said() -> None:
    front = frontier("http://a.cz/1", exclude=r"\.de$")
    front.abandoned["b.cz"] = Figures()
    said = order(
        front, "add", "http://a.cz/1", "http://a.cz/2", "http://x.de/", "http://b.cz/", "HTTP://A.cz:80/#x"
    )
    assert [what for _, what, _ in said] == [
        "queued already",
        "queued",
        "left out: excluded",
        "left out: abandoned",
        "no canonical URL",
    ]
    assert front.links.queued_count == 2


def test_an_added_link_that_robots_txt_forbids_is_disallowed() -> None:
    front = in_series("http://a.cz/1")
    front.permits.door("a.cz", "").rules = front.permits.door("b.cz", "").rules  # nothing is allowed
    assert order(front, "add", "http://a.cz/2") == [Done("http://a.cz/2", "disallowed")]
    assert order(front, "add", "http://a.cz/2") == [Done("http://a.cz/2", "known already")]


def test_a_blocked_domain_is_not_dealt_and_its_links_are_refused() -> None:
    """Block a domain; never contacted again, robots.txt included."""
    front = frontier("http://a.cz/1", "http://a.cz/2", "http://b.cz/")
    settle(front)
    assert order(front, "block", "a.cz") == [Done("a.cz", "blocked", 2)]
    assert {visit.domain for visit in deal(front, 1, 0)} == {"b.cz"}
    assert front.admit([Link("a.cz", "/3", 0)], 0) == 0
    assert front.events[-1].facts["reason"] == "blocked"
    assert (front.links.queued_count, front.links.parked_count) == (1, 2)
    assert order(front, "block", "a.cz") == [Done("a.cz", "blocked already")]


def test_a_domain_blocked_before_its_name_is_resolved_is_not_resolved() -> None:
    front = frontier("http://a.cz/1")
    order(front, "block", "a.cz")
    assert front.new_domains(10, batch=1) == []
    order(front, "unblock", "a.cz")
    assert front.new_domains(10, batch=1) == ["a.cz"]


def test_a_domain_blocked_while_it_is_being_fetched_gets_nothing_more() -> None:
    front = in_series("http://a.cz/1", "http://a.cz/2")
    (visit,) = front.top_up(HERE, 0)
    assert [request.path for request in visit.requests] == ["/1", "/2"]
    order(front, "block", "a.cz")
    front.fetched(Document("a.cz", "/1", "kept", 1.0, 200, 100, 0.1, links=["http://a.cz/3"]), 1, 1)
    front.failed(Failure("a.cz", "/2", Trouble.DROPPED), 1, 2)
    assert front.top_up(HERE, 3) == []
    front.close(HERE, 3)
    assert [deal(front, 2, now) for now in (100, 10_000, 2 * GIVEN_UP_FOR)] == [[], [], []]
    assert front.is_finished()
    assert (front.links.queued_count, front.links.parked_count) == (0, 1)


def test_a_robots_txt_that_was_on_its_way_to_a_blocked_domain_is_not_sent_for_again() -> None:
    """The frontier must obey for robots errands too."""
    front = frontier("http://a.cz/1")
    settle(front)
    (visit,) = deal(front, 1, 0)
    assert visit.requests[0].purpose is Purpose.ROBOTS
    order(front, "block", "a.cz")
    front.give_up(1, 1)
    assert [deal(front, 2, now) for now in (100, 10_000, 2 * GIVEN_UP_FOR)] == [[], [], []]


def test_a_robots_txt_that_lies_at_a_blocked_domain_is_not_fetched() -> None:
    front = frontier("http://a.cz/1")
    settle(front)
    deal(front, 1, 0)
    order(front, "block", "b.cz")
    front.robots(RobotsFile("a.cz", "/robots.txt", 301, "", 0.1, target="http://b.cz/robots.txt"), 1, 0)
    assert front.new_domains(10, batch=2) == []
    assert "b.cz" not in front.domains.domains


def test_a_redirect_to_a_blocked_domain_is_refused() -> None:
    front = in_series("http://a.cz/1")
    front.top_up(HERE, 0)
    order(front, "block", "b.cz")
    front.redirected(Redirect("a.cz", "/1", "http://b.cz/", 301, 0.1), 1, 1)
    assert front.new_domains(10, batch=2) == []


def test_an_unblocked_domain_goes_on_where_it_was() -> None:
    front = frontier("http://a.cz/1", "http://a.cz/2")
    settle(front)
    order(front, "block", "a.cz")
    assert order(front, "unblock", "a.cz") == [Done("a.cz", "unblocked", 2)]
    assert order(front, "unblock", "a.cz") == [Done("a.cz", "not blocked")]
    assert [visit.domain for visit in deal(front, 1, 0)] == ["a.cz"]


def test_a_blocked_domain_is_not_freed_by_waking_up_or_by_being_brought_back() -> None:
    """It is parked for two reasons; one of them ends."""
    front = in_series("http://a.cz/1", "http://a.cz/2")
    front.top_up(HERE, 0)
    nobody_answers(front)
    order(front, "block", "a.cz", now=3)
    front.abandoned["a.cz"] = Figures()
    front.pass_time(2 * GIVEN_UP_FOR)
    assert order(front, "bring-back", "a.cz") == [Done("a.cz", "brought back", 0)]
    assert (front.links.queued_count, front.links.parked_count) == (0, 1)
    order(front, "unblock", "a.cz", now=2 * GIVEN_UP_FOR)
    assert (front.links.queued_count, front.links.parked_count) == (1, 0)


def test_what_is_dropped_is_forgotten_and_may_be_found_again() -> None:
    """Drop a domain: what is queued for it is forgotten."""
    paths = [f"http://a.cz/{number}" for number in range(2 * LINKS_AT_ONCE + 7)]
    front = frontier(*paths, "https://a.cz/", "http://b.cz/")
    assert order(front, "drop", "a.cz") == [Done("a.cz", "dropped", len(paths) + 1)]
    assert front.links.queued_count == 1
    assert front.admit([Link(*split(paths[0]), depth=0)], 0) == 1


def test_what_is_parked_can_be_dropped() -> None:
    front = frontier("http://a.cz/1")
    order(front, "block", "a.cz")
    assert order(front, "drop", "a.cz") == [Done("a.cz", "dropped", 1)]
    assert (front.links.queued_count, front.links.parked_count) == (0, 0)


def test_what_was_fetched_or_is_in_a_batch_is_not_dropped() -> None:
    front = in_series("http://a.cz/1", "http://a.cz/2", "http://a.cz/3")
    front.top_up(HERE, 0)
    front.fetched(Document("a.cz", "/1", "kept", 1.0, 200, 100, 0.1), 1, 1)
    assert order(front, "drop", "a.cz") == [Done("a.cz", "dropped", 0)]
    assert front.links.leased_count == 2
    assert front.admit([Link("a.cz", "/1", 0)], 0) == 0


def test_what_failed_is_tried_again() -> None:
    """Of a domain that is well, only that: it is not asked sooner."""
    front = in_series("http://a.cz/1", "http://a.cz/2")
    front.top_up(HERE, 0)
    front.failed(Failure("a.cz", "/1", Trouble.GONE), 1, 1)
    front.fetched(Document("a.cz", "/2", "kept", 1.0, 200, 100, 0.1), 1, 1)
    front.close(HERE, 2)
    assert front.links.fates["failed"] == 1
    assert order(front, "retry", "a.cz", now=3) == [Done("a.cz", "tried again", 1)]
    assert front.links.fates["failed"] == 0
    assert deal(front, 2, 20) == []  # it rests
    (visit,) = deal(front, 2, 60)
    assert [request.path for request in visit.requests] == ["/1"]


def test_a_domain_that_was_given_up_is_tried_again_before_its_day_is_over() -> None:
    front = in_series("http://a.cz/1", "http://a.cz/2")
    front.top_up(HERE, 0)
    nobody_answers(front)
    assert front.links.parked_count == 1
    assert order(front, "retry", "a.cz", now=40) == [Done("a.cz", "tried again", 2)]
    assert deal(front, 2, 60) == []  # it may have moved: its name is resolved again
    settle(front, 60)
    (visit,) = deal(front, 3, 60)
    assert {request.path for request in visit.requests} == {"/1", "/2"}


def test_whoever_asked_us_to_wait_is_waited_for() -> None:
    """Invariant: an order breaks no rule."""
    front = in_series("http://a.cz/1", "http://a.cz/2")
    front.top_up(HERE, 0)
    front.failed(Failure("a.cz", "/1", Trouble.BUSY, retry_after=5000.0), 1, 1)
    front.failed(Failure("a.cz", "/2", Trouble.GONE), 1, 1)
    front.close(HERE, 2)
    order(front, "retry", "a.cz", now=3)
    settle(front, 3)
    assert deal(front, 2, 4000) == []


def test_links_are_tried_again_behind_a_robots_txt_that_could_not_be_had() -> None:
    front = frontier("http://a.cz/1", "http://a.cz/2")
    settle(front)
    now = 0.0
    for batch in range(1, 4):
        deal(front, batch, now)
        front.robots(RobotsFile("a.cz", "/robots.txt", 500, "", 0.1), batch, now)
        for address in list(front.series):
            front.close(address, now)
        now += 1000.0
        settle(front, now)
    deal(front, 9, now)
    assert front.links.fates["disallowed"] == 2
    assert order(front, "retry", "a.cz", now=now) == [Done("a.cz", "tried again", 2)]
    (visit,) = deal(front, 10, now + 100)
    assert visit.requests[0].purpose is Purpose.ROBOTS


def test_nobody_is_met_by_an_order() -> None:
    """An order about a domain that was never seen does not make it known."""
    front = frontier()
    for verb in orders.VERBS[1:]:
        order(front, verb, "nobody.cz")
    assert len(front.domains) == 0
    assert front.new_domains(10, batch=1) == []
