"""Portions: how much is dealt at once, before the queuekeeper listens to its callers again.

A planned visit (plans.py) costs little. A visit that was not planned has to be read and decided first, which
costs several times as much. There are many of those right after a start, or when harvesters take every
address as soon as it has rested. A harvester that has rows left gets the next portion when the other callers
have been listened to; any other harvester gets it when it asks again.

Invariant: a portion ends with the address at which its budget is used up, at most max-hosts visits too late.
So by the usual rules it lasts some hundredths of a second (docs/performance.md), however much is asked for.
"""

import msgspec

PLANNED = 1  # the effort of a visit
UNPLANNED = 13  # at most: of a visit to be read and decided, or of an address that has nothing after all
MOST_VISITS = 1300  # planned visits: a thousand rows, and more visits for some of them


class DealingBudget(msgspec.Struct):
    room: float = MOST_VISITS
    effort: float = 0  # so far

    def part(self, askers: int) -> "DealingBudget":
        """An equal share of what is left, for one of so many harvesters."""
        return DealingBudget((self.room - self.effort) / askers)

    def end(self) -> None:
        """Use the budget up."""
        self.effort = max(self.effort, self.room)

    def is_over(self) -> bool:
        return self.effort >= self.room
