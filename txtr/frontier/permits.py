"""Permits: what each door's robots.txt allows, and how we come to know it (RFC 9309).

A door is a scheme and port of a domain, and has a robots.txt of its own. The file must be fetched before the
first page, and again when the rules are a day old. The request for it is like any other: the frontier puts it
into a batch. A redirect may lead to another domain, which is then asked once for all doors that wait for the
same file.

Invariant: `rules` gives an answer only while the rules are fresh. A robots.txt that cannot be reached forbids
everything.

The doors of a domain are *at hand* in memory while they are needed, and are recalled from disk when they are
asked for later. A door that sleeps, is given up or waits for its file is always at hand.

All rules at hand take no more than MOST_BYTES after a `tidy`. If they would take more, domains that are
needed are put away too, and recalled with their next request. Of a door that must stay at hand, only the
rules are forgotten then, and its file is asked for again.
"""

from collections import OrderedDict
from collections.abc import Callable

import msgspec

from txtr.manners.robots import ALLOW_ALL, DISALLOW_ALL, FRESH, MOST_HOPS, Robots, Verdict, parse, verdict
from txtr.model import RobotsFile
from txtr.urls import split

MOST_BYTES = 64 * 1024 * 1024  # of rules at hand
TIDIED_AT_ONCE = 5000  # domains looked at after a commit: bounds an answer's time
MOST_TRIES = 3  # attempts at an unreachable robots.txt before the door counts as closed for a day

Place = tuple[str, str]  # (domain, path) of a robots.txt, or (domain, door)


class Door(msgspec.Struct, rename={"rules": "says", "expires": "says_until"}):
    """A door. Old states, whose rules were no text, named two fields otherwise: they are fetched anew."""

    rules: Robots = DISALLOW_ALL
    expires: float = float("-inf")
    is_asked: bool = False  # the file has been sent for
    hops: int = 0
    tries: int = 0
    troubles: int = 0  # in a row, with requests of any kind
    asleep_until: float = 0.0
    given_up_until: float = 0.0
    status: int = 0  # of the last answer; 0: there was none

    def fresh(self, now: float) -> Robots | None:
        """The rules, if they are known and fresh."""
        return self.rules if self.expires > now else None

    def is_closed(self) -> bool:
        """Is everything forbidden because its robots.txt could not be had?"""
        return self.rules == DISALLOW_ALL and not 200 <= self.status < 300


class Learned(msgspec.Struct, frozen=True):
    """The outcome of asking for a door's rules."""

    domain: str
    door: str
    is_known: bool  # are the rules known now? If not, the file is asked for again later
    has_changed: bool = False  # do they differ from those known before?


class SendFor(msgspec.Struct, frozen=True):
    """A robots.txt that has to be fetched; it may be on another domain."""

    domain: str
    path: str


