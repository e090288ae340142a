"""Requests for robots.txt files: queues them, and passes on what came of them.

A redirect may lead to a file on another domain. An *errand* is such a request, queued at the domain that has
the file. Excluded servers are never contacted, not even for that.
"""

from txtr.frontier.permits import Learned, SendFor
from txtr.frontier.state import FrontierState
from txtr.manners.remedies import seconds_of_sleep
from txtr.model import Trouble


class RobotsRequests:
    def __init__(self, state: FrontierState) -> None:
        self.state = state

    def send_for(self, errand: SendFor | None, now: float) -> None:
        """Queue a request for a robots.txt at the domain that has it, unless that is excluded or given up."""
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
        """A robots.txt could not be had: pass that on to all doors that wait for it."""
        for learned in self.state.permits.unreachable(domain, path, now):
            self.learned(learned, now)

    def learned(self, learned: Learned, now: float) -> None:
        """Act on what is known of a door's rules: use them, or ask again after a while."""
        domain = self.state.domain(learned.domain)
        if not learned.is_known:
            tries = self.state.permits.door(domain.name, learned.door).tries
            seconds = seconds_of_sleep(Trouble.CONNECT, tries, self.state.rules.general_pause, None)
            self.state.put_door_to_sleep(domain, learned.door, now + seconds)
            self.state.note("asleep", domain.name, trouble="robots-unreachable", seconds=seconds)
        if learned.has_changed:
            self.state.links.forget_disallowed(domain.name, learned.door)
            self.state.has_forgotten = True
        self.state.refresh(domain, now)
