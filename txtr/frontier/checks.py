"""Checks: how many links are compared with robots.txt at one moment, and who waits for a later one.

To compare one link with the rules of its door takes a bounded time (manners/matching.py), but thousands of
links come together, and rules can be made to take that time for each of them. So every moment (a portion of
a report, a tick: whatever is done with the same `now`) has room for so many *steps*, of a nanosecond or so.

Links for which there is no room when they come in are queued unchecked: nothing leaves the queue unchecked
anyway. A domain whose links have filled the room of a visit without one that may be fetched waits for its
*turn*: turns come one after the other, with time for everybody else between them.

Invariant: a moment's checks take no longer than STEPS_AT_ONCE and those that were begun before.
"""

from math import inf

STEPS_AT_ONCE = 50_000_000  # a twentieth of a second
STEPS_OF_VISIT = 20_000_000
APART = 0.1  # seconds between two turns


class Checks:
    def __init__(self) -> None:
        self.moment = -inf
        self.steps = 0  # at that moment
        self.last_turn = -inf

    def room(self, now: float) -> int:
        """How many steps may still be taken at this moment; none if that is not more than 0."""
        return STEPS_AT_ONCE - (self.steps if now == self.moment else 0)

    def room_of_visit(self, now: float) -> int:
        """How many of them for one domain."""
        return min(self.room(now), STEPS_OF_VISIT)

    def count(self, steps: int, now: float) -> None:
        """So many were taken."""
        if now != self.moment:
            self.moment, self.steps = now, 0
        self.steps += steps

    def turn(self, now: float) -> float:
        """When a domain may go on that has filled the room of a visit."""
        self.last_turn = max(now, self.last_turn) + APART
        return self.last_turn
