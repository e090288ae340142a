"""Packs: requests as bytes and back, and cut into portions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.errors import Damaged
from txtr.frontier.records import Record
from txtr.store.packs import count_requests, cut_groups, each_request, pack, split_groups, unpack

records = st.builds(
    Record, st.integers(0, 99), st.floats(0, 1), st.integers(0, 3), source=st.text(max_size=5)
)
groups = st.lists(st.tuples(records, st.lists(st.text(max_size=60), min_size=1, max_size=30)), max_size=8)


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk has packs."""


@given(groups)
def test_what_is_packed_can_be_unpacked(given: list[tuple[Record, list[str]]]) -> None:
    """Small ones are not compressed, large ones are."""
    assert unpack(pack(given)) == given


@given(groups, st.integers(1, 20))
def test_portions_are_the_same_requests_in_their_order(
    given: list[tuple[Record, list[str]]], most: int
) -> None:
    """And all but the last are whole."""
    parts = list(split_groups(given, most))
    assert [request for part in parts for request in each_request(part)] == list(each_request(given))
    assert [count_requests(part) for part in parts[:-1]] == [most] * len(parts[:-1])


@given(groups, st.integers(0, 50), st.integers(0, 50))
def test_a_cut_is_like_that_of_a_list(given: list[tuple[Record, list[str]]], begin: int, end: int) -> None:
    """From one request to before another."""
    assert list(each_request(cut_groups(given, begin, end))) == list(each_request(given))[begin:end]


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\xc1abc", b"abc", b"\x91\x01"])
def test_a_damaged_pack_is_told(data: bytes) -> None:
    """Corrupt file: a clear message."""
    with pytest.raises(Damaged, match="requests in the queue cannot be read"):
        unpack(data)
