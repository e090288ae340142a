"""A series: what one address is asked between two general pauses.

Invariant: at most max-hosts domains take part, and each is asked at most its quota of times,
robots.txt, redirects and repeats included. The count is of requests dealt out, so it holds
even if a harvester that died had already sent them.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class Series:
    address: str
    batch: int
    max_hosts: int
    left: dict[str, int] = field(default_factory=dict)  # domain -> what is left of its quota
    pages: set[tuple[str, str]] = field(default_factory=set)  # leased and not yet answered
    errands: set[tuple[str, str]] = field(default_factory=set)  # robots.txt likewise
    repeats: list[tuple[str, str]] = field(default_factory=list)  # failed; back to the queue at the end

    def next_domain(self, ring: Mapping[str, None], tried: Container[str]) -> str | None:
        """Whom to ask next: those who take part already, then others as long as there is room."""
        for name in self.left:
            if name in ring and name not in tried and self.left[name]:
                return name
        if len(self.left) >= self.max_hosts:
            return None
        return next((name for name in ring if name not in self.left and name not in tried), None)

    def is_answered(self) -> bool:
        return not self.pages and not self.errands
