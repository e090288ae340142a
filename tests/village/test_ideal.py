"""The ideal makespan of bench/politeness.py: no schedule that keeps the four rules is shorter."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.politeness import ideal_makespan
from tests.village.auditor import Rules

ISSUE = Rules(req_delay=0.5, max_hosts=3, max_reqs=20, general_pause=5.0)


@pytest.mark.parametrize(
    ("counts", "seconds"),
    [
        ([1], 0.0),
        ([20], 9.5),  # nineteen delays
        ([21], 9.5 + 5.0),  # one more needs a pause first
        ([20, 20, 20], 9.5),  # three domains at once
        ([20, 20, 20, 20], 9.5 + 5.0 + 3.0),  # the fourth waits; the work can be shared out
        ([41, 2], 9.5 + 5.0 + 9.5 + 5.0),
    ],
)
def test_the_ideal_of_one_address_follows_from_the_four_rules(counts, seconds):
    """Rules 1 to 4: delays inside a series, pauses between series."""
    assert ideal_makespan(counts, ISSUE) == seconds


def shortest(counts: list[int], rules: Rules) -> float:
    """Every schedule there is, tried out."""

    @cache
    def rest(left: tuple[int, ...]) -> float:
        if not left:
            return -rules.general_pause
        return min(after(left, chosen, column) for chosen in choices(left) for column in columns)

    def choices(left):
        return combinations(range(len(left)), min(rules.max_hosts, len(left)))

    def after(left, chosen, column):
        taken = (count - min(count, column) * (place in chosen) for place, count in enumerate(left))
        remaining = tuple(sorted(count for count in taken if count))
        return (column - 1) * rules.req_delay + rules.general_pause + rest(remaining)

    columns = range(1, rules.max_reqs + 1)
    return rest(tuple(sorted(counts)))


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=4),
    st.builds(Rules, st.just(0.5), st.integers(1, 3), st.integers(1, 4), st.just(5.0)),
)
def test_the_ideal_is_never_longer_than_the_shortest_schedule(counts, rules):
    """Otherwise the efficiency would flatter us."""
    assert ideal_makespan(counts, rules) <= shortest(counts, rules) + 1e-9