class Permits:
    def __init__(self, agent: str, recall: Callable[[str], dict[str, Door]] | None = None) -> None:
        """Recall: gives the doors of a domain that are not at hand."""
        self.agent = agent
        self.recall = recall or (lambda domain: {})
        self.doors: OrderedDict[str, dict[str, Door]] = OrderedDict()  # domain -> door, of those at hand
        self.size_bytes = 0  # of their rules
        self.crawl_delays: dict[str, dict[str, float]] = {}  # domain -> door -> seconds, if asked for
        self.touched: set[str] = set()  # domains whose doors have changed since they were last written
        self.ways: dict[Place, set[Place]] = {}  # door -> files that it was sent to, one after the other
        self.waiting: dict[Place, list[Place]] = {}  # file on its way -> doors that wait for it

    def door(self, domain: str, behind: str) -> Door:
        doors = self._at_hand(domain)
        if behind not in doors:
            doors[behind] = Door()
            self.size_bytes += doors[behind].rules.size_bytes()
        return doors[behind]

    def is_at_hand(self, domain: str) -> bool:
        return domain in self.doors

    def doors_of(self, domain: str) -> list[tuple[str, Door]]:
        return list(self._at_hand(domain).items())

    def known(self, domain: str, behind: str) -> Door | None:
        """A door, if it was ever met."""
        return self._at_hand(domain).get(behind)

    def _at_hand(self, domain: str) -> dict[str, Door]:
        doors = self.doors.get(domain)
        if doors is None:
            doors = self.doors[domain] = self.recall(domain)
            for behind, door in doors.items():
                self.size_bytes += door.rules.size_bytes()
                self._remember_delay((domain, behind), door.rules.crawl_delay)
        return doors

    def is_watched(self, domain: str, now: float) -> bool:
        """Must the domain's doors stay at hand?"""
        doors = self.doors.get(domain, {}).values()
        return any(door.is_asked or door.asleep_until > now or door.given_up_until for door in doors)

    def put_away(self, domain: str) -> None:
        """Forget a domain's doors, which are on disk and not needed now."""
        for door in self.doors.pop(domain, {}).values():
            self.size_bytes -= door.rules.size_bytes()
        self.crawl_delays.pop(domain, None)

    def tidy(self, most: int, now: float, is_needed: Callable[[str], bool]) -> list[str]:
        """Put away domains that have been at hand for longest, if there are more than `most`; a few at a
        time.

        If all rules are too large, domains that are needed are put away too. Return the domains whose rules
        were forgotten."""
        forgotten: list[str] = []
        for _ in range(min(len(self.doors), TIDIED_AT_ONCE)):
            is_large = self.size_bytes > MOST_BYTES
            if not is_large and len(self.doors) <= most:
                break
            domain = next(iter(self.doors))
            self.doors.move_to_end(domain)
            if self.is_watched(domain, now):
                if is_large:
                    self._forget_rules(domain, now)
                    forgotten.append(domain)
            elif is_large or not is_needed(domain):
                self.put_away(domain)
        return forgotten

    def _forget_rules(self, domain: str, now: float) -> None:
        """Keep the doors of a domain but not their rules, which have to be asked for again."""
        for door in self.doors[domain].values():
            if not door.is_closed():
                forgotten = msgspec.structs.replace(DISALLOW_ALL, crawl_delay=door.rules.crawl_delay)
                self._now_says(door, forgotten, min(door.expires, now))
                self.touched.add(domain)

    def _now_says(self, door: Door, rules: Robots, expires: float) -> None:
        self.size_bytes += rules.size_bytes() - door.rules.size_bytes()
        door.rules, door.expires = rules, expires

    def rules(self, domain: str, behind: str, now: float) -> Robots | None:
        """The rules of this door, if they are known and fresh."""
        door = self.known(domain, behind)
        return door.fresh(now) if door is not None else None

    def crawl_delay(self, domain: str) -> float | None:
        """The longest delay that a door of the domain asked for: manners do not tell its doors apart."""
        self._at_hand(domain)
        delays = self.crawl_delays.get(domain)
        return max(delays.values()) if delays else None

    def is_given_up(self, domain: str, behind: str, now: float) -> bool:
        door = self.known(domain, behind)
        return door is not None and door.given_up_until > now

    def is_awaited(self, domain: str, path: str) -> bool:
        """Does any door wait for this file? Doors that waited before a crash are not known."""
        return bool(self.waiting.get((domain, path)))

    def expect(self, domain: str, path: str) -> None:
        """Note that this file is on its way, though no door waits for it yet."""
        self.waiting.setdefault((domain, path), [])

    def is_well(self, domain: str, behind: str) -> None:
        """Note that the server answered at a door."""
        door = self.door(domain, behind)
        if door.troubles:
            door.troubles = 0
            self.touched.add(domain)

    def ask(self, domain: str, behind: str) -> SendFor | None:
        """Ask for this door's robots.txt; None when the file is on its way for another door."""
        door = self.door(domain, behind)
        door.is_asked, door.hops = True, 0
        self.ways[domain, behind] = {(domain, f"{behind}/robots.txt")}
        return self._wait((domain, behind), (domain, f"{behind}/robots.txt"))

    def arrived(self, file: RobotsFile, now: float) -> list[Learned | SendFor]:
        """Take in a robots.txt, or the answer that there is none."""
        outcome: list[Learned | SendFor] = []
        rules = parse(file.text, self.agent)  # once, however many doors wait for it
        for place in self.waiting.pop((file.domain, file.path), []):
            step = self._apply(place, file, rules, now)
            if step is not None:
                outcome.append(step)
        return outcome

    def unreachable(self, domain: str, path: str, now: float) -> list[Learned]:
        """Note that a robots.txt could not be fetched."""
        waiting = self.waiting.pop((domain, path), [])
        for place in waiting:
            self.door(*place).status = 0
        return [self._not_reached(place, now) for place in waiting]

    def _apply(self, place: Place, file: RobotsFile, rules: Robots, now: float) -> Learned | SendFor | None:
        door = self.door(*place)
        door.status = file.status
        meaning = verdict(file.status)
        if meaning is Verdict.FOLLOW and door.hops < MOST_HOPS and _is_robots_file(file):
            door.hops += 1
            return self._follow(place, split(file.target), now)
        if meaning is Verdict.DISALLOW:
            return self._not_reached(place, now)
        if meaning is Verdict.PARSE:
            return self._learn(place, rules, now)
        return self._learn(place, ALLOW_ALL, now)

    def _follow(self, place: Place, file: Place, now: float) -> Learned | SendFor | None:
        """Wait for the file to which a redirect leads, unless we have its rules."""
        domain, path = file
        owner = self.known(domain, path.removesuffix("/robots.txt"))
        if owner is not None and owner.expires > now and not owner.hops:
            self.door(*place).status = owner.status
            return self._learn(place, owner.rules, now)
        way = self.ways.setdefault(place, set())
        if file in way:  # a circle: two answers for one file in a series could not be told apart
            return self._learn(place, ALLOW_ALL, now)
        way.add(file)
        return self._wait(place, file)

    def _not_reached(self, place: Place, now: float) -> Learned:
        door = self.door(*place)
        door.is_asked = False
        door.tries += 1
        self.touched.add(place[0])
        if door.tries < MOST_TRIES:
            return Learned(*place, is_known=False)
        return self._learn(place, DISALLOW_ALL, now)

    def _learn(self, place: Place, rules: Robots, now: float) -> Learned:
        door = self.door(*place)
        has_changed = door.expires > float("-inf") and rules != door.rules
        self._now_says(door, rules, now + FRESH)
        door.is_asked, door.tries = False, 0
        self.ways.pop(place, None)
        self.touched.add(place[0])
        self._remember_delay(place, rules.crawl_delay)
        return Learned(*place, is_known=True, has_changed=has_changed)

    def _remember_delay(self, place: Place, seconds: float | None) -> None:
        domain, behind = place
        if seconds:
            self.crawl_delays.setdefault(domain, {})[behind] = seconds
        else:
            self.crawl_delays.get(domain, {}).pop(behind, None)

    def _wait(self, place: Place, file: Place) -> SendFor | None:
        """Wait for a file; send for it unless it is on its way."""
        is_on_its_way = file in self.waiting
        self.waiting.setdefault(file, []).append(place)
        return None if is_on_its_way else SendFor(*file)


def _is_robots_file(file: RobotsFile) -> bool:
    """Does a redirect lead to a file that may be a robots.txt, by its name?

    Any other target is a page, such as the front page that some servers show for every missing file. A page
    is asked for only if its own robots.txt allows it, and then once.
    """
    name = file.target.partition("?")[0].rpartition("/")[2].lower()
    return "robots" in name or name.endswith(".txt")
