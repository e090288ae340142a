"""Trials: domains whose yield stays hopeless are abandoned, and may be brought back.

What is queued for an abandoned domain is parked, and links to it are refused, until the user brings the
domain back. When nobody judges the texts, nobody is on trial.
"""

import re

from txtr.frontier.domains import Domain, Trial, bar
from txtr.frontier.state import Ground
from txtr.model import Document, Figures


class Trials:
    def __init__(self, ground: Ground, is_judging: bool) -> None:
        self.ground = ground
        self.is_judging = is_judging

    def add(self, domain: Domain, document: Document, usability: float, now: float) -> None:
        """A domain has brought another document: perhaps one too many."""
        domain.trial.add(document, usability)
        self.ground.touched_domains.add(domain.name)
        if self.is_judging and domain.trial.is_lost() and domain.name not in self.ground.abandoned:
            self._abandon(domain, now)

    def _abandon(self, domain: Domain, now: float) -> None:
        figures = domain.trial.figures()
        self.ground.abandoned[domain.name] = figures
        self.ground.touched_trials.add(domain.name)
        parked = self.ground.links.park(domain.name)
        self.ground.note(
            "abandoned",
            domain.name,
            documents=figures.documents,
            raw_bytes=figures.raw_bytes,
            kept_bytes=figures.kept_bytes,
            bar=f"{bar(figures.documents):.5f}",
            parked=parked,
        )
        self.ground.refresh(domain, now)

    def restore(self, abandoned: dict[str, Figures]) -> None:
        """Begin with what an earlier run knew."""
        self.ground.abandoned = abandoned

    def bring_back(self, expression: str, now: float) -> list[str]:
        """Give the abandoned domains that match a new trial; their names."""
        pattern = re.compile(expression)
        names = [name for name in self.ground.abandoned if pattern.search(name)]
        for name in names:
            self.give_another(name, now)
        return names

    def give_another(self, name: str, now: float) -> int:
        """Give an abandoned domain a new trial; how many requests were waiting for it."""
        domain = self.ground.domain(name)
        del self.ground.abandoned[name]
        self.ground.touched_trials.add(name)
        self.ground.has_forgotten = True
        domain.trial = Trial()
        self.ground.touched_domains.add(name)
        requests = self.ground.unpark(domain)
        self.ground.note("brought-back", name, requests=requests)
        self.ground.refresh(domain, now)
        return requests
