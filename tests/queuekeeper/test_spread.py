"""Deal: rows of one address are spread evenly among the others."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.queuekeeper.batches import spread


def test_rows_are_dealt_into_lists_that_are_concatenated() -> None:
    """Spec 7: dealt cyclically into max-hosts lists, which are concatenated at the end."""
    assert spread(["a1", "a2", "b1", "b2", "c1"], max_hosts=2) == ["a1", "b1", "c1", "a2", "b2"]


@settings(max_examples=50)
@given(st.integers(1, 12), st.integers(1, 6))
def test_rows_of_one_address_lie_far_apart(addresses: int, max_hosts: int) -> None:
    """Spec 7: the same rows, those of one address a whole list apart."""
    rows = [(address, host) for address in range(addresses) for host in range(max_hosts)]
    dealt = spread(rows, max_hosts)
    assert sorted(dealt) == rows
    for address in range(addresses):
        places = [place for place, row in enumerate(dealt) if row[0] == address]
        assert all(later - earlier == addresses for earlier, later in pairwise(places))


@settings(max_examples=25)
@given(st.lists(st.integers()), st.integers(1, 40))
def test_spreading_loses_nothing(rows: list[int], max_hosts: int) -> None:
    """A permutation, also when groups are smaller than max-hosts."""
    assert sorted(spread(rows, max_hosts)) == sorted(rows)


def test_the_work_of_dealing_is_that_of_the_rows_however_many_hosts_are_allowed() -> None:
    """A max-hosts of a hundred million took five seconds a batch, one of 400 digits would not end."""
    rows = ["a1", "b1", "b2"]
    assert spread(rows, max_hosts=10**400) == spread(rows, max_hosts=3) == rows
    assert spread([], max_hosts=10**400) == []
