"""Trials: domains whose yield stays hopeless are abandoned, and may be brought back.

The requests of an abandoned domain are parked, and links to it are refused, until the user brings the domain
back. When texts are not judged, no domain is abandoned.
"""

from txtr.alternatives import Expression
from txtr.frontier.domains import Domain, Trial, least_yield
from txtr.frontier.state import FrontierState
from txtr.model import Document, Figures


class Trials:
    def __init__(self, state: FrontierState, is_judging: bool) -> None:
        self.state = state
        self.is_judging = is_judging

    def add(self, domain: Domain, document: Document, usability: float, now: float) -> None:
        """Count a document in its domain's trial, and abandon the domain if the trial is lost."""
        domain.trial.add(document, usability)
        self.state.touched_domains.add(domain.name)
        if self.is_judging and domain.trial.is_lost() and domain.name not in self.state.abandoned:
            self._abandon(domain, now)

    def _abandon(self, domain: Domain, now: float) -> None:
        figures = domain.trial.figures()
        self.state.abandoned[domain.name] = figures
        self.state.touched_trials.add(domain.name)
        parked = self.state.links.park(domain.name)
        self.state.note(
            "abandoned",
            domain.name,
            documents=figures.documents,
            raw_bytes=figures.raw_bytes,
            kept_bytes=figures.kept_bytes,
            bar=f"{least_yield(figures.documents):.5f}",
            parked=parked,
        )
        self.state.refresh(domain, now)

    def restore(self, abandoned: dict[str, Figures]) -> None:
        """Begin with the domains that an earlier run has abandoned."""
        self.state.abandoned = abandoned

    def bring_back(self, expression: str, now: float) -> list[str]:
        """Give a new trial to abandoned domains that match; return their names."""
        wanted = Expression(expression)
        names = [name for name in self.state.abandoned if wanted.finds(name)]
        for name in names:
            self.give_another(name, now)
        return names

    def give_another(self, name: str, now: float) -> int:
        """Give an abandoned domain a new trial; return how many requests were parked for it."""
        domain = self.state.domain(name)
        del self.state.abandoned[name]
        self.state.touched_trials.add(name)
        self.state.has_forgotten = True
        domain.trial = Trial()
        self.state.touched_domains.add(name)
        requests = self.state.unpark(domain)
        self.state.note("brought-back", name, requests=requests)
        self.state.refresh(domain, now)
        return requests
