"""Weight: how much of a batch fits into one message.

Rows are counted, but requests differ: ten thousand short rows are light, and a thousand long
ones would outgrow what the other side accepts as one message. So visits are weighed too.
"""

from collections.abc import Iterable, Iterator
from operator import attrgetter

from txtr.model import Visit

MOST_BYTES = 4 * 1024 * 1024  # of visits in one message: one visit more is still far below a frame's limit
WRAPPING_BYTES = 100  # of a visit beside its requests, and of a request beside its path, at most

_path = attrgetter("path")


def weight(visit: Visit) -> int:
    """At least as many bytes as the visit takes on the wire; canonical paths are ASCII."""
    paths = sum(map(len, map(_path, visit.requests)))
    return len(visit.domain) + paths + (1 + len(visit.requests)) * WRAPPING_BYTES


def one_portion(visits: Iterable[Visit], most_bytes: int = MOST_BYTES) -> Iterator[Visit]:
    """The first visits, until they are a message's worth; the others are not even drawn."""
    weighed = 0
    for visit in visits:
        yield visit
        weighed += weight(visit)
        if weighed >= most_bytes:
            return


def portions(visits: Iterable[Visit], most_bytes: int = MOST_BYTES) -> Iterator[list[Visit]]:
    """All visits, a message's worth at a time."""
    supply = iter(visits)
    while portion := list(one_portion(supply, most_bytes)):
        yield portion
