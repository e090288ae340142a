"""The rest area against an obvious list of who entered when."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.frontier.frontier import Frontier
from txtr.frontier.restarea import RestArea
from txtr.gate import Gate
from txtr.manners.rules import Rules


@pytest.mark.parametrize("entered", [0, 1, 29, 31, 59, 61])
@pytest.mark.parametrize("few", [0, 10])
def test_every_address_rests_for_at_least_the_general_pause(entered: int, few: int) -> None:
    """Spec 5: rooms two and three together last at least the whole pause."""
    area, left = RestArea(general_pause=60, few=few), None
    for now in range(400):
        if now % 7 == 0:
            area.enter(f"192.0.2.{now}", now)
        if now == entered:
            area.enter("198.51.100.7", now)
        if "198.51.100.7" in area.leave(now):
            left = now
    assert left is not None
    assert left - entered >= 60


def test_nobody_leaves_an_empty_area() -> None:
    """Spec 5: the area is often empty when the crawl begins and ends."""
    area = RestArea(general_pause=60)
    assert area.leave(1e9) == set()
    assert area.next_leave() is None


def test_few_addresses_rest_exactly_the_pause() -> None:
    """Spec 5, beyond: with few addresses the loss must not show."""
    area = RestArea(general_pause=60)
    area.enter("192.0.2.1", 5)
    area.enter("192.0.2.2", 25)
    assert area.next_leave() == 65
    assert area.leave(64.9) == set()
    assert area.leave(65) == {"192.0.2.1"}
    assert area.leave(85) == {"192.0.2.2"}


def test_a_million_resting_addresses_need_three_dates() -> None:
    """Spec 5: the area avoids a time stamp per address."""
    area = RestArea(general_pause=60, few=100)
    for number in range(20_000):
        area.enter(str(number), now=number / 200)  # a hundred seconds' worth
        area.leave(number / 200)
    assert len(area.rooms) <= 100 + 3


class Watched:
    """A rest area beside the obvious model of it: who entered when."""

    def __init__(self, pause: float, rooms: int, few: int) -> None:
        self.area = RestArea(pause, rooms, few)
        self.inside: dict[str, float] = {}
        self.pauses: list[float] = []  # given to those who have left

    def enter(self, now: float) -> None:
        address = f"{len(self.inside) + len(self.pauses)}"
        self.inside[address] = now
        self.area.enter(address, now)

    def leave(self, now: float) -> None:
        self.pauses += [now - self.inside.pop(address) for address in self.area.leave(now)]
        assert self.area.resting == len(self.inside)

    def leave_whenever_due(self, until: float) -> None:
        while (due := self.area.next_leave()) is not None and due <= until:
            self.leave(due)


@settings(max_examples=50)
@given(st.lists(st.floats(0, 50), max_size=40), st.integers(2, 6), st.sampled_from([0, 3, 1000]))
def test_pauses_are_never_short_and_hardly_too_long(gaps: list[float], rooms: int, few: int) -> None:
    """Spec 5: at least the pause; at most one part of it longer; and exact while few are resting."""
    pause, now = 30.0, 0.0
    watched = Watched(pause, rooms, few)
    for gap in gaps:
        now += gap
        watched.leave_whenever_due(now)
        watched.enter(now)
    watched.leave_whenever_due(float("inf"))
    assert not watched.inside
    assert len(watched.pauses) == len(gaps)
    longest = pause if few > len(gaps) else pause * (1 + 1 / (rooms - 1))
    assert all(pause - 1e-9 <= given <= longest + 1e-9 for given in watched.pauses)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(0, 50), st.booleans()), max_size=40), st.sampled_from([0, 3, 1000]))
def test_who_asks_late_gets_everybody_who_is_due(steps: list[tuple[float, bool]], few: int) -> None:
    """Nobody is forgotten, and nobody is let out early, however seldom the rooms are looked at."""
    pause, now = 30.0, 0.0
    watched = Watched(pause, rooms=3, few=few)
    for gap, enters in steps:
        now += gap
        watched.enter(now) if enters else watched.leave(now)
        if not enters:
            assert all(now - entered < 1.5 * pause + 1e-9 for entered in watched.inside.values())
    assert all(given >= pause - 1e-9 for given in watched.pauses)


@pytest.mark.parametrize("rooms", [2, 3, 5, 11])
def test_the_mean_pause_is_close_to_what_was_asked(rooms: int) -> None:
    """--rest-rooms: within 1 + 1/(N-1) of the pause, never below it, however many enter and when."""
    watched = Watched(30.0, rooms, few=0)
    for number in range(5000):
        watched.leave_whenever_due(number / 25)
        watched.enter(number / 25)
    watched.leave_whenever_due(float("inf"))
    assert len(watched.pauses) == 5000
    assert min(watched.pauses) >= 30.0 - 1e-9
    assert sum(watched.pauses) / 5000 <= 30.0 * (1 + 1 / (rooms - 1))


def test_the_frontier_has_as_many_rooms_as_it_is_told() -> None:
    """--rest-rooms reaches the rest area."""
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    area = Frontier(rules, Gate(".*", "^$", 0), "texttractor", rest_rooms=11).rest_area
    assert area.stay_open == area.general_pause / 10
