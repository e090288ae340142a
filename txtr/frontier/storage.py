"""The port: what an engine that keeps links must offer. memory.py is one, store/links.py the other."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from txtr.frontier.ranks import HOPELESS
from txtr.frontier.records import Entry, Found, Prospect, Record, Token


class Links(Protocol):
    """Paths begin with their door (see model.py)."""

    fates: Counter[str]  # how many are settled, of this and earlier runs, by fate
    lifted: set[
        str
    ]  # domains in which something was met that has a better rank now; whoever looks empties it

    @property
    def queued_count(self) -> int:
        """Requests that are queued and not parked."""

    @property
    def parked_count(self) -> int: ...

    @property
    def leased_count(self) -> int: ...

    def meet(self, found: Sequence[Found]) -> list[tuple[list[str], list[str]]]:
        """Of each, which links are new, and which were queued or leased by a longer way.

        What is queued or leased gets the shorter depth and the higher usability and promise. No link may be
        in two of them."""

    def enqueue(self, domain: str, paths: Iterable[str], record: Record) -> None:
        """Queue links that are new."""

    def doors(self, domain: str) -> list[str]:
        """The doors behind which something is queued and not parked."""

    def backlog(self, domain: str) -> int:
        """How many requests are queued for a domain and not parked."""

    def best(self, domain: str) -> int | None:
        """The best rank of those; None if there are none."""

    def lease(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> list[str]:
        """Take the next requests behind this door that are of no worse rank; their paths."""

    def look_ahead(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> Prospect | None:
        """What `lease` would take, read now; None if that cannot be said."""

    def lease_ahead(self, prospects: Sequence[Token]) -> bool:
        """Take what was seen before, by its parts, if all of it is still what `lease` would take; is it?"""

    def leased(self, domain: str) -> dict[str, Record]:
        """A domain's requests that are in batches."""

    def tried(self, domain: str, path: str) -> Record:
        """A leased request failed, and stays leased for now."""

    def give_back(self, domain: str, path: str) -> None:
        """A leased request returns to the end of its queue."""

    def take(self, domain: str, path: str) -> Record | None:
        """A request leaves, wherever it is, to be settled; None if it is not here."""

    def settle(self, domain: str, path: str, entry: Entry) -> None:
        """This is what became of a link."""

    def knows(self, domain: str, path: str) -> bool:
        """Is this link settled?"""

    def drop(self, domain: str, most: int) -> int:
        """Forget requests that are queued for a domain, parked or not: whoever finds them may queue them
        again. How many; fewer than `most` when that was all."""

    def unsettle(
        self, domain: str, fate: str, most: int, behind: str | None = None
    ) -> list[tuple[str, Entry]]:
        """Forget links that ended with this fate, behind one door or any; what they were."""

    def forget_disallowed(self, domain: str, behind: str) -> None:
        """The door's rules have changed: what was disallowed may be found again."""

    def park(self, domain: str, behind: str | None = None) -> int:
        """Set a domain's queue, or that behind one door, aside; how many requests that are."""

    def unpark(self, domain: str, behind: str | None = None) -> int:
        """Let them be dealt again; how many they are."""

    def is_parked(self, domain: str, behind: str = "") -> bool: ...
