"""A forest of decisions gives a row of numbers a score."""

import pytest

from txtr.clean.content.trees import compile_forest


def test_a_forest_adds_up_what_its_trees_say():
    """A decision's left branch is for what is not greater than the threshold."""
    scores = compile_forest(["0<1.5 1 2<0 10 20", "0.5"], parts=["ff"], common="f", round_of=9, sure=1e9)
    assert scores([[(1.5, 0.0)], [(2.0, 0.0)]], (0.0,)) == [1.5, 10.5]
    assert scores([[(1.5, 0.0)], [(2.0, 0.0)]], (0.1,)) == [1.5, 20.5]
    assert scores([], (0.0,)) == []


@pytest.mark.parametrize("threshold,beyond", [(-0.5, [0, 1, 2]), (0.5, [1, 2]), (1.0, [2]), (1.9, [2])])
def test_whole_numbers_are_compared_as_such(threshold, beyond):
    """A threshold between two of them is the lower one; true is beyond any threshold between 0 and 1."""
    scores = compile_forest([f"0<{threshold} 0 1"], parts=["i"], common="", round_of=9, sure=1e9)
    assert scores([[(number,)] for number in range(3)], ()) == [number in beyond for number in range(3)]
    scores = compile_forest([f"0<{threshold} 0 1"], parts=["b"], common="", round_of=9, sure=1e9)
    assert scores([[(truth,)] for truth in (False, True)], ()) == [number in beyond for number in range(2)]


def test_a_row_that_a_round_is_sure_of_is_let_go():
    """On either side of zero."""
    scores = compile_forest(["0<0 -3 1", "5"], parts=["f"], common="", round_of=1, sure=2.0)
    assert scores([[(0.0,)], [(1.0,)]], ()) == [-3, 6]


@pytest.mark.parametrize("line", ["9<1 0 1", "0<1 0", "x0<1 0 1", "0<__import__('os') 0 1", "", "print()"])
def test_a_text_that_is_no_forest_is_refused(line):
    """Only numbers, and columns that there are: nothing of the text is executed as it stands."""
    with pytest.raises((ValueError, StopIteration, RuntimeError)):
        compile_forest([line], parts=["ff"], common="", round_of=9, sure=1.0)
