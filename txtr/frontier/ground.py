"""The ground: the maps that make up the frontier, and what keeps them consistent.

Invariant: an address's ring holds exactly its domains that can be given something to do now, and an
address that has any is not processed; a waiting address is in the line that its ring deserves.
`refresh` restores all that for a domain after anything that may have changed the answer; whoever
changes the maps calls it.

The parts of the frontier (dealing, errands, troubles) stand on the same ground.
"""

from txtr.frontier.addresses import Addresses, Happening, State
from txtr.frontier.documents import Documents, Entry
from txtr.frontier.domains import Domain, Domains
from txtr.frontier.gate import Gate
from txtr.frontier.permits import Permits
from txtr.frontier.queue import Queue
from txtr.frontier.ranks import HOPELESS, PROMISING
from txtr.frontier.restarea import RestArea
from txtr.frontier.series import Series
from txtr.frontier.trial import Abandoned
from txtr.frontier.waiting import Waiting, pace
from txtr.manners.robots import DISALLOW_ALL
from txtr.manners.rules import Rules
from txtr.model import Event
from txtr.urls import door as door_of
from txtr.urls import join

GRAIN = 0.005  # seconds added to a general pause: servers date requests by clocks they read now and then


class Ground:
    def __init__(self, rules: Rules, gate: Gate, agent: str) -> None:
        self.rules = rules
        self.gate = gate
        self.queue = Queue()
        self.documents = Documents()
        self.domains = Domains()
        self.permits = Permits(agent)
        self.addresses = Addresses()
        self.rest_area = RestArea(rules.general_pause + GRAIN)
        self.waiting = Waiting(rules.general_pause)
        self.better: set[str] = set()  # addresses in play at which there is more than hopeless work
        self.series: dict[str, Series] = {}  # address -> its running series
        self.abandoned: dict[str, Abandoned] = {}  # domains that have lost their trial
        # Being resolved -> batch; filled by new_domains, emptied by resolved.
        self.asked_domains: dict[str, int] = {}
        self.quiet_from = self.quiet_until = float(
            "-inf"
        )  # addresses that become known rest from then, till then
        self.events: list[Event] = []
        self.refused = 0  # links and requests turned away
        self.is_steering = True  # are some requests better than others?

    def domain(self, name: str) -> Domain:
        domain = self.domains.get(name)
        if domain is None:
            domain = self.domains.add(name)
            self.domains.resolve(domain, self.rank(domain))
            self.note("new-domain", name)
        return domain

    def is_permitted(self, domain: str, path: str, depth: int, now: float) -> bool:
        """Does robots.txt allow it, as far as we know it?"""
        rules = self.permits.rules(domain, door_of(path), now)
        inside = path[len(door_of(path)) :]
        if rules is None or rules.may_fetch(inside):
            return True
        self.documents.add(domain, path, Entry("disallowed", depth))
        self.refused += 1
        if rules is DISALLOW_ALL:
            self.note("disallowed", join(domain, path), reason="robots-unreachable")
        else:
            self.note("disallowed", join(domain, path), reason="robots", rule=rules.rule_for(inside))
        return False

    def delay(self, domain: Domain) -> float:
        return domain.slowdown.delay(self.rules.req_delay, self.permits.crawl_delay(domain.name))

    def refresh(self, domain: Domain, now: float) -> None:
        """Put the domain into its address's ring exactly if it can be given something to do."""
        if not domain.address:
            if self.has_work(domain, now) and domain.asleep_until <= now:
                self.domains.resolve(domain, self.rank(domain))
            return
        ring = self.addresses.rings[domain.address]
        if domain.is_resolving or domain.asleep_until > now or not self.has_work(domain, now):
            ring.pop(domain.name)
        else:
            ring.put(domain.name, self.rank(domain))
            if self.addresses.states[domain.address] is State.PROCESSED:
                self.move(domain.address, Happening.FOUND, now)
        self.line_up(domain.address, now)

    def rank(self, domain: Domain) -> int:
        """That of its best request; one worse if all it brought so far was a disappointment."""
        best = self.queue.best(domain.name)
        if best is None:
            return PROMISING  # only a robots.txt is to be fetched, which others wait for
        return min(HOPELESS, best + (self.is_steering and domain.trial.is_disappointing()))

    def line_up(self, address: str, now: float) -> None:
        """Put the address where it belongs, by its state and its ring."""
        ring, state = self.addresses.rings[address], self.addresses.states[address]
        best = ring.best()
        is_better = best is not None and best < HOPELESS
        if is_better or (state is State.ACTIVE and self.series[address].is_better):
            self.better.add(address)
        else:
            self.better.discard(address)
        if state is not State.WAITING:
            self.waiting.remove(address)
        elif best is not None:
            usual = self.domains.domains[next(iter(ring.lines[best]))].slowdown.usual
            self.waiting.put(address, best, pace(usual), now)

    def is_given_up(self, domain: Domain, path: str, now: float) -> bool:
        """Is the domain, or the door before this path, left alone for long?"""
        return domain.given_up_until > now or self.permits.is_given_up(domain.name, door_of(path), now)

    def put_door_to_sleep(self, domain: Domain, behind: str, until: float) -> None:
        """Nobody answered there; the domain's other doors go on."""
        door = self.permits.door(domain.name, behind)
        if until > door.asleep_until:
            door.asleep_until = until
            self.domains.look_at(domain, until)

    def has_work(self, domain: Domain, now: float) -> bool:
        return bool(domain.errands) or any(
            self.permits.rules(domain.name, behind, now) is not None
            or not self.permits.is_asked(domain.name, behind)
            for behind in self.queue.doors(domain.name)
            if not self.permits.is_asleep(domain.name, behind, now)
        )

    def move(self, address: str, happening: Happening, now: float) -> None:
        self.addresses.move(address, happening)
        self.line_up(address, now)
        self.note("state", address, state=self.addresses.states[address].value)

    def note(self, what: str, whom: str, **facts: object) -> None:
        self.events.append(Event(what, whom, facts))
