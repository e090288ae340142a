"""The keeper: answers what harvesters say, as the frontier decides.

Harvesters ask for rows, and are answered as soon as there is work for them: at once, when an address has
rested, or when a report brings new links. Work is dealt in portions (frontier/portions.py), so that a large
answer to one harvester does not delay the others. Messages go into the outbox, and the edge carries them.

Invariant: a batch belongs to one harvester until it is answered or given up. It is given up only when its
harvester cannot be at work any more (see wire/lease.py).
"""

from collections.abc import Collection, Iterable, Iterator
from math import ceil, inf

import msgspec

from txtr.corpus.duplicates import Claims
from txtr.diary.yields import Yields
from txtr.frontier.frontier import Frontier
from txtr.frontier.orders import BLOCK, Done, Task
from txtr.frontier.portions import DealingBudget
from txtr.model import Batch, Event, Report, Visit
from txtr.queuekeeper import batches as new_domains
from txtr.queuekeeper.batches import fill, one_portion, portions, row_length, rows_wanted, spread
from txtr.queuekeeper.intake import LinksAhead, Pace, portions_of
from txtr.queuekeeper.supervision import Overdue, Shortage
from txtr.urls import split
from txtr.wire.lease import PATIENCE
from txtr.wire.messages import (
    UNJUDGED,
    WAITING_FOR_MEMORY,
    Ask,
    Claim,
    Deal,
    Forget,
    Goodbye,
    Leaving,
    Message,
    More,
    NewDomains,
    Ping,
    Pong,
    Refusal,
    Reported,
    Resolved,
    Spare,
    Verdict,
)

NAMES_AT_ONCE = 2  # batches of new domains one harvester resolves at the same time
NO_BATCH = 0  # in place of a batch: for a report whose batch has been given up
MOST_COUNTED = 1e15  # the largest count of one harvester; more, or no number, is nonsense


class Harvester(msgspec.Struct):
    name: str
    last_heard: float
    is_connected: bool = True
    rows: int = 0  # for which it has room
    most_batches: int = 0  # that it wants before it asks again; 0: any number
    last_batch: int | None = None  # dealt to it on this connection
    batches: dict[int, set[str]] = {}  # batch -> its addresses not yet answered
    dealt: dict[int, int] = {}  # batch -> requests it was sent
    names: set[int] = set()  # batches of new domains
    counts: dict[str, float] = {}
    unjudged: int = 0  # documents that wait for the segmenter
    waiting: int = 0  # downloads that wait for memory


