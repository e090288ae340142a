"""The frontier as its callers see it: links to be fetched, links that were, and when to contact which server.

A link is admitted once (admission.py), and checked again when it goes into a batch. Requests go out through
dealing.py, the promising first (promise.py). The series of an address ends when all requests dealt have been
answered; then the address rests. robots_requests.py deals with robots.txt, troubles.py with domains that
fail, and trials.py with domains that disappoint.

Harvesters report what happened; the frontier decides what follows from it. All that happens is noted in
`events`, which the edge writes into the diary.
"""

from collections.abc import Collection, Iterable, Iterator
from math import inf

from txtr.frontier.addresses import Happening, State
from txtr.frontier.admission import Admission
from txtr.frontier.dealing import Dealing
from txtr.frontier.domains import RESOLVED_FOR, Domain
from txtr.frontier.permits import SendFor
from txtr.frontier.portions import DealingBudget
from txtr.frontier.records import Entry, Record
from txtr.frontier.restarea import ROOMS, RestArea
from txtr.frontier.robots_requests import RobotsRequests
from txtr.frontier.series import Series
from txtr.frontier.state import CLOCK_GRAIN, Archive, FrontierState
from txtr.frontier.storage import Links
from txtr.frontier.trials import Trials
from txtr.frontier.troubles import Troubles
from txtr.gate import Gate
from txtr.manners.remedies import REMEDIES, Blame, seconds_of_sleep
from txtr.manners.rules import Rules
from txtr.model import (
    Document,
    Failure,
    Figures,
    Link,
    Redirect,
    Resolution,
    RobotsFile,
    Trouble,
    Unvisited,
    Visit,
)
from txtr.urls import door, join, split

MOST_HOPS = 10  # redirects in a row; browsers give up after 20


