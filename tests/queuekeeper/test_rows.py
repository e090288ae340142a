"""Rows: a batch is filled by rows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.model import Request, Visit
from txtr.queuekeeper.batches import fill


def visits(sizes: list[int]) -> list[Visit]:
    return [
        Visit(f"{number}.cz", "192.0.2.1", 1.0, [Request(f"/{n}") for n in range(size)])
        for number, size in enumerate(sizes)
    ]


def test_every_row_gets_one_visit_before_any_gets_two() -> None:
    """Spec 7, beyond: rows run side by side, so work is spread first."""
    table = fill(visits([2, 2, 2, 2]), rows=3, length=20)
    assert [len(row) for row in table] == [2, 1, 1]


def test_a_full_row_takes_no_more() -> None:
    """Spec 7: fill the row until the row is full."""
    table = fill(visits([5, 3, 1, 4, 9]), rows=2, length=5)
    assert [[len(visit.requests) for visit in row] for row in table] == [[5], [3, 1, 4]]


@settings(max_examples=50)
@given(st.lists(st.integers(1, 9), max_size=30), st.integers(0, 10), st.integers(1, 12))
def test_no_visit_that_was_drawn_is_lost(sizes: list[int], rows: int, length: int) -> None:
    """Spec 7: at most so many rows; a domain's requests stay in one row; order is kept."""
    supply = iter(visits(sizes))
    table = fill(supply, rows, length)
    laid = [visit.domain for row in table for visit in row]
    left = [visit.domain for visit in supply]
    assert len(table) == min(rows, len(sizes))
    assert sorted(laid + left) == sorted(visit.domain for visit in visits(sizes))
    assert all(sum(len(visit.requests) for visit in row[:-1]) < length for row in table)
    assert [row[0].domain for row in table] == [f"{number}.cz" for number in range(len(table))]
    if left and table:
        assert all(sum(len(visit.requests) for visit in row) >= length for row in table)


def test_short_visits_are_spread_over_all_rows() -> None:
    """Of new domains only robots.txt is known: one row would get all that are too many for the others."""
    table = fill(visits([1] * 60), rows=20, length=1000)
    assert [len(row) for row in table] == [3] * 20
