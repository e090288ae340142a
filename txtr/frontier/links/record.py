"""What is kept of a link: the record of a request to be fetched, the entry of one that is settled.

Invariant: a link that was let in is in exactly one of three states. *Queued*, under its domain and
door, by rank and in the order of arrival; *leased*, while a harvester has it in a batch; or
*settled* for good: downloaded, or ended otherwise (redirect, failure, refusal), never to be tried again.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Protocol

import msgspec

from txtr.frontier.ranks import HOPELESS


class Record(msgspec.Struct, frozen=True, array_like=True):
    """A request to be fetched. Links that one page has to one domain share theirs.

    No dataclass, because thousands of them are made and read at once."""

    depth: int  # clicks from a start page: an upper estimate
    usability: float  # of the document the link was found in
    tries: int = 0
    hops: int = 0  # redirects behind it
    promise: float = 1.0  # see promise.py
    source: str = ""  # URL of the page it was found on; '' for a start address
    since: int = 0  # wall time, whole seconds


@dataclass(frozen=True, slots=True)
class Entry:
    """A link that is settled, with all that later updates of the corpus need."""

    fate: str  # a document's fate (model.Document), or: redirect, failed, disallowed
    depth: int
    usability: float = 0.0
    fetched: float = 0.0  # wall time
    modified: float | None = None
    valid_until: float | None = None
    title: str = ""
    source: str = ""
    # Why there is no document: the trouble, the rule; the target of a redirect, who has a duplicate's text.
    reason: str = ""


# In the order of their codes on disk: added to, never changed.
FATES = (
    "queued",  # not a fate: a link that is not settled
    "kept",
    "rejected",
    "aside",
    "noindex",
    "duplicate",
    "empty",
    "redirect",
    "failed",
    "disallowed",
    "refused",
)


def hundredths(usability: float) -> float:
    """A usability as precisely as it is kept; never 0 unless it is: useless is another thing than bad."""
    return ceil(round(usability * 100, 6)) / 100


@dataclass(frozen=True, slots=True)
class Prospect:
    """Requests behind one door that may be leased soon."""

    paths: list[str]
    deepest: int  # clicks from a start page
    parts: Any  # for the engine to lease them by


class Links(Protocol):
    """What both engines offer. Paths begin with their door (see model.py)."""

    fates: Counter[str]  # how many are settled, of this and earlier runs, by fate

    @property
    def queued_count(self) -> int:
        """Requests that are queued and not parked."""

    @property
    def parked_count(self) -> int: ...

    @property
    def leased_count(self) -> int: ...

    def meet(self, domain: str, paths: Iterable[str], record: Record) -> tuple[list[str], list[str]]:
        """Which of these links are new, and which were queued or leased by a longer way.

        What is queued or leased gets the shorter depth and the higher usability and promise."""

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

    def lease_ahead(self, prospects: Sequence[Any]) -> bool:
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
