"""The walk: a harvester's way through its batches, column by column.

It says what is to be done now (`due`: requests to fetch; else nothing until `next_due`), and
collects what came of it in reports. It knows the lease: without one, nothing is due.

Invariant: every request that was dealt is reported exactly once, as a document, a redirect, a
failure, a robots.txt, or as unvisited.

A server in trouble is left alone at once, although the queuekeeper may not have heard of it yet: what it
has sent meanwhile for that domain goes back unvisited, until it has answered a ping that was said after
the report.
"""

from collections.abc import Container
from dataclasses import dataclass, field
from math import inf

from txtr.harvester.columns import Columns, Errand
from txtr.manners.remedies import REMEDIES, Blame
from txtr.model import (
    Answer,
    Batch,
    Document,
    Report,
    RobotsFile,
    Trouble,
    Unvisited,
    Visit,
)
from txtr.wire.lease import LEASE
from txtr.wire.messages import Ask

NO_ROOM = 1 << 30  # rows that a harvester claims to be busy with when it wants no more
COUNT_EVERY = 1.0  # seconds: looking at every row takes a while
REMEMBERED = 10_000  # batches whose requests are counted: more than are ever topped up at the same time
FULL = 4 * 1024 * 1024  # bytes of a report: with one more answer it still fits into a frame


