"""A series: what one address is asked between two general pauses.

Invariant: at most max-hosts domains take part, and each is asked at most its quota of times,
robots.txt, redirects and repeats included. The count is of requests dealt out, so it holds
even if a harvester that died had already sent them.
"""

from collections.abc import Callable, Collection, Container
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

COMPARED = 16  # domains looked at to find a long backlog: bounds the time on hosters of thousands


@dataclass(slots=True)
class Series:
    address: str
    batch: int
    max_hosts: int
    is_better: bool = True  # it began for others than the hopeless,
    is_for_all: bool = True  # who may take part all the same
    is_sample: bool = False  # a short one, at an address that is held back
    left: dict[str, int] = field(default_factory=dict)  # domain -> what is left of its quota
    pages: set[tuple[str, str]] = field(default_factory=set)  # leased and not yet answered
    errands: set[tuple[str, str]] = field(default_factory=set)  # robots.txt likewise
    repeats: list[tuple[str, str]] = field(default_factory=list)  # failed; back to the queue at the end

    def next_domain(
        self, ring: Collection[str], tried: Container[str], backlog: Callable[[str], Any]
    ) -> str | None:
        """Whom to ask next: those who take part already, then others as long as there is room.

        Of several, the one with the longest backlog (of the best rank): a series lasts as long as its
        longest part, so long ones should run side by side.
        """
        for name in self.left:
            if name in ring and name not in tried and self.left[name]:
                return name
        if len(self.left) >= self.max_hosts:
            return None
        others = (name for name in ring if name not in self.left and name not in tried)
        if not self.left:
            return next(others, None)  # who waits longest in the rank whose turn it is takes part in any case
        return max(islice(others, COMPARED), key=backlog, default=None)

    def has_guests(self, ring: Collection[str]) -> bool:
        """Do others wait at the address, so few that somebody of this series could join them in the next?"""
        return 0 < len(self._waiting(ring)) < self.max_hosts

    def had_better_end(
        self, ring: Collection[str], fits: Callable[[str], bool], is_new: Callable[[str], bool]
    ) -> bool:
        """Could whoever is not done yet and all who wait be served side by side in the next series?

        Then ending now costs nothing if what is not done fits into that series, for there are as many
        pauses either way; and little if not, while somebody who is new may turn out to have the most
        pages of all, and begins earlier.
        """
        waiting = self._waiting(ring)
        unfinished = [name for name in self.left if name in ring]
        if not waiting or not unfinished or len(waiting) + len(unfinished) > self.max_hosts:
            return False
        return all(map(fits, unfinished)) or any(map(is_new, waiting))

    def _waiting(self, ring: Collection[str]) -> list[str]:
        """Domains that cannot take part any more, no more of them than matter."""
        if len(self.left) < self.max_hosts:
            return []
        return list(islice((name for name in ring if name not in self.left), self.max_hosts + 1))

    def is_answered(self) -> bool:
        return not self.pages and not self.errands
