"""Columns: a batch is emptied by columns.

Each row gives one request at a time; its next is due when the domain's delay has passed. So
what is taken at one moment is a column: at most one request per row and per domain. Rows do
not wait for each other: a slow row makes its own column late and nobody else's.

Invariant (rule req-delay): a request to a domain starts no earlier than `delay` after the
first byte of the domain's previous answer, and never before that answer has ended. A server
that answered has seen the request, so its own log shows at least `delay` from start to start,
however long requests travelled. An answer that never began, or was cut off by us, counts from
its end. The invariant is kept per domain, not per row: it holds across rows and batches.
"""

import heapq
from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from txtr.errors import OurMistake
from txtr.model import Request, Unvisited, Visit

GRAIN = 0.005  # seconds added to a delay: servers date requests by clocks they read now and then
REMEMBERED = 3600.0  # seconds: longer than any delay between two requests of one series


@dataclass(frozen=True, slots=True)
class Errand:
    """One request on its way: where it came from, so that the answer finds back."""

    batch: int
    row: int
    domain: str
    address: str
    delay: float
    request: Request
    column: int


@dataclass(slots=True)
class _Row:
    errands: deque[Errand] = field(default_factory=deque)
    domains: set[str] = field(default_factory=set)
    taken: int = 0  # errands given out so far: the number of the next column
    out: Errand | None = None  # the one being fetched

    def all(self) -> Iterator[Errand]:
        if self.out is not None:
            yield self.out
        yield from self.errands


class Columns:
    def __init__(self, wait: float = 0.0) -> None:
        self.wait = wait  # safety wait after every request
        self.rows: dict[int, _Row] = {}  # filled by add and top_up; emptied when the last errand is done
        self.row_of: dict[str, int] = {}  # domain -> its row, while the row lives
        self.last: dict[str, tuple[float, float]] = {}  # domain -> when its last answer began and ended
        self.due: list[tuple[float, int]] = []  # heap of (time, row): rows that have an errand and none out
        self.numbered = 0

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, batch: int, row: Iterable[Visit], now: float) -> None:
        """A new row of a batch."""
        self.numbered += 1
        for visit in row:
            self.top_up(batch, visit, now, self.numbered)

    def top_up(self, batch: int, visit: Visit, now: float, new_row: int = 0) -> None:
        """More requests for a domain: at the end of the row it is in, or else in a new one."""
        if not new_row:
            self.numbered += 1
        number = self.row_of.get(visit.domain, new_row or self.numbered)
        is_new = number not in self.rows
        row = self.rows.setdefault(number, _Row())
        self.row_of[visit.domain] = number
        row.domains.add(visit.domain)
        for request in visit.requests:
            column = row.taken + len(row.errands)
            row.errands.append(
                Errand(batch, number, visit.domain, visit.address, visit.delay, request, column)
            )
        if is_new:
            self._schedule(number, now)

    def take(self, now: float, most: int) -> list[Errand]:
        """The column due now: at most one errand per row."""
        column: list[Errand] = []
        while self.due and self.due[0][0] <= now and len(column) < most:
            _, number = heapq.heappop(self.due)
            row = self.rows[number]
            row.out = row.errands.popleft()
            row.taken += 1
            column.append(row.out)
        return column

    def next_due(self) -> float | None:
        return self.due[0][0] if self.due else None

    def done(self, errand: Errand, first_byte: float | None, ended: float) -> None:
        """The errand's answer has ended; without a first byte the delay counts from its end."""
        self.last[errand.domain] = (ended if first_byte is None else first_byte, ended)
        row = self.rows.get(errand.row)
        if row is None or row.out != errand:
            raise OurMistake(f"answer to an errand that is not out: {errand}")
        row.out = None
        if row.errands:
            self._schedule(errand.row, ended)
        else:
            self._end(errand.row)

    def leave(self, domain: str) -> dict[int, Unvisited]:
        """Give up what is left of this domain's errands, by batch: its server wants to be left alone.

        Called while one of them is out, so the row ends in `done`.
        """
        row = self.rows[self.row_of[domain]]
        left = [errand for errand in row.errands if errand.domain == domain]
        row.errands = deque(errand for errand in row.errands if errand.domain != domain)
        return {
            batch: Unvisited(domain, [errand.request.path for errand in left if errand.batch == batch])
            for batch in {errand.batch for errand in left}
        }

    def clear(self) -> Iterator[tuple[int, Unvisited]]:
        """Give up everything that is not out."""
        for number, row in list(self.rows.items()):
            for errand in row.errands:
                yield errand.batch, Unvisited(errand.domain, [errand.request.path])
            row.errands.clear()
            if row.out is None:
                self._end(number)
        self.due.clear()

    def batches(self) -> list[int]:
        """The batches we still have errands of."""
        return sorted({errand.batch for row in self.rows.values() for errand in row.all()})

    def forget_all_but(self, batches: Container[int]) -> None:
        """Other batches are no longer ours: drop their errands; those that are out end in `done`."""
        for number, row in list(self.rows.items()):
            row.errands = deque(errand for errand in row.errands if errand.batch in batches)
            if not row.errands and row.out is None:
                self._end(number)
        self.due = [entry for entry in self.due if entry[1] in self.rows]
        heapq.heapify(self.due)

    def sweep(self, now: float) -> None:
        """Forget domains that are in no row and whose delay has passed."""
        self.last = {
            domain: (begun, ended)
            for domain, (begun, ended) in self.last.items()
            if domain in self.row_of or now - ended < REMEMBERED
        }

    def _schedule(self, number: int, now: float) -> None:
        errand = self.rows[number].errands[0]
        begun, ended = self.last.get(errand.domain, (float("-inf"), float("-inf")))
        pause = errand.delay + GRAIN if errand.delay else 0.0
        heapq.heappush(self.due, (max(now, begun + pause, ended + self.wait), number))

    def _end(self, number: int) -> None:
        for domain in self.rows.pop(number).domains:
            del self.row_of[domain]
