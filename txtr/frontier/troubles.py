"""Troubles: what follows for a domain that answers well, badly, or not at all.

A domain in trouble sleeps, or only the door of it that does not answer; each time in a row it sleeps longer.
If it stays in trouble it is given up for a day, and its requests are parked: they delay no others, and are
tried again after that day. When no domain answers at all, our own network is down: domains sleep, but none is
given up.
"""

from txtr.frontier.domains import GIVEN_UP_FOR, Domain
from txtr.frontier.permits import Door
from txtr.frontier.records import Entry
from txtr.frontier.robots_requests import RobotsRequests
from txtr.frontier.state import FrontierState
from txtr.manners.remedies import REMEDIES, Blame, seconds_of_sleep
from txtr.model import Trouble
from txtr.urls import door, join

OUTAGE_DOMAINS = 8  # domains that fail in a row while none answers: our own network is down


class Troubles:
    def __init__(self, state: FrontierState, errands: RobotsRequests) -> None:
        self.state = state
        self.errands = errands
        self.failing: set[str] = set()  # domains that failed since one answered

    def went_well(self, domain: Domain, path: str, took: float) -> None:
        """Note that a domain has answered: its troubles are over, but it may have been slow."""
        self.state.touched_domains.add(domain.name)
        domain.troubles = 0
        self.state.permits.is_well(domain.name, door(path))
        self.failing.clear()
        before = domain.slowdown.factor
        domain.slowdown.answered(took)
        if domain.slowdown.factor > before:
            self.state.note(
                "slowed", domain.name, took=took, usual=domain.slowdown.usual, factor=domain.slowdown.factor
            )

    def in_trouble(
        self,
        domain: Domain,
        trouble: Trouble,
        now: float,
        behind: str = "",
        retry_after: float | None = None,
    ) -> None:
        """Leave the domain or its door alone for a while, or for good when it does not get better."""
        remedy = REMEDIES[trouble]
        self.state.touched_domains.add(domain.name)
        domain.believed_until = 0.0  # it may have moved
        if trouble is Trouble.BUSY:
            domain.slowdown.was_busy()
        whose = self.state.permits.door(domain.name, behind) if remedy.blame is Blame.DOOR else domain
        self.state.permits.touched.add(domain.name)
        whose.troubles += not self._is_our_line(domain, trouble)
        if whose.troubles >= remedy.patience:
            self._give_up(domain, whose, behind, trouble, now)
            return
        seconds = seconds_of_sleep(
            trouble, max(1, whose.troubles), self.state.rules.general_pause, retry_after
        )
        if whose is domain:
            self.state.domains.put_to_sleep(domain, now + seconds)
        else:
            self.state.put_door_to_sleep(domain, behind, now + seconds)
        self.state.note("asleep", domain.name, door=behind, trouble=trouble, seconds=round(seconds, 1))
        self.state.refresh(domain, now)

    def _is_our_line(self, domain: Domain, trouble: Trouble) -> bool:
        """Has no domain answered while many failed? Then our own network is in trouble."""
        if trouble in (Trouble.NO_SUCH_DOMAIN, Trouble.GUARDED, Trouble.BUSY):
            return False
        self.failing.add(domain.name)
        if len(self.failing) == OUTAGE_DOMAINS:
            self.state.note("warning", "network", reason=f"{OUTAGE_DOMAINS} domains in a row do not answer")
        return len(self.failing) >= OUTAGE_DOMAINS

    def _give_up(
        self, domain: Domain, whose: Domain | Door, behind: str, trouble: Trouble, now: float
    ) -> None:
        """Park all that is queued for a domain or a door of it, and leave it alone for a day."""
        until = whose.given_up_until = now + GIVEN_UP_FOR
        whose.troubles = 0
        if whose is domain:
            parked = self.state.links.park(domain.name)
            self.state.domains.put_to_sleep(domain, until)
        else:
            parked = self.state.links.park(domain.name, behind)
            self.state.put_door_to_sleep(domain, behind, until)
        self.state.note("parked", domain.name, door=behind, trouble=trouble, requests=parked)
        errands = [path for path in domain.errands if self.state.is_given_up(domain, path, now)]
        for path in errands:
            domain.errands.remove(path)
            self.errands.unreachable(domain.name, path, now)
        self.state.refresh(domain, now)

    def may_be_over(self, domain: Domain, now: float) -> None:
        """End the day for which a domain or its doors were given up, if it is over; unpark their requests."""
        if domain.given_up_until and domain.given_up_until <= now:
            domain.given_up_until = 0.0
            self.state.touched_domains.add(domain.name)
            self.state.unpark(domain)
        if not self.state.permits.is_at_hand(domain.name):
            return  # none of its doors is given up
        for behind, entrance in self.state.permits.doors_of(domain.name):
            if entrance.given_up_until and entrance.given_up_until <= now:
                entrance.given_up_until = 0.0
                self.state.permits.touched.add(domain.name)
                self.state.links.unpark(domain.name, behind)

    def drop(self, domain: str, path: str, trouble: str, now: float) -> None:
        """Give a request up for good."""
        record = self.state.links.take(domain, path)
        if record is not None:
            tried = self.state.epoch + now
            entry = Entry("failed", record.depth, fetched=tried, source=record.source, reason=trouble)
            self.state.links.settle(domain, path, entry)
            self.state.note("dropped", join(domain, path), trouble=trouble)
