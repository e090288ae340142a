"""Traps: paths that grow for ever, because a server answers for any path that is appended.

A relative link that should have been absolute leads to /news/news/, and that page to /news/news/news/, each
with the same text or none. A long path in which the same segments stand three times in a row has nothing that
a shorter path has not.
"""

FEWEST_SEGMENTS = 6  # segments: shorter paths have not grown for long
MOST_SEGMENTS = 40  # nobody writes longer paths by hand
TIMES_IN_A_ROW = 3
LONGEST_REPEAT = 8  # segments that repeat themselves: bounds the time that a path takes


def is_trap(path: str) -> bool:
    """Does this path look as if it had grown without end?"""
    if path.count("/") < FEWEST_SEGMENTS:  # nearly all paths
        return False
    segments = path.partition("?")[0].split("/")[1:]
    if len(segments) > MOST_SEGMENTS:
        return True
    most_different = len(segments) - (TIMES_IN_A_ROW - 1)
    return len(set(segments)) <= most_different and any(
        _repeats(segments, period) for period in range(1, LONGEST_REPEAT + 1)
    )


def _repeats(segments: list[str], period: int) -> bool:
    """Do so many segments stand three times in a row? Not if they are only numbers: those may be a date."""
    same = 0  # segments in a row that equal those a period before
    for at in range(period, len(segments)):
        same = same + 1 if segments[at] == segments[at - period] else 0
        if (
            same == period * (TIMES_IN_A_ROW - 1)
            and not "".join(segments[at - period + 1 : at + 1]).isdigit()
        ):
            return True
    return False
