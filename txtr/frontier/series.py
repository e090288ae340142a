"""A series: what one address is asked between two general pauses.

Invariant: at most max-hosts domains take part, and each is asked at most its quota of times,
robots.txt, redirects and repeats included. The count is of requests dealt out, so it holds
even if a harvester that died had already sent them.

Nothing is dealt twice in a series: an answer that is said again, because the line was cut, would be taken for
that of the second request, and the series would end while that is under way.
"""

from collections.abc import Callable, Collection, Container, Iterable
from itertools import islice
from typing import Any

import msgspec

COMPARED = 16  # domains looked at to find the worthiest: bounds the time on hosters of thousands


class Series(msgspec.Struct):
    address: str
    batch: int
    max_hosts: int
    is_better: bool = True  # it began for others than the hopeless,
    is_for_all: bool = True  # who may take part all the same
    is_sample: bool = False  # a short one, at an address that is held back
    left: dict[str, int] = {}  # domain -> what is left of its quota
    pages: dict[str, set[str]] = {}  # domain -> leased and not yet answered, if any
    errands: set[tuple[str, str]] = set()  # robots.txt likewise
    asked: set[tuple[str, str]] = set()  # robots.txt that were dealt, answered or not
    repeats: list[tuple[str, str]] = []  # no document; back to the queue at the end

    def next_domain(
        self, ring: Collection[str], tried: Container[str], worth: Callable[[str], Any]
    ) -> str | None:
        """Whom to ask next: those who take part already, then others as long as there is room.

        The first is who waits longest, so that nobody starves; of several others, the worthiest.
        """
        for name in self.left:
            if name in ring and name not in tried and self.left[name]:
                return name
        if self.is_full():
            return None
        others = (name for name in ring if name not in self.left and name not in tried)
        if not self.left:
            return next(others, None)
        return max(islice(others, COMPARED), key=worth, default=None)

    def left_out(self, ring: Collection[str]) -> list[str]:
        """Domains that do not take part although others do: none if there is room for all, or if there are
        so many that they need series of their own however this one ends."""
        if len(ring) <= self.max_hosts - len(self.left):
            return []
        others = list(islice((name for name in ring if name not in self.left), COMPARED + 1))
        return others if self.max_hosts - len(self.left) < len(others) <= COMPARED else []

    def behind(self) -> list[str]:
        """Who was asked once less than others were: it takes no time to do the same."""
        furthest = min(self.left.values(), default=0)
        return [name for name, left in self.left.items() if left == furthest + 1]

    def is_full(self) -> bool:
        return len(self.left) >= self.max_hosts

    def under_way(self, domain: str) -> int:
        """How many requests to a domain are not answered yet."""
        return len(self.pages.get(domain, ())) + sum(name == domain for name, _ in self.errands)

    def take_errands(self, domain: str, paths: list[str], most: int) -> list[str]:
        """Deal some of these robots.txt files, and take them off the list; the others wait for a series."""
        taken = [path for path in dict.fromkeys(paths) if (domain, path) not in self.asked][:most]
        for path in taken:
            paths.remove(path)
            self.errands.add((domain, path))
            self.asked.add((domain, path))
        return taken

    def expect(self, domain: str, paths: Iterable[str]) -> None:
        """These pages were dealt."""
        self.pages.setdefault(domain, set()).update(paths)

    def answered(self, domain: str, path: str) -> bool:
        """A page is not waited for any more; was it?"""
        pages = self.pages.get(domain)
        if pages is None or path not in pages:
            return False
        pages.discard(path)
        if not pages:
            del self.pages[domain]
        return True

    def is_answered(self) -> bool:
        return not self.pages and not self.errands
