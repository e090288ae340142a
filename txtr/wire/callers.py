"""Callers: who is connected to a port, and who has to go when there is no room for another.

Anybody may connect, and each connection is an open file, of which a program may have a thousand or so. A
caller is a *stranger* until it has said who it is, and then it is *known*.

Invariant: there are never more strangers than MOST_STRANGERS, or an eighth of the open files, and never more
known callers than the files allow that are left besides those of the program itself. When another stranger
comes the eldest goes: whoever calls honestly says who it is at once, and is no stranger for long. A known
caller never goes for a stranger; whether it goes for another known one is for the program.
"""

from typing import Generic, TypeVar

Caller = TypeVar("Caller")

MOST_STRANGERS = 128  # each may cost 200 KB of unread bytes
MOST_OWN_FILES = 256  # of the program: database, journal, logs, and connections on their way in or out


class Callers(Generic[Caller]):
    """Everybody who is connected, those who have been silent for longest first."""

    def __init__(self, files: int, most_known: int | None = None) -> None:
        """`files`: how many the program may have open."""
        own = min(MOST_OWN_FILES, files // 4)
        self.most_strangers = min(MOST_STRANGERS, files // 8)
        self.most_known = files - own - self.most_strangers
        if most_known is not None:
            self.most_known = min(self.most_known, most_known)
        self.strangers: dict[Caller, None] = {}
        self.known: dict[Caller, None] = {}

    def come(self, caller: Caller) -> list[Caller]:
        """A stranger; those who have to go for it."""
        self.strangers[caller] = None
        leaving = list(self.strangers)[: max(0, len(self.strangers) - self.most_strangers)]
        for stranger in leaving:
            del self.strangers[stranger]
        return leaving

    def has_room(self) -> bool:
        """May one more be known?"""
        return len(self.known) < self.most_known

    def admit(self, caller: Caller) -> None:
        """It has said who it is."""
        self.strangers.pop(caller, None)
        self.known[caller] = None

    def hear(self, caller: Caller) -> None:
        """A known caller has said something."""
        if caller in self.known:
            del self.known[caller]
            self.known[caller] = None

    def longest_silent(self) -> Caller:
        """The known caller that has said nothing for longest."""
        return next(iter(self.known))

    def go(self, caller: Caller) -> None:
        """It is connected no more."""
        self.strangers.pop(caller, None)
        self.known.pop(caller, None)
