"""Ranks: the best first, and nobody is never served."""

from collections import Counter

import pytest

from txtr.frontier.ranks import DOUBTFUL, HOPELESS, PROMISING, TURNS_PER_OTHER, rank, serve


@pytest.mark.parametrize(
    "promise,expected",
    [
        (1.0, PROMISING),
        (0.5, PROMISING),
        (0.49, DOUBTFUL),
        (0.2, DOUBTFUL),
        (0.19, HOPELESS),
        (0.0, HOPELESS),
    ],
)
def test_three_ranks(promise: float, expected: int) -> None:
    """Promising, doubtful, hopeless."""
    assert rank(promise) == expected


def test_nine_of_ten_are_of_the_best_rank_and_the_others_share_the_tenth() -> None:
    """Better first, without starving the others; not even the middle."""
    lines = [["a"], ["b"], ["c"]]
    served = Counter(serve(lines, turn) for turn in range(20 * TURNS_PER_OTHER))
    assert served == {PROMISING: 180, DOUBTFUL: 10, HOPELESS: 10}


def test_what_is_empty_is_passed_over() -> None:
    """Whatever the turn is."""
    assert {serve([[], ["b"], []], turn) for turn in range(30)} == {1}
    assert serve([[], [], []], 9) is None
