"""The gate: may this link enter the queue? Yes, or no with a reason.

Limits of the space to be downloaded (specification, section 4) that need nothing but the link.
"""

from functools import lru_cache

from txtr.alternatives import Expression

MOST_VERDICTS = 100_000  # domains remembered: more than harvesters meet at a time, and few megabytes
EXPRESSIONS = 4  # made ready at a time: ours, and those of the queuekeeper whom a harvester calls


class Gate:
    def __init__(self, include: str, exclude: str, depth: int) -> None:
        self.include = _expression(include)
        self.exclude = _expression(exclude)
        self.depth = depth
        self.blocked: set[str] = set()  # domains that the user wants left alone, whatever the options say
        self.verdicts: dict[str, str] = {}  # domain -> reason or "": expressions are asked once

    def is_too_deep(self, depth: int) -> bool:
        return bool(self.depth) and depth > self.depth

    def block(self, domain: str) -> None:
        self.blocked.add(domain)
        self.verdicts.pop(domain, None)

    def unblock(self, domain: str) -> None:
        self.blocked.discard(domain)
        self.verdicts.pop(domain, None)

    def has_judged(self, domain: str) -> bool:
        return domain in self.verdicts

    def domain_refusal(self, domain: str) -> str:
        """Why no link to this domain may enter; empty when they may."""
        reason = self.verdicts.get(domain)
        if reason is None:
            if len(self.verdicts) >= MOST_VERDICTS:
                self.verdicts.clear()
            reason = self.verdicts[domain] = self._judge(domain)
        return reason

    def _judge(self, domain: str) -> str:
        if not domain:
            return "no-domain"
        if domain in self.blocked:
            return "blocked"
        if self.exclude.finds(domain):
            return "excluded"
        return "" if self.include.finds(domain) else "not-included"


@lru_cache(EXPRESSIONS)
def _expression(pattern: str) -> Expression:
    """Of two megabytes it takes half a second to make, and a harvester is told it at every greeting."""
    return Expression(pattern)
