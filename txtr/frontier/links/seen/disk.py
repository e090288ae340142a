"""Edge: the seen on disk, a row for each leaf (leaf.py), in the order of domains and digests.

The links of one domain lie side by side: a page links mostly to its own, so whatever its links need is
read at once. Leaves that were read stay in memory for a while (shelves.py).

Invariant: every leaf of a domain begins where the one before ends; together they hold all digests.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from txtr.errors import Damaged
from txtr.frontier.links.seen.leaf import empty, written
from txtr.frontier.links.seen.shelves import ELSEWHERE, Shelves
from txtr.frontier.links.seen.swift import shelves as swift
from txtr.frontier.links.standing import UNKNOWN

SCHEMA = "CREATE TABLE seen (key INTEGER PRIMARY KEY, links BLOB NOT NULL);"
MOST_LEAVES = 30_000  # in memory: about 20 MB, or 90 without a compiler


class Seen:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.shelves = swift.shelves() or Shelves()
        self.later: dict[
            int, dict[int, int]
        ] = {}  # first key -> digest -> how it stands, not in its leaf yet

    def get(self, first: int, digest: int) -> int | None:
        """How a link stands, given its domain's first key."""
        return self.get_some(first, [digest]).get(digest)

    def get_some(self, first: int, digests: Iterable[int]) -> dict[int, int]:
        """Of several links at once, as many as are known."""
        if first in self.later:
            self._set_now(first)
        some = list(digests)
        standings = self._stand(first, some)
        return {digest: stands for digest, stands in zip(some, standings, strict=True) if stands != UNKNOWN}

    def meet(self, firsts: Sequence[int], paths: Sequence[Collection[str]]) -> tuple[list[int], list[int]]:
        """The digests of paths, some of each domain, and how each of them stands."""
        for first in firsts:
            if first in self.later:
                self._set_now(first)
        digests, standings = self.shelves.meet(firsts, paths)
        if ELSEWHERE in standings:
            standings, end = [], 0
            for first, some in zip(firsts, paths, strict=True):
                begin, end = end, end + len(some)
                standings += self._stand(first, digests[begin:end])
        return digests, standings

    def _stand(self, first: int, digests: list[int]) -> list[int]:
        """How links stand, when the leaves that are not in memory have been read."""
        while ELSEWHERE in (standings := self.shelves.stand(first, digests)):
            self._read(first, digests[standings.index(ELSEWHERE)])
        return standings

    def set_later(self, first: int, digest: int, standing: int) -> None:
        """The same as `set`, for a domain whose leaves nobody asks for just now."""
        later = self.later.get(first)
        if later is None:
            later = self.later[first] = {}
        later[digest] = standing

    def _set_now(self, first: int) -> None:
        for digest, standing in self.later.pop(first).items():
            self.set(first, digest, standing)

    def set(self, first: int, digest: int, standing: int) -> None:
        self.set_some(first, [digest], standing)

    def set_some(self, first: int, digests: Sequence[int], standing: int) -> None:
        if first in self.later:
            self._set_now(first)
        done = 0
        while (done := self.shelves.set_some(first, digests, standing, done)) < len(digests):
            self._read(first, digests[done])

    def remove(self, first: int, digests: Sequence[int]) -> None:
        if first in self.later:
            self._set_now(first)
        done = 0
        while (done := self.shelves.remove_some(first, digests, done)) < len(digests):
            self._read(first, digests[done])

    def flush(self) -> None:
        """Write down what has changed; a commit makes it last."""
        for first in sorted(self.later):
            self._set_now(first)
        self.connection.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", self.shelves.write_changed())
        self.shelves.tidy(MOST_LEAVES)

    def _read(self, first: int, digest: int) -> None:
        row = self.connection.execute(
            "SELECT key, links FROM seen WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1",
            (first, first + digest),
        ).fetchone()
        key, links = row or (first, written(empty()))
        self.shelves.put(first, key - first, links)
        if self.shelves.stand(first, [digest]) == [ELSEWHERE]:
            raise Damaged(f"how links stand cannot be read: there is a gap behind key {key}")
