"""Dealing: requests go out, as visits for a batch.

An address is dealt out only when it is waiting; then a series begins. While it runs, it is topped up
with whatever has become known, within max-hosts and the quotas. Every request is checked once
more on its way out, and nothing is dealt behind a door whose robots.txt is not known.

The better addresses, domains and requests come first. In a series that began for better reasons
hopeless domains take no part and hopeless requests stay where they are, except in every tenth at an
address: they would only use up what the quotas leave, and the servers' patience.
"""

from collections.abc import Iterator

from txtr.frontier.addresses import Happening
from txtr.frontier.domains import Domain
from txtr.frontier.errands import Errands
from txtr.frontier.ground import Ground
from txtr.frontier.links.record import Entry
from txtr.frontier.outlook import Stock, alone, has_better_ended, is_urgent
from txtr.frontier.ranks import DOUBTFUL, HOPELESS
from txtr.frontier.ring import Ring
from txtr.frontier.series import COMPARED, Series
from txtr.manners.robots import Robots
from txtr.model import Purpose, Request, Visit

REQUESTS_AT_ONCE = 1000  # in one visit: bounds the size of a message; the quota's rest is topped up later
ROUND_TRIP = 0.25  # seconds in which an answer is reported and the next request dealt, if all is well
SAMPLE = 4  # requests to each domain of an address that is held back: robots.txt, and enough to be surprised
REFUSALS_AT_ONCE = 1000  # disallowed requests cleared away while filling one visit: bounds an answer's time


