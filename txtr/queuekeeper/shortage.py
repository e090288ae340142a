"""Shortage: would more harvesters help?

They would when addresses are ready to be visited and every harvester has as many rows as it can serve,
and that for a while: a moment of it is nothing but the time that a question takes.
"""

PATIENCE = 10.0  # seconds without a harvester that has room
SAY_EVERY = 300.0  # seconds between two lines about it


class Shortage:
    def __init__(self) -> None:
        self.since: float | None = None
        self.said: float | None = None

    def is_news(self, waiting: int, has_room: bool, now: float) -> bool:
        """Is it time to say that so many addresses wait for more harvesters?"""
        if not waiting or has_room:
            self.since = None
            return False
        if self.since is None:
            self.since = now
        if now - self.since < PATIENCE or (self.said is not None and now - self.said < SAY_EVERY):
            return False
        self.said = now
        return True
