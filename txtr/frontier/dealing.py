"""Dealing: gives out requests, as visits for a batch.

An address is dealt out only when it is waiting; then a series begins. A running series is topped up with
requests that have become known, within max-hosts and the quotas. Every request is checked once more on its
way out, and no page is dealt behind a door whose robots.txt is not known.

Addresses, domains and requests of a better rank come first. In a series that began for better ones, hopeless
domains take no part and hopeless requests stay in the queue: they would only use up the rest of the quotas,
and the patience of servers. Every tenth series at an address is an exception.

Addresses that will be dealt out soon are planned before (plans.py), so that no answer waits for the disk.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from txtr.frontier.addresses import Happening
from txtr.frontier.domains import Domain
from txtr.frontier.outlook import Stock, has_better_ended, least_time_alone, urgent_within
from txtr.frontier.plans import MOST_AHEAD, Plan, PlannedVisit, Pressing
from txtr.frontier.portions import PLANNED, UNPLANNED, DealingBudget
from txtr.frontier.ranks import DOUBTFUL, HOPELESS
from txtr.frontier.records import Entry, Prospect, Token
from txtr.frontier.ring import Ring
from txtr.frontier.robots_requests import RobotsRequests
from txtr.frontier.series import Series
from txtr.frontier.state import FrontierState
from txtr.manners.robots import Robots
from txtr.model import Purpose, Request, Visit

REQUESTS_AT_ONCE = 1000  # in one visit: bounds the size of a message; the quota's rest is topped up later
ROUND_TRIP = 0.25  # seconds in which an answer is reported and the next request dealt, if all is well
REQUESTS_OF_SAMPLE = 4  # to each domain of an address that is held back: robots.txt, and three to surprise us
REFUSALS_AT_ONCE = 1000  # disallowed requests cleared away while filling one visit: bounds an answer's time
REQUESTS_OF_LOOK = 2  # that show how many pages a new domain has: robots.txt and front page
NO_BATCH = 0  # of a series that is not dealt yet
LOOKED_AT_ONCE = 20  # addresses, between two answers: some milliseconds


class Dealing:
    def __init__(self, state: FrontierState, errands: RobotsRequests) -> None:
        self.state = state
        self.errands = errands
        self.horizon = 0.0  # when the largest domain can be done at the earliest, as far as is known

    def visits(self, batch: int, most_addresses: int, now: float, budget: DealingBudget) -> Iterator[Visit]:
        """Visits to addresses that wait, grouped by address; an address is taken when it is drawn."""
        taken = 0
        while taken < most_addresses and not budget.is_over() and (address := self._first(now)) is not None:
            plan = self._begun(address, batch, now)
            supply = self._series(address, batch, now) if plan is None else self._carry_out(plan, now)
            effort = UNPLANNED if plan is None else PLANNED
            if supply is None:
                budget.effort += effort
            else:
                taken += 1
                for visit in supply:
                    budget.effort += effort
                    yield visit
            if self.state.checks.room(now) <= 0:
                budget.end()

    def _series(self, address: str, batch: int, now: float) -> Iterator[Visit] | None:
        """Begin a series, unless it turns out that there is nothing to ask."""
        series = self._begin(address, batch)
        supply = self._supply(series, now)
        visit = next(supply, None)
        if visit is None and not series.is_for_all:  # the better ones wait for a robots.txt
            series.is_for_all = True
            supply = self._supply(series, now)
            visit = next(supply, None)
        if visit is None:
            if not self.state.addresses.rings[address]:
                self.state.move(address, Happening.EMPTIED, now)
            return None
        self._start(series, batch, now)
        return chain((visit,), supply)

    def _start(self, series: Series, batch: int, now: float) -> None:
        """Make the address of a series active."""
        series.batch = batch
        self.state.waiting.count(series.is_sample, now)
        self.state.addresses.rings[series.address].series += 1
        self.state.series[series.address] = series
        self.state.move(series.address, Happening.DEALT, now)

    def ready(self, now: float) -> int:
        """How many addresses can be dealt out now."""
        return self.state.waiting.number(now, bool(self.state.better))

    def _first(self, now: float) -> str | None:
        return self.state.waiting.first(now, bool(self.state.better))

    def _begin(self, address: str, batch: int = NO_BATCH) -> Series:
        ring = self.state.addresses.rings[address]
        is_held = self.state.waiting.is_held(address)
        is_for_all = is_held or ring.is_for_others()
        return Series(
            address,
            batch,
            self.state.rules.max_hosts,
            is_better=not is_held,
            is_for_all=is_for_all,
            is_sample=is_held and bool(self.state.better),
        )

    def top_up(self, address: str, now: float) -> list[Visit]:
        """Visits that can be added to a running series with what is known by now."""
        if not self.state.addresses.rings[address]:
            return []  # no domain there has more: the usual case, where all was dealt at once
        series = self.state.series[address]
        if self._had_better_end(series, now):
            return self._deal(series.behind(), series, now)
        awaited = self._awaited(series)
        if awaited:
            return self._deal(self._in_step(series, awaited), series, now)
        return list(self._supply(series, now))

    def _awaited(self, series: Series) -> list[str]:
        """New domains whose first answers are under way, if the series may end with them."""
        looked_at = [name for name in series.left if self._is_looked_at(name, series)]
        return looked_at if series.is_full() and series.left_out(self._ring(series)) else []

    def _is_looked_at(self, name: str, series: Series) -> bool:
        if not self._is_new(name) or not series.under_way(name):
            return False
        quota = self.state.rules.quota(self.state.delay(self.state.domains.domains[name]))
        return quota - series.left[name] <= REQUESTS_OF_LOOK

    def _in_step(self, series: Series, awaited: list[str]) -> list[str]:
        """Domains that take part and would not be asked more often than those awaited."""
        least_asked = max(series.left[name] for name in awaited)
        return [name for name, left in series.left.items() if left > least_asked or self._is_new(name)]

    def _deal(self, names: Iterable[str], series: Series, now: float) -> list[Visit]:
        """Visits to these domains, as far as they may take part."""
        ring, domains = self._ring(series), self.state.domains.domains
        visits = [self._ask(domains[name], series, now) for name in names if name in ring]
        return [visit for visit in visits if visit is not None]

    def _had_better_end(self, series: Series, now: float) -> bool:
        """Had this series better end, for domains that wait and are no worse? Only known domains tell it."""
        ring = self._ring(series)
        unfinished = [name for name in series.left if name in ring]
        if not unfinished or not series.is_full() or any(map(self._is_new, series.left)):
            return False
        worst = max(map(ring.rank, unfinished))
        waiting = [name for name in series.left_out(ring) if ring.rank(name) <= worst]
        stocks = [self._stock(name, series.left[name]) for name in unfinished]
        stocks += [self._stock(name, left=0) for name in waiting]
        return bool(waiting) and has_better_ended(stocks, self.state.rules, self.horizon - now)

    def _stock(self, name: str, left: int, fewer: int = 0) -> Stock:
        """A domain's requests, counted in full quotas: a domain with a longer delay has a smaller one."""
        rules, domain = self.state.rules, self.state.domains.domains[name]
        weight = rules.max_reqs / rules.quota(self.state.delay(domain))
        return Stock((self.state.links.backlog(name) - fewer) * weight, left * weight, self._is_new(name))

    def _is_new(self, name: str) -> bool:
        """Has this domain brought no document yet? Then the number of its pages is unknown."""
        return not self.state.domains.domains[name].trial.documents

    def _supply(self, series: Series, now: float) -> Iterator[Visit]:
        """Visits for domains in the address's ring, as far as the series has room for them."""
        urgent = self._urgent(self._pressing(series), now)
        for domain in self._participants(series, urgent):
            visit = self._ask(domain, series, now)
            if visit is not None:
                yield visit
            if self.state.checks.room(now) <= 0:
                return

    def _ask(self, domain: Domain, series: Series, now: float) -> Visit | None:
        """A visit to a domain, if there is one to make; then another domain has its turn."""
        visit = self._visit(domain, series, now)
        self.state.addresses.rings[domain.address].pop(domain.name)
        self.state.refresh(domain, now)  # now at the end of the ring: another domain comes first next time
        return visit

    def _participants(self, series: Series, urgent: str | None) -> Iterator[Domain]:
        """The domains that take part in a series, in turn; the caller counts the requests to each."""
        ring = self._ring(series)

        def worth(name: str) -> tuple[int, bool, bool, int]:
            """Better rank first; then the urgent one, new ones (which may need many series), larger ones."""
            is_new = self._is_new(name)
            return -ring.rank(name), name == urgent, is_new, self.state.links.backlog(name)

        tried: set[str] = set()
        while (name := series.next_domain(ring, tried, worth)) is not None:
            tried.add(name)
            yield self.state.domains.domains[name]

    def _allowance(self, domain: Domain, series: Series) -> tuple[float, int, int]:
        """The domain's delay, what is left of its quota, and how many requests it may be sent now."""
        delay = self.state.delay(domain)
        quota = self.state.rules.quota(delay)
        if series.is_sample:
            quota = min(quota, REQUESTS_OF_SAMPLE)
        left = min(series.left.get(domain.name, quota), quota)
        return delay, left, min(left, self._portion(domain, series, delay))

    def _pressing(self, series: Series) -> Pressing | None:
        """The domain that may delay its address if it missed this series, when there is no room for all."""
        waiting = [] if series.is_full() else series.left_out(self._ring(series))
        known = [name for name in waiting if not self._is_new(name)]
        if not known:
            return None
        stocks = {name: self._stock(name, left=0) for name in waiting}
        longest = max(known, key=lambda name: stocks[name].queued)
        return longest, urgent_within(stocks[longest].queued, list(stocks.values()), self.state.rules)

    def _urgent(self, pressing: Pressing | None, now: float) -> str | None:
        """The pressing domain, if it would finish after the current horizon."""
        return pressing[0] if pressing is not None and pressing[1] > self.horizon - now else None

    def _visit(self, domain: Domain, series: Series, now: float) -> Visit | None:
        if domain.believed_until <= now and domain.name not in series.left:
            self.state.domains.resolve(domain)
            return None
        delay, left, most = self._allowance(domain, series)
        if domain.name in series.left and delay > self.state.rules.general_pause:
            return None  # the address need not wait for it: the address rests, the domain sleeps
        requests = self._errands(domain, series, most)
        for behind in self.state.links.doors(domain.name):
            requests += self._requests(domain, behind, series, most - len(requests), now)
        if not requests:
            return None
        self._count(domain, series, left, len(requests))
        self._look_out(now + self._lasts(domain, delay, left, len(requests)))
        return Visit(domain.name, domain.address, delay, requests)

    def _count(self, domain: Domain, series: Series, left: int, requests: int) -> None:
        """Count requests that are dealt to a domain that had so many left of its quota."""
        series.left[domain.name] = left - requests
        self.state.touched_addresses.add(series.address)
        self.state.waiting.count_requests(requests, series.is_sample)
        self.state.note("dealt", domain.name, address=series.address, batch=series.batch, requests=requests)

    def _lasts(self, domain: Domain, delay: float, left: int, requests: int, fewer: int = 0) -> float:
        """The least seconds until a domain is done with all it has, if it is dealt so many requests now.

        `fewer`: requests that are still counted as queued, and will not be then."""
        stock = self._stock(domain.name, left - requests, fewer)
        return requests * delay + least_time_alone(stock, self.state.rules)

    def _look_out(self, done: float) -> None:
        """Move the horizon to the moment when a domain can be done at the earliest, if that is later."""
        self.horizon = max(self.horizon, done)

    def _portion(self, domain: Domain, series: Series, delay: float) -> int:
        """The most requests for now: while others wait, no more than until the next top-up."""
        if not delay or not series.left_out(self._ring(series)):
            return REQUESTS_AT_ONCE
        return max(0, 1 + int(min(REQUESTS_AT_ONCE, ROUND_TRIP / delay)) - series.under_way(domain.name))

    def _ring(self, series: Series) -> Ring:
        """The domains that may take part in a series."""
        ring = self.state.addresses.rings[series.address]
        return ring if series.is_for_all else ring.better()

    def _errands(self, domain: Domain, series: Series, most: int) -> list[Request]:
        taken = series.take_errands(domain.name, domain.errands, most)
        return [Request(path, Purpose.ROBOTS) for path in taken]

    def _requests(self, domain: Domain, behind: str, series: Series, most: int, now: float) -> list[Request]:
        """Requests behind one door, each checked once more; if its rules are not known, its robots.txt."""
        door = self.state.permits.known(domain.name, behind)
        if most <= 0 or (door is not None and door.asleep_until > now):
            return []
        rules = door.fresh(now) if door is not None else None
        if rules is None:
            if door is None or not door.is_asked:
                self.errands.send_for(self.state.permits.ask(domain.name, behind), now)
            return self._errands(domain, series, most)
        leased: list[str] = []
        left, room = most + REFUSALS_AT_ONCE, self.state.checks.room_of_visit(now)
        if room <= 0:
            return []
        while len(leased) < most and left > 0 and room > 0:
            wanted = min(most - len(leased), rules.most_paths(room))
            paths = self.state.links.lease(domain.name, behind, wanted, _worst(series))
            left -= len(paths)
            allowed, steps = self._checked(domain.name, behind, paths, rules)
            leased += allowed
            room -= steps
            self.state.checks.count(steps, now)
            if len(paths) < wanted:
                break  # the queue has no more
        if leased:
            series.expect(domain.name, leased)
        elif room <= 0:
            self.state.domains.put_to_sleep(domain, self.state.checks.turn(now))
        return [Request(path) for path in leased]

    def _checked(self, domain: str, behind: str, paths: list[str], rules: Robots) -> tuple[list[str], int]:
        """The second check, when requests go into a batch: rules and limits may be newer than the links.

        Returns the paths that are allowed, and how many steps the check took (checks.py)."""
        state, links = self.state, self.state.links
        forbidden, _, steps = rules.judge(paths, len(behind))
        for path, rule in forbidden.items():
            record = links.take(domain, path)
            if record is not None:
                state.disallow(domain, path, record.depth, rule)
        refused = set(forbidden)
        if state.gate.depth:
            deep = [path for path in paths if path not in refused and self._is_too_deep(domain, path)]
            for path in deep:
                self._refuse(domain, path)
            refused.update(deep)
        return [path for path in paths if path not in refused] if refused else paths, steps

    def _is_too_deep(self, domain: str, path: str) -> bool:
        return self.state.gate.is_too_deep(self.state.links.leased(domain)[path].depth)

    def _refuse(self, domain: str, path: str) -> None:
        record = self.state.links.take(domain, path)
        depth = record.depth if record else 0
        self.state.links.settle(domain, path, Entry("skipped", depth, reason="deeper than --depth"))

    # --- ahead of time

    def look_ahead(self, now: float) -> bool:
        """Plan a few of the addresses that come next; are there others?"""
        unseen = self.state.plans.unseen(self.state.waiting.soon(MOST_AHEAD), LOOKED_AT_ONCE)
        for address in unseen:
            self.state.plans.put(address, self._plan(address, now))
        return len(unseen) == LOOKED_AT_ONCE

    def _plan(self, address: str, now: float) -> Plan | None:
        """The series of an address as it would be now; None if it is not plain (plans.py)."""
        if self.state.addresses.rings[address].is_for_others():
            return None
        series = self._begin(address)
        pressing = self._pressing(series)
        urgent = self._urgent(pressing, now)
        visits: list[PlannedVisit] = []
        for domain in self._participants(series, urgent):
            planned = self._planned(domain, series, now)
            if planned is None:
                return None
            series.left[domain.name] = planned.left - len(planned.pages)
            visits.append(planned)
        series.left.clear()
        return Plan(series, pressing, urgent, visits) if visits else None

    def _planned(self, domain: Domain, series: Series, now: float) -> PlannedVisit | None:
        if domain.errands:
            return None
        delay, left, most = self._allowance(domain, series)
        links, until = self.state.links, domain.believed_until
        paths: list[str] = []
        prospects: list[Token] = []
        for behind in links.doors(domain.name):
            door = self.state.permits.known(domain.name, behind)
            if door is None or door.asleep_until > now or door.expires <= now:
                return None
            until = min(until, door.expires)
            if len(paths) < most:
                prospect = links.look_ahead(domain.name, behind, most - len(paths), _worst(series))
                if prospect is None or not self._is_allowed(prospect, behind, door.rules, now):
                    return None
                prospects.append(prospect.token)
                paths += prospect.paths
        if until <= now or not paths:
            return None
        visit = Visit(domain.name, domain.address, delay, list(map(Request, paths)))
        lasts = self._lasts(domain, delay, left, len(paths), fewer=len(paths))
        return PlannedVisit(domain, left, prospects, set(paths), visit, until, lasts)

    def _is_allowed(self, prospect: Prospect, behind: str, rules: Robots, now: float) -> bool:
        """The second check, see `_checked`; refusals wait until the requests are dealt."""
        if self.state.gate.is_too_deep(prospect.deepest):
            return False
        forbidden, left, _ = self.state.judge(rules, prospect.paths, len(behind), now)
        return not forbidden and not left

    def _carry_out(self, plan: Plan, now: float) -> Iterator[Visit]:
        """The visits of a planned series, the first of which is leased, as long as the plan still holds."""
        series = plan.series
        for place, planned in enumerate(plan.visits):
            if place and not self._is_leased(planned, now):
                yield from self._supply(series, now)
                return
            domain = planned.domain
            series.pages[domain.name] = planned.pages
            self._count(domain, series, planned.left, len(planned.pages))
            self._look_out(now + planned.lasts)
            self.state.go_on_in_turn(domain)
            yield planned.visit

    def _begun(self, address: str, batch: int, now: float) -> Plan | None:
        """Begin the series as planned, with its first visit leased, if the same would be decided now.

        It would if the same domain is urgent, and no request has come or gone."""
        plan = self.state.plans.take(address)
        if plan is None or self._urgent(plan.pressing, now) != plan.urgent:
            return None
        if not self._is_leased(plan.visits[0], now):
            return None
        self._start(plan.series, batch, now)
        return plan

    def _is_leased(self, planned: PlannedVisit, now: float) -> bool:
        """Lease the requests of a planned visit, if the same would be leased now."""
        return planned.until > now and self.state.links.lease_ahead(planned.prospects)


def _worst(series: Series) -> int:
    """The worst rank that requests of a series may have."""
    return HOPELESS if series.is_for_all else DOUBTFUL
