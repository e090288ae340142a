"""The port: what an engine that keeps links must offer. The engines are memory.py and store/links.py."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from txtr.frontier.ranks import HOPELESS
from txtr.frontier.records import Entry, Found, Prospect, Record, Token


class Links(Protocol):
    """Paths begin with their door (see model.py)."""

    fates: Counter[str]  # fate -> how many links are settled with it, in this and earlier runs
    lifted: set[str]  # domains with a link that got a better rank; emptied by admission.py

    @property
    def queued_count(self) -> int:
        """Requests that are queued and not parked."""

    @property
    def parked_count(self) -> int: ...

    @property
    def leased_count(self) -> int: ...

    def meet(self, found: Sequence[Found]) -> list[tuple[list[str], list[str]]]:
        """For each group: the links that are new, and those that were queued or leased by a longer way.

        A link that is queued or leased gets the shorter depth, and the higher usability and promise. No link
        may be in two groups."""

    def enqueue(self, domain: str, paths: Iterable[str], record: Record) -> None:
        """Queue links that are new."""

    def doors(self, domain: str) -> list[str]:
        """The doors behind which requests are queued and not parked."""

    def backlog(self, domain: str) -> int:
        """How many requests are queued for a domain and not parked."""

    def best(self, domain: str) -> int | None:
        """The best rank of a domain's requests that are queued and not parked; None if there are none."""

    def lease(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> list[str]:
        """Take the next requests behind a door that have no worse rank than this; return their paths."""

    def look_ahead(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> Prospect | None:
        """The requests that `lease` would take now; None if that cannot be told."""

    def lease_ahead(self, prospects: Sequence[Token]) -> bool:
        """Take requests that were seen before, if `lease` would still take all of them; were they taken?"""

    def leased(self, domain: str) -> dict[str, Record]:
        """A domain's requests that are in batches."""

    def tried(self, domain: str, path: str) -> Record:
        """Count a failed try of a leased request, which stays leased for now."""

    def give_back(self, domain: str, path: str) -> None:
        """Return a leased request to the end of its queue."""

    def take(self, domain: str, path: str) -> Record | None:
        """Take a request out, queued or leased, to be settled; None if it is neither."""

    def settle(self, domain: str, path: str, entry: Entry) -> None:
        """Note what became of a link."""

    def knows(self, domain: str, path: str) -> bool:
        """Is this link settled?"""

    def drop(self, domain: str, most: int) -> int:
        """Forget requests that are queued for a domain, parked or not; they may be found and queued again.

        Returns how many; fewer than `most` when those were all."""

    def unsettle(
        self, domain: str, fate: str, most: int, behind: str | None = None
    ) -> list[tuple[str, Entry]]:
        """Forget links that ended with this fate, behind one door or any; return their paths and entries."""

    def forget_disallowed(self, domain: str, behind: str) -> None:
        """Forget links disallowed behind a door whose rules have changed, so that they may be found again."""

    def park(self, domain: str, behind: str | None = None) -> int:
        """Park the queue of a domain, or of one door; return how many requests it has."""

    def unpark(self, domain: str, behind: str | None = None) -> int:
        """Let parked requests be dealt again; return how many."""

    def is_parked(self, domain: str, behind: str = "") -> bool: ...
