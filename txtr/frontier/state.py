"""The state: the maps that make up the frontier, and what keeps them consistent.

Invariant: the ring of an address holds exactly its domains that can be given something to do now. An address
with such domains is not processed, and a waiting address is in the line that fits its ring. `refresh`
restores this for a domain; all code that changes the maps calls it.

The links are in an engine that may be on disk. Domains and addresses are in memory while they are in use. An
*archive* stores the others, and all of them against a crash: code that changes a domain or address adds its
name to the touched ones, and the edge writes those to disk.

All parts of the frontier (dealing, robots requests, troubles) share one state.
"""

from collections import OrderedDict
from collections.abc import Container, Sequence
from typing import Protocol

from txtr.frontier.addresses import Addresses, Happening, State
from txtr.frontier.checks import Checks
from txtr.frontier.domains import Domain, Domains
from txtr.frontier.memory import MemoryLinks
from txtr.frontier.permits import Door, Permits
from txtr.frontier.plans import Plans
from txtr.frontier.ranks import HOPELESS, PROMISING
from txtr.frontier.records import Entry
from txtr.frontier.restarea import ROOMS, RestArea
from txtr.frontier.series import Series
from txtr.frontier.storage import Links
from txtr.frontier.waiting import Waiting, pace_of
from txtr.gate import Gate
from txtr.manners.matching import Judgement
from txtr.manners.robots import NOTHING_FORBIDDEN, Robots
from txtr.manners.rules import Rules
from txtr.model import Event, Figures
from txtr.urls import door as door_of
from txtr.urls import join

MOST_IDLE = 10_000  # domains with nothing to do that stay in memory: they may be found again soon
MOST_AT_HAND = 20_000  # domains whose robots.txt rules stay in memory: more than are in batches
PUT_AWAY_AT_ONCE = 5000  # after a commit: bounds an answer's time
CLOCK_GRAIN = 0.005  # seconds added to a general pause: servers read their clocks only now and then


class Archive(Protocol):
    remembers: bool  # does it store domains that are put away?

    @property
    def domain_count(self) -> int:
        """The number of all domains, in memory or not."""

    def recall(self, name: str) -> tuple[Domain, bool] | None:
        """A domain that is not in memory, if it was ever met; and must its doors be watched?"""

    def recall_doors(self, name: str) -> dict[str, Door]:
        """The doors of a domain."""

    def put_away(self, name: str) -> None:
        """Note that a domain is not in memory any more."""

    def tidy(self, in_use: Container[str]) -> None:
        """Forget domains that were only looked at."""


class NoArchive:
    """Stores nothing: all domains stay in memory."""

    remembers = False
    domain_count = 0

    def recall(self, name: str) -> None:
        return None

    def recall_doors(self, name: str) -> dict[str, Door]:
        return {}

    def put_away(self, name: str) -> None: ...

    def tidy(self, in_use: Container[str]) -> None: ...