@dataclass(slots=True)
class Walk:
    columns: Columns
    batch_count: int = 0  # batches after which we leave; 0: never
    lease_until: float = 0.0
    last_batch: int = 0
    batches_seen: int = 0
    is_leaving: bool = False
    received: dict[int, int] = field(default_factory=dict)  # batch -> requests that have come of it
    unanswered: dict[int, int] = field(default_factory=dict)  # batch -> those of them without an answer
    reports: dict[int, Report] = field(default_factory=dict)  # batch -> what is to be said of it
    full: list[Report] = field(default_factory=list)  # the same, grown to a frame's worth
    weights: dict[int, int] = field(default_factory=dict)  # batch -> about how many bytes its report has
    left: dict[str, float] = field(default_factory=dict)  # domain in trouble -> when it was reported, or inf
    asked: tuple[int, int] | None = None  # what our last question was based on
    column: float = inf  # seconds that a column lasts; a row that is due later is slow
    slow_rows: int = 0  # as counted last
    count_again: float = 0.0  # at this time

    def deal(self, batch: Batch, now: float) -> None:
        self.last_batch = batch.number
        self.batches_seen += 1
        for row in batch.rows:
            for visit in row:
                self.left.pop(visit.domain, None)  # another series: its trouble was heard of
            self._receive(batch.number, row)
            if self.is_leaving:
                self._hand_back(batch.number, row)
            else:
                self.columns.add(batch.number, row, now)

    def top_up(self, batch: int, visits: list[Visit], now: float) -> None:
        self._receive(batch, visits)
        for visit in visits:
            if self.is_leaving or visit.domain in self.left:
                self._hand_back(batch, [visit])
            else:
                self.columns.top_up(batch, visit, now)

    def held(self) -> dict[int, int]:
        """The batches we still owe answers of, and how many requests have come of each."""
        return {batch: self.received[batch] for batch in self.unanswered}

    def keep_only(self, batches: Container[int]) -> None:
        """Other batches are no longer ours; what is under way for them is still reported."""
        self.columns.forget_all_but(batches)
        for batch in [batch for batch in self.received if batch not in batches]:
            del self.received[batch]
            self.unanswered.pop(batch, None)

    def due(self, now: float, most: int) -> list[Errand]:
        """The requests to send now, at most so many; none without a lease."""
        return self.columns.take(now, most) if now < self.lease_until else []

    def next_due(self) -> float | None:
        return self.columns.next_due()

    def extend_lease(self, stamp: float) -> None:
        """The queuekeeper has heard everything that was said before this moment."""
        self.lease_until = stamp + LEASE
        if self.left:
            self.left = {domain: said for domain, said in self.left.items() if said >= stamp}

    def question(
        self, seconds_per_request: float, seconds_per_answer: float, seconds_per_body: float, now: float
    ) -> Ask | None:
        """What to ask for; None: our last question still stands."""
        based_on = (self.last_batch, self._busy_rows(now))
        if self.is_leaving or based_on == self.asked:
            return None
        self.asked = based_on
        if not self.batch_count:
            return Ask(*based_on, seconds_per_request, 0, seconds_per_answer, seconds_per_body)
        batches = self.batch_count - self.batches_seen
        if batches <= 0:
            return Ask(self.last_batch, NO_ROOM, 0.0)
        return Ask(*based_on, seconds_per_request, batches, seconds_per_answer, seconds_per_body)

    def _busy_rows(self, now: float) -> int:
        """Rows that need us within one column; one that is slower than that leaves us room meanwhile."""
        if now >= self.count_again:
            self.count_again = now + COUNT_EVERY
            self.slow_rows = self.columns.later_than(now + self.column)
        return max(0, len(self.columns) - self.slow_rows)

    def has_had_enough(self) -> bool:
        """Has it walked through as many batches as it should?"""
        is_last = 0 < self.batch_count <= self.batches_seen
        return is_last and not self.unanswered and not self.is_leaving

    def ended(self, errand: Errand, trouble: Trouble | None, first_byte: float | None, ended: float) -> None:
        """The server's answer has ended, well or not; a domain in trouble is left alone."""
        if trouble is not None and REMEDIES[trouble].blame is not Blame.PATH:
            self.left[errand.domain] = inf
            for batch, unvisited in self.columns.leave(errand.domain).items():
                self.answer(batch, unvisited)
        self.columns.done(errand, first_byte, ended)

    def answer(self, batch: int, answer: Answer) -> None:
        """Lay an answer into the report of its batch."""
        self.reports.setdefault(batch, Report(batch)).add(answer)
        self._settle(batch, len(answer.paths) if isinstance(answer, Unvisited) else 1)
        self.weights[batch] = self.weights.get(batch, 0) + _weight(answer)
        if self.weights[batch] > FULL:
            self.full.append(self.reports.pop(batch))
            del self.weights[batch]

    def take_reports(self, now: float) -> list[Report]:
        """What is to be said now."""
        self.left = {domain: min(said, now) for domain, said in self.left.items()}
        reports = [*self.full, *self.reports.values()]
        self.full, self.reports, self.weights = [], {}, {}
        return reports

    def spare(self, domain: str) -> None:
        """Ask this domain for nothing more; hand back what was not begun."""
        for batch, unvisited in self.columns.spare(domain).items():
            self.answer(batch, unvisited)

    def leave(self) -> None:
        """Start nothing more; hand back what was not begun."""
        self.is_leaving = True
        for batch, unvisited in self.columns.clear():
            self.answer(batch, unvisited)

    def _receive(self, batch: int, visits: list[Visit]) -> None:
        requests = sum(len(visit.requests) for visit in visits)
        self.received[batch] = self.received.get(batch, 0) + requests
        self.unanswered[batch] = self.unanswered.get(batch, 0) + requests
        if len(self.received) > REMEMBERED:
            done = next((batch for batch in self.received if batch not in self.unanswered), batch)
            del self.received[done]

    def _settle(self, batch: int, requests: int) -> None:
        left = self.unanswered.pop(batch, 0) - requests
        if left > 0:
            self.unanswered[batch] = left

    def _hand_back(self, batch: int, visits: list[Visit]) -> None:
        for visit in visits:
            self.answer(batch, Unvisited(visit.domain, [request.path for request in visit.requests]))


def _weight(answer: Answer) -> int:
    """About how many bytes an answer takes on the wire, at least."""
    match answer:
        case Document(links=links):
            return 200 + sum(map(len, links)) + 3 * len(links)
        case RobotsFile(text=text):
            return 200 + 4 * len(text)
        case Unvisited(paths=paths):
            return sum(map(len, paths))
        case _:
            return 500