class Keeper:
    def __init__(
        self,
        frontier: Frontier,
        claims: Claims,
        most_rows: int,
        harvest: Yields | None = None,
        slowest: float = 0.0,
    ) -> None:
        self.slowest = slowest  # seconds that one request may take
        self.frontier = frontier
        self.claims = claims
        self.most_rows = most_rows
        self.harvest = harvest or Yields()
        self.harvesters: dict[str, Harvester] = {}
        self.overdue = Overdue()
        self.shortage = Shortage()
        self.orphans: list[tuple[float, str, int]] = []  # (when to give it up, its harvester, batch)
        self.outbox: list[tuple[str, Message]] = []  # filled here, emptied by the edge
        self.last_number = 0  # of a batch
        self.touched_batches: set[int] = set()  # dealt, topped up or ended since they were last written
        self.has_obeyed = False  # was an order carried out that is not in the tables yet?
        self.is_behind = False  # is there more to be dealt than fitted into one portion?
        self.is_closing = False  # deal nothing more; harvesters are told to leave
        self.witnessed = 0.0  # documents fetched between two pings that we have heard
        self.departed: dict[str, float] = {}  # counts of harvesters that have left

    # --- an earlier run

    def go_on(self, batches: Iterable[tuple[int, str, int]], now: float) -> None:
        """Go on with batches (number, harvester, requests dealt) for which their harvesters may come back."""
        addresses: dict[int, set[str]] = {}
        for address, series in self.frontier.series.items():
            addresses.setdefault(series.batch, set()).add(address)
        for number, name, requests in batches:
            if number in addresses:
                harvester = self.harvesters.setdefault(name, Harvester(name, now, is_connected=False))
                harvester.batches[number] = addresses.pop(number)
                harvester.dealt[number] = requests
                self.overdue.dealt(number, self._longest_delay(harvester.batches[number]), now)
        for number in addresses:
            self.orphans.append((now + PATIENCE, "nobody", number))

    def _longest_delay(self, addresses: set[str]) -> float:
        names = (name for address in addresses for name in self.frontier.series[address].left)
        return max((self.frontier.delay(self.frontier.domain(name)) for name in names), default=0.0)

    # --- harvesters come and go

    def join(self, name: str, held: dict[int, int], now: float) -> list[int] | None:
        """Let a harvester join. Return the batches it may go on with; None if its name is taken."""
        known = self.harvesters.get(name)
        if known is not None and known.is_connected:
            return None
        if known is None:
            known = self.harvesters[name] = Harvester(name, now)
        for batch in [*known.batches, *known.names]:
            if batch not in held or held[batch] != known.dealt.get(batch):
                self._orphan(known, batch)  # it was restarted, or requests were lost with the connection
        known.is_connected, known.last_heard = True, now
        known.rows, known.last_batch = 0, None
        self._note("joined", name, batches=len(known.batches))
        self._spare(known, self._refused(known))
        if self.is_closing:
            self._say(name, Goodbye())
        return [batch for batch in held if batch in known.batches or batch in known.names]

    def _orphan(self, harvester: Harvester, batch: int) -> None:
        """Give a batch up later: it will not be answered, but its harvester may still be at work on it."""
        self._let_go(harvester, batch)
        self._note("not-held", harvester.name, batch=batch)
        self.orphans.append((harvester.last_heard + PATIENCE, harvester.name, batch))

    def disconnect(self, name: str, now: float) -> None:
        """Note that a harvester's connection is cut; it may still come back for its batches."""
        harvester = self.harvesters.get(name)
        if harvester is not None and harvester.is_connected:
            harvester.is_connected, harvester.rows = False, 0
            self._note("cut-off", name, batches=len(harvester.batches))

    def was_held_up(self, seconds: float) -> None:
        """Do not count time in which we did not listen, perhaps for a slow disk, as harvesters' silence."""
        for harvester in self.harvesters.values():
            harvester.last_heard += seconds

    def _vanish(self, harvester: Harvester, reason: str, now: float) -> None:
        for batch in [*harvester.batches, *harvester.names]:
            self._give_up(harvester, batch, reason, now)
        for what, number in harvester.counts.items():
            self.departed[what] = self.departed.get(what, 0) + number
        self._note("left", harvester.name, reason=reason)
        del self.harvesters[harvester.name]

    def _give_up(self, harvester: Harvester, batch: int, reason: str, now: float) -> None:
        self._let_go(harvester, batch)
        self._return(harvester.name, batch, reason, now)

    def _let_go(self, harvester: Harvester, batch: int) -> None:
        """Take a batch from its harvester."""
        harvester.batches.pop(batch, None)
        harvester.dealt.pop(batch, None)
        harvester.names.discard(batch)
        self.overdue.ended(batch)
        self.touched_batches.add(batch)

    def _return(self, name: str, batch: int, reason: str, now: float) -> None:
        addresses = self.frontier.give_up(batch, now)
        self._note("given-up", name, batch=batch, addresses=len(addresses), reason=reason)

    # --- what they say

    def portions(self, message: Message, pace: Pace) -> Iterator[Message | LinksAhead]:
        """Split a message into portions to be answered one after the other, with other work between."""
        if not isinstance(message, Reported):
            yield message
            return
        for portion in portions_of(message.report, self.frontier.request_of, pace):
            yield portion if isinstance(portion, LinksAhead) else Reported(portion)

    def answer(self, name: str, message: Message | LinksAhead, now: float) -> None:
        """Take in what a harvester says."""
        harvester = self.harvesters[name]
        harvester.last_heard = now
        match message:
            case Ping(stamp, counts):
                before = harvester.counts.get("documents")
                harvester.counts = {what: n for what, n in counts.items() if 0 <= n <= MOST_COUNTED}
                self._witness(before, harvester.counts.get("documents", 0.0))
                harvester.unjudged = int(harvester.counts.pop(UNJUDGED, 0))
                harvester.waiting = int(harvester.counts.pop(WAITING_FOR_MEMORY, 0))
                self._say(name, Pong(stamp))
            case Ask(seen, rows, seconds, batches, answer, body) if harvester.last_batch in (None, seen):
                wanted = rows_wanted(self.frontier.rules.req_delay, seconds, self.most_rows, answer, body)
                harvester.rows = max(0, wanted - max(0, rows))
                harvester.most_batches = max(0, batches)
            case Claim(serial, url, digest):
                first = url if self._is_settled(url) else self.claims.claim(url, digest)
                self._say(name, Verdict(serial, first is None, first or ""))
            case LinksAhead(document, record):
                self.frontier.found_ahead(document, record, now)
            case Reported(report):
                self._take(harvester, report, now)
            case Resolved(batch, resolutions, is_all):
                for resolution in resolutions:
                    self.frontier.resolved(resolution, now)
                self._join_in((resolution.domain for resolution in resolutions), now)
                self.overdue.heard(batch, now)
                if is_all:
                    self._end_names(harvester, batch)
            case Leaving():
                self._vanish(harvester, "left", now)

    def _witness(self, before: float | None, after: float) -> None:
        """Count documents by two pings: those of the first were fetched under an earlier queuekeeper."""
        if before is not None:
            self.witnessed += max(0.0, after - before)

    def _is_settled(self, url: str) -> bool:
        """Is this page settled, by a late report that came before this claim?"""
        return self.frontier.links.knows(*split(url))

    def _take(self, harvester: Harvester, report: Report, now: float) -> None:
        """Take a report in, then top up or end the series that it concerns."""
        batch = report.batch if report.batch in harvester.batches else NO_BATCH
        for robots in report.robots:
            self.frontier.robots(robots, batch, now)
        for document in report.documents:
            if self.frontier.fetched(document, batch, now):
                self.harvest.take(document, self.frontier.figures(document.domain), now)
        for redirect in report.redirects:
            self.frontier.redirected(redirect, batch, now)
        for failure in report.failures:
            self.frontier.failed(failure, batch, now)
        for unvisited in report.unvisited:
            self.frontier.unvisited(unvisited, batch, now)
        self.overdue.heard(batch, now)
        domains = {answer.domain for answer in report.answers()}
        touched = {self.frontier.address_of(domain) for domain in domains}
        self._go_on(harvester, batch, touched, now)

    def _end_names(self, harvester: Harvester, batch: int) -> None:
        """End a batch of new domains; names that were not answered are asked for again."""
        if batch in harvester.names:
            harvester.names.discard(batch)
            self.frontier.ask_again(batch)
            self.overdue.ended(batch)

    def _join_in(self, domains: Iterable[str], now: float) -> None:
        """Let domains at active addresses take part at once if there is room, not with the next answer."""
        touched: dict[int, set[str]] = {}
        for address in map(self.frontier.address_of, domains):
            if address in self.frontier.series:
                touched.setdefault(self.frontier.series[address].batch, set()).add(address)
        for harvester in self.harvesters.values():
            for batch in touched.keys() & harvester.batches.keys() if harvester.is_connected else ():
                self._go_on(harvester, batch, touched[batch], now)

    def _go_on(self, harvester: Harvester, batch: int, touched: set[str], now: float) -> None:
        """Top up the series at these addresses, and end those that are answered."""
        running = harvester.batches.get(batch, set())
        visits: list[Visit] = []
        for address in touched & running:
            if not self.is_closing:
                visits += self.frontier.top_up(address, now)
            if self.frontier.is_answered(address):
                self.frontier.close(address, now)
                running.discard(address)
        for portion in portions(visits):
            self._count(harvester, batch, portion, now)
            self._say(harvester.name, More(batch, portion))
            self._note("topped-up", harvester.name, batch=batch, visits=len(portion))
        if batch in harvester.batches and not running:
            self._let_go(harvester, batch)
            self._note("batch-done", harvester.name, batch=batch)

    # --- what they get

    def tick(self, now: float) -> None:
        """Let time pass: addresses that rested go on, silent harvesters are given up, the others get work."""
        self.frontier.pass_time(now)
        for harvester in list(self.harvesters.values()):
            frozen = self.slowest if harvester.is_connected else 0.0  # see wire/lease.py
            if now - harvester.last_heard > PATIENCE + frozen:
                self._say(harvester.name, Refusal("silent for too long"))
                self._vanish(harvester, "silent", now)
        for batch in self.overdue.overdue(now):
            self._take_away(batch, now)
        while self.orphans and self.orphans[0][0] <= now:
            _, name, batch = self.orphans.pop(0)
            self._return(name, batch, "not-held", now)
        if self.frontier.has_forgotten:
            self._have_links_told_again()
        if not self.is_closing:
            self._serve(now)

    def look_ahead(self, now: float) -> bool:
        """Prepare a few series while no harvester waits; is there more to be prepared or dealt?"""
        if not self.harvesters or self.is_closing:
            return False
        return self.is_behind or self.frontier.look_ahead(now)

    def _have_links_told_again(self) -> None:
        """Tell harvesters to report links again that they have reported lately: some may be new again."""
        self.frontier.has_forgotten = False
        for harvester in self.harvesters.values():
            if harvester.is_connected:
                self._say(harvester.name, Forget())

    def _take_away(self, batch: int, now: float) -> None:
        self.overdue.ended(batch)
        for harvester in self.harvesters.values():
            if batch in harvester.batches or batch in harvester.names:
                self._note("overdue", harvester.name, batch=batch)
                self._say(harvester.name, Refusal(f"batch {batch} is overdue"))
                self._give_up(harvester, batch, "overdue", now)

    def _serve(self, now: float) -> None:
        askers = [harvester for harvester in self.harvesters.values() if harvester.rows > 0]
        askers.sort(key=lambda harvester: harvester.rows)
        budget, self.is_behind = DealingBudget(), False
        while askers:
            harvester = askers.pop()  # the one with most room is served first
            self._hand_names(harvester, len(askers) + 1, now)
            is_counted = harvester.most_batches > 0  # --batch-count: it gets what it asks for, at once
            part = DealingBudget(inf) if is_counted else budget.part(len(askers) + 1)
            self._deal(harvester, len(askers) + 1, part, now)
            budget.effort += part.effort
            self.is_behind |= part.is_over() and harvester.rows > 0
        self._look_for_shortage(now)

    def _look_for_shortage(self, now: float) -> None:
        has_room = any(harvester.rows > 0 for harvester in self.harvesters.values())
        waiting = 0 if has_room else self.frontier.ready(now)
        if self.shortage.is_news(waiting, has_room, now):
            self._note("short-of-harvesters", f"{waiting}", harvesters=len(self.harvesters))

    def _hand_names(self, harvester: Harvester, askers: int, now: float) -> None:
        if len(harvester.names) >= NAMES_AT_ONCE or not self.frontier.domains.new:
            return
        number = self.last_number + 1
        most = new_domains.share_names(len(self.frontier.domains.new), askers)
        domains = self.frontier.new_domains(most, number)
        if not domains:  # all of them are blocked by now
            return
        self.last_number = number
        harvester.names.add(number)
        self.overdue.dealt(number, 0.0, now)
        self._say(harvester.name, NewDomains(number, domains))

    def _deal(self, harvester: Harvester, askers: int, budget: DealingBudget, now: float) -> None:
        """Deal a harvester, one of so many that ask, its share of the addresses that are ready."""
        ready = self.frontier.ready(now)
        if not ready:
            return
        rules = self.frontier.rules
        number = self.last_number + 1
        visits = self.frontier.visits(number, ceil(ready / askers), now, budget)
        rows = fill(one_portion(visits), harvester.rows, row_length(rules.req_delay, rules.max_reqs))
        if not rows:
            return
        harvester.last_batch = self.last_number = number
        batch = Batch(number, spread(rows, rules.max_hosts))
        flat = [visit for row in rows for visit in row]
        is_last = harvester.most_batches == 1
        harvester.most_batches = max(0, harvester.most_batches - 1)
        harvester.rows = 0 if is_last else harvester.rows - len(rows)
        harvester.batches[number] = {visit.address for visit in flat}
        self._count(harvester, number, flat, now)
        self._say(harvester.name, Deal(batch))

    def _count(self, harvester: Harvester, batch: int, visits: list[Visit], now: float) -> None:
        """Count visits that are sent, and expect an answer to their batch."""
        requests = sum(len(visit.requests) for visit in visits)
        harvester.dealt[batch] = harvester.dealt.get(batch, 0) + requests
        self.touched_batches.add(batch)
        self.overdue.dealt(batch, max(visit.delay for visit in visits), now)

    # --- what visitors want

    def order(self, verb: str, names: Iterable[str]) -> Task:
        """An order of the user, as a task for `go_on_with`."""
        return Task(self.frontier, verb, names)

    def go_on_with(self, task: Task, now: float) -> list[Done]:
        """Carry out a portion of an order. Harvesters are told at once which domains to leave alone."""
        done = task.go_on(now)
        self.frontier.has_forgotten = self.has_obeyed = True
        if task.verb == BLOCK:
            for harvester in self.harvesters.values():
                self._spare(harvester, {name for name, _, _ in done})
        return done

    def _refused(self, harvester: Harvester) -> set[str]:
        """Domains in a harvester's batches that are blocked, or excluded in this run."""
        batches = harvester.batches.values()
        names = {
            name for batch in batches for address in batch for name in self.frontier.series[address].left
        }
        return {name for name in names if self.frontier.gate.domain_refusal(name)}

    def _spare(self, harvester: Harvester, names: Collection[str]) -> None:
        """Tell a harvester to ask these domains for nothing more, if it has them in a batch."""
        for addresses in harvester.batches.values():
            for address in addresses:
                for name in self.frontier.series[address].left.keys() & names:
                    self._say(harvester.name, Spare(name))

    # --- the end

    def close(self) -> None:
        """Deal nothing more, and tell all harvesters to leave."""
        if not self.is_closing:
            self.is_closing = True
            for harvester in self.harvesters.values():
                if harvester.is_connected:
                    self._say(harvester.name, Goodbye())
                    self._note("goodbye", harvester.name)

    def is_alone(self) -> bool:
        """Is no harvester connected?"""
        return not any(harvester.is_connected for harvester in self.harvesters.values())

    def counts(self) -> dict[str, float]:
        """The counts of all harvesters, present and gone, added up."""
        total = dict(self.departed)
        for harvester in self.harvesters.values():
            for what, number in harvester.counts.items():
                total[what] = total.get(what, 0) + number
        return total

    def awaited(self) -> int:
        """How many batches are with harvesters that are not connected and may come back."""
        away = (harvester for harvester in self.harvesters.values() if not harvester.is_connected)
        return len(self.orphans) + sum(len(harvester.batches) for harvester in away)

    def unjudged(self) -> int:
        """How many documents wait for the segmenter, at all harvesters."""
        return sum(harvester.unjudged for harvester in self.harvesters.values())

    def waiting(self) -> int:
        """How many downloads wait for memory, at all harvesters."""
        return sum(harvester.waiting for harvester in self.harvesters.values())

    def _say(self, name: str, message: Message) -> None:
        self.outbox.append((name, message))

    def _note(self, what: str, whom: str, **facts: object) -> None:
        self.frontier.events.append(Event(what, whom, facts))
