"""Orders: what the user decides, even against the frontier.

A *blocked* domain is not contacted until it is unblocked, not even for its robots.txt: its requests are
parked, and links to it are refused. To *drop* a domain is to forget the requests that are queued for it. To
*retry* a domain is to try its failed links again, and those that are parked because its server did not
answer.

Invariant: no order breaks a rule. An address that rests goes on resting, and a domain that asked us to wait
is not contacted before.

An order is carried out in portions, each as small as a report of a harvester, so that a large order delays no
answer.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from txtr.errors import TheirMistake
from txtr.frontier.domains import Domain
from txtr.frontier.frontier import Frontier
from txtr.frontier.permits import Door
from txtr.frontier.records import Entry
from txtr.model import Link
from txtr.urls import canonical, split

LINKS_AT_ONCE = 500  # links at once

ADD, DROP, BLOCK, UNBLOCK, BRING_BACK, RETRY = VERBS = (
    "add",
    "drop",
    "block",
    "unblock",
    "bring-back",
    "retry",
)


class Done(NamedTuple):
    """The result of an order for one URL or domain."""

    whom: str  # the URL or domain that the order names
    what: str
    requests: int = 0


class Task:
    """An order under way: call `go_on` until `is_done`."""

    def __init__(self, frontier: Frontier, verb: str, names: Iterable[str]) -> None:
        if verb not in VERBS:
            raise TheirMistake(f"an order to {verb!r}; we know {', '.join(VERBS)}")
        self.frontier = frontier
        self.verb = verb
        self.names = deque(names)
        self.requests = 0  # of the first name, so far

    @property
    def is_done(self) -> bool:
        return not self.names

    def go_on(self, now: float) -> list[Done]:
        """Carry out one portion; return the results that are complete."""
        if self.verb == ADD:
            return self._add_some(now)
        done = self._one(self.names[0], now)
        if done is None:
            return []
        self.names.popleft()
        self.requests = 0
        self.frontier.note("ordered", done.whom, order=self.verb, outcome=done.what, requests=done.requests)
        return [done]

    def _one(self, name: str, now: float) -> Done | None:
        """Carry out a portion of the order for one domain; None while there is more."""
        match self.verb:
            case "block":
                return self._block(name, now)
            case "unblock":
                return self._unblock(name, now)
            case "bring-back":
                return self._bring_back(name, now)
            case "drop":
                return self._drop(name, now)
            case _:
                return self._retry(name, now)

    # --- links

    def _add_some(self, now: float) -> list[Done]:
        urls = [self.names.popleft() for _ in range(min(LINKS_AT_ONCE, len(self.names)))]
        done = [self._add(url, now) for url in urls]
        self.frontier.note(
            "ordered", urls[0], order=ADD, links=len(urls), requests=sum(added.requests for added in done)
        )
        return done

    def _add(self, url: str, now: float) -> Done:
        if canonical(url) != url:
            return Done(url, "no canonical URL")
        domain, path = split(url)
        frontier = self.frontier
        if reason := frontier.gate.domain_refusal(domain):
            return Done(url, f"left out: {reason}")
        if domain in frontier.abandoned:
            return Done(url, "left out: abandoned")
        if frontier.links.knows(domain, path):
            return Done(url, "known already")
        refused = frontier.refused
        if frontier.admit([Link(domain, path, depth=0)], now):
            return Done(url, "queued", 1)
        return Done(url, "disallowed" if frontier.refused > refused else "queued already")

    # --- domains

    def _block(self, name: str, now: float) -> Done:
        frontier = self.frontier
        if name in frontier.gate.blocked:
            return Done(name, "blocked already")
        frontier.gate.block(name)
        frontier.touched_blocks.add(name)
        domain = frontier.known(name)
        if domain is None:
            return Done(name, "blocked (never seen)")  # on purpose, or a typing error
        parked = frontier.links.park(name)
        errands = list(domain.errands)
        domain.errands.clear()
        for path in errands:
            frontier.errands.unreachable(name, path, now)
        frontier.refresh(domain, now)
        return Done(name, "blocked", parked)

    def _unblock(self, name: str, now: float) -> Done:
        frontier = self.frontier
        if name not in frontier.gate.blocked:
            return Done(name, "not blocked")
        frontier.gate.unblock(name)
        frontier.touched_blocks.add(name)
        before = frontier.links.queued_count
        if frontier.known(name) is not None or frontier.links.is_parked(name):
            frontier.links.doors(name)  # so that an engine on disk knows what is parked
            frontier.go_on_at(name, now)
        return Done(name, "unblocked", frontier.links.queued_count - before)

    def _bring_back(self, name: str, now: float) -> Done:
        if name not in self.frontier.abandoned:
            return Done(name, "not abandoned")
        return Done(name, "brought back", self.frontier.trials.give_another(name, now))

    def _drop(self, name: str, now: float) -> Done | None:
        domain = self.frontier.known(name)
        if domain is None:
            return Done(name, "never seen")
        dropped = self.frontier.links.drop(name, LINKS_AT_ONCE)
        self.requests += dropped
        self.frontier.refresh(domain, now)
        return Done(name, "dropped", self.requests) if dropped < LINKS_AT_ONCE else None

    def _retry(self, name: str, now: float) -> Done | None:
        domain = self.frontier.known(name)
        if domain is None:
            return Done(name, "never seen")
        if reason := self.frontier.gate.domain_refusal(name):
            return Done(name, reason)
        if name in self.frontier.abandoned:
            return Done(name, "abandoned")
        before = self.frontier.links.queued_count
        self._hope(domain, now)
        failed = self.frontier.links.unsettle(name, "failed", LINKS_AT_ONCE)
        failed += self._unreachable(domain, LINKS_AT_ONCE - len(failed))
        self.frontier.admit(_links(name, failed), now)
        self.frontier.refresh(domain, now)
        self.requests += self.frontier.links.queued_count - before
        return Done(name, "tried again", self.requests) if len(failed) < LINKS_AT_ONCE else None

    def _hope(self, domain: Domain, now: float) -> None:
        """Take up a domain and its doors, if they were given up."""
        _give_up_no_more(domain)
        for behind, door in self.frontier.permits.doors_of(domain.name):
            _give_up_no_more(door)
            self.frontier.links.unpark(domain.name, behind)
            if door.is_closed():
                door.expires = min(door.expires, now)  # its robots.txt could not be had
        self.frontier.permits.touched.add(domain.name)
        self.frontier.touched_domains.add(domain.name)
        self.frontier.unpark(domain)

    def _unreachable(self, domain: Domain, most: int) -> list[tuple[str, Entry]]:
        """Unsettle links that were disallowed for want of a robots.txt, which is asked for again now."""
        found: list[tuple[str, Entry]] = []
        for behind, door in self.frontier.permits.doors_of(domain.name):
            if door.is_closed():
                found += self.frontier.links.unsettle(domain.name, "disallowed", most - len(found), behind)
        return found


def _give_up_no_more(whose: Domain | Door) -> None:
    """Give a domain or door up no more. If it sleeps for another reason too, it sleeps on."""
    if whose.given_up_until:
        if whose.asleep_until <= whose.given_up_until:
            whose.asleep_until = 0.0
        whose.given_up_until = 0.0
    whose.troubles = 0


def _links(domain: str, found: Iterable[tuple[str, Entry]]) -> Iterator[Link]:
    for path, entry in found:
        yield Link(domain, path, entry.depth, source=entry.source)
