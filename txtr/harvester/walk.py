"""The walk: a harvester's way through its batches, column by column.

The walk says what is to be done now (`due`: requests to fetch; if there are none, nothing until `next_due`),
and collects the answers in reports. Without a lease, no request is due.

Invariant: every request that was dealt is reported exactly once, as a document, a redirect, a failure, a
robots.txt, or as unvisited.

A server in trouble is left alone at once, although the queuekeeper may not have heard of the trouble yet.
Requests for that domain that the queuekeeper sends meanwhile go back unvisited, until it has answered a ping
that was said after the report.
"""

from collections.abc import Container
from dataclasses import dataclass, field
from math import inf

from txtr.harvester.columns import Columns, DealtRequest
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

NO_ROOM = 1 << 30  # busy rows that a harvester claims when it wants no more work
COUNT_EVERY = 1.0  # seconds: to look at every row takes a while
REMEMBERED = 10_000  # batches whose requests are counted: more than are ever topped up at the same time
FULL = 4 * 1024 * 1024  # bytes of a report: one more answer still fits into a frame


@dataclass(slots=True)
class Walk:
    columns: Columns
    batch_count: int = 0  # batches after which the harvester leaves; 0: it never leaves
    lease_until: float = 0.0
    last_batch: int = 0
    batches_seen: int = 0
    is_leaving: bool = False
    received: dict[int, int] = field(default_factory=dict)  # batch -> requests of it that have come
    unanswered: dict[int, int] = field(default_factory=dict)  # batch -> requests of it without an answer
    reports: dict[int, Report] = field(default_factory=dict)  # batch -> the report that is being filled
    full: list[Report] = field(default_factory=list)  # reports that would fill a frame
    weights: dict[int, int] = field(default_factory=dict)  # batch -> estimated bytes of its report
    left: dict[str, float] = field(default_factory=dict)  # domain in trouble -> when it was reported, or inf
    asked: tuple[int, int] | None = None  # the state on which our last question was based
    column: float = inf  # seconds that a column lasts; a row that is due later is slow
    slow_rows: int = 0  # as they were counted last
    count_again: float = 0.0  # the time of the next count

    def deal(self, batch: Batch, now: float) -> None:
        self.last_batch = batch.number
        self.batches_seen += 1
        for row in batch.rows:
            for visit in row:
                self.left.pop(visit.domain, None)  # another series: the queuekeeper has heard of the trouble
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
        """The batches for which we still owe answers, and how many requests of each have come."""
        return {batch: self.received[batch] for batch in self.unanswered}

    def keep_only(self, batches: Container[int]) -> None:
        """Drop all other batches, which are no longer ours; their requests under way are still reported."""
        self.columns.forget_all_but(batches)
        for batch in [batch for batch in self.received if batch not in batches]:
            del self.received[batch]
            self.unanswered.pop(batch, None)

    def due(self, now: float, most: int) -> list[DealtRequest]:
        """The requests to send now, at most `most`; none without a lease."""
        return self.columns.take(now, most) if now < self.lease_until else []

    def next_due(self) -> float | None:
        return self.columns.next_due()

    def extend_lease(self, stamp: float) -> None:
        """Take in that the queuekeeper has heard everything that was said before this moment."""
        self.lease_until = stamp + LEASE
        if self.left:
            self.left = {domain: said for domain, said in self.left.items() if said >= stamp}

    def question(
        self, seconds_per_request: float, seconds_per_answer: float, seconds_per_body: float, now: float
    ) -> Ask | None:
        """The question for more work; None: our last question still stands."""
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
        """The number of rows with a request due within one column; slower rows leave room for other work."""
        if now >= self.count_again:
            self.count_again = now + COUNT_EVERY
            self.slow_rows = self.columns.later_than(now + self.column)
        return max(0, len(self.columns) - self.slow_rows)

    def has_had_enough(self) -> bool:
        """Has the harvester walked through as many batches as it should?"""
        is_last = 0 < self.batch_count <= self.batches_seen
        return is_last and not self.unanswered and not self.is_leaving

    def ended(
        self, dealt: DealtRequest, trouble: Trouble | None, first_byte: float | None, ended: float
    ) -> None:
        """Take in that an answer has ended, well or not; a domain in trouble is left alone."""
        if trouble is not None and REMEDIES[trouble].blame is not Blame.PATH:
            self.left[dealt.domain] = inf
            for batch, unvisited in self.columns.leave(dealt.domain).items():
                self.answer(batch, unvisited)
        self.columns.done(dealt, first_byte, ended)

    def answer(self, batch: int, answer: Answer) -> None:
        """Put an answer into the report of its batch."""
        self.reports.setdefault(batch, Report(batch)).add(answer)
        self._settle(batch, len(answer.paths) if isinstance(answer, Unvisited) else 1)
        self.weights[batch] = self.weights.get(batch, 0) + _weight(answer)
        if self.weights[batch] > FULL:
            self.full.append(self.reports.pop(batch))
            del self.weights[batch]

    def take_reports(self, now: float) -> list[Report]:
        """The reports that are to be sent now."""
        self.left = {domain: min(said, now) for domain, said in self.left.items()}
        reports = [*self.full, *self.reports.values()]
        self.full, self.reports, self.weights = [], {}, {}
        return reports

    def spare(self, domain: str) -> None:
        """Send no more requests to this domain; hand back those that were not begun."""
        for batch, unvisited in self.columns.spare(domain).items():
            self.answer(batch, unvisited)

    def leave(self) -> None:
        """Start no more requests; hand back those that were not begun."""
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
    """The estimated bytes of an answer on the wire, rather too few."""
    match answer:
        case Document(links=links):
            return 200 + sum(map(len, links)) + 3 * len(links)
        case RobotsFile(text=text):
            return 200 + 4 * len(text)
        case Unvisited(paths=paths):
            return sum(map(len, paths))
        case _:
            return 500
