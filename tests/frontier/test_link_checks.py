"""Checks against robots.txt: so many at one moment; who costs more waits for a turn, and nobody else does."""

import pytest

from tests.frontier.test_frontier import (
    HERE,
    PAUSED,
    RULES,
    admit,
    deal,
    document,
    frontier,
    learn,
    paths,
    settle,
)
from txtr.frontier.checks import STEPS_AT_ONCE, STEPS_OF_VISIT, TURNS_APART, Checks
from txtr.frontier.frontier import Frontier
from txtr.manners import matching
from txtr.model import Resolution

COSTLY = "User-agent: *\n" + "".join(
    f"Disallow: /x*{'a' * (298 - number)}b{'a' * 298}\n" for number in range(60)
)
LONG = [f"http://costly.cz/x{'a' * 1900}{number}" for number in range(100)]
RESTED = 1 + PAUSED
OVERRUN = matching.STEPS_AT_ONCE + 2 * matching.MOST_STEPS  # what was begun when the room was used up


def test_every_moment_has_room_for_so_many_steps() -> None:
    """A moment is whatever is done with the same `now`."""
    checks = Checks()
    checks.count(STEPS_AT_ONCE - 5, now=1.0)
    assert (checks.room(1.0), checks.room_of_visit(1.0)) == (5, 5)
    checks.count(9, now=1.0)
    assert checks.room(1.0) < 0
    assert (checks.room(2.0), checks.room_of_visit(2.0)) == (STEPS_AT_ONCE, STEPS_OF_VISIT)


def test_turns_come_one_after_the_other() -> None:
    """However many domains wait for one, there is time for everybody else between two."""
    checks = Checks()
    assert [checks.turn(5.0) for _ in range(3)] == pytest.approx(
        [5 + TURNS_APART, 5 + 2 * TURNS_APART, 5 + 3 * TURNS_APART]
    )
    assert checks.turn(100.0) == pytest.approx(100 + TURNS_APART)


def costly(*links: str) -> Frontier:
    """A frontier with costly.cz, whose rules are known and whose front page has come with these links."""
    front = frontier()
    admit(front, "http://costly.cz/")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "costly.cz", text=COSTLY)
    front.top_up(HERE, 0)
    front.fetched(document("http://costly.cz/", *links), 1, 1)
    return front


def test_links_for_which_there_is_no_room_are_queued_unchecked() -> None:
    """Found by an attack: to check the links of one page took 240 seconds in one go."""
    front = costly(*LONG)
    assert front.checks.steps <= STEPS_AT_ONCE + OVERRUN
    assert 0 < front.refused < len(LONG)
    assert front.refused + front.links.queued_count == len(LONG)


def test_nothing_leaves_the_queue_unchecked() -> None:
    """What robots.txt forbids is refused when it comes to dealing, in turns."""
    front = costly(*LONG, "http://costly.cz/allowed")
    front.close(HERE, 1)
    dealt, now = [], RESTED
    while front.links.queued_count and now < RESTED + 100:
        dealt += paths(deal(front, batch=2, now=now))
        assert front.checks.steps <= STEPS_AT_ONCE + OVERRUN
        now += TURNS_APART / 2
    assert dealt == ["/allowed"]
    assert front.refused == len(LONG)


def test_nobody_waits_for_a_domain_whose_checks_cost_much() -> None:
    """It goes to the end of a line of its own, and the others are dealt."""
    front = costly(*LONG)
    for number in range(20):
        admit(front, f"http://honest{number}.cz/", now=2)
        for name in front.new_domains(10, batch=98):
            front.resolved(Resolution(name, [f"192.0.2.{10 + number}"]), 2)
    front.close(HERE, 1)
    dealt = {visit.domain for visit in deal(front, batch=2, now=RESTED)}
    assert dealt == {f"honest{number}.cz" for number in range(20)}
    assert front.domains.domains["costly.cz"].asleep_until == pytest.approx(RESTED + TURNS_APART)


def test_a_series_that_is_planned_for_has_been_checked() -> None:
    """Plans are made in what room there is; without it the series begins unplanned."""
    front = costly(*LONG)
    front.close(HERE, 1)
    front.pass_time(RESTED)
    front.checks.count(STEPS_AT_ONCE, RESTED)
    front.look_ahead(RESTED)
    assert front.plans.plans == {HERE: None}
    assert front.checks.steps == STEPS_AT_ONCE


def test_when_a_moment_has_no_room_a_deal_ends_and_is_gone_on_with() -> None:
    """Whoever could not be checked is not forgotten, and does not wait for a turn."""
    front = frontier()
    admit(front, "http://a.cz/1", "http://a.cz/2")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz", text="User-agent: *\nDisallow: /x")
    front.close(HERE, 0)
    front.pass_time(RESTED)
    front.checks.count(STEPS_AT_ONCE, RESTED)
    assert deal(front, batch=2, now=RESTED) == []
    assert paths(deal(front, batch=2, now=RESTED + 0.01)) == ["/1", "/2"]
    assert RULES.max_reqs > 2
