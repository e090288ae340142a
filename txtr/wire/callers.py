"""Callers: the programs that are connected to a port, and which of them must go when there is no room.

Any program may connect, and each connection is an open file, of which a process may have a thousand or so. A
caller is a *stranger* until it has said its name, and then it is *known*.

Invariant: there are never more strangers than MOST_STRANGERS, or an eighth of the open files. There are never
more known callers than the files that are left, without those of the program itself. When there is one
stranger too many, the oldest one goes: an honest caller says its name at once, and is no stranger for long. A
known caller never goes for a stranger; the program decides whether it goes for another known one.
"""

from typing import Generic, TypeVar

Caller = TypeVar("Caller")

MOST_STRANGERS = 128  # each may cost 200 KB of unread bytes
MOST_OWN_FILES = 256  # of the program: database, journal, logs, and connections on their way in or out


class Callers(Generic[Caller]):
    """All connected callers, those that have been silent for longest first."""

    def __init__(self, files: int, most_known: int | None = None) -> None:
        """`files`: how many files the program may have open."""
        own = min(MOST_OWN_FILES, files // 4)
        self.most_strangers = min(MOST_STRANGERS, files // 8)
        self.most_known = files - own - self.most_strangers
        if most_known is not None:
            self.most_known = min(self.most_known, most_known)
        self.strangers: dict[Caller, None] = {}
        self.known: dict[Caller, None] = {}

    def come(self, caller: Caller) -> list[Caller]:
        """Take in a stranger; return the callers that must go for it."""
        self.strangers[caller] = None
        leaving = list(self.strangers)[: max(0, len(self.strangers) - self.most_strangers)]
        for stranger in leaving:
            del self.strangers[stranger]
        return leaving

    def has_room(self) -> bool:
        """Is there room for one more known caller?"""
        return len(self.known) < self.most_known

    def admit(self, caller: Caller) -> None:
        """Make a stranger known, as it has said its name."""
        self.strangers.pop(caller, None)
        self.known[caller] = None

    def hear(self, caller: Caller) -> None:
        """Note that a known caller has said something."""
        if caller in self.known:
            del self.known[caller]
            self.known[caller] = None

    def longest_silent(self) -> Caller:
        """The known caller that has said nothing for longest."""
        return next(iter(self.known))

    def go(self, caller: Caller) -> None:
        """Forget a caller that is not connected any more."""
        self.strangers.pop(caller, None)
        self.known.pop(caller, None)
