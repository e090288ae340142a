"""The documents: what has been dealt with for good, domain -> path -> entry.

Downloaded documents with all that later updates of the corpus need, and beside them the
addresses that ended otherwise (redirects, failures, refusals), so that none is tried again.
"""

from collections import Counter
from dataclasses import dataclass

from txtr.urls import door


@dataclass(frozen=True, slots=True)
class Entry:
    fate: str  # a document's fate (model.Document), or: redirect, failed, disallowed
    depth: int
    usability: float = 0.0
    fetched: float = 0.0  # wall time
    modified: float | None = None
    valid_until: float | None = None
    title: str = ""


class Documents:
    def __init__(self) -> None:
        self.entries: dict[str, dict[str, Entry]] = {}
        self.fates: Counter[str] = Counter()  # how many of each, of this and earlier runs

    def __len__(self) -> int:
        return self.fates.total()

    def knows(self, domain: str, path: str) -> bool:
        return path in self.entries.get(domain, ())

    def add(self, domain: str, path: str, entry: Entry) -> None:
        paths = self.entries.setdefault(domain, {})
        if path in paths:
            self.fates[paths[path].fate] -= 1
        self.fates[entry.fate] += 1
        paths[path] = entry

    def restore(self, entries: dict[str, dict[str, Entry]]) -> None:
        """Begin with what an earlier run knew."""
        self.entries = entries
        self.fates = Counter(entry.fate for paths in entries.values() for entry in paths.values())

    def forget_disallowed(self, domain: str, behind: str) -> None:
        """The door's rules have changed: what was disallowed may be found again."""
        paths = self.entries.get(domain, {})
        gone = [path for path, entry in paths.items() if entry.fate == "disallowed" and door(path) == behind]
        for path in gone:
            del paths[path]
        self.fates["disallowed"] -= len(gone)
