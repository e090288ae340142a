"""Ranks: the best are served first, and nobody is never served.

Requests, domains and addresses are of three ranks, by what they promise. Whoever serves them takes
from the best rank that has any, but every tenth time from another, and those others take turns:
if the tenth were always the worst one's, the middle would starve.
"""

from collections.abc import Sequence

PROMISING, DOUBTFUL, HOPELESS = RANKS = range(3)
LEAST_PROMISING = 0.5  # usability, 0 to 1, that is to be expected
LEAST_DOUBTFUL = 0.2  # with 0.1, what foreign pages of mixed domains lead to was no worse than a short text
EVERY = 10  # one of so many is not of the best rank


def rank(promise: float) -> int:
    """The rank of what promises this usability."""
    if promise >= LEAST_PROMISING:
        return PROMISING
    return DOUBTFUL if promise >= LEAST_DOUBTFUL else HOPELESS


def serve(lines: Sequence[object], turn: int) -> int | None:
    """Which of several lines (or lengths), the best first, is served at this turn; None if all are empty."""
    tens, rest = divmod(turn, EVERY)
    if rest < EVERY - 1:
        for number, line in enumerate(lines):
            if line:
                return number
        return None
    filled = [number for number, line in enumerate(lines) if line]
    others = filled[1:] or filled
    return others[tens % len(others)] if others else None
