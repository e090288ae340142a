"""A series: what one address is asked between two general pauses.

Invariant: at most max-hosts domains take part, and each gets at most its quota of requests, with robots.txt,
redirects and repeats. Requests are counted when they are dealt out, so this holds even if a harvester sent
them and died.

No request is dealt twice in a series. A harvester whose connection broke repeats its answers. The repeated
answer would be taken for that of the second request, and the series would end while the request is under way.
"""

from collections.abc import Callable, Collection, Container, Iterable
from itertools import islice
from typing import Any

import msgspec

MOST_COMPARED = 16  # domains, to find the worthiest: bounds the time at hosters of thousands of domains


class Series(msgspec.Struct):
    address: str
    batch: int
    max_hosts: int
    is_better: bool = True  # did it begin for domains that are not hopeless?
    is_for_all: bool = True  # may hopeless domains take part?
    is_sample: bool = False  # is it a short one, at an address that is held back?
    left: dict[str, int] = {}  # domain -> what is left of its quota
    pages: dict[str, set[str]] = {}  # domain -> paths that are leased and not answered yet
    errands: set[tuple[str, str]] = set()  # the same of robots.txt files: (domain, path)
    asked: set[tuple[str, str]] = set()  # robots.txt files that were dealt, answered or not
    repeats: list[tuple[str, str]] = []  # requests that return to the queue at the end

    def next_domain(
        self, ring: Collection[str], tried: Container[str], worth: Callable[[str], Any]
    ) -> str | None:
        """The domain to ask next: one that takes part already, else another one if there is room.

        The first other one is the domain that waits longest, so that none starves; further ones are the
        worthiest.
        """
        for name in self.left:
            if name in ring and name not in tried and self.left[name]:
                return name
        if self.is_full():
            return None
        others = (name for name in ring if name not in self.left and name not in tried)
        if not self.left:
            return next(others, None)
        return max(islice(others, MOST_COMPARED), key=worth, default=None)

    def left_out(self, ring: Collection[str]) -> list[str]:
        """Domains that do not take part although others do.

        None if there is room for all, or if there are so many that they need series of their own anyway."""
        if len(ring) <= self.max_hosts - len(self.left):
            return []
        others = list(islice((name for name in ring if name not in self.left), MOST_COMPARED + 1))
        return others if self.max_hosts - len(self.left) < len(others) <= MOST_COMPARED else []

    def behind(self) -> list[str]:
        """Domains that were asked once less than the most asked one: to ask them too takes no time."""
        furthest = min(self.left.values(), default=0)
        return [name for name, left in self.left.items() if left == furthest + 1]

    def is_full(self) -> bool:
        return len(self.left) >= self.max_hosts

    def under_way(self, domain: str) -> int:
        """How many requests to a domain are not answered yet."""
        return len(self.pages.get(domain, ())) + sum(name == domain for name, _ in self.errands)

    def take_errands(self, domain: str, paths: list[str], most: int) -> list[str]:
        """Deal robots.txt files, and take them off this list; any that this series had before stay on it."""
        taken = [path for path in dict.fromkeys(paths) if (domain, path) not in self.asked][:most]
        for path in taken:
            paths.remove(path)
            self.errands.add((domain, path))
            self.asked.add((domain, path))
        return taken

    def expect(self, domain: str, paths: Iterable[str]) -> None:
        """Note that these pages were dealt."""
        self.pages.setdefault(domain, set()).update(paths)

    def answered(self, domain: str, path: str) -> bool:
        """Note the answer for a page; was the page waited for?"""
        pages = self.pages.get(domain)
        if pages is None or path not in pages:
            return False
        pages.discard(path)
        if not pages:
            del self.pages[domain]
        return True

    def is_answered(self) -> bool:
        return not self.pages and not self.errands
