"""Batches: what a harvester gets when it asks for work.

A batch is a ragged table of requests. It is filled by *rows*: a row is a list of visits, one domain each,
and the harvester has one request of a row under way at a time. A visit is never split, so a domain's
requests cannot meet in any column. Every row gets one visit first, because rows run side by side; only when
there are more visits than rows do short rows take further visits, one each in turn, until they are full.

*Spread*: rows come grouped by address, at most max-hosts in a group. Dealt cyclically into max-hosts lists
that are concatenated at the end, the rows of one group lie a whole list apart.

*Pace*: how many rows make one column last at least req-delay (specification, section 7). A harvester reports
its average processor time per request: that is what limits it, for it waits for many servers at once.
Measuring elapsed time instead would freeze the number of rows at whatever it was first: few rows, few
requests, long time per request, few rows. How long servers take counts too: until the first byte of an
answer a row waits beside its delay, and during its body instead of it, for the delay runs from the first
byte. Where there is no delay, nothing else counts. A row that need not wait is never idle, so one visit
makes it full: what more it held would only be kept from other harvesters. Elsewhere a row is full when it
holds as many requests as one domain may be asked.

*Weight*: rows are counted, but requests differ: ten thousand short rows are light, and a thousand long ones
would outgrow what the other side accepts as one message. So visits are weighed too.

The other kind of batch is *names*: domains never seen. A harvester, not the queuekeeper, finds out their
addresses: name servers can be slow, and while the queuekeeper waited for one, all harvesters starved.
"""

from collections.abc import Iterable, Iterator
from math import ceil
from operator import attrgetter
from typing import TypeVar

from txtr.model import Visit


def fill(visits: Iterable[Visit], rows: int, length: int) -> list[list[Visit]]:
    """Lay visits into at most `rows` rows of about `length` requests, in the order they come.

    `visits` is drawn from only as long as there is room.
    """
    supply = iter(visits)
    table: list[list[Visit]] = []
    if rows > 0:
        for visit in supply:
            table.append([visit])
            if len(table) == rows:
                _lengthen(table, supply, length)
                break
    return table


def _lengthen(table: list[list[Visit]], supply: Iterator[Visit], length: int) -> None:
    """In turn: in a row with many short visits each waits for all others."""
    short = [(row, len(row[0].requests)) for row in table]
    while short := [(row, filled) for row, filled in short if filled < length]:
        for place, (row, filled) in enumerate(short):
            visit = next(supply, None)
            if visit is None:
                return
            row.append(visit)
            short[place] = row, filled + len(visit.requests)


Row = TypeVar("Row")


def spread(rows: list[Row], max_hosts: int) -> list[Row]:
    """The same rows, neighbours of one address far apart."""
    return [row for first in range(min(max_hosts, len(rows))) for row in rows[first::max_hosts]]


FIRST_GUESS = 0.01  # seconds of processor time per request, until the harvester has measured
LONGEST_ANSWER = 3600.0  # seconds that servers take, on average; more is no measurement
FEWEST_ROWS = 8  # so that a slow start or very short delay still lets requests overlap


def rows_wanted(
    req_delay: float, seconds_per_request: float, most: int, answer: float = 0.0, body: float = 0.0
) -> int:
    """As many rows as the harvester can serve while one of them waits, never more than `most`."""
    if not seconds_per_request > 0:  # nor is it a number, perhaps
        seconds_per_request = FIRST_GUESS
    waiting = _sensible(answer) + max(req_delay, _sensible(body))
    served = ceil(min(most, waiting / seconds_per_request))
    return min(most, max(FEWEST_ROWS, served))


def _sensible(seconds: float) -> float:
    return seconds if 0 <= seconds <= LONGEST_ANSWER else 0.0


def row_length(req_delay: float, max_reqs: int) -> int:
    """How many requests make a row full."""
    return max_reqs if req_delay > 0 else 1


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


MOST_NAMES = 50  # per batch: what a harvester resolves at once without straining a name server


def share(waiting: int, harvesters: int) -> int:
    """How many of the waiting domains one of so many harvesters gets."""
    return min(MOST_NAMES, ceil(waiting / max(1, harvesters)))
