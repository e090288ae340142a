"""Edge: what became of links that are settled, on disk, a row each, for whoever wants to read it.

Nobody needs it to go on crawling, so it is written when everything is, and small: times in whole seconds,
usability in hundredths, and of a source on the same domain its path.
"""

import sqlite3
from math import isfinite
from typing import Any

from txtr.frontier.links.record import FATES, Entry, hundredths
from txtr.frontier.links.standing import code
from txtr.urls import door, join, split

SCHEMA = """
CREATE TABLE documents (
    key INTEGER PRIMARY KEY, path TEXT NOT NULL, fate INTEGER NOT NULL, depth INTEGER NOT NULL,
    usability INTEGER NOT NULL, fetched INTEGER, modified INTEGER, valid_until INTEGER, title TEXT NOT NULL,
    source TEXT NOT NULL, reason TEXT NOT NULL
);
"""
COLUMNS = "path, fate, depth, usability, fetched, modified, valid_until, title, source, reason"
LATEST = 1 << 40  # seconds: the year 36812; what servers say may be nonsense


class Documents:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.arrived: dict[int, tuple[object, ...]] = {}  # key -> row, to be written

    def put(self, key: int, domain: str, path: str, entry: Entry) -> None:
        self.arrived[key] = (
            key,
            path,
            code(entry.fate),
            entry.depth,
            round(100 * hundredths(entry.usability)),
            _seconds(entry.fetched),
            _seconds(entry.modified),
            _seconds(entry.valid_until),
            entry.title,
            _nearer(entry.source, domain),
            entry.reason,
        )

    def of_fate(
        self, fate: str, domain: str, first: int, last: int, behind: str | None, most: int
    ) -> dict[int, tuple[str, Entry]]:
        """Those of a domain's that ended like that, behind one door or any: key -> path, entry."""
        self.flush()
        rows = self.connection.execute(
            f"SELECT key, {COLUMNS} FROM documents WHERE key BETWEEN ? AND ? AND fate = ?",
            (first, last, code(fate)),
        )
        found: dict[int, tuple[str, Entry]] = {}
        for key, path, *about in rows:
            if len(found) == most:
                break
            if behind in (None, door(path)):
                found[key] = path, entry(domain, *about)
        return found

    def remove(self, keys: list[int]) -> None:
        self.flush()
        self.connection.executemany("DELETE FROM documents WHERE key = ?", [(key,) for key in keys])

    def flush(self) -> None:
        """Write down what has arrived; a commit makes it last."""
        rows = [self.arrived[key] for key in sorted(self.arrived)]
        marks = ", ".join("?" * 11)
        self.connection.executemany(f"INSERT OR REPLACE INTO documents VALUES ({marks})", rows)
        self.arrived.clear()


def entry(domain: str, fate: int, depth: int, usability: int, fetched: int | None, *about: Any) -> Entry:
    """What a row says; the path of its columns is not in it."""
    modified, valid_until, title, source, reason = about
    return Entry(
        FATES[fate],
        depth,
        usability / 100,
        fetched or 0.0,
        modified,
        valid_until,
        title,
        _farther(source, domain),
        reason,
    )


def _seconds(moment: float | None) -> int | None:
    if not moment or not isfinite(moment):
        return None
    return max(-LATEST, min(LATEST, int(moment)))


def _nearer(source: str, domain: str) -> str:
    """A URL, or only its path if it is on this domain."""
    if not source:
        return ""
    name, path = split(source)
    return path if name == domain else source


def _farther(source: str, domain: str) -> str:
    return source if not source or source.startswith("http") else join(domain, source)
