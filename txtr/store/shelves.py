"""Shelves: the leaves in memory, those of one domain on one shelf, by where they begin.

A leaf that is not here is *elsewhere*: on disk. A caller that needs such a leaf puts it here and asks again.
Leaves stay until there are too many; then those of domains that were not asked for lately are forgotten.
The same in C is in store/native_shelves.py.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import Protocol

from txtr.store.keys import digest
from txtr.store.leaf import Leaf, decode_leaf, encode_leaf

ELSEWHERE = -2  # in place of the standing of a link whose leaf is not in memory


class HasLeaves(Protocol):
    def stand(self, first: int, digests: Sequence[int]) -> list[int]:
        """The standings of links, given their domain's first key."""


class _Shelf:
    __slots__ = ("begins", "leaves")

    def __init__(self) -> None:
        self.begins: list[int] = []
        self.leaves: list[Leaf] = []


class Shelves:
    def __init__(self) -> None:
        self.latest: dict[int, _Shelf] = {}  # a domain's first key -> its shelf, if asked for lately
        self.older: dict[int, _Shelf] = {}  # the others that are in memory
        self.leaves = 0  # on the latest
        self.changed: dict[int, Leaf] = {}  # key of the row -> leaf, to be written

    def meet(self, firsts: Sequence[int], paths: Sequence[Collection[str]]) -> tuple[list[int], list[int]]:
        """The digests of paths, some of each domain, and their standings, given the domains' first keys."""
        return meet_one_by_one(self, firsts, paths)

    def stand(self, first: int, digests: Sequence[int]) -> list[int]:
        standings: list[int] = []
        leaf = None
        for its_digest in digests:
            if leaf is None or not leaf.begin <= its_digest < leaf.end:  # most domains have only one
                leaf = self._leaf(first, its_digest)
            standings.append(ELSEWHERE if leaf is None else leaf.get(its_digest))
        return standings

    def put(self, first: int, begin: int, row: bytes) -> int:
        """Take a leaf from disk into memory, and return where it ends."""
        leaf = decode_leaf(begin, row)
        self._put(self._shelf(first), leaf)
        return leaf.end

    def set_some(self, first: int, digests: Sequence[int], standing: int) -> int:
        """Set the standing of links, up to the first whose leaf is elsewhere; return how many were set."""
        for at in range(len(digests)):
            leaf = self._leaf(first, digests[at])
            if leaf is None:
                return at
            self.changed[first + leaf.begin] = leaf
            leaf.set(digests[at], standing)
            if leaf.is_full():
                other = leaf.parted()
                self.changed[first + other.begin] = other
                self._put(self._shelf(first), other)
        return len(digests)

    def remove_some(self, first: int, digests: Sequence[int]) -> int:
        """Remove links, as if they were never met; stop and return as `set_some` does."""
        for at in range(len(digests)):
            leaf = self._leaf(first, digests[at])
            if leaf is None:
                return at
            self.changed[first + leaf.begin] = leaf
            leaf.remove(digests[at])
        return len(digests)

    def write_changed(self) -> list[tuple[int, bytes]]:
        """Keys and rows of the leaves that have changed since the last time, in the order of the keys."""
        rows = [(key, encode_leaf(leaf)) for key, leaf in sorted(self.changed.items())]
        self.changed.clear()
        return rows

    def tidy(self, most: int) -> None:
        """Forget shelves that were not used lately, if there are many leaves; call it after a flush."""
        if self.leaves > most // 2:
            self.older = self.latest if self.leaves <= most else {}
            self.latest, self.leaves = {}, 0

    def _leaf(self, first: int, its_digest: int) -> Leaf | None:
        """The leaf whose interval has this digest; None if that leaf is not in memory."""
        shelf = self._shelf(first)
        at = bisect_right(shelf.begins, its_digest) - 1
        return shelf.leaves[at] if at >= 0 and its_digest < shelf.leaves[at].end else None

    def _shelf(self, first: int) -> _Shelf:
        shelf = self.latest.get(first)
        if shelf is None:
            shelf = self.latest[first] = self.older.pop(first) if first in self.older else _Shelf()
            self.leaves += len(shelf.leaves)
        return shelf

    def _put(self, shelf: _Shelf, leaf: Leaf) -> None:
        at = bisect_right(shelf.begins, leaf.begin)
        shelf.begins.insert(at, leaf.begin)
        shelf.leaves.insert(at, leaf)
        self.leaves += 1


def meet_one_by_one(
    shelves: HasLeaves, firsts: Sequence[int], paths: Sequence[Collection[str]]
) -> tuple[list[int], list[int]]:
    """The same as Shelves.meet, with one call of `stand` for each domain."""
    digests: list[int] = []
    standings: list[int] = []
    for first, some in zip(firsts, paths, strict=True):
        met = [digest(path) for path in some]
        digests += met
        standings += shelves.stand(first, met)
    return digests, standings
