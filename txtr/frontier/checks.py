"""Checks: limit how many links are compared with robots.txt at one moment.

Comparing one link with the rules of its door takes a bounded time (manners/matching.py). But thousands of
links come together, and rules can be made to take that time for each link. So a *moment*, which is all that
is done with the same `now` (a portion of a report, a tick), has room for so many *steps*, of a nanosecond or
so.

Links that find no room when they come in are queued unchecked; every link is checked when it leaves the queue
anyway. A domain may fill the room of a visit with links of which none may be fetched. Then the domain waits
for its *turn*. Turns come one after the other, with time for all other work between them.

Invariant: the checks of a moment take no more than STEPS_AT_ONCE, beside those that were begun before.
"""

from math import inf

STEPS_AT_ONCE = 50_000_000  # a twentieth of a second
STEPS_OF_VISIT = 20_000_000
TURNS_APART = 0.1  # seconds between two turns


class Checks:
    def __init__(self) -> None:
        self.moment = -inf
        self.steps = 0  # at that moment
        self.last_turn = -inf

    def room(self, now: float) -> int:
        """How many steps may still be taken at this moment; 0 or less means none."""
        return STEPS_AT_ONCE - (self.steps if now == self.moment else 0)

    def room_of_visit(self, now: float) -> int:
        """How many steps may still be taken for one domain."""
        return min(self.room(now), STEPS_OF_VISIT)

    def count(self, steps: int, now: float) -> None:
        """Count steps that were taken."""
        if now != self.moment:
            self.moment, self.steps = now, 0
        self.steps += steps

    def turn(self, now: float) -> float:
        """The time at which a domain that has filled the room of a visit may go on."""
        self.last_turn = max(now, self.last_turn) + TURNS_APART
        return self.last_turn