class Frontier(FrontierState):
    def __init__(
        self,
        rules: Rules,
        gate: Gate,
        agent: str,
        wanted: Collection[str] = (),
        is_judging: bool = True,
        links: Links | None = None,
        archive: Archive | None = None,
        rest_rooms: int = ROOMS,
    ) -> None:
        """Wanted: codes of languages, none for any. Judging: does a segmenter judge the documents?"""
        super().__init__(rules, gate, agent, links, archive, rest_rooms)
        self.trials = Trials(self, is_judging)
        self.is_steering = is_judging
        self.errands = RobotsRequests(self)
        self.troubles = Troubles(self, self.errands)
        self.dealing = Dealing(self, self.errands)
        self.admission = Admission(self, wanted)

    # --- links come in

    def admit(self, links: Iterable[Link], now: float) -> int:
        """Let links into the queue, if they may enter and are not known; return how many were new."""
        return self.admission.admit(links, now)

    # --- an earlier run

    def rest_as_before(self, general_pause: float) -> None:
        """Let addresses that rest since an earlier run rest for its pause, even if the pause is shorter now.

        A domain whose own delay is shorter than that pause needs no sleep after it (see _keep_distance)."""
        longest = max(general_pause, self.rules.general_pause, self.rules.req_delay)
        self.former_rest_area = RestArea(longest + CLOCK_GRAIN)

    def go_on_resting(self, address: str, since: float, now: float) -> None:
        """Let an address rest on that has been resting since then."""
        if since + self.former_rest_area.general_pause > now:
            self.addresses.add(address, State.RESTING)
            self.former_rest_area.enter(address, since)

    def go_on_with(self, series: Series, now: float) -> None:
        """Go on with a series that was running; its harvester may still be at work on it."""
        self.addresses.add(series.address, State.ACTIVE)
        self.series[series.address] = series
        for name, path in series.errands:
            # Which doors wait for a file behind a redirect is not stored: they will ask again.
            self.permits.expect(name, path)
            if path == f"{door(path)}/robots.txt":
                self.permits.ask(name, door(path))
        for name in series.left:
            self.domain(name)  # even if it is refused now: all domains of a series are in memory
            self.go_on_at(name, now)

    def go_on_at(self, name: str, now: float) -> None:
        """Go on with a domain for which requests were queued."""
        if reason := self.gate.domain_refusal(name):
            self.note("refused", name, reason=reason, requests=self.links.park(name))
            return
        domain = self.domain(name)
        if self.links.is_parked(name):
            self.unpark(domain)  # if only the gate was closed for it in that run
        self.troubles.may_be_over(domain, now)
        self.refresh(domain, now)

    # --- new domains

    def new_domains(self, most: int, batch: int) -> list[str]:
        """Names for a harvester to resolve."""
        names: list[str] = []
        while self.domains.new and len(names) < most:
            name = self.domains.new.popleft()
            if self.gate.domain_refusal(name):  # it was blocked after it lined up
                self.domain(name).is_resolving = False
            else:
                names.append(name)
        self.asked_domains.update((name, batch) for name in names)
        return names

    def resolved(self, resolution: Resolution, now: float) -> None:
        """Take in the addresses of a domain, which a harvester has looked up."""
        if self.asked_domains.pop(resolution.domain, None) is None:
            return
        domain = self.domain(resolution.domain)
        domain.is_resolving = False
        trouble = resolution.trouble or (None if resolution.addresses else Trouble.DNS)
        if trouble is not None:
            self.note("unresolved", domain.name, trouble=trouble, detail=resolution.detail)
            self.troubles.in_trouble(domain, trouble, now)
            return
        domain.believed_until = now + RESOLVED_FOR
        self.touched_domains.add(domain.name)
        if domain.address not in resolution.addresses:
            self._settle_at(domain, resolution.addresses[0], now)
        self.refresh(domain, now)

    def ask_again(self, batch: int) -> None:
        """Line up again the names that were asked for with this batch and not resolved."""
        for name in [name for name, asked in self.asked_domains.items() if asked == batch]:
            del self.asked_domains[name]
            self.domains.new.append(name)

    def _settle_at(self, domain: Domain, address: str, now: float) -> None:
        if domain.address:
            self.meet_address(domain.address)
            self.addresses.rings[domain.address].pop(domain.name)
            self.note("moved", domain.name, source=domain.address, target=address)
            self.line_up(domain.address, now)
        else:
            self.note("resolved", domain.name, address=address)
        domain.address = address
        if address not in self.addresses:
            self.meet_address(address)
            self.note("new-address", address)

    # --- requests go out

    def visits(
        self, batch: int, most_addresses: int, now: float, budget: DealingBudget | None = None
    ) -> Iterator[Visit]:
        """Visits to addresses that wait, grouped by address; an address is taken when it is drawn.

        The visits stop where the budget ends, if there is one."""
        return self.dealing.visits(batch, most_addresses, now, budget or DealingBudget(inf))

    def ready(self, now: float) -> int:
        """How many addresses can be dealt out now."""
        return self.dealing.ready(now)

    def look_ahead(self, now: float) -> bool:
        """Plan a few of the series that come next; are there others?"""
        return self.dealing.look_ahead(now)

    def top_up(self, address: str, now: float) -> list[Visit]:
        """Visits that can be added to a running series with what is known by now."""
        return self.dealing.top_up(address, now)

    # --- answers come back
    #
    # Each answer names its batch. An answer that comes when its batch has been given up may still bring a
    # document, but says nothing about the series that runs at that address now.

    def fetched(self, document: Document, batch: int, now: float) -> bool:
        """A document has arrived; is it news?"""
        series = self._series(document.domain, batch)
        is_in_time = series is not None and series.answered(document.domain, document.path)
        record = self.links.take(document.domain, document.path)
        if record is None:
            return False
        usability = _share(document.usability)
        if document.fate == "empty":
            usability = record.usability  # a frameset or a menu of images: there was nothing to judge
        domain = self.domain(document.domain)
        self.troubles.went_well(domain, document.path, document.took)
        self.links.settle(
            document.domain,
            document.path,
            Entry(
                document.fate,
                record.depth,
                usability,
                document.fetched,
                document.modified,
                document.valid_until,
                document.title,
                record.source,
                document.first,
            ),
        )
        self.trials.add(domain, document, usability, now)
        self.refused += document.refused
        if document.links and (usability or record.usability):
            self.admission.follow(document, record.depth + 1, usability, now)
        elif document.links:
            url = join(document.domain, document.path)
            self.note("refused", url, reason="useless-twice", links=len(document.links))
        if is_in_time:
            self.refresh_found(domain, now)
        else:
            self.refresh(domain, now)  # the link may have been queued again, and is not any more
        return True

    def request_of(self, document: Document) -> Record | None:
        """The leased request that has brought this page, if the page is not reported yet."""
        return self.links.leased(document.domain).get(document.path)

    def found_ahead(self, document: Document, record: Record, now: float) -> None:
        """Take in links of a page that has so many that the page is reported after them."""
        usability = _share(document.usability)
        if usability or record.usability:
            self.admission.follow(document, record.depth + 1, usability, now)
            self.refresh_found(self.domain(document.domain), now)

    def redirected(self, redirect: Redirect, batch: int, now: float) -> None:
        """A server sends us elsewhere: the request is settled, and its target is a link."""
        record = self._answered(redirect.domain, redirect.path, batch)
        if record is None:
            return
        domain = self.domain(redirect.domain)
        self.troubles.went_well(domain, redirect.path, redirect.took)
        entry = Entry(
            "redirect",
            record.depth,
            fetched=self.epoch + now,
            source=record.source,
            reason=redirect.target,
        )
        self.links.settle(redirect.domain, redirect.path, entry)
        if record.hops >= MOST_HOPS:
            self.note("refused", redirect.target, reason="too-many-redirects")
        else:
            source = join(redirect.domain, redirect.path)
            hops = record.hops + 1
            link = Link(*split(redirect.target), record.depth, record.usability, hops, source=source)
            self.admit([link], now)
        self.refresh(domain, now)

    def failed(self, failure: Failure, batch: int, now: float) -> None:
        """A request failed: it is tried again later, or dropped."""
        series = self._series(failure.domain, batch)
        if series is None:
            return
        self.touched_addresses.add(series.address)
        place = (failure.domain, failure.path)
        if place in series.errands:
            series.errands.discard(place)
            self.errands.unreachable(*place, now)
        elif series.answered(*place):
            self._page_failed(failure, series, now)
        else:
            return
        if REMEDIES[failure.trouble].blame is not Blame.PATH:
            domain = self.domain(failure.domain)
            self.troubles.in_trouble(domain, failure.trouble, now, door(failure.path), failure.retry_after)

    def _page_failed(self, failure: Failure, series: Series, now: float) -> None:
        domain, path = failure.domain, failure.path
        if path not in self.links.leased(domain):
            return  # a late report has brought it meanwhile
        record = self.links.tried(domain, path)
        if record.tries < REMEDIES[failure.trouble].tries:
            series.repeats.append((domain, path))
            self.note("retry", join(domain, path), trouble=failure.trouble, tries=record.tries)
        else:
            self.troubles.drop(domain, path, failure.trouble, now)

    def robots(self, file: RobotsFile, batch: int, now: float) -> None:
        """The answer to a request for robots.txt."""
        series = self._series(file.domain, batch)
        if series is None or (file.domain, file.path) not in series.errands:
            return
        series.errands.discard((file.domain, file.path))
        self.touched_addresses.add(series.address)
        self.note("learned", join(file.domain, file.path), status=file.status)
        if file.status == 429 or file.status >= 500:
            self._busy_robots(file, now)
        else:
            self.troubles.went_well(self.domain(file.domain), file.path, file.took)
        for step in self.permits.arrived(file, now):
            if isinstance(step, SendFor):
                self.errands.send_for(step, now)
            else:
                self.errands.learned(step, now)

    def _busy_robots(self, file: RobotsFile, now: float) -> None:
        domain = self.domain(file.domain)
        self.touched_domains.add(domain.name)
        domain.slowdown.was_busy()
        if file.retry_after is not None:
            patience = seconds_of_sleep(Trouble.BUSY, 1, self.rules.general_pause, file.retry_after)
            self.domains.put_to_sleep(domain, now + patience)
            self.refresh(domain, now)  # it may have no pages to fetch: other domains wait for its file

    def unvisited(self, unvisited: Unvisited, batch: int, now: float) -> None:
        """Requests that a harvester did not try return to the queue unchanged, when the series ends."""
        series = self._series(unvisited.domain, batch)
        if series is None:
            return
        domain = self.domain(unvisited.domain)
        self.touched_addresses.add(series.address)
        untried = [(domain.name, path) for path in unvisited.paths if series.answered(domain.name, path)]
        series.repeats[:0] = untried  # before those that failed
        for path in unvisited.paths:
            if (domain.name, path) in series.errands:
                series.errands.discard((domain.name, path))
                self._take_back_errand(domain, path, now)
        self.refresh(domain, now)

    def close(self, address: str, now: float, happening: Happening = Happening.ANSWERED) -> None:
        """End the series of an address: queue the requests to be repeated, and let the address rest."""
        series = self.series.pop(address)
        unanswered = [(name, path) for name, paths in series.pages.items() for path in paths]
        for name, path in [*series.repeats, *unanswered]:
            self._take_back(name, path)
        self.move(address, happening, now)
        self.rest_area.enter(address, now)
        for name, path in series.errands:
            self._take_back_errand(self.domain(name), path, now)
        for name in series.left:
            self._keep_distance(self.domain(name), now)

    def _take_back(self, domain: str, path: str) -> None:
        """Return a request to the queue, unless a late report has brought its page meanwhile."""
        if path in self.links.leased(domain):
            self.links.give_back(domain, path)

    def _take_back_errand(self, domain: Domain, path: str, now: float) -> None:
        if self.is_given_up(domain, path, now) or not self.permits.is_awaited(domain.name, path):
            self.errands.unreachable(domain.name, path, now)
        else:
            domain.errands.append(path)

    def _keep_distance(self, domain: Domain, now: float) -> None:
        """Let a domain sleep for its own delay, if that is longer than the general pause."""
        delay = self.delay(domain)
        if delay > self.rules.general_pause:
            self.domains.put_to_sleep(domain, now + delay)
            self.touched_domains.add(domain.name)
        self.refresh(domain, now)

    def address_of(self, domain: str) -> str:
        known = self.known(domain)
        return known.address if known else ""

    def figures(self, domain: str) -> Figures:
        """The documents and bytes that a domain has brought."""
        return self.domain(domain).trial.figures()

    def is_answered(self, address: str) -> bool:
        return self.series[address].is_answered()

    def give_up(self, batch: int, now: float) -> list[str]:
        """Stop waiting for a batch: its requests return to the queue, its addresses rest."""
        addresses = [series.address for series in self.series.values() if series.batch == batch]
        for address in addresses:
            self.close(address, now, Happening.GIVEN_UP)
        self.ask_again(batch)
        return addresses

    # --- time passes

    def pass_time(self, now: float) -> None:
        """Let addresses go on that have rested, and domains that have slept."""
        for address in self.rest_area.leave(now) | self.former_rest_area.leave(now):
            has_work = bool(self.addresses.rings[address])
            self.move(address, Happening.RESTED if has_work else Happening.RESTED_EMPTY, now)
        for domain in self.domains.wake(now):
            self.troubles.may_be_over(domain, now)
            self.refresh(domain, now)

    def next_change(self) -> float | None:
        """The time when pass_time will have something to do."""
        times = (
            self.rest_area.next_leave(),
            self.former_rest_area.next_leave(),
            self.domains.next_wake(),
        )
        return min((time for time in times if time is not None), default=None)

    def is_finished(self) -> bool:
        """Is nothing queued, leased or to be resolved?"""
        return not (
            self.links.queued_count
            or self.links.leased_count
            or self.series
            or self.domains.new
            or self.asked_domains
        )

    # --- inside

    def _series(self, domain: str, batch: int) -> Series | None:
        """The running series to which answers of this batch about a domain belong; None if it is over."""
        series = self.series.get(self.address_of(domain))
        return series if series is not None and series.batch == batch else None

    def _answered(self, domain: str, path: str, batch: int) -> Record | None:
        """Take a page off its series and out of the queue; None if another report was first."""
        series = self._series(domain, batch)
        if series is not None:
            series.answered(domain, path)
        return self.links.take(domain, path)


def _share(number: float) -> float:
    """The nearest number from 0 to 1: a harvester may report any."""
    return min(1.0, number) if number > 0 else 0.0  # 0 for NaN too
