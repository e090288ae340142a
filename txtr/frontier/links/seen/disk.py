"""Edge: the seen on disk, a row for each leaf (leaf.py), in the order of domains and digests.

The links of one domain lie side by side: a page links mostly to its own, so whatever its links need is
read at once. Leaves that were read stay in memory until there are too many; then those of domains that
nobody has asked for lately are forgotten, and read again when somebody does.

Invariant: every leaf of a domain begins where the one before ends; together they hold all digests.
"""

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from txtr.frontier.links.seen.leaf import Leaf, empty, read, written

SCHEMA = "CREATE TABLE seen (key INTEGER PRIMARY KEY, links BLOB NOT NULL);"
MOST_LEAVES = 30_000  # in memory: about 90 MB; half of them of domains that were asked for lately


class _Shelf:
    """The leaves of one domain that are in memory, by where they begin."""

    __slots__ = ("begins", "leaves")

    def __init__(self) -> None:
        self.begins: list[int] = []
        self.leaves: list[Leaf] = []


class Seen:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.shelves: dict[int, _Shelf] = {}  # a domain's first key -> its leaves, if asked for lately
        self.older: dict[int, _Shelf] = {}  # the others that are in memory
        self.leaves = 0  # on the shelves that were asked for lately
        self.changed: dict[int, Leaf] = {}  # key of the row -> leaf, to be written
        self.later: dict[
            int, dict[int, int]
        ] = {}  # first key -> digest -> how it stands, not in its leaf yet

    def get(self, first: int, digest: int) -> int | None:
        """How a link stands, given its domain's first key."""
        return self._leaf(first, digest).get(digest)

    def get_some(self, first: int, digests: Iterable[int]) -> dict[int, int]:
        """Of several links at once, as many as are known."""
        found: dict[int, int] = {}
        in_order = sorted(digests)
        while in_order:
            leaf = self._leaf(first, in_order[0])
            if in_order[-1] < leaf.end:  # of most domains this is the only one
                leaf.get_some(in_order, found)
                break
            end = bisect_left(in_order, leaf.end)
            leaf.get_some(in_order[:end], found)
            del in_order[:end]
        return found

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
        leaf = self._leaf(first, digest)
        leaf.set(digest, standing)
        self.changed[first + leaf.begin] = leaf
        if leaf.is_full():
            self._part(first, leaf)

    def set_some(self, first: int, digests: Iterable[int], standing: int) -> None:
        leaf = None
        for digest in sorted(digests):
            if leaf is None or digest >= leaf.end:
                leaf = self._leaf(first, digest)
                self.changed[first + leaf.begin] = leaf
            leaf.set(digest, standing)
            if leaf.is_full():
                self._part(first, leaf)
                leaf = None

    def remove(self, first: int, digests: Iterable[int]) -> None:
        for digest in digests:
            leaf = self._leaf(first, digest)
            leaf.remove(digest)
            self.changed[first + leaf.begin] = leaf

    def flush(self) -> None:
        """Write down what has changed; a commit makes it last."""
        for first in sorted(self.later):
            self._set_now(first)
        rows = [(key, written(leaf)) for key, leaf in sorted(self.changed.items())]
        self.connection.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", rows)
        self.changed.clear()
        if self.leaves > MOST_LEAVES // 2:  # all are written by now
            self.older = self.shelves if self.leaves <= MOST_LEAVES else {}
            self.shelves, self.leaves = {}, 0

    def _leaf(self, first: int, digest: int) -> Leaf:
        """The leaf in which this digest is, or would be."""
        if first in self.later:
            self._set_now(first)
        shelf = self.shelves.get(first)
        if shelf is None:
            shelf = self.shelves[first] = self.older.pop(first) if first in self.older else _Shelf()
            self.leaves += len(shelf.leaves)
        at = bisect_right(shelf.begins, digest) - 1
        if at >= 0 and digest < shelf.leaves[at].end:
            return shelf.leaves[at]
        leaf = self._read(first, digest)
        self._put(shelf, leaf)
        return leaf

    def _read(self, first: int, digest: int) -> Leaf:
        row = self.connection.execute(
            "SELECT key, links FROM seen WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1",
            (first, first + digest),
        ).fetchone()
        return empty() if row is None else read(row[0] - first, row[1])

    def _put(self, shelf: _Shelf, leaf: Leaf) -> None:
        at = bisect_right(shelf.begins, leaf.begin)
        shelf.begins.insert(at, leaf.begin)
        shelf.leaves.insert(at, leaf)
        self.leaves += 1

    def _part(self, first: int, leaf: Leaf) -> None:
        other = leaf.parted()
        self.changed[first + other.begin] = other
        self._put(self.shelves[first], other)
