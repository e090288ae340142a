"""Ranks: the best requests, domains and addresses are served first, and all are served some time.

There are three ranks, by promise. The best rank that has any is served, but every tenth turn another one. The
other ranks take those turns in rotation: if the worst one always had them, the middle one would starve.
"""

from collections.abc import Sequence

PROMISING, DOUBTFUL, HOPELESS = RANKS = range(3)
LEAST_PROMISING = 0.5  # expected usability, 0 to 1
LEAST_DOUBTFUL = 0.2  # with 0.1, links of foreign pages on mixed domains passed for those of short texts
TURNS_PER_OTHER = 10  # one of so many is not of the best rank


def rank(promise: float) -> int:
    """The rank of a link with this promise."""
    if promise >= LEAST_PROMISING:
        return PROMISING
    return DOUBTFUL if promise >= LEAST_DOUBTFUL else HOPELESS


def serve(lines: Sequence[object], turn: int) -> int | None:
    """Which of several lines (or lengths), the best first, is served at this turn; None if all are empty."""
    tens, rest = divmod(turn, TURNS_PER_OTHER)
    if rest < TURNS_PER_OTHER - 1:
        for number, line in enumerate(lines):
            if line:
                return number
        return None
    filled = [number for number, line in enumerate(lines) if line]
    others = filled[1:] or filled
    return others[tens % len(others)] if others else None
