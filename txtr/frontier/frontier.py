"""The frontier: what is to be fetched, what was, and who may be contacted when. The only door.

It joins the queue, the documents, the domains, the permits, the addresses and the rest area, and
keeps them consistent:

- a link is admitted once, and checked again when it goes into a batch;
- an address is dealt out only when it is waiting; then a *series* of requests begins, which is
  topped up with whatever becomes known while it runs, within max-hosts and the quotas, and ends
  when everything dealt has been answered; then the address rests;
- `rings` hold exactly the domains that can be given something to do now.

Harvesters say what happened; what follows from it is decided here. Everything that happens is
noted in `events`, which the edge writes into the diary.
"""

from collections.abc import Iterable, Iterator

from txtr.frontier.addresses import Addresses, Happening, State
from txtr.frontier.documents import Documents, Entry
from txtr.frontier.domains import GIVEN_UP_FOR, RESOLVED_FOR, Domain, Domains
from txtr.frontier.gate import Gate
from txtr.frontier.permits import Learned, Permits, SendFor
from txtr.frontier.queue import Admission, Queue, Record
from txtr.frontier.restarea import RestArea
from txtr.frontier.series import Series
from txtr.manners.remedies import REMEDIES, Blame, sleep
from txtr.manners.rules import Rules
from txtr.model import (
    Document,
    Event,
    Failure,
    Link,
    Purpose,
    Redirect,
    Request,
    Resolution,
    RobotsFile,
    Trouble,
    Unvisited,
    Visit,
)
from txtr.urls import door, join, split

MOST_HOPS = 10  # redirects in a row; browsers give up after 20
GRAIN = 0.005  # seconds added to a general pause: servers date requests by clocks they read now and then
REQUESTS_AT_ONCE = 1000  # in one visit: bounds the size of a message; the quota's rest is topped up later
PORTION = 3  # in one visit while others wait at the address: so that the series can end early
REFUSALS_AT_ONCE = 1000  # disallowed requests cleared away while filling one visit: bounds an answer's time


