"""Troubles: what becomes of a domain that answers well, badly, or not at all.

A domain in trouble sleeps, longer each time in a row; one that stays in trouble is given up for a
day, and everything queued for it is dropped.
"""

from txtr.frontier.documents import Entry
from txtr.frontier.domains import GIVEN_UP_FOR, Domain
from txtr.frontier.errands import Errands
from txtr.frontier.ground import Ground
from txtr.manners.remedies import REMEDIES, sleep
from txtr.model import Trouble
from txtr.urls import join


class Troubles:
    def __init__(self, ground: Ground, errands: Errands) -> None:
        self.ground = ground
        self.errands = errands

    def went_well(self, name: str, took: float) -> None:
        """A domain has answered: its troubles are over, but it may have been slow."""
        domain = self.ground.domains.domains[name]
        domain.troubles = 0
        before = domain.slowdown.factor
        domain.slowdown.answered(took)
        if domain.slowdown.factor > before:
            self.ground.note(
                "slowed", name, took=took, usual=domain.slowdown.usual, factor=domain.slowdown.factor
            )

    def in_trouble(
        self, domain: Domain, trouble: Trouble, now: float, retry_after: float | None = None
    ) -> None:
        """Leave the domain alone for a while, or for good when it does not get better."""
        domain.troubles += 1
        domain.believed_until = 0.0  # it may have moved
        if trouble is Trouble.BUSY:
            domain.slowdown.was_busy()
        if domain.troubles >= REMEDIES[trouble].patience:
            self.give_up(domain, trouble, now)
            return
        until = now + sleep(trouble, domain.troubles, self.ground.rules.general_pause, retry_after)
        self.ground.domains.put_to_sleep(domain, until)
        self.ground.note("asleep", domain.name, trouble=trouble, seconds=round(until - now, 1))
        self.ground.refresh(domain, now)

    def give_up(self, domain: Domain, trouble: Trouble, now: float) -> None:
        """Drop all that is queued for a domain, and leave it alone for a day."""
        domain.given_up_until = now + GIVEN_UP_FOR
        domain.troubles = 0
        for path, record in self.ground.queue.drop(domain.name).items():
            self.drop(domain.name, path, record.depth, trouble)
        while domain.errands:
            self.errands.unreachable(domain.name, domain.errands.popleft(), now)
        self.ground.refresh(domain, now)

    def drop(self, domain: str, path: str, depth: int, trouble: str) -> None:
        """Give a request up for good."""
        self.ground.queue.settle(domain, path)
        self.ground.documents.add(domain, path, Entry("failed", depth))
        self.ground.note("dropped", join(domain, path), trouble=trouble)