class FrontierState:
    def __init__(
        self,
        rules: Rules,
        gate: Gate,
        agent: str,
        links: Links | None = None,
        archive: Archive | None = None,
        rest_rooms: int = ROOMS,
    ) -> None:
        self.rules = rules
        self.gate = gate
        self.links = links or MemoryLinks()
        self.archive = archive or NoArchive()
        self.domains = Domains()
        self.permits = Permits(agent, self.archive.recall_doors)
        self.checks = Checks()
        self.addresses = Addresses()
        self.rest_area = RestArea(rules.general_pause + CLOCK_GRAIN, rest_rooms)
        self.former_rest_area = self.rest_area  # of addresses that rested before this run, perhaps for longer
        self.waiting = Waiting(rules.general_pause)
        self.plans = Plans()  # of series that may begin soon
        self.better: set[str] = set()  # addresses in play at which there is more than hopeless work
        self.series: dict[str, Series] = {}  # address -> its running series
        self.abandoned: dict[str, Figures] = {}  # domains that have lost their trial
        # Being resolved -> batch; filled by new_domains, emptied by resolved.
        self.asked_domains: dict[str, int] = {}
        self.idle: OrderedDict[str, None] = OrderedDict()  # domains with nothing to do, since when
        self.touched_domains: set[str] = set()  # changed since the edge last wrote them down
        self.touched_addresses: set[str] = set()
        self.touched_trials: set[str] = set()  # domains that were abandoned or brought back
        self.touched_blocks: set[str] = set()  # domains that were blocked or unblocked
        self.epoch = 0.0  # wall time when `now` was 0: for records that outlive the process
        self.events: list[Event] = []
        self.has_forgotten = False  # may links that were found before be new again?
        self.refused = 0  # links and requests turned away
        self.admitted = 0  # links let into the queue
        self.is_steering = True  # are some requests better than others?
        self.is_verbose = True  # are events about single links wanted?

    def known(self, name: str) -> Domain | None:
        """A domain that was met before, in this run or an earlier one."""
        domain = self.domains.get(name)
        if domain is None and (recalled := self.archive.recall(name)) is not None:
            domain, is_watched = recalled
            self.domains.take_in(domain)
            self.idle[name] = None  # until it is refreshed
            if self.links.is_parked(name):
                self.unpark(domain)  # if only the gate was closed for it in an earlier run
            if is_watched:
                for _, door in self.permits.doors_of(name):
                    if door.asleep_until:
                        self.domains.look_at(domain, door.asleep_until)
        return domain

    def domain(self, name: str) -> Domain:
        domain = self.known(name)
        if domain is None:
            domain = self.domains.add(name)
            self.domains.resolve(domain, self.rank(domain))
            self.touched_domains.add(name)
            self.note("new-domain", name)
        return domain

    def put_away(self, now: float) -> None:
        """Keep no more in memory than is in use; call it when everything is written down."""
        if not self.archive.remembers:
            return
        for _ in range(min(len(self.idle) - MOST_IDLE, PUT_AWAY_AT_ONCE)):
            name, _ = self.idle.popitem(last=False)
            domain = self.domains.get(name)
            if domain is not None and self._is_idle(domain, now):
                self._put_away(domain)
        for name in self.permits.tidy(MOST_AT_HAND, now, self._is_in_series):
            if (domain := self.domains.get(name)) is not None:
                self.refresh(domain, now)  # what was planned was checked against rules that are forgotten now
        self.addresses.tidy(MOST_IDLE, PUT_AWAY_AT_ONCE)
        self.archive.tidy(self.domains.domains)

    def _put_away(self, domain: Domain) -> None:
        del self.domains.domains[domain.name]
        self.permits.put_away(domain.name)
        self.archive.put_away(domain.name)

    def _is_idle(self, domain: Domain, now: float) -> bool:
        """Has a domain nothing to do, and nothing under way? Else it is refreshed when that is over."""
        name = domain.name
        return not (
            domain.is_resolving
            or domain.asleep_until > now
            or self.has_work(domain, now)
            or self._is_in_series(name)
            or self.links.leased(name)
            or self.permits.is_watched(name, now)
        )

    def _is_in_series(self, name: str) -> bool:
        domain = self.domains.get(name)
        series = self.series.get(domain.address) if domain is not None else None
        return series is not None and name in series.left

    def meet_address(self, address: str) -> None:
        """Take an address into use."""
        if address not in self.addresses:
            self.addresses.add(address)

    def judge(self, rules: Robots, paths: Sequence[str], start: int, now: float) -> Judgement:
        """Compare paths with robots.txt, as many as this moment has room for."""
        if not rules.rules:
            return NOTHING_FORBIDDEN
        room = self.checks.room(now)
        if room <= 0:
            return Judgement({}, list(paths), 0)
        judgement = rules.judge(paths, start, room)
        self.checks.count(judgement.steps, now)
        return judgement

    def disallow(self, domain: str, path: str, depth: int, rule: str) -> None:
        """Settle a link that robots.txt forbids, and note the line that forbids it."""
        self.refused += 1
        if self.permits.door(domain, door_of(path)).is_closed():
            self.links.settle(domain, path, Entry("disallowed", depth, reason="robots-unreachable"))
            self.note("disallowed", join(domain, path), reason="robots-unreachable")
        else:
            self.links.settle(domain, path, Entry("disallowed", depth, reason=f"robots {rule}"))
            self.note("disallowed", join(domain, path), reason="robots", rule=rule)

    def delay(self, domain: Domain) -> float:
        return domain.slowdown.delay(self.rules.req_delay, self.permits.crawl_delay(domain.name))

    def refresh(self, domain: Domain, now: float) -> None:
        """Put a domain into its address's ring if it can be given something to do, else take it out."""
        has_work = self.has_work(domain, now)
        if has_work:
            self.idle.pop(domain.name, None)
        else:
            self.idle[domain.name] = None
        if not domain.address:
            if has_work and domain.asleep_until <= now:
                self.domains.resolve(domain, self.rank(domain))
            return
        self.meet_address(domain.address)
        ring = self.addresses.rings[domain.address]
        if domain.is_resolving or domain.asleep_until > now or not has_work:
            ring.pop(domain.name)
        else:
            ring.put(domain.name, self.rank(domain))
            if self.addresses.states[domain.address] is State.PROCESSED:
                self.move(domain.address, Happening.FOUND, now)
        self.line_up(domain.address, now)

    def refresh_found(self, domain: Domain, now: float) -> None:
        """Refresh a domain after links were found or a leased document came: nothing has left its queue."""
        name, ring, best = domain.name, self.addresses.rings.get(domain.address), self.links.best(domain.name)
        if ring is None:
            self.refresh(domain, now)
        elif best is None and name in self.idle and not domain.errands:
            self.plans.drop(domain.address)  # it still has nothing to do, and idle domains are in no ring
        elif name in ring.lines[PROMISING if best is None else self._rank(domain, best)]:
            self.plans.drop(domain.address)
        else:
            self.refresh(domain, now)

    def go_on_in_turn(self, domain: Domain) -> None:
        """Move a domain that was dealt to to the end of its ring, or out of it if it has no more to do.

        This does what `refresh` does in a third of the time, if all its doors are open and its address is
        active."""
        ring = self.addresses.rings[domain.address]
        ring.pop(domain.name)
        best = self.links.best(domain.name)
        if best is None:
            self.idle[domain.name] = None
        else:
            ring.lines[self._rank(domain, best)][domain.name] = None

    def rank(self, domain: Domain) -> int:
        """The rank of a domain: that of its best request, or one worse if the domain was disappointing."""
        best = self.links.best(domain.name)
        if best is None:
            return PROMISING  # only a robots.txt is to be fetched, for which other domains wait
        return self._rank(domain, best)

    def _rank(self, domain: Domain, best: int) -> int:
        return min(HOPELESS, best + (self.is_steering and domain.trial.is_disappointing()))

    def line_up(self, address: str, now: float) -> None:
        """Put an address into its line of those that wait, or out of all, by its state and its ring."""
        self.plans.drop(address)
        state = self.addresses.states[address]
        if state is State.ACTIVE and self.series[address].is_better:
            self.better.add(address)
            self.waiting.remove(address)
            return
        ring = self.addresses.rings[address]
        best = ring.best()
        if best is not None and best < HOPELESS:
            self.better.add(address)
        else:
            self.better.discard(address)
        if state is not State.WAITING:
            self.waiting.remove(address)
        elif best is not None:
            usual = self.domains.domains[next(iter(ring.lines[best]))].slowdown.usual
            self.waiting.put(address, best, pace_of(usual), now)

    def is_given_up(self, domain: Domain, path: str, now: float) -> bool:
        """Is the domain, or the door of this path, refused or given up?"""
        if self.gate.domain_refusal(domain.name):
            return True
        return domain.given_up_until > now or self.permits.is_given_up(domain.name, door_of(path), now)

    def unpark(self, domain: Domain) -> int:
        """Unpark the requests of a domain, unless they are parked for another reason too; how many?"""
        is_closed = domain.name in self.abandoned or self.gate.domain_refusal(domain.name)
        return 0 if is_closed or domain.given_up_until else self.links.unpark(domain.name)

    def put_door_to_sleep(self, domain: Domain, behind: str, until: float) -> None:
        """Let a door sleep that did not answer; other doors of the domain go on."""
        door = self.permits.door(domain.name, behind)
        if until > door.asleep_until:
            door.asleep_until = until
            self.permits.touched.add(domain.name)
            self.domains.look_at(domain, until)

    def has_work(self, domain: Domain, now: float) -> bool:
        if domain.errands:
            return True
        doors = self.permits.doors.get(domain.name)
        if doors is None:  # not at hand: then none is asleep, and no file was sent for
            return self.links.best(domain.name) is not None
        for behind in self.links.doors(domain.name):
            door = doors.get(behind)
            if door is None or (door.asleep_until <= now and (door.expires > now or not door.is_asked)):
                return True
        return False

    def move(self, address: str, happening: Happening, now: float) -> None:
        state = self.addresses.move(address, happening)
        self.touched_addresses.add(address)
        self.line_up(address, now)
        self.note("state", address, state=state.value)

    def note(self, what: str, whom: str, **facts: object) -> None:
        self.events.append(Event(what, whom, facts))
