"""Columns: a batch is emptied by columns.

Each row gives one request at a time, from the domain whose delay passes first. So the requests that are taken
at one moment are a column: at most one request per row and per domain. Rows do not wait for each other: a
slow row delays its own column only. In some rows, servers answer so slowly that a turn of all domains takes
longer than the delay. Such a row lets its domains go: new requests for a domain that has none left there make
a row of their own.

Invariant (rule req-delay): a request to a domain starts no earlier than `delay` after the first byte of the
domain's previous answer, and never before that answer has ended. A server that answered has seen the request,
so the log of the server shows at least `delay` from start to start, however long requests travelled. For an
answer that never began, or that we cut off, the delay counts from its end. The invariant is kept per domain,
not per row: it holds across rows and batches.
"""

import heapq
from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from txtr.errors import OurMistake
from txtr.model import Request, Unvisited, Visit

GRAIN = 0.005  # seconds added to a delay: servers date requests by clocks that they read now and then
REMEMBERED = 3600.0  # seconds: longer than any delay between two requests of one series


class DealtRequest(Struct, frozen=True):
    """A request of a batch that has no answer yet, with the row from which it comes."""

    batch: int
    row: int
    domain: str
    address: str
    delay: float
    request: Request
    column: int = 0  # its number in the row, once it is taken


@dataclass(slots=True)
class _Row:
    waiting: dict[str, deque[DealtRequest]] = field(
        default_factory=dict
    )  # domain -> its requests, never empty
    domains: set[str] = field(default_factory=set)
    taken: int = 0  # requests given out so far: the number of the next column
    out: DealtRequest | None = None  # the request that is being fetched
    since: float = 0.0  # when that was taken
    fetching: float = 0.0  # seconds that the earlier requests took, from being taken to their ends

    def all(self) -> Iterator[DealtRequest]:
        if self.out is not None:
            yield self.out
        for queue in self.waiting.values():
            yield from queue

    def append(self, dealt: DealtRequest) -> None:
        self.domains.add(dealt.domain)
        self.waiting.setdefault(dealt.domain, deque()).append(dealt)

    def holds(self, domain: str) -> bool:
        return domain in self.waiting or (self.out is not None and self.out.domain == domain)

    def keeps_up(self, delay: float) -> bool:
        """Would the turn of each domain come within the delay, with one more domain in the row?"""
        ended = self.taken - (self.out is not None)
        return ended == 0 or (len(self.waiting) + 1) * self.fetching <= delay * ended

    def take(self, domain: str, now: float) -> DealtRequest:
        queue = self.waiting[domain]
        dealt = self.out = replace(queue.popleft(), column=self.taken)
        self.since = now
        self.taken += 1
        if not queue:
            del self.waiting[domain]
        return dealt


