"""Trials: domains whose yield stays hopeless are abandoned, and may be brought back.

What is queued for an abandoned domain is dropped, and links to it are refused. A little of it is put by,
so that there is something to begin with if the user brings the domain back. When nobody judges the
texts, nobody is on trial.
"""

import re
from itertools import islice

from txtr.frontier.domains import Domain
from txtr.frontier.ground import Ground
from txtr.frontier.trial import Abandoned, Trial, bar
from txtr.model import Document
from txtr.urls import join

PUT_BY = 50  # requests of an abandoned domain, the best: thousands of domains may be abandoned


class Trials:
    def __init__(self, ground: Ground, is_judging: bool) -> None:
        self.ground = ground
        self.is_judging = is_judging

    def add(self, document: Document, usability: float, now: float) -> None:
        """A domain has brought another document: perhaps one too many."""
        domain = self.ground.domains.domains[document.domain]
        domain.trial.add(document, usability)
        if self.is_judging and domain.trial.is_lost() and domain.name not in self.ground.abandoned:
            self._abandon(domain, now)

    def _abandon(self, domain: Domain, now: float) -> None:
        figures = domain.trial.figures()
        dropped = self.ground.queue.drop(domain.name)
        put_by = dict(islice(dropped.items(), PUT_BY))
        self.ground.abandoned[domain.name] = Abandoned(figures, put_by)
        self.ground.note(
            "abandoned",
            domain.name,
            documents=figures.documents,
            raw_bytes=figures.raw_bytes,
            kept_bytes=figures.kept_bytes,
            bar=f"{bar(figures.documents):.5f}",
            dropped=len(dropped),
        )
        self.ground.refresh(domain, now)

    def drop(self, domain: str, path: str) -> None:
        """A request returns to a domain that has been abandoned meanwhile."""
        record = self.ground.queue.settle(domain, path)
        put_by = self.ground.abandoned[domain].requests
        if record is not None and len(put_by) < PUT_BY:
            put_by[path] = record
        self.ground.note("dropped", join(domain, path), trouble="abandoned")

    def restore(self, trials: dict[str, Trial], abandoned: dict[str, Abandoned]) -> None:
        """Begin with what an earlier run knew."""
        self.ground.abandoned = abandoned
        for name, trial in trials.items():
            domain = self.ground.domains.get(name) or self.ground.domains.add(name)
            domain.trial = trial

    def bring_back(self, expression: str, now: float) -> list[str]:
        """Give the abandoned domains that match a new trial; their names."""
        pattern = re.compile(expression)
        names = [name for name in self.ground.abandoned if pattern.search(name)]
        for name in names:
            abandoned = self.ground.abandoned.pop(name)
            domain = self.ground.domain(name)
            domain.trial = Trial()
            for path, record in abandoned.requests.items():
                self.ground.queue.admit(name, path, record)
            self.ground.note("brought-back", name, requests=len(abandoned.requests))
            self.ground.refresh(domain, now)
        return names
