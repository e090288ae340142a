"""Trees: a forest of decisions, learnt elsewhere, that gives a row of numbers a score.

Invariant: reading a forest's text gives the function that was learnt, or raises; the text holds numbers
only, so that no word of it is ever executed.

The function is written out as Python code, one conditional expression per tree: three times as
fast as walking arrays, and no library is needed. The text has a line per tree, in prefix order:
`column<threshold` is a decision, whose left branch follows, then its right one; a bare number is a leaf.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

Score = Callable[[Sequence[Sequence[float]]], float]


def forest(lines: Iterable[str], parts: Sequence[int], round_of: int, sure: float) -> Score:
    """The function that adds up what all trees say of a row, which comes in parts of so many columns.

    After each round of so many trees a row whose score is sure, on either side of zero, is let go.
    """
    columns = sum(parts)
    numbers = iter(range(columns))
    names = ", ".join("(" + "".join(f"x{next(numbers)}, " for _ in range(part)) + ")" for part in parts)
    steps = [f"def score(row):\n    {names}, = row\n    score = 0.0"]
    for number, line in enumerate(lines, 1):
        steps.append(f"    score += {_expression(iter(line.split()), columns)}")
        if number % round_of == 0:
            steps.append(f"    if not {-sure!r} < score < {sure!r}:\n        return score")
    made: dict[str, Score] = {}
    exec(compile("\n".join([*steps, "    return score"]), "<forest>", "exec"), made)
    return made["score"]


def _expression(words: Iterator[str], columns: int) -> str:
    """One tree as a conditional expression; depth is small, for learners limit it."""
    word = next(words)
    column, is_decision, threshold = word.partition("<")
    if not is_decision:
        return repr(float(word))
    number = int(column)
    if not 0 <= number < columns:
        raise ValueError(f"column {number} of a forest over {columns} columns")
    left, right = _expression(words, columns), _expression(words, columns)
    return f"({left} if x{number} <= {float(threshold)!r} else {right})"