class Columns:
    def __init__(self, wait: float = 0.0) -> None:
        self.wait = wait  # safety wait after every request
        self.rows: dict[int, _Row] = {}  # filled by add and top_up; a row goes when its last request is done
        self.row_of: dict[str, int] = {}  # domain -> its row, while the row lives
        self.last: dict[str, tuple[float, float]] = {}  # domain -> when its last answer began and ended
        self.due: list[tuple[float, int]] = []  # heap of (time, row): the row may have a request due then
        self.numbered = 0

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, batch: int, row: Iterable[Visit], now: float) -> None:
        """Add a row of a batch."""
        self.numbered += 1
        number = self.numbered
        touched = {self._append(batch, visit, number) for visit in row}
        for touched_number in touched:
            self._schedule(touched_number, now)

    def top_up(self, batch: int, visit: Visit, now: float) -> None:
        """Add requests for a domain: to the row with the domain, if that keeps up, or else to a new row."""
        self.add(batch, [visit], now)

    def take(self, now: float, most: int) -> list[DealtRequest]:
        """Take the column that is due now: at most one request per row."""
        column: list[DealtRequest] = []
        while self.due and self.due[0][0] <= now and len(column) < most:
            _, number = heapq.heappop(self.due)
            row = self.rows.get(number)
            if row is None or row.out is not None or not row.waiting:
                continue  # the row was looked at in the meantime
            due, domain = self._next(row)
            if due <= now:
                column.append(row.take(domain, now))
            else:
                self._schedule(number, now)
        return column

    def next_due(self) -> float | None:
        return self.due[0][0] if self.due else None

    def later_than(self, until: float) -> int:
        """The number of rows that have no request due before this time."""
        return len({number for due, number in self.due if due > until and self._is_idle(number)})

    def _is_idle(self, number: int) -> bool:
        row = self.rows.get(number)
        return row is not None and row.out is None

    def done(self, dealt: DealtRequest, first_byte: float | None, ended: float) -> None:
        """Take in that an answer has ended; without a first byte the delay counts from its end."""
        self.last[dealt.domain] = (ended if first_byte is None else first_byte, ended)
        row = self.rows.get(dealt.row)
        if row is None or row.out != dealt:
            raise OurMistake(f"answer to a request that is not under way: {dealt}")
        row.out = None
        row.fetching += ended - row.since
        if row.waiting:
            self._schedule(dealt.row, ended)
        else:
            self._end(dealt.row)

    def leave(self, domain: str) -> dict[int, Unvisited]:
        """Give up the domain's requests that are left, by batch: its server wants to be left alone.

        One of the domain's requests is under way during the call, so the row ends in `done`.
        """
        left = self.rows[self.row_of[domain]].waiting.pop(domain, ())
        return {
            batch: Unvisited(domain, [dealt.request.path for dealt in left if dealt.batch == batch])
            for batch in {dealt.batch for dealt in left}
        }

    def spare(self, domain: str) -> dict[int, Unvisited]:
        """Do the same at any time, by order of the queuekeeper; a request under way ends in `done`."""
        number = self.row_of.get(domain)
        if number is None:
            return {}
        left = self.leave(domain)
        if not self.rows[number].waiting and self.rows[number].out is None:
            self._end(number)
        return left

    def clear(self) -> Iterator[tuple[int, Unvisited]]:
        """Give up all requests that are not under way."""
        for number, row in list(self.rows.items()):
            for queue in row.waiting.values():
                for dealt in queue:
                    yield dealt.batch, Unvisited(dealt.domain, [dealt.request.path])
            row.waiting.clear()
            if row.out is None:
                self._end(number)

    def batches(self) -> list[int]:
        """The batches of which requests are left here."""
        return sorted({dealt.batch for row in self.rows.values() for dealt in row.all()})

    def forget_all_but(self, batches: Container[int]) -> None:
        """Drop the requests of other batches, which are no longer ours; those under way end in `done`."""
        for number, row in list(self.rows.items()):
            ours = {
                domain: deque(dealt for dealt in queue if dealt.batch in batches)
                for domain, queue in row.waiting.items()
            }
            row.waiting = {domain: queue for domain, queue in ours.items() if queue}
            if not row.waiting and row.out is None:
                self._end(number)

    def sweep(self, now: float) -> None:
        """Forget domains that are in no row and whose delay has passed."""
        self.last = {
            domain: (begun, ended)
            for domain, (begun, ended) in self.last.items()
            if domain in self.row_of or now - ended < REMEMBERED
        }

    def _append(self, batch: int, visit: Visit, new_row: int) -> int:
        """Put a visit into the row that has its domain, or into the new row; return that row's number."""
        number = self.row_of.get(visit.domain, new_row)
        if number != new_row and not self._stays(visit, self.rows[number]):
            self.rows[number].domains.remove(visit.domain)
            number = new_row
        self.row_of[visit.domain] = number
        row = self.rows.setdefault(number, _Row())
        for request in visit.requests:
            row.append(DealtRequest(batch, number, visit.domain, visit.address, visit.delay, request))
        return number

    def _stays(self, visit: Visit, row: _Row) -> bool:
        """Does the visit join this row? Two rows never have requests for one domain."""
        return row.holds(visit.domain) or row.keeps_up(visit.delay)

    def _schedule(self, number: int, now: float) -> None:
        row = self.rows[number]
        if row.out is None:
            due, _ = self._next(row)
            heapq.heappush(self.due, (max(now, due), number))

    def _next(self, row: _Row) -> tuple[float, str]:
        """The time of the row's next request, and its domain."""
        return min((self._ready(queue[0]), domain) for domain, queue in row.waiting.items())

    def _ready(self, dealt: DealtRequest) -> float:
        begun, ended = self.last.get(dealt.domain, (-inf, -inf))
        pause = dealt.delay + GRAIN if dealt.delay else 0.0
        return max(begun + pause, ended + self.wait)

    def _end(self, number: int) -> None:
        for domain in self.rows.pop(number).domains:
            del self.row_of[domain]
