"""The gate: may this link enter the queue? If not, the gate gives the reason.

The gate keeps the limits of the space to be downloaded (specification, section 4) that need only the link.
"""

from functools import lru_cache

from txtr.alternatives import Expression

MOST_VERDICTS = 100_000  # domains remembered: more than harvesters meet at a time, and few megabytes
MOST_EXPRESSIONS = 4  # kept ready: our own two, and the two of the queuekeeper that a harvester calls


class Gate:
    def __init__(self, include: str, exclude: str, depth: int) -> None:
        self.include = _expression(include)
        self.exclude = _expression(exclude)
        self.depth = depth
        self.blocked: set[str] = set()  # domains that the user wants left alone, whatever the options say
        self.verdicts: dict[str, str] = {}  # domain -> reason or "": the expressions are tried once

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
        """Why no link to this domain may enter; '' when links may."""
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


@lru_cache(MOST_EXPRESSIONS)
def _expression(pattern: str) -> Expression:
    """The expression of a pattern; one of 2 MB takes half a second, and greetings to harvesters have it."""
    return Expression(pattern)
