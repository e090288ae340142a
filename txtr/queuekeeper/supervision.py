"""Supervision: finds batches that are overdue, and tells when more harvesters would help."""

SILENCE = 600.0  # seconds without an answer to a batch, beyond its longest delay


class Overdue:
    def __init__(self) -> None:
        self.expected: dict[int, float] = {}  # batch -> the time by which an answer is expected
        self.longest: dict[int, float] = {}  # batch -> its longest delay

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


SHORTAGE_PATIENCE = 10.0  # seconds without a harvester that has room
SAY_EVERY = 300.0  # seconds between two lines of the log about it


class Shortage:
    def __init__(self) -> None:
        self.since: float | None = None
        self.said: float | None = None

    def is_news(self, waiting: int, has_room: bool, now: float) -> bool:
        """Is it time to log that so many addresses wait for a harvester?"""
        if not waiting or has_room:
            self.since = None
            return False
        if self.since is None:
            self.since = now
        if now - self.since < SHORTAGE_PATIENCE or (self.said is not None and now - self.said < SAY_EVERY):
            return False
        self.said = now
        return True
