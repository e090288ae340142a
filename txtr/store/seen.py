"""Edge: the standings of all links on disk, a row for each leaf (leaf.py), by domain and digest.

The links of one domain lie side by side. A page links mostly to its own domain, so all that its links need is
read at once. Leaves that were read stay in memory for a while (shelves.py).

Invariant: every leaf of a domain begins where the one before ends; together they hold all digests.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from txtr.errors import Damaged
from txtr.store import native_shelves
from txtr.store.keys import UNKNOWN
from txtr.store.leaf import DIGESTS, UNREADABLE, empty_leaf, encode_leaf
from txtr.store.shelves import ELSEWHERE, Shelves

SCHEMA = "CREATE TABLE seen (key INTEGER PRIMARY KEY, links BLOB NOT NULL);"
MOST_LEAVES = 30_000  # in memory: about 90 MB,
MOST_NATIVE_LEAVES = 150_000  # and these in C as much


class Seen:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        made = native_shelves.make_shelves()
        self.shelves = made or Shelves()
        self.most_leaves = MOST_NATIVE_LEAVES if made else MOST_LEAVES
        self.later: dict[
            int, dict[int, int]
        ] = {}  # first key -> digest -> standing that is not in its leaf yet

    def get(self, first: int, digest: int) -> int | None:
        """The standing of a link, given its domain's first key."""
        return self.get_some(first, [digest]).get(digest)

    def get_some(self, first: int, digests: Iterable[int]) -> dict[int, int]:
        """Digest -> standing, of those links that are known."""
        if first in self.later:
            self._set_now(first)
        some = list(digests)
        standings = self._stand(first, some)
        return {digest: stands for digest, stands in zip(some, standings, strict=True) if stands != UNKNOWN}

    def meet(self, firsts: Sequence[int], paths: Sequence[Collection[str]]) -> tuple[list[int], list[int]]:
        """The digests of paths, some of each domain, and the standing of each."""
        for first in self.later.keys() & firsts if self.later else ():
            self._set_now(first)
        digests, standings = self.shelves.meet(firsts, paths)
        if ELSEWHERE in standings:
            end = 0
            for first, some in zip(firsts, paths, strict=True):
                begin, end = end, end + len(some)
                if ELSEWHERE in standings[begin:end]:
                    standings[begin:end] = self._stand(first, digests[begin:end])
        return digests, standings

    def _stand(self, first: int, digests: Sequence[int]) -> list[int]:
        """The standings of links; reads the leaves that are not in memory."""
        standings = self.shelves.stand(first, digests)
        if ELSEWHERE not in standings:
            return standings
        asked = zip(digests, standings, strict=True)
        end = 0
        for digest in sorted([digest for digest, stands in asked if stands == ELSEWHERE]):
            if digest >= end:  # where the leaf before ends
                end = self._read(first, digest)
        return self.shelves.stand(first, digests)

    def set_later(self, first: int, digest: int, standing: int) -> None:
        """Do what `set` does, but put off the change of the leaf until the domain's leaves are needed."""
        later = self.later.get(first)
        if later is None:
            later = self.later[first] = {}
        later[digest] = standing

    def _set_now(self, first: int) -> None:
        alike: dict[int, list[int]] = {}
        for digest, standing in self.later.pop(first).items():
            alike.setdefault(standing, []).append(digest)
        for standing, digests in alike.items():
            self.set_some(first, digests, standing)

    def set(self, first: int, digest: int, standing: int) -> None:
        self.set_some(first, [digest], standing)

    def set_some(self, first: int, digests: Sequence[int], standing: int) -> None:
        if first in self.later:
            self._set_now(first)
        done = self.shelves.set_some(first, digests, standing)
        if done < len(digests):
            rest = digests[done:]
            self._stand(first, rest)
            self.shelves.set_some(first, rest, standing)

    def remove(self, first: int, digests: Sequence[int]) -> None:
        if first in self.later:
            self._set_now(first)
        done = self.shelves.remove_some(first, digests)
        if done < len(digests):
            rest = digests[done:]
            self._stand(first, rest)
            self.shelves.remove_some(first, rest)

    def flush(self) -> None:
        """Write down what has changed; a commit makes it last."""
        for first in sorted(self.later):
            self._set_now(first)
        self.connection.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", self.shelves.write_changed())
        self.shelves.tidy(self.most_leaves)

    def _read(self, first: int, digest: int) -> int:
        """Take the leaf of this digest into memory, and return where it ends."""
        row = self.connection.execute(
            "SELECT key, links FROM seen WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1",
            (first, first + digest),
        ).fetchone()
        if row is None and self._has_any(first):
            raise Damaged(f"{UNREADABLE}: there is a gap behind key {first}")
        key, links = row or (first, encode_leaf(empty_leaf()))
        end = self.shelves.put(first, key - first, links)
        if digest >= end:
            raise Damaged(f"{UNREADABLE}: there is a gap behind key {key}")
        return end

    def _has_any(self, first: int) -> bool:
        question = "SELECT 1 FROM seen WHERE key BETWEEN ? AND ? LIMIT 1"
        return self.connection.execute(question, (first, first + DIGESTS - 1)).fetchone() is not None
