"""Heads: those of all answers together are bounded, and usual ones are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.fetch.heads import FEWEST_BYTES, FREE_BYTES, Heads

KIB = 1024


def test_heads_of_usual_length_cost_nothing() -> None:
    heads = Heads(500)
    assert [heads.hold(number, FREE_BYTES) for number in range(500)] == [[]] * 500
    assert heads.held_bytes == 0


def test_when_all_are_too_long_the_longest_are_broken_off() -> None:
    """Not the one that was there first, nor the one that comes last: those may be pages."""
    heads = Heads(0)
    assert heads.hold(1, 200 * KIB) == []
    assert heads.hold(2, 250 * KIB) == []
    assert heads.hold(3, 100 * KIB) == []
    assert heads.hold(4, 150 * KIB) == [2]
    assert heads.hold(5, 250 * KIB) == [5]
    assert heads.held.keys() == {1, 3, 4}


def test_a_head_that_is_kept_no_longer_makes_room() -> None:
    heads = Heads(0)
    for number in range(100):
        assert heads.hold(number, 256 * KIB) == []
        heads.forget(number)
    assert (heads.held, heads.held_bytes) == ({}, 0)


def test_the_longest_head_with_the_longest_trailers_is_read() -> None:
    assert Heads(0).hold(1, FEWEST_BYTES) == []


@pytest.mark.parametrize("connections", [40, 500])
@given(sizes=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 512 * KIB)), max_size=200))
def test_no_head_of_32_kib_is_ever_broken_off(connections: int, sizes: list[tuple[int, int]]) -> None:
    """However long those of other servers are."""
    heads, now = Heads(connections), dict[int, int]()
    for number, size_bytes in sizes:
        now[number] = size_bytes
        assert all(now.pop(longest) > 32 * KIB for longest in heads.hold(number, size_bytes))
        assert heads.held_bytes == sum(heads.held.values()) <= heads.limit_bytes
        assert heads.held == {n: now[n] - FREE_BYTES for n in now if now[n] > FREE_BYTES}