class Frontier:
    def __init__(self, rules: Rules, gate: Gate, agent: str) -> None:
        self.rules = rules
        self.gate = gate
        self.queue = Queue()
        self.documents = Documents()
        self.domains = Domains()
        self.permits = Permits(agent)
        self.addresses = Addresses()
        self.rest_area = RestArea(rules.general_pause + GRAIN)
        self.series: dict[str, Series] = {}  # address -> its running series
        self.asked_domains: dict[
            str, int
        ] = {}  # being resolved -> batch; filled by new_domains, emptied by resolved
        self.events: list[Event] = []
        self.refused = 0  # links and requests turned away

    # --- links come in

    def admit(self, links: Iterable[Link], now: float) -> int:
        """Let links into the queue, if they may enter and are not known; return how many were new."""
        return sum(self._admit(link, now) for link in links)

    def _admit(self, link: Link, now: float) -> bool:
        if not self._may_enter(link, now):
            return False
        record = Record(link.depth, link.usability, hops=link.hops)
        admission = self.queue.admit(link.domain, link.path, record)
        if admission is not Admission.KNOWN:
            self._note(admission.value, join(link.domain, link.path), depth=link.depth)
        if admission is Admission.QUEUED:
            self._refresh(self._domain(link.domain), now)
        return admission is Admission.QUEUED

    def _may_enter(self, link: Link, now: float) -> bool:
        """The first check, when a link is found."""
        if self.documents.knows(link.domain, link.path):
            return False
        is_news = not self.gate.has_judged(link.domain)
        reason = self.gate.refusal(link)
        known = self.domains.get(link.domain)
        if known is not None and known.given_up_until > now:
            reason = "domain-given-up"
        if reason == "depth":
            self._note("too-deep", join(link.domain, link.path), depth=link.depth)
        elif reason and (is_news or reason == "domain-given-up"):
            self.refused += 1
            self._note("refused", join(link.domain, link.path), reason=reason)
        return not reason and self._is_permitted(link.domain, link.path, link.depth, now)

    def readmit(self, domain: str, requests: dict[str, Record], now: float) -> None:
        """Queue the requests of an earlier run, as they were, if the gate still lets them in."""
        reason = self.gate.domain_refusal(domain)
        if reason:
            self._note("refused", domain, reason=reason, requests=len(requests))
            return
        for path, record in requests.items():
            if not self.gate.is_too_deep(record.depth):
                self.queue.admit(domain, path, record)
        self._refresh(self._domain(domain), now)

    def rest(self, addresses: Iterable[str], now: float) -> None:
        """Let these addresses begin with a general pause: an earlier run may just have been there."""
        for address in addresses:
            self.addresses.add(address, State.RESTING)
            self.rest_area.enter(address, now)

    def naps(self, now: float) -> dict[str, float]:
        """How much longer each domain is to be left alone, as if every running series ended now."""
        naps = {
            domain.name: domain.asleep_until - now
            for domain in self.domains.domains.values()
            if domain.asleep_until > now
        }
        for name in (name for series in self.series.values() for name in series.left):
            delay = self._delay(self.domains.domains[name])
            if delay > self.rules.general_pause:
                naps[name] = max(delay, naps.get(name, 0.0))
        return naps

    def nap(self, naps: dict[str, float], now: float) -> None:
        """Leave these domains alone for so long: an earlier run was told to."""
        for name, seconds in naps.items():
            self.domains.put_to_sleep(self.domains.get(name) or self.domains.add(name), now + seconds)

    def _domain(self, name: str) -> Domain:
        domain = self.domains.get(name)
        if domain is None:
            domain = self.domains.add(name)
            self.domains.resolve(domain)
            self._note("new-domain", name)
        return domain

    # --- new domains

    def new_domains(self, most: int, batch: int) -> list[str]:
        """Names for a harvester to resolve."""
        names = [self.domains.new.popleft() for _ in range(min(most, len(self.domains.new)))]
        self.asked_domains.update((name, batch) for name in names)
        return names

    def resolved(self, resolution: Resolution, now: float) -> None:
        """A harvester has looked a domain's addresses up."""
        if self.asked_domains.pop(resolution.domain, None) is None:
            return
        domain = self.domains.domains[resolution.domain]
        domain.is_resolving = False
        trouble = resolution.trouble or (None if resolution.addresses else Trouble.DNS)
        if trouble is not None:
            self._note("unresolved", domain.name, trouble=trouble, detail=resolution.detail)
            self._in_trouble(domain, trouble, now)
            return
        domain.believed_until = now + RESOLVED_FOR
        if domain.address not in resolution.addresses:
            self._settle_at(domain, resolution.addresses[0])
        self._refresh(domain, now)

    def ask_again(self, batch: int) -> None:
        """The names of this batch that nobody has resolved line up again."""
        for name in [name for name, asked in self.asked_domains.items() if asked == batch]:
            del self.asked_domains[name]
            self.domains.new.append(name)

    def _settle_at(self, domain: Domain, address: str) -> None:
        if domain.address:
            self.addresses.rings[domain.address].pop(domain.name, None)
            self._note("moved", domain.name, source=domain.address, target=address)
        else:
            self._note("resolved", domain.name, address=address)
        domain.address = address
        if address not in self.addresses:
            self.addresses.add(address)
            self._note("new-address", address)

    # --- requests go out

    def visits(self, batch: int, most_addresses: int, now: float) -> Iterator[Visit]:
        """Visits to addresses that wait, grouped by address; an address is taken when it is drawn."""
        taken = 0
        while taken < most_addresses and (address := self.addresses.first(State.WAITING)) is not None:
            series = Series(address, batch, self.rules.max_hosts)
            supply = self._supply(series, now)
            visit = next(supply, None)
            if visit is None:
                if not self.addresses.rings[address]:
                    self._move(address, Happening.EMPTIED)
                continue
            self._move(address, Happening.DEALT)
            self.series[address] = series
            taken += 1
            yield visit
            yield from supply

    def top_up(self, address: str, now: float) -> list[Visit]:
        """What can be added to a running series with what is known by now."""
        series = self.series[address]
        ring = self.addresses.rings[address]
        if series.had_better_end(ring, self._fits, self._is_new):
            return []
        return list(self._supply(series, now))

    def _fits(self, name: str) -> bool:
        """Can what is queued for this domain be asked in one series?"""
        return self.queue.backlog(name) <= self.rules.max_reqs

    def _is_new(self, name: str) -> bool:
        """Has this domain never answered?"""
        return not self.domains.domains[name].slowdown.usual

    def _supply(self, series: Series, now: float) -> Iterator[Visit]:
        """Visits for domains in the address's ring, as far as the series has room for them."""
        ring = self.addresses.rings[series.address]
        tried: set[str] = set()
        while (name := series.next_domain(ring, tried, self.queue.backlog)) is not None:
            tried.add(name)
            domain = self.domains.domains[name]
            visit = self._visit(domain, series, now)
            ring.pop(name, None)
            self._refresh(domain, now)  # at the end of the ring: another domain is first next time
            if visit is not None:
                yield visit

    def _visit(self, domain: Domain, series: Series, now: float) -> Visit | None:
        if domain.believed_until <= now and domain.name not in series.left:
            self.domains.resolve(domain)
            return None
        delay = self._delay(domain)
        quota = self.rules.quota(delay)
        left = min(series.left.get(domain.name, quota), quota)
        has_guests = series.has_guests(self.addresses.rings[series.address])
        most = min(left, PORTION if has_guests else REQUESTS_AT_ONCE)
        requests = self._errands(domain, series, most)
        for behind in list(self.queue.doors(domain.name)):
            requests += self._requests(domain, behind, series, most - len(requests), now)
        if not requests:
            return None
        series.left[domain.name] = left - len(requests)
        self._note("dealt", domain.name, address=series.address, batch=series.batch, requests=len(requests))
        return Visit(domain.name, domain.address, delay, requests)

    def _errands(self, domain: Domain, series: Series, most: int) -> list[Request]:
        taken = [domain.errands.popleft() for _ in range(min(most, len(domain.errands)))]
        series.errands.update((domain.name, path) for path in taken)
        return [Request(path, Purpose.ROBOTS) for path in taken]

    def _requests(self, domain: Domain, behind: str, series: Series, most: int, now: float) -> list[Request]:
        """Requests behind one door, each checked once more; its robots.txt if that is not known."""
        if most <= 0:
            return []
        if self.permits.rules(domain.name, behind, now) is None:
            if not self.permits.is_asked(domain.name, behind):
                self._send_for(self.permits.ask(domain.name, behind), now)
            return self._errands(domain, series, most)
        requests: list[Request] = []
        for _ in range(most + REFUSALS_AT_ONCE):
            if len(requests) == most or (leased := self.queue.lease(domain.name, behind)) is None:
                break
            path, record = leased
            if self._may_go(domain.name, path, record, now):
                series.pages.add((domain.name, path))
                requests.append(Request(path))
        return requests

    def _may_go(self, domain: str, path: str, record: Record, now: float) -> bool:
        """The second check, when a request goes into a batch."""
        if not self.documents.knows(domain, path) and self._is_permitted(domain, path, record.depth, now):
            return True
        self.queue.settle(domain, path)
        return False

    def _is_permitted(self, domain: str, path: str, depth: int, now: float) -> bool:
        """Does robots.txt allow it, as far as we know it?"""
        rules = self.permits.rules(domain, door(path), now)
        inside = path[len(door(path)) :]
        if rules is None or rules.may_fetch(inside):
            return True
        self.documents.add(domain, path, Entry("disallowed", depth))
        self.refused += 1
        self._note("disallowed", join(domain, path), reason="robots", rule=rules.rule_for(inside))
        return False

    def _delay(self, domain: Domain) -> float:
        return domain.slowdown.delay(self.rules.req_delay, self.permits.crawl_delay(domain.name))

    # --- answers come back
    #
    # Each says which batch it belongs to. One that comes late, when its batch has been given up, may
    # still bring a document, but says nothing about the series that runs at that address now.

    def fetched(self, document: Document, batch: int, now: float) -> None:
        """A document has arrived."""
        record = self._answered(document.domain, document.path, batch)
        if record is None:
            return
        self._went_well(document.domain, document.took)
        self.documents.add(
            document.domain,
            document.path,
            Entry(
                document.fate,
                record.depth,
                document.usability,
                document.fetched,
                document.modified,
                document.valid_until,
                document.title,
            ),
        )
        if document.links and not document.usability and not record.usability:
            url = join(document.domain, document.path)
            self._note("refused", url, reason="useless-twice", links=len(document.links))
            return
        found = (split(link) for link in document.links)
        self.admit((Link(*place, record.depth + 1, document.usability) for place in found), now)

    def redirected(self, redirect: Redirect, batch: int, now: float) -> None:
        """A server sends us elsewhere: both addresses count as dealt with, the new one is a link."""
        record = self._answered(redirect.domain, redirect.path, batch)
        if record is None:
            return
        self._went_well(redirect.domain, redirect.took)
        self.documents.add(redirect.domain, redirect.path, Entry("redirect", record.depth))
        if record.hops >= MOST_HOPS:
            self._note("refused", redirect.target, reason="too-many-redirects")
        else:
            link = Link(*split(redirect.target), record.depth, record.usability, record.hops + 1)
            self.admit([link], now)

    def failed(self, failure: Failure, batch: int, now: float) -> None:
        """A request brought nothing: it is tried again later or dropped."""
        series = self._series(failure.domain, batch)
        if series is None:
            return
        place = (failure.domain, failure.path)
        if place in series.errands:
            series.errands.discard(place)
            self._robots_unreachable(*place, now)
        elif place in series.pages:
            series.pages.discard(place)
            self._page_failed(failure, series)
        else:
            return
        if REMEDIES[failure.trouble].blame is Blame.DOMAIN:
            self._in_trouble(self.domains.domains[failure.domain], failure.trouble, now, failure.retry_after)

    def _page_failed(self, failure: Failure, series: Series) -> None:
        domain, path = failure.domain, failure.path
        record = self.queue.leased_record(domain, path)
        if record is None:
            return  # a late report has brought it meanwhile
        record.tries += 1
        if record.tries < REMEDIES[failure.trouble].tries:
            series.repeats.append((domain, path))
            self._note("retry", join(domain, path), trouble=failure.trouble, tries=record.tries)
        else:
            self._drop(domain, path, record.depth, failure.trouble)

    def robots(self, file: RobotsFile, batch: int, now: float) -> None:
        """The answer to a request for robots.txt."""
        series = self._series(file.domain, batch)
        if series is None or (file.domain, file.path) not in series.errands:
            return
        series.errands.discard((file.domain, file.path))
        self._note("learned", join(file.domain, file.path), status=file.status)
        if file.status == 429 or file.status >= 500:
            self._busy_robots(file, now)
        else:
            self._went_well(file.domain, file.took)
        for step in self.permits.arrived(file, now):
            if isinstance(step, SendFor):
                self._send_for(step, now)
            else:
                self._learned(step, now)

    def _busy_robots(self, file: RobotsFile, now: float) -> None:
        domain = self.domains.domains[file.domain]
        domain.slowdown.was_busy()
        if file.retry_after is not None:
            patience = sleep(Trouble.BUSY, 1, self.rules.general_pause, file.retry_after)
            self.domains.put_to_sleep(domain, now + patience)

    def unvisited(self, unvisited: Unvisited, batch: int, now: float) -> None:
        """Requests that a harvester did not try: back as they were."""
        series = self._series(unvisited.domain, batch)
        if series is None:
            return
        domain = self.domains.domains[unvisited.domain]
        for path in unvisited.paths:
            place = (domain.name, path)
            if place in series.pages:
                series.pages.discard(place)
                self._take_back(domain, path, now)
            elif place in series.errands:
                series.errands.discard(place)
                self._take_back_errand(domain, path, now)
        self._refresh(domain, now)

    def close(self, address: str, now: float, happening: Happening = Happening.ANSWERED) -> None:
        """The series of an address is over: what is to be repeated is queued, and the address rests."""
        series = self.series.pop(address)
        for name, path in [*series.repeats, *series.pages]:
            self._take_back(self.domains.domains[name], path, now)
        for name, path in series.errands:
            self._take_back_errand(self.domains.domains[name], path, now)
        self._move(address, happening)
        self.rest_area.enter(address, now)
        for name in series.left:
            self._keep_distance(self.domains.domains[name], now)

    def _take_back(self, domain: Domain, path: str, now: float) -> None:
        """A request without an answer returns to the queue, unless its domain has been given up."""
        record = self.queue.leased_record(domain.name, path)
        if record is None:
            return  # a late report has brought it meanwhile
        if domain.given_up_until > now:
            self._drop(domain.name, path, record.depth, "domain-given-up")
        else:
            self.queue.give_back(domain.name, path)

    def _take_back_errand(self, domain: Domain, path: str, now: float) -> None:
        if domain.given_up_until > now:
            self._robots_unreachable(domain.name, path, now)
        else:
            domain.errands.append(path)

    def _keep_distance(self, domain: Domain, now: float) -> None:
        """A domain whose own delay is longer than the general pause is asleep until it has passed."""
        delay = self._delay(domain)
        if delay > self.rules.general_pause:
            self.domains.put_to_sleep(domain, now + delay)
        self._refresh(domain, now)

    def address_of(self, domain: str) -> str:
        known = self.domains.get(domain)
        return known.address if known else ""

    def is_answered(self, address: str) -> bool:
        return self.series[address].is_answered()

    def give_up(self, batch: int, now: float) -> list[str]:
        """Nobody will answer this batch: everything returns to the queue, its addresses rest."""
        addresses = [series.address for series in self.series.values() if series.batch == batch]
        for address in addresses:
            self.close(address, now, Happening.GIVEN_UP)
        self.ask_again(batch)
        return addresses

    # --- time passes

    def pass_time(self, now: float) -> None:
        """Let those who have rested or slept go on."""
        for address in self.rest_area.leave(now):
            has_work = bool(self.addresses.rings[address])
            self._move(address, Happening.RESTED if has_work else Happening.RESTED_EMPTY)
        for domain in self.domains.wake(now):
            self._refresh(domain, now)

    def next_change(self) -> float | None:
        """When pass_time will have something to do."""
        times = [time for time in (self.rest_area.next_leave(), self.domains.next_wake()) if time is not None]
        return min(times, default=None)

    def is_finished(self) -> bool:
        """Nothing is queued and nobody is active."""
        return not (len(self.queue) or self.series or self.domains.new or self.asked_domains)

    # --- inside

    def _series(self, domain: str, batch: int) -> Series | None:
        """The running series that this batch's answers about the domain belong to."""
        series = self.series.get(self.address_of(domain))
        return series if series is not None and series.batch == batch else None

    def _answered(self, domain: str, path: str, batch: int) -> Record | None:
        """Take a page off its series and out of the queue; None if somebody else was first."""
        series = self._series(domain, batch)
        if series is not None:
            series.pages.discard((domain, path))
        return self.queue.settle(domain, path)

    def _went_well(self, name: str, took: float) -> None:
        domain = self.domains.domains[name]
        domain.troubles = 0
        before = domain.slowdown.factor
        domain.slowdown.answered(took)
        if domain.slowdown.factor > before:
            self._note("slowed", name, took=took, usual=domain.slowdown.usual, factor=domain.slowdown.factor)

    def _in_trouble(
        self, domain: Domain, trouble: Trouble, now: float, retry_after: float | None = None
    ) -> None:
        """Leave the domain alone for a while, or for good when it does not get better."""
        domain.troubles += 1
        domain.believed_until = 0.0  # it may have moved
        if trouble is Trouble.BUSY:
            domain.slowdown.was_busy()
        if domain.troubles >= REMEDIES[trouble].patience:
            self._give_up_domain(domain, trouble, now)
            return
        until = now + sleep(trouble, domain.troubles, self.rules.general_pause, retry_after)
        self.domains.put_to_sleep(domain, until)
        self._note("asleep", domain.name, trouble=trouble, seconds=round(until - now, 1))
        self._refresh(domain, now)

    def _give_up_domain(self, domain: Domain, trouble: Trouble, now: float) -> None:
        domain.given_up_until = now + GIVEN_UP_FOR
        domain.troubles = 0
        for path, record in self.queue.drop(domain.name).items():
            self._drop(domain.name, path, record.depth, trouble)
        while domain.errands:
            self._robots_unreachable(domain.name, domain.errands.popleft(), now)
        self._refresh(domain, now)

    def _drop(self, domain: str, path: str, depth: int, trouble: str) -> None:
        self.queue.settle(domain, path)
        self.documents.add(domain, path, Entry("failed", depth))
        self._note("dropped", join(domain, path), trouble=trouble)

    def _robots_unreachable(self, domain: str, path: str, now: float) -> None:
        for learned in self.permits.unreachable(domain, path, now):
            self._learned(learned, now)

    def _learned(self, learned: Learned, now: float) -> None:
        domain = self.domains.domains[learned.domain]
        if not learned.is_known:
            self._note("failed", join(domain.name, f"{learned.door}/robots.txt"), reason="robots-unreachable")
            tries = self.permits.door(domain.name, learned.door).tries
            self.domains.put_to_sleep(
                domain, now + sleep(Trouble.CONNECT, tries, self.rules.general_pause, None)
            )
        if learned.has_changed:
            self.documents.forget_disallowed(domain.name, learned.door)
        self._refresh(domain, now)

    def _send_for(self, errand: SendFor | None, now: float) -> None:
        """Line up a robots.txt at the domain that has it; excluded servers are never contacted."""
        if errand is None:
            return
        if self.gate.domain_refusal(errand.domain):
            self._robots_unreachable(errand.domain, errand.path, now)
            return
        domain = self._domain(errand.domain)
        if domain.given_up_until > now:
            self._robots_unreachable(errand.domain, errand.path, now)
            return
        domain.errands.append(errand.path)
        self._refresh(domain, now)

    def _refresh(self, domain: Domain, now: float) -> None:
        """Put the domain into its address's ring exactly if it can be given something to do."""
        if not domain.address:
            if self._has_work(domain, now) and domain.asleep_until <= now:
                self.domains.resolve(domain)
            return
        ring = self.addresses.rings[domain.address]
        if domain.is_resolving or domain.asleep_until > now or not self._has_work(domain, now):
            ring.pop(domain.name, None)
            return
        ring[domain.name] = None
        if self.addresses.states[domain.address] is State.PROCESSED:
            self._move(domain.address, Happening.FOUND)

    def _has_work(self, domain: Domain, now: float) -> bool:
        return bool(domain.errands) or any(
            self.permits.rules(domain.name, behind, now) is not None
            or not self.permits.is_asked(domain.name, behind)
            for behind in self.queue.doors(domain.name)
        )

    def _move(self, address: str, happening: Happening) -> None:
        self.addresses.move(address, happening)
        self._note("state", address, state=self.addresses.states[address].value)

    def _note(self, what: str, whom: str, **facts: object) -> None:
        self.events.append(Event(what, whom, facts))