class Dealing:
    def __init__(self, ground: Ground, errands: Errands) -> None:
        self.ground = ground
        self.errands = errands
        self.horizon = 0.0  # when the largest domain can be done at the earliest, as far as is known

    def visits(self, batch: int, most_addresses: int, now: float) -> Iterator[Visit]:
        """Visits to addresses that wait, grouped by address; an address is taken when it is drawn."""
        taken = 0
        while taken < most_addresses and (address := self._first(now)) is not None:
            series = self._begin(address, batch)
            supply = self._supply(series, now)
            visit = next(supply, None)
            if visit is None and not series.is_for_all:  # the better ones wait for somebody's robots.txt
                series.is_for_all = True
                supply = self._supply(series, now)
                visit = next(supply, None)
            if visit is None:
                if not self.ground.addresses.rings[address]:
                    self.ground.move(address, Happening.EMPTIED, now)
                continue
            self.ground.waiting.count(series.is_sample, now)
            self.ground.addresses.rings[address].series += 1
            self.ground.series[address] = series
            self.ground.move(address, Happening.DEALT, now)
            taken += 1
            yield visit
            yield from supply

    def ready(self, now: float) -> int:
        """How many addresses can be dealt out now."""
        return self.ground.waiting.number(now, bool(self.ground.better))

    def _first(self, now: float) -> str | None:
        return self.ground.waiting.first(now, bool(self.ground.better))

    def _begin(self, address: str, batch: int) -> Series:
        ring = self.ground.addresses.rings[address]
        is_held = self.ground.waiting.is_held(address)
        is_for_all = is_held or ring.is_for_others()
        return Series(
            address,
            batch,
            self.ground.rules.max_hosts,
            is_better=not is_held,
            is_for_all=is_for_all,
            is_sample=is_held and bool(self.ground.better),
            is_in_turn=ring.is_in_turn() or len(ring) > COMPARED,  # in a crowd everybody waits long
        )

    def top_up(self, address: str, now: float) -> list[Visit]:
        """What can be added to a running series with what is known by now."""
        series = self.ground.series[address]
        if self._had_better_end(series, now):
            return []
        return list(self._supply(series, now))

    def _had_better_end(self, series: Series, now: float) -> bool:
        """Is that better for those who wait and are no worse? It shows when all who take part are known."""
        ring = self._ring(series)
        unfinished = [name for name in series.left if name in ring]
        if not unfinished or not series.is_full() or any(map(self._is_new, series.left)):
            return False
        worst = max(map(ring.rank, unfinished))
        waiting = [name for name in series.left_out(ring) if ring.rank(name) <= worst]
        stocks = [self._stock(name, series.left[name]) for name in unfinished]
        stocks += [self._stock(name, left=0) for name in waiting]
        return bool(waiting) and has_better_ended(stocks, self.ground.rules, self.horizon - now)

    def _stock(self, name: str, left: int) -> Stock:
        """As if its delay were the normal one: a domain with a longer delay has a smaller quota."""
        rules, domain = self.ground.rules, self.ground.domains.domains[name]
        weight = rules.max_reqs / rules.quota(self.ground.delay(domain))
        return Stock(self.ground.links.backlog(name) * weight, left * weight, self._is_new(name))

    def _is_new(self, name: str) -> bool:
        """Has this domain brought no document yet? Then nobody knows how many it has."""
        return not self.ground.domains.domains[name].trial.documents

    def _supply(self, series: Series, now: float) -> Iterator[Visit]:
        """Visits for domains in the address's ring, as far as the series has room for them."""
        ring = self._ring(series)
        urgent = self._urgent(series, ring, now)

        def worth(name: str) -> tuple[int, bool, bool, int]:
            """The better rank; then who is urgent, who is new and may need many series, who is known to."""
            is_new = self._is_new(name)
            return -ring.rank(name), name == urgent, is_new, self.ground.links.backlog(name)

        tried: set[str] = set()
        while (name := series.next_domain(ring, tried, worth)) is not None:
            tried.add(name)
            domain = self.ground.domains.domains[name]
            visit = self._visit(domain, series, now)
            ring.pop(name)
            self.ground.refresh(domain, now)  # at the end of the ring: another domain is first next time
            if visit is not None:
                yield visit

    def _urgent(self, series: Series, ring: Ring, now: float) -> str | None:
        """Who would hold the address up if the series were without him, if there is not room for all."""
        waiting = [] if series.is_full() else series.left_out(ring)
        known = [name for name in waiting if not self._is_new(name)]
        if not known:
            return None
        stocks = {name: self._stock(name, left=0) for name in waiting}
        longest = max(known, key=lambda name: stocks[name].queued)
        horizon = self.horizon - now
        is_late = is_urgent(stocks[longest].queued, list(stocks.values()), self.ground.rules, horizon)
        return longest if is_late else None

    def _visit(self, domain: Domain, series: Series, now: float) -> Visit | None:
        if domain.believed_until <= now and domain.name not in series.left:
            self.ground.domains.resolve(domain)
            return None
        delay = self.ground.delay(domain)
        if domain.name in series.left and delay > self.ground.rules.general_pause:
            return None  # the address need not wait so long: it rests, and the domain sleeps
        quota = self.ground.rules.quota(delay)
        if series.is_sample:
            quota = min(quota, SAMPLE)
        left = min(series.left.get(domain.name, quota), quota)
        most = min(left, self._portion(domain, series, delay))
        requests = self._errands(domain, series, most)
        for behind in self.ground.links.doors(domain.name):
            requests += self._requests(domain, behind, series, most - len(requests), now)
        if not requests:
            return None
        series.left[domain.name] = left - len(requests)
        stock = self._stock(domain.name, left - len(requests))
        self.horizon = max(self.horizon, now + len(requests) * delay + alone(stock, self.ground.rules))
        self.ground.touched_addresses.add(series.address)
        self.ground.waiting.count_requests(len(requests), series.is_sample)
        self.ground.note(
            "dealt", domain.name, address=series.address, batch=series.batch, requests=len(requests)
        )
        return Visit(domain.name, domain.address, delay, requests)

    def _portion(self, domain: Domain, series: Series, delay: float) -> int:
        """While others wait, no more than lasts until the next top-up: the series may end early."""
        if not delay or not series.left_out(self._ring(series)):
            return REQUESTS_AT_ONCE
        return max(0, 1 + int(ROUND_TRIP / delay) - series.under_way(domain.name))

    def _ring(self, series: Series) -> Ring:
        """Those who may take part in a series."""
        ring = self.ground.addresses.rings[series.address]
        return ring if series.is_for_all else ring.better()

    def _errands(self, domain: Domain, series: Series, most: int) -> list[Request]:
        taken = domain.errands[:most]
        del domain.errands[:most]
        series.errands.update((domain.name, path) for path in taken)
        return [Request(path, Purpose.ROBOTS) for path in taken]

    def _requests(self, domain: Domain, behind: str, series: Series, most: int, now: float) -> list[Request]:
        """Requests behind one door, each checked once more; its robots.txt if that is not known."""
        door = self.ground.permits.known(domain.name, behind)
        if most <= 0 or (door is not None and door.asleep_until > now):
            return []
        rules = door.fresh(now) if door is not None else None
        if rules is None:
            if door is None or not door.is_asked:
                self.errands.send_for(self.ground.permits.ask(domain.name, behind), now)
            return self._errands(domain, series, most)
        worst = HOPELESS if series.is_for_all else DOUBTFUL
        leased: list[str] = []
        left = most + REFUSALS_AT_ONCE
        while len(leased) < most and left > 0:
            wanted = most - len(leased)
            paths = self.ground.links.lease(domain.name, behind, wanted, worst)
            left -= len(paths)
            leased += self._checked(domain.name, behind, paths, rules)
            if len(paths) < wanted:
                break  # those were all
        if leased:
            series.expect(domain.name, leased)
        return [Request(path) for path in leased]

    def _checked(self, domain: str, behind: str, paths: list[str], rules: Robots) -> list[str]:
        """The second check, when requests go into a batch: rules and limits may be newer than the links."""
        ground, links = self.ground, self.ground.links
        refused = rules.forbidden(paths, len(behind))
        for path in refused:
            record = links.take(domain, path)
            if record is not None:
                ground.disallow(domain, path, record.depth, rules)
        if ground.gate.depth:
            deep = [path for path in paths if path not in refused and self._is_too_deep(domain, path)]
            for path in deep:
                self._refuse(domain, path)
            refused.update(deep)
        return [path for path in paths if path not in refused] if refused else paths

    def _is_too_deep(self, domain: str, path: str) -> bool:
        return self.ground.gate.is_too_deep(self.ground.links.leased(domain)[path].depth)

    def _refuse(self, domain: str, path: str) -> None:
        record = self.ground.links.take(domain, path)
        depth = record.depth if record else 0
        self.ground.links.settle(domain, path, Entry("refused", depth, reason="deeper than --depth"))
