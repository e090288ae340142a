"""Complaints: what is said of callers, of whom thousands may come in a second.

Invariant: AT_ONCE events may be said in a moment, one a second in the long run, and one that is like the one
before only when a second has passed. What is not said is counted, and told with the last of it as `times=`
(all that it stands for, itself among them) when the second is over.
"""

from txtr.model import Event

AT_ONCE = 20  # events that may be said in a moment
PAUSE = 1.0  # seconds: of one more event, and between two that are alike


class Complaints:
    def __init__(self, now: float) -> None:
        self.left = float(AT_ONCE)  # events that may be said now
        self.counted = now  # when `left` was true
        self.said: Event | None = None  # the last
        self.said_at = now - PAUSE
        self.unsaid: Event | None = None  # the last, since an event was said
        self.times = 0  # how many were not

    def hear(self, event: Event, now: float) -> list[Event]:
        """What is to be said now that this has happened."""
        if self.unsaid is not None or self._is_repeated(event, now) or not self._may_say(now):
            self.unsaid = event
            self.times += 1
            return self.sum_up(now)
        return [self._say(event, now)]

    def sum_up(self, now: float) -> list[Event]:
        """The events that were counted, as one; none before its time."""
        if self.unsaid is None or now - self.said_at < PAUSE or not self._may_say(now):
            return []
        return self.end(now)

    def end(self, now: float) -> list[Event]:
        """The events that were counted, as one, whenever that is: there will be no more."""
        unsaid, times, self.unsaid, self.times = self.unsaid, self.times, None, 0
        if unsaid is None:
            return []
        self._say(unsaid, now)
        return [Event(unsaid.what, unsaid.whom, {**unsaid.facts, "times": times}) if times > 1 else unsaid]

    def _is_repeated(self, event: Event, now: float) -> bool:
        return event == self.said and now - self.said_at < PAUSE

    def _may_say(self, now: float) -> bool:
        self.left = min(AT_ONCE, self.left + (now - self.counted) / PAUSE)
        self.counted = now
        return self.left >= 1

    def _say(self, event: Event, now: float) -> Event:
        self.left, self.said, self.said_at = self.left - 1, event, now
        return event
