"""The budget: what all downloads hold together is bounded, and none of them waits for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.fetch.budget import Budget

MOST = 10  # bytes of one download


def test_small_pages_share_the_budget_freely() -> None:
    """Back-pressure must not slow down what fits."""
    budget = Budget(1000, MOST)
    assert all(budget.take(number, 5) for number in range(160))
    assert budget.used_bytes == 800


def test_what_the_eldest_may_still_need_is_left_for_it() -> None:
    """Else all could wait for each other with half a page each."""
    budget = Budget(24, MOST)
    assert budget.take(1, 4)
    assert budget.take(2, 8)
    assert not budget.take(3, 1)
    assert budget.take(1, 6)


def test_bytes_that_were_read_are_free_for_others() -> None:
    """A page that has been read is no longer held."""
    budget = Budget(26, MOST)
    assert budget.take(1, 10)
    assert budget.take(2, 9)
    budget.arrived(1)
    assert not budget.take(3, 1)
    budget.give_back(1)
    assert budget.take(3, 1)


def test_a_download_that_was_broken_off_gives_everything_back() -> None:
    """Cancelled, timed out, too large: whatever it was."""
    budget = Budget(20, MOST)
    budget.take(1, 7)
    budget.give_back(1)
    budget.give_back(1)
    assert budget.used_bytes == 0
    assert len(budget) == 0


def test_a_budget_is_never_smaller_than_two_pages() -> None:
    """--max-size may be larger than the budget: then one page must fit all the same."""
    assert Budget(5, MOST).limit_bytes == 2 * MOST


def test_what_an_unpacker_takes_is_held_until_it_needs_less() -> None:
    """And no longer than until the page is there."""
    budget = Budget(100, MOST, 20)
    assert budget.take_own(1, 20)
    assert budget.take(1, 5)
    assert budget.take_own(1, 5)
    assert budget.used_bytes == 10
    budget.arrived(1)
    assert budget.used_bytes == 5
    budget.give_back(1)
    assert budget.used_bytes == 0


def test_an_unpacker_waits_for_memory_as_a_page_does() -> None:
    budget = Budget(100, MOST, 20)
    assert all(budget.take_own(number, 20) for number in range(3))
    assert not budget.take_own(4, 20)
    budget.give_back(0)
    assert budget.take_own(4, 20)


def test_room_for_the_longest_page_is_left_beside_its_unpacker() -> None:
    """A window that is longer than a quarter of all counts as that."""
    budget = Budget(20, MOST, 1000)
    assert budget.take_own(1, 1000)
    assert budget.take(1, MOST)
    assert budget.used_bytes == 15


def filled(large: int = 1000) -> Budget:
    """A budget of which large downloads have taken what they could get."""
    budget = Budget(48_000, 10_000)
    for number in range(large):
        while budget.take(number, 100):
            pass
    return budget


@pytest.mark.parametrize("large", [10, 40, 120, 500])
def test_small_pages_find_room_however_many_large_ones_wait(large: int) -> None:
    """Four downloads that said nothing more kept all others from beginning."""
    budget = filled(large)
    assert budget.main_bytes > 0.9 * budget.main_limit_bytes
    assert budget.take(large, 20)
    assert budget.used_bytes <= budget.limit_bytes


def test_a_large_download_leaves_the_side_room_when_it_finds_room_elsewhere() -> None:
    budget = filled(6)
    side_bytes = budget.side_bytes
    assert side_bytes > 0
    budget.give_back(0)
    assert all(budget.take(number, 100) for number in range(1, 6))
    assert budget.side_bytes < side_bytes / 2


def test_nothing_is_begun_when_not_even_a_small_page_finds_room() -> None:
    budget = Budget(48 << 20, 10 << 20)
    assert not budget.is_short
    number = 0
    while budget.take(number, 16 * 1024):
        number += 1
    assert budget.is_short
    for each in range(number):
        budget.give_back(each)
    assert not budget.is_short


MIB = 1 << 20


def looked_at(budget: Budget, seconds: range) -> dict[int, int]:
    """When which download was to be broken off, looked at every second."""
    return {number: now for now in seconds for number in budget.stalled(float(now))}


def test_a_download_that_brings_nothing_while_others_wait_is_broken_off() -> None:
    budget = Budget(48 * MIB, 10 * MIB)
    assert budget.take(1, 8 * MIB)
    assert looked_at(budget, range(100, 105)) == {}
    assert looked_at(budget, range(105, 107)) == {1: 105}


@pytest.mark.parametrize(("per_second", "is_kept"), [(10_000, False), (400_000, True)])
def test_so_is_one_that_brings_too_little_for_what_it_holds(per_second: int, is_kept: bool) -> None:
    """A byte now and then must not be enough to hold 8 MB for two minutes."""
    budget, broken_off = Budget(48 * MIB, 20 * MIB), []
    assert budget.take(1, 8 * MIB)
    for now in range(20):
        assert budget.take(1, per_second)
        broken_off += budget.stalled(float(now))
    assert (broken_off == []) is is_kept


def test_a_download_that_comes_evenly_for_less_than_a_minute_is_not_broken_off() -> None:
    budget, broken_off = Budget(48 * MIB, 10 * MIB), []
    for now in range(50):
        assert budget.take(1, 150_000)
        broken_off += budget.stalled(float(now))
    assert broken_off == []


def test_a_download_that_waits_for_us_does_not_stall() -> None:
    budget = Budget(48 * MIB, 10 * MIB)
    assert budget.take(1, 8 * MIB)
    for now in range(20):
        budget.waits(1)
        assert budget.stalled(float(now)) == []


def test_nobody_is_judged_by_what_was_brought_while_nobody_looked() -> None:
    """A look after minutes begins a period, and ends none."""
    budget = Budget(48 * MIB, 10 * MIB)
    assert budget.take(1, 8 * MIB)
    assert looked_at(budget, range(100, 103)) == {}
    assert looked_at(budget, range(500, 505)) == {}


def test_who_holds_most_is_broken_off_first_and_not_all_at_once() -> None:
    """As many as set a quarter of the budget free; who holds little is left alone."""
    budget = Budget(48 * MIB, 10 * MIB)
    for number, size in enumerate([10, 9, 4, 8]):
        assert budget.take(number, size * MIB)
    assert budget.take(9, 10_000)
    assert looked_at(budget, range(5)) == {}
    assert budget.stalled(5.0) == [0, 1]


def test_the_eldest_is_broken_off_for_what_is_left_for_it() -> None:
    """It holds a byte, and keeps 10 MB from others."""
    budget = Budget(48 * MIB, 10 * MIB)
    assert budget.take(1, 1)
    assert budget.take(2, 1)
    assert looked_at(budget, range(7)) == {1: 5}


@given(st.lists(st.integers(1, MOST), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_whatever_the_order_everything_arrives_within_the_limit(sizes, chance) -> None:  # type: ignore[no-untyped-def]
    """Pages come byte by byte in any order; those that have arrived are read at any time."""
    budget = Budget(2 * MOST, MOST, 3)
    missing = dict(enumerate(sizes))
    unread: list[int] = []
    for _ in range(100_000):
        if not missing and not unread:
            break
        movable = [number for number in missing if budget.take(number, 1)] if not unread else []
        assert movable or unread, "everybody waits"
        assert budget.used_bytes <= budget.limit_bytes
        for number in movable:
            missing[number] -= 1
            if not missing[number]:
                del missing[number]
                budget.arrived(number)
                unread.append(number)
        if unread:
            budget.give_back(unread.pop(chance.randrange(len(unread))))
    assert not missing
    assert budget.used_bytes == 0
