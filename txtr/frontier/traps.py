"""Traps: paths that grow for ever, because a server takes whatever is appended to them.

A relative link that should have been absolute leads to /news/news/, and that page to /news/news/news/, each
with the same text or none. Where the same segments stand three times in a row in a long path, there is
nothing to be found that is not at a shorter one.
"""

FEWEST = 6  # segments: shorter paths have not grown for long
MOST_SEGMENTS = 40  # segments: nobody has written longer ones
TIMES = 3
LONGEST_REPEAT = 8  # segments that repeat themselves: bounds the time that a path takes


def is_trap(path: str) -> bool:
    """Has this path of a domain grown without end?"""
    if path.count("/") < FEWEST:  # nearly all
        return False
    segments = path.partition("?")[0].split("/")[1:]
    if len(segments) > MOST_SEGMENTS:
        return True
    most_different = len(segments) - (TIMES - 1)
    return len(set(segments)) <= most_different and any(
        _repeats(segments, period) for period in range(1, LONGEST_REPEAT + 1)
    )


def _repeats(segments: list[str], period: int) -> bool:
    """Do so many segments stand three times in a row? Not if they are only numbers: those may be a date."""
    same = 0  # segments in a row that are what stood a period before
    for at in range(period, len(segments)):
        same = same + 1 if segments[at] == segments[at - period] else 0
        if same == period * (TIMES - 1) and not "".join(segments[at - period + 1 : at + 1]).isdigit():
            return True
    return False
