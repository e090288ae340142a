"""Columns: a batch is emptied by columns.

Each row gives one request at a time: of its domains the one whose delay has passed first. So
what is taken at one moment is a column: at most one request per row and per domain. Rows do
not wait for each other: a slow row makes its own column late and nobody else's. A row whose servers
answer so slowly that one after another takes longer than the delay lets its domains go: what comes for
one that has nothing left in it makes a row of its own.

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
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from txtr.errors import OurMistake
from txtr.model import Request, Unvisited, Visit

GRAIN = 0.005  # seconds added to a delay: servers date requests by clocks they read now and then
REMEMBERED = 3600.0  # seconds: longer than any delay between two requests of one series


class Errand(Struct, frozen=True):
    """One request on its way: where it came from, so that the answer finds back."""

    batch: int
    row: int
    domain: str
    address: str
    delay: float
    request: Request
    column: int = 0  # in its row, once it is taken


@dataclass(slots=True)
class _Row:
    waiting: dict[str, deque[Errand]] = field(default_factory=dict)  # domain -> its errands, never empty
    domains: set[str] = field(default_factory=set)
    taken: int = 0  # errands given out so far: the number of the next column
    out: Errand | None = None  # the one being fetched
    since: float = 0.0  # it is
    fetching: float = 0.0  # seconds that the others took, from being taken to their ends

    def all(self) -> Iterator[Errand]:
        if self.out is not None:
            yield self.out
        for errands in self.waiting.values():
            yield from errands

    def append(self, errand: Errand) -> None:
        self.domains.add(errand.domain)
        self.waiting.setdefault(errand.domain, deque()).append(errand)

    def holds(self, domain: str) -> bool:
        return domain in self.waiting or (self.out is not None and self.out.domain == domain)

    def keeps_up(self, delay: float) -> bool:
        """Does each domain's turn come within the delay, if there is one more?"""
        ended = self.taken - (self.out is not None)
        return ended == 0 or (len(self.waiting) + 1) * self.fetching <= delay * ended

    def take(self, domain: str, now: float) -> Errand:
        errands = self.waiting[domain]
        errand = self.out = replace(errands.popleft(), column=self.taken)
        self.since = now
        self.taken += 1
        if not errands:
            del self.waiting[domain]
        return errand


class Columns:
    def __init__(self, wait: float = 0.0) -> None:
        self.wait = wait  # safety wait after every request
        self.rows: dict[int, _Row] = {}  # filled by add and top_up; emptied when the last errand is done
        self.row_of: dict[str, int] = {}  # domain -> its row, while the row lives
        self.last: dict[str, tuple[float, float]] = {}  # domain -> when its last answer began and ended
        self.due: list[tuple[float, int]] = []  # heap of (time, row): look then whether the row has one due
        self.numbered = 0

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, batch: int, row: Iterable[Visit], now: float) -> None:
        """A new row of a batch."""
        self.numbered += 1
        number = self.numbered
        touched = {self._append(batch, visit, number) for visit in row}
        for touched_number in touched:
            self._schedule(touched_number, now)

    def top_up(self, batch: int, visit: Visit, now: float) -> None:
        """More requests for a domain: in the row it is in, if that keeps up, or else in a new one."""
        self.add(batch, [visit], now)

    def take(self, now: float, most: int) -> list[Errand]:
        """The column due now: at most one errand per row."""
        column: list[Errand] = []
        while self.due and self.due[0][0] <= now and len(column) < most:
            _, number = heapq.heappop(self.due)
            row = self.rows.get(number)
            if row is None or row.out is not None or not row.waiting:
                continue  # looked at since
            due, domain = self._next(row)
            if due <= now:
                column.append(row.take(domain, now))
            else:
                self._schedule(number, now)
        return column

    def next_due(self) -> float | None:
        return self.due[0][0] if self.due else None

    def later_than(self, until: float) -> int:
        """How many rows have nothing to do before then."""
        return len({number for due, number in self.due if due > until and self._is_idle(number)})

    def _is_idle(self, number: int) -> bool:
        row = self.rows.get(number)
        return row is not None and row.out is None

    def done(self, errand: Errand, first_byte: float | None, ended: float) -> None:
        """The errand's answer has ended; without a first byte the delay counts from its end."""
        self.last[errand.domain] = (ended if first_byte is None else first_byte, ended)
        row = self.rows.get(errand.row)
        if row is None or row.out != errand:
            raise OurMistake(f"answer to an errand that is not out: {errand}")
        row.out = None
        row.fetching += ended - row.since
        if row.waiting:
            self._schedule(errand.row, ended)
        else:
            self._end(errand.row)

    def leave(self, domain: str) -> dict[int, Unvisited]:
        """Give up what is left of this domain's errands, by batch: its server wants to be left alone.

        Called while one of them is out, so the row ends in `done`.
        """
        left = self.rows[self.row_of[domain]].waiting.pop(domain, ())
        return {
            batch: Unvisited(domain, [errand.request.path for errand in left if errand.batch == batch])
            for batch in {errand.batch for errand in left}
        }

    def spare(self, domain: str) -> dict[int, Unvisited]:
        """The same whenever the queuekeeper wants it; what is out ends in `done`."""
        number = self.row_of.get(domain)
        if number is None:
            return {}
        left = self.leave(domain)
        if not self.rows[number].waiting and self.rows[number].out is None:
            self._end(number)
        return left

    def clear(self) -> Iterator[tuple[int, Unvisited]]:
        """Give up everything that is not out."""
        for number, row in list(self.rows.items()):
            for errands in row.waiting.values():
                for errand in errands:
                    yield errand.batch, Unvisited(errand.domain, [errand.request.path])
            row.waiting.clear()
            if row.out is None:
                self._end(number)

    def batches(self) -> list[int]:
        """The batches we still have errands of."""
        return sorted({errand.batch for row in self.rows.values() for errand in row.all()})

    def forget_all_but(self, batches: Container[int]) -> None:
        """Other batches are no longer ours: drop their errands; those that are out end in `done`."""
        for number, row in list(self.rows.items()):
            ours = {
                domain: deque(errand for errand in errands if errand.batch in batches)
                for domain, errands in row.waiting.items()
            }
            row.waiting = {domain: errands for domain, errands in ours.items() if errands}
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
        """Put a visit into the row its domain is in, or into the new one; which it was."""
        number = self.row_of.get(visit.domain, new_row)
        if number != new_row and not self._stays(visit, self.rows[number]):
            self.rows[number].domains.remove(visit.domain)
            number = new_row
        self.row_of[visit.domain] = number
        row = self.rows.setdefault(number, _Row())
        for request in visit.requests:
            row.append(Errand(batch, number, visit.domain, visit.address, visit.delay, request))
        return number

    def _stays(self, visit: Visit, row: _Row) -> bool:
        """Two rows never have errands of one domain."""
        return row.holds(visit.domain) or row.keeps_up(visit.delay)

    def _schedule(self, number: int, now: float) -> None:
        row = self.rows[number]
        if row.out is None:
            due, _ = self._next(row)
            heapq.heappush(self.due, (max(now, due), number))

    def _next(self, row: _Row) -> tuple[float, str]:
        """Whose errand is the row's next, and when."""
        return min((self._ready(errands[0]), domain) for domain, errands in row.waiting.items())

    def _ready(self, errand: Errand) -> float:
        begun, ended = self.last.get(errand.domain, (-inf, -inf))
        pause = errand.delay + GRAIN if errand.delay else 0.0
        return max(begun + pause, ended + self.wait)

    def _end(self, number: int) -> None:
        for domain in self.rows.pop(number).domains:
            del self.row_of[domain]
