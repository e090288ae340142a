"""A stretch: how much is dealt in one go, before everybody is listened to again.

To deal what was planned (plans.py) costs little. What was not has to be read and decided first, which costs
several times as much: right after a start, or when harvesters take every address as soon as it has rested.
Whoever has rows left gets more when the others have had their say; who has not, when he asks again.

Invariant: a stretch ends with the address during which it is over, max-hosts visits too late at most, so that
by the usual rules it lasts some hundredths of a second (docs/performance.md), however much is asked for.
"""

import msgspec

PLANNED = 1  # the effort of a visit
UNPLANNED = 13  # of one that has to be read and decided, at the most, or of looking at an address in vain
MOST_VISITS = 1300  # planned visits: a thousand rows, and what it takes to fill some of them


class DealingBudget(msgspec.Struct):
    room: float = MOST_VISITS
    effort: float = 0  # so far

    def part(self, askers: int) -> "DealingBudget":
        """What is left, shared among so many."""
        return DealingBudget((self.room - self.effort) / askers)

    def end(self) -> None:
        """Nothing more in this one."""
        self.effort = max(self.effort, self.room)

    def is_over(self) -> bool:
        return self.effort >= self.room
