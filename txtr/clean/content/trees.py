"""Decision trees: a forest of them, learnt by bench/train_clean.py, gives each row of numbers its score.

Invariant: reading a forest's text gives the function that was learnt, or raises. The text holds numbers only,
so no word of it is ever executed.

The function is written out as Python code, one conditional expression per tree. That is three times as fast
as walking arrays, and needs no library. The text has a line per tree, in prefix order: `column<threshold` is
a decision, after which its left branch follows and then its right one; a bare number is a leaf.

Rows come in parts, because many rows share parts; the part that all rows share is given once. Each column has
a type, and its thresholds have the same: two floats or two ints are compared much faster than a mixture.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import floor
from typing import Any

FLOAT, INT, BOOL = "fib"  # types of columns; a part is a text with a letter for each of its columns

Scores = Callable[[Iterable[Sequence[Any]], Sequence[float]], list[float]]


def compile_forest(
    lines: Iterable[str], parts: Sequence[str], common: str, round_of: int, sure: float
) -> Scores:
    """The function that adds up the numbers of all trees for each row of these parts and the common part.

    After each round of round_of trees, a row whose score is sure, above or below zero, is asked no more.
    """
    types = "".join([*parts, common])
    numbers = iter(range(len(types)))
    names = ["(" + "".join(f"x{next(numbers)}, " for _ in part) + ")" for part in [*parts, common]]
    steps = [f"def scores(rows, common):\n    {names.pop()} = common\n    found = []"]
    steps.append(f"    for {', '.join(names)}, in rows:\n        score = 0.0")
    margin = "        "
    trees = [_expression(iter(line.split()), types) for line in lines]
    for start in range(0, len(trees), round_of):
        steps.append(f"{margin}score += " + "\\\n + ".join(trees[start : start + round_of]))
        steps.append(f"{margin}if {-sure!r} < score < {sure!r}:")
        margin += " "
    steps.append(f"{margin}pass\n        found.append(score)\n    return found")
    made: dict[str, Scores] = {}
    exec(compile("\n".join(steps), "<forest>", "exec"), made)
    return made["scores"]


def _expression(words: Iterator[str], types: str) -> str:
    """One tree as a conditional expression; the learner keeps its depth small."""
    word = next(words)
    column, is_decision, threshold = word.partition("<")
    if not is_decision:
        return repr(float(word))
    number = int(column)
    if not 0 <= number < len(types):
        raise ValueError(f"column {number} of a forest over {len(types)} columns")
    test = _beyond(number, float(threshold), types[number])
    left, right = _expression(words, types), _expression(words, types)
    return f"({right} if {test} else {left})"


def _beyond(column: int, threshold: float, kind: str) -> str:
    """Is the value of this column beyond the threshold?"""
    if kind == BOOL and 0 <= threshold < 1:
        return f"x{column}"
    return f"x{column} > {floor(threshold) if kind == INT else threshold!r}"
