"""Overdue: batches that nobody answers.

A batch is expected to give news (a report) before its time runs out: an hour at the outside, and
sooner when its delays are short. A harvester that is alive but has a batch overdue is broken:
the batch is taken from it.
"""

SILENCE = 600.0  # seconds without a word about a batch, beyond its longest delay


class Overdue:
    def __init__(self) -> None:
        self.expected: dict[int, float] = {}  # batch -> news by then
        self.longest: dict[int, float] = {}  # batch -> longest delay in it

    def dealt(self, batch: int, longest_delay: float, now: float) -> None:
        self.longest[batch] = max(longest_delay, self.longest.get(batch, 0.0))
        self.heard(batch, now)

    def heard(self, batch: int, now: float) -> None:
        if batch in self.longest:
            self.expected[batch] = now + SILENCE + self.longest[batch]

    def ended(self, batch: int) -> None:
        self.expected.pop(batch, None)
        self.longest.pop(batch, None)

    def overdue(self, now: float) -> list[int]:
        return [batch for batch, by in self.expected.items() if by < now]
