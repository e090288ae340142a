"""Edge: what became of links that are settled, on disk, a row for each link.

Crawling does not need these rows; they are there to be read. So they are written with all others, and are
small: times in whole seconds, usability in hundredths. Most links were found on a page of the same domain.
Such a source is kept as the digest of its path: the source is settled too, so its path is in these rows.
"""

import sqlite3
from functools import lru_cache
from itertools import islice
from math import isfinite
from typing import Any

from txtr.frontier.records import FATES, Entry, round_to_hundredths
from txtr.store.keys import code_of_fate, digest, domain_of, first_key
from txtr.urls import door, join, split

SCHEMA = """
CREATE TABLE documents (
    key INTEGER PRIMARY KEY, path TEXT NOT NULL, fate INTEGER NOT NULL, depth INTEGER NOT NULL,
    usability INTEGER NOT NULL, fetched INTEGER, modified INTEGER, valid_until INTEGER, title TEXT NOT NULL,
    source NOT NULL, reason TEXT NOT NULL
);
"""
COLUMNS = "path, fate, depth, usability, fetched, modified, valid_until, title, source, reason"
LATEST_SECONDS = 1 << 40  # seconds: the year 36812; servers may send nonsense


class Documents:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.arrived: dict[int, tuple[str, str, Entry]] = {}  # key -> domain, path, entry; to be written

    def put(self, key: int, domain: str, path: str, entry: Entry) -> None:
        self.arrived[key] = (domain, path, entry)

    def of_fate(
        self, fate: str, domain: str, first: int, last: int, behind: str | None, most: int
    ) -> dict[int, tuple[str, Entry]]:
        """A domain's documents with this fate, behind one door or any: key -> path, entry."""
        self.flush()
        rows = self.connection.execute(
            f"SELECT key, {COLUMNS} FROM documents WHERE key BETWEEN ? AND ? AND fate = ?",
            (first, last, code_of_fate(fate)),
        )
        suited = (row for row in rows if behind in (None, door(row[1])))
        return {row[0]: (row[1], self.entry(domain, *row)) for row in list(islice(suited, most))}

    def keys_of_fate(self, fate: str, first: int, last: int, behind: str, most: int) -> list[int]:
        """Only the keys of a domain's documents with this fate, behind one door."""
        self.flush()
        rows = self.connection.execute(
            "SELECT key, path FROM documents WHERE key BETWEEN ? AND ? AND fate = ?",
            (first, last, code_of_fate(fate)),
        )
        return list(islice((key for key, path in rows if door(path) == behind), most))

    def entry(self, domain: str, key: int, path: str, fate: int, *about: Any) -> Entry:
        """The entry that a row stands for."""
        depth, usability, fetched, modified, valid_until, title, source, reason = about
        if isinstance(source, int):
            source = self._page(domain, first_key(domain_of(key)) + source)
        return Entry(
            FATES[fate],
            depth,
            usability / 100,
            fetched or 0.0,
            modified,
            valid_until,
            title,
            source,
            reason,
        )

    def _page(self, domain: str, key: int) -> str:
        """The URL of a page of this domain; '' when the page has no row any more."""
        path = self.path_of(key)
        return join(domain, path) if path is not None else ""

    def path_of(self, key: int) -> str | None:
        """The path of the settled link with this key; call it after a flush."""
        row = self.connection.execute("SELECT path FROM documents WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def remove(self, keys: list[int]) -> None:
        self.flush()
        self.connection.executemany("DELETE FROM documents WHERE key = ?", [(key,) for key in keys])

    def flush(self) -> None:
        """Write down what has arrived; a commit makes it last."""
        rows = [_row(key, *arrived) for key, arrived in sorted(self.arrived.items())]
        marks = ", ".join("?" * 11)
        self.connection.executemany(f"INSERT OR REPLACE INTO documents VALUES ({marks})", rows)
        self.arrived.clear()


def _row(key: int, domain: str, path: str, entry: Entry) -> tuple[object, ...]:
    return (
        key,
        path,
        code_of_fate(entry.fate),
        entry.depth,
        round(100 * round_to_hundredths(entry.usability)),
        _seconds(entry.fetched),
        _seconds(entry.modified),
        _seconds(entry.valid_until),
        entry.title,
        _shorten_source(entry.source, domain),
        entry.reason,
    )


def _seconds(moment: float | None) -> int | None:
    if not moment or not isfinite(moment):
        return None
    return max(-LATEST_SECONDS, min(LATEST_SECONDS, int(moment)))


@lru_cache(maxsize=1024)  # rows are written by domain, and many links of a domain share a source
def _shorten_source(source: str, domain: str) -> str | int:
    """A source as its URL, or as the digest of its path if it is on this domain."""
    name, path = split(source) if source else ("", "")
    return digest(path) if name == domain else source
