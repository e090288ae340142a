"""Complaints: limits how many events about callers are logged, as thousands of callers may come in a second.

Invariant: AT_ONCE events may be logged in a moment, and one a second in the long run. An event like the one
before is logged only when a second has passed. Events that are not logged are counted; when the second is
over, the last of them is logged with their number, its own included, as `times=`.
"""

from txtr.model import Event

EVENTS_AT_ONCE = 20  # events that may be logged in a moment
PAUSE = 1.0  # seconds until one more event may be logged, and between two that are alike


class Complaints:
    def __init__(self, now: float) -> None:
        self.left = float(EVENTS_AT_ONCE)  # events that may be logged now
        self.counted = now  # the time at which `left` was right
        self.said: Event | None = None  # the last event that was logged
        self.said_at = now - PAUSE
        self.unsaid: Event | None = None  # the last event that was not logged since
        self.times = 0  # how many were not logged

    def hear(self, event: Event, now: float) -> list[Event]:
        """Take in an event; return the events that are to be logged now."""
        if self.unsaid is not None or self._is_repeated(event, now) or not self._may_say(now):
            self.unsaid = event
            self.times += 1
            return self.sum_up(now)
        return [self._say(event, now)]

    def sum_up(self, now: float) -> list[Event]:
        """The events that were counted, as one event; none if it is too early."""
        if self.unsaid is None or now - self.said_at < PAUSE or not self._may_say(now):
            return []
        return self.end(now)

    def end(self, now: float) -> list[Event]:
        """The events that were counted, as one event, even if it is early: there will be no more."""
        unsaid, times, self.unsaid, self.times = self.unsaid, self.times, None, 0
        if unsaid is None:
            return []
        self._say(unsaid, now)
        return [Event(unsaid.what, unsaid.whom, {**unsaid.facts, "times": times}) if times > 1 else unsaid]

    def _is_repeated(self, event: Event, now: float) -> bool:
        return event == self.said and now - self.said_at < PAUSE

    def _may_say(self, now: float) -> bool:
        self.left = min(EVENTS_AT_ONCE, self.left + (now - self.counted) / PAUSE)
        self.counted = now
        return self.left >= 1

    def _say(self, event: Event, now: float) -> Event:
        self.left, self.said, self.said_at = self.left - 1, event, now
        return event
