"""Batches: what a harvester gets when it asks for work.

A batch is a ragged table of requests. It is filled by *rows*. A row is a list of visits, one domain each, and
the harvester has one request of a row under way at a time. A visit is never split, so two requests of a
domain are never in one column. Every row gets one visit first, because rows run side by side. If there are
more visits than rows, short rows take further visits, one each in turn, until they are full.

*Spread*: rows come grouped by address, at most max-hosts in a group. They are dealt in rotation into
max-hosts lists, which are joined at the end. So the rows of one group lie a whole list apart.

*Pace*: how many rows make one column last at least req-delay (specification, section 7). A harvester reports
its average processor time per request, which is its limit, as it waits for many servers at once. Elapsed time
would freeze the number of rows at its first value: few rows, few requests, long time per request, few rows.
The time of servers counts too, because the delay runs from the first byte of an answer: a row waits for the
first byte in addition to its delay, and for the body during its delay. Without a delay only the time of
servers counts. Then a row is never idle, so one visit makes it full; more visits would only be kept from
other harvesters. With a delay, a row is full when it has as many requests as one domain may be asked.

*Weight*: requests differ in size. Ten thousand short rows are light, but a thousand long ones would be more
than the other side accepts as one message. So visits are weighed too.

The other kind of batch is *names*: domains that were never seen. Harvesters find out their addresses, not the
queuekeeper: name servers can be slow, and while the queuekeeper waited for one, all harvesters would starve.
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
    """Add visits to short rows in turn: a visit in a row with many others waits for all of them."""
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
    """The same rows, with those of one address far apart."""
    return [row for first in range(min(max_hosts, len(rows))) for row in rows[first::max_hosts]]


FIRST_GUESS = 0.01  # seconds of processor time per request, until the harvester has measured
LONGEST_ANSWER = 3600.0  # seconds that servers take, on average; a larger number is nonsense
FEWEST_ROWS = 8  # so that a slow start or very short delay still lets requests overlap


def rows_wanted(
    req_delay: float, seconds_per_request: float, most: int, answer: float = 0.0, body: float = 0.0
) -> int:
    """How many rows a harvester can serve while one of them waits; at most `most`."""
    if not seconds_per_request > 0:  # NaN is not either
        seconds_per_request = FIRST_GUESS
    waiting = _sensible(answer) + max(req_delay, _sensible(body))
    served = ceil(min(most, waiting / seconds_per_request))
    return min(most, max(FEWEST_ROWS, served))


def _sensible(seconds: float) -> float:
    return seconds if 0 <= seconds <= LONGEST_ANSWER else 0.0


def row_length(req_delay: float, max_reqs: int) -> int:
    """How many requests make a row full."""
    return max_reqs if req_delay > 0 else 1


MOST_BYTES = 4 * 1024 * 1024  # of visits in one message: one more is still far below a frame's limit
WRAPPING_BYTES = 100  # at most: of a visit without its requests, and of a request without its path

_path = attrgetter("path")


def weigh(visit: Visit) -> int:
    """The bytes that a visit takes on the wire, or more; canonical paths are ASCII."""
    paths = sum(map(len, map(_path, visit.requests)))
    return len(visit.domain) + paths + (1 + len(visit.requests)) * WRAPPING_BYTES


def one_portion(visits: Iterable[Visit], most_bytes: int = MOST_BYTES) -> Iterator[Visit]:
    """The first visits, as many as fill a message; further ones are not drawn."""
    weighed = 0
    for visit in visits:
        yield visit
        weighed += weigh(visit)
        if weighed >= most_bytes:
            return


def portions(visits: Iterable[Visit], most_bytes: int = MOST_BYTES) -> Iterator[list[Visit]]:
    """All visits, as many at a time as fill a message."""
    supply = iter(visits)
    while portion := list(one_portion(supply, most_bytes)):
        yield portion


MOST_NAMES = 50  # per batch: what a harvester resolves at once without straining a name server


def share_names(waiting: int, harvesters: int) -> int:
    """How many of the waiting domains one harvester of so many gets."""
    return min(MOST_NAMES, ceil(waiting / max(1, harvesters)))
