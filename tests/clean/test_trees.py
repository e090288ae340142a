"""A forest of decisions gives a row of numbers a score."""

import pytest

from txtr.clean.trees import forest


def test_a_forest_adds_up_what_its_trees_say():
    """A decision's left branch is for what is not greater than the threshold."""
    score = forest(["0<1.5 1 2<0 10 20", "0.5"], parts=[2, 1], round_of=9, sure=1e9)
    assert score([(1.5, 0.0), (0.0,)]) == 1.5
    assert score([(2.0, 0.0), (0.0,)]) == 10.5
    assert score([(2.0, 0.0), (0.1,)]) == 20.5


def test_a_row_that_a_round_is_sure_of_is_let_go():
    """On either side of zero."""
    score = forest(["0<0 -3 1", "5"], parts=[1], round_of=1, sure=2.0)
    assert score([(0.0,)]) == -3
    assert score([(1.0,)]) == 6


@pytest.mark.parametrize("line", ["9<1 0 1", "0<1 0", "x0<1 0 1", "0<__import__('os') 0 1", "", "print()"])
def test_a_text_that_is_no_forest_is_refused(line):
    """Only numbers, and columns that there are: nothing of the text is executed as it stands."""
    with pytest.raises((ValueError, StopIteration, RuntimeError)):
        forest([line], parts=[2], round_of=9, sure=1.0)
