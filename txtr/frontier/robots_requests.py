"""Requests for robots.txt files: which are on their way, and what waits for them.

A door's rules may lie at another domain, behind redirects; an errand is queued at the domain that
has the file. Excluded servers are never contacted, not even for that.
"""

from txtr.frontier.permits import Learned, SendFor
from txtr.frontier.state import FrontierState
from txtr.manners.remedies import sleep
from txtr.model import Trouble


class RobotsRequests:
    def __init__(self, state: FrontierState) -> None:
        self.state = state

    def send_for(self, errand: SendFor | None, now: float) -> None:
        """Line up a robots.txt at the domain that has it; excluded servers are never contacted."""
        if errand is None:
            return
        if self.state.gate.domain_refusal(errand.domain):
            self.unreachable(errand.domain, errand.path, now)
            return
        domain = self.state.domain(errand.domain)
        if self.state.is_given_up(domain, errand.path, now):
            self.unreachable(errand.domain, errand.path, now)
            return
        domain.errands.append(errand.path)
        self.state.refresh(domain, now)

    def unreachable(self, domain: str, path: str, now: float) -> None:
        """A robots.txt could not be had: tell all who wait for it."""
        for learned in self.state.permits.unreachable(domain, path, now):
            self.learned(learned, now)

    def learned(self, learned: Learned, now: float) -> None:
        """A door's rules are known, or have to be asked for again after a while."""
        domain = self.state.domain(learned.domain)
        if not learned.is_known:
            tries = self.state.permits.door(domain.name, learned.door).tries
            seconds = sleep(Trouble.CONNECT, tries, self.state.rules.general_pause, None)
            self.state.put_door_to_sleep(domain, learned.door, now + seconds)
            self.state.note("asleep", domain.name, trouble="robots-unreachable", seconds=seconds)
        if learned.has_changed:
            self.state.links.forget_disallowed(domain.name, learned.door)
            self.state.has_forgotten = True
        self.state.refresh(domain, now)
