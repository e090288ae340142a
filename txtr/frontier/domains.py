"""Domains: what is known of each server name.

A domain without an address waits among the *new domains* until a harvester has resolved it. Domains to which
a promising page links come first, but every tenth time another comes (ranks.py). A domain whose address is to
be looked up again goes before all new ones: its server exists, while one page may have thousands of names
that no name server knows, which would delay its requests by minutes. A domain that got into trouble is asleep
for a while; a domain that stays in trouble is given up for a day. Other domains of its address go on
meanwhile.

Each domain has a *trial*, which shows whether it is worth going on with. Its yield is the text that was kept,
in bytes, per byte that was downloaded. After a fair trial a domain whose yield is hopeless is abandoned. The
least yield, the *bar*, rises with the number of its documents: more is expected of a domain that was asked a
thousand times than of one that is hardly known.
"""

import heapq
from collections import OrderedDict
from collections.abc import Iterator
from math import log10

import msgspec

from txtr.frontier.ranks import LEAST_DOUBTFUL, PROMISING, RANKS, serve
from txtr.frontier.ring import Ring
from txtr.manners.slowdown import Slowdown
from txtr.model import Document, Figures

# The rule is SpiderLing's: 20 to 50 documents and 256 to 512 kB make a trial, and the bar is k
# (log10(documents) - 1), with k (BAR_FACTOR) between .002 and .01. Both minima are the lower ones. The upper
# number of documents is enough whatever their size: requests are what burdens a server and fills its turn in
# the queue, and a site of small pages would be fetched whole before it brings 256 KiB.
FAIR_DOCUMENTS = 20
FAIR_BYTES = 256 * 1024
ENOUGH_DOCUMENTS = 50
BAR_FACTOR = 0.005
FEW_DOCUMENTS = 5  # after so many a domain can be a disappointment
UNJUDGED = "aside"  # the fate of files whose text is not read yet: they say nothing about a domain


class Trial(msgspec.Struct):
    """What a domain has brought so far, or since it was brought back."""

    documents: int = 0
    kept: int = 0
    usability: float = 0.0  # sum
    raw_bytes: int = 0
    kept_bytes: int = 0

    def add(self, document: Document, usability: float) -> None:
        if document.fate == UNJUDGED:
            return
        self.documents += 1
        self.usability += usability
        self.raw_bytes += max(0, document.size_bytes)
        if document.fate == "kept":
            self.kept += 1
            self.kept_bytes += max(0, document.text_bytes)

    def is_disappointing(self) -> bool:
        return self.documents >= FEW_DOCUMENTS and self.usability < LEAST_DOUBTFUL * self.documents

    def is_fair(self) -> bool:
        is_large = self.documents >= FAIR_DOCUMENTS and self.raw_bytes >= FAIR_BYTES
        return is_large or self.documents >= ENOUGH_DOCUMENTS

    def is_lost(self) -> bool:
        return self.is_fair() and self.kept_bytes < least_yield(self.documents) * self.raw_bytes

    def figures(self) -> Figures:
        return Figures(self.documents, self.kept, self.raw_bytes, self.kept_bytes)


def least_yield(documents: int) -> float:
    """The least yield, below which a domain with so many documents is abandoned."""
    return BAR_FACTOR * (log10(documents) - 1)


RESOLVED_FOR = 3600.0  # seconds an address is believed: a moved domain is found within the hour
GIVEN_UP_FOR = 24 * 3600.0  # seconds after which a domain that was given up may be tried again


class Domain(msgspec.Struct):
    name: str
    address: str = ""
    believed_until: float = 0.0  # after that its name is resolved again
    is_resolving: bool = False  # among the new domains, or with a harvester
    asleep_until: float = 0.0
    given_up_until: float = 0.0
    troubles: int = 0  # in a row
    slowdown: Slowdown = msgspec.field(default_factory=Slowdown)
    trial: Trial = msgspec.field(default_factory=Trial)
    errands: list[str] = []  # robots.txt files to fetch here; few


class NewDomains(Ring):
    """Names to be resolved: first those that were resolved before, then by rank. There may be millions."""

    __slots__ = ("again",)

    def __init__(self) -> None:
        super().__init__(tuple(OrderedDict() for _ in RANKS))  # an OrderedDict has no gaps
        self.again: OrderedDict[str, None] = OrderedDict()  # had an address, or were with a harvester

    def _close_up(self) -> None:
        self.gaps = 0

    def append(self, name: str) -> None:
        """Line up a name that was lined up before."""
        self.again[name] = None

    def popleft(self) -> str:
        """Take the next name."""
        lines = (self.again, *self.lines)
        served = serve(lines, self.series)
        if served is None:
            raise KeyError("no name is to be resolved")
        name = next(iter(lines[served]))
        del lines[served][name]
        self.series += 1
        return name

    def __contains__(self, name: object) -> bool:
        return name in self.again or super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        yield from self.again
        yield from super().__iter__()

    def __len__(self) -> int:
        return len(self.again) + super().__len__()


class Domains:
    def __init__(self) -> None:
        self.domains: dict[str, Domain] = {}
        self.new = NewDomains()  # to be resolved
        self.sleepers: list[tuple[float, str]] = []  # heap of (until, domain)

    def __len__(self) -> int:
        return len(self.domains)

    def get(self, name: str) -> Domain | None:
        return self.domains.get(name)

    def add(self, name: str) -> Domain:
        domain = self.domains[name] = Domain(name)
        return domain

    def take_in(self, domain: Domain) -> None:
        """Take a domain into use that was put away."""
        self.domains[domain.name] = domain
        if domain.asleep_until:
            self.look_at(domain, domain.asleep_until)

    def resolve(self, domain: Domain, rank: int = PROMISING) -> None:
        """Line a domain up to be resolved; a domain that is lined up already may move up."""
        if not domain.is_resolving or domain.name in self.new:
            domain.is_resolving = True
            if domain.address:
                self.new.append(domain.name)
            elif domain.name not in self.new.again:
                self.new.put(domain.name, rank)

    def put_to_sleep(self, domain: Domain, until: float) -> None:
        if until > domain.asleep_until:
            domain.asleep_until = until
            self.look_at(domain, until)

    def look_at(self, domain: Domain, moment: float) -> None:
        """Make `wake` return the domain at that moment, when something about it changes."""
        heapq.heappush(self.sleepers, (moment, domain.name))

    def wake(self, now: float) -> list[Domain]:
        """The domains that have slept enough."""
        awake = []
        while self.sleepers and self.sleepers[0][0] <= now:
            _, name = heapq.heappop(self.sleepers)
            domain = self.domains.get(name)
            if domain is not None and domain.asleep_until <= now:
                awake.append(domain)
        return awake

    def next_wake(self) -> float | None:
        return self.sleepers[0][0] if self.sleepers else None
