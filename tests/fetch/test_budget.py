"""The budget: what all downloads hold together is bounded, and none of them waits for ever."""

from hypothesis import given
from hypothesis import strategies as st

from txtr.fetch.budget import Budget

MOST = 10  # bytes of one download


def test_small_pages_share_the_budget_freely() -> None:
    """Issue 6: back-pressure must not slow down what fits."""
    budget = Budget(100, MOST)
    assert all(budget.take(number, 5) for number in range(18))
    assert budget.used_bytes == 90


def test_what_the_eldest_may_still_need_is_left_for_it() -> None:
    """Else all could wait for each other with half a page each."""
    budget = Budget(20, MOST)
    assert budget.take(1, 4)
    assert budget.take(2, 10)
    assert not budget.take(3, 1)
    assert budget.take(1, 6)


def test_bytes_that_were_read_are_free_for_others() -> None:
    """A page that has been read is no longer held."""
    budget = Budget(20, MOST)
    assert budget.take(1, 10)
    assert budget.take(2, 10)
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
    assert all(budget.take_own(number, 20) for number in range(4))
    assert not budget.take_own(4, 20)
    budget.give_back(0)
    assert budget.take_own(4, 20)


def test_room_for_the_longest_page_is_left_beside_its_unpacker() -> None:
    """A window that is longer than a quarter of all counts as that."""
    budget = Budget(20, MOST, 1000)
    assert budget.take_own(1, 1000)
    assert budget.take(1, MOST)
    assert budget.used_bytes == 15


@given(st.lists(st.integers(1, MOST), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_whatever_the_order_everything_arrives_within_the_limit(sizes, chance) -> None:  # type: ignore[no-untyped-def]
    """Pages come byte by byte in any order; those that have arrived are read at any time."""
    budget = Budget(2 * MOST, MOST)
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
