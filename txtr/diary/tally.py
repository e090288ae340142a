"""The tally: how many of everything, and how long at every activity.

Invariant: numbers only grow, and two tallies merged say what one would have said. Names are not
declared: a count that nobody raised does not exist, so summaries show only what happened.
"""

from collections import defaultdict
from collections.abc import Mapping


class Tally:
    """Counts by name, seconds by activity."""

    def __init__(
        self, counts: Mapping[str, int] | None = None, seconds: Mapping[str, float] | None = None
    ) -> None:
        self.counts: defaultdict[str, int] = defaultdict(int, counts or {})
        self.seconds: defaultdict[str, float] = defaultdict(float, seconds or {})

    def add(self, name: str, number: int = 1) -> None:
        """So many more of these."""
        self.counts[name] += number

    def spend(self, activity: str, seconds: float) -> None:
        """So much longer at this."""
        self.seconds[activity] += seconds

    def merge(self, other: "Tally") -> None:
        """Add another's counts and seconds to ours."""
        for name, number in other.counts.items():
            self.add(name, number)
        for activity, seconds in other.seconds.items():
            self.spend(activity, seconds)

    def as_dict(self) -> dict[str, dict[str, int] | dict[str, float]]:
        """For a message or a file; Tally(**...) reads it back."""
        return {"counts": dict(self.counts), "seconds": dict(self.seconds)}
