"""Edge: the lanes on disk, each of them packs (store/packs.py) with rising numbers.

Requests that arrive together are written as a pack of their own, however small: to open the last pack and
write it again would cost more than all else. Several small packs at the end of a lane become one.

Requests that are taken from the front are only noted, and their packs changed when all rows are written.
Requests that will be taken soon may be read *ahead*, when there is time for it. `pull` then finds them as if
it had read them itself. Any change of their packs in between makes the lane forget what was read ahead.
"""

import sqlite3
from collections import OrderedDict
from itertools import product
from typing import NamedTuple

from txtr.errors import UserMistake
from txtr.frontier.ranks import RANKS
from txtr.store.keys import MOST_DOORS, first_pack, last_pack
from txtr.store.packs import Front, Group, Portion, count_requests, cut_groups, pack, split_groups, unpack

SCHEMA = """
CREATE TABLE packs (
    number INTEGER PRIMARY KEY, size INTEGER NOT NULL, taken INTEGER NOT NULL, requests BLOB NOT NULL
);
"""
MOST_IN_PACK = 64  # requests in one row: enough to be compressed well, few enough to be unpacked for one
SMALL_PACKS = 3  # at the end of a lane, besides the one that arrives, before they are made one
TAIL_PACKS = 2 * SMALL_PACKS  # packs at the end of a lane that are remembered
MOST_TAILS = 20_000  # lanes whose ends are remembered, 600 bytes each; then all are forgotten
MOST_AHEAD = 10_000  # lanes that are read ahead, 4 kB each; the oldest are forgotten then


class Tail(NamedTuple):
    """The last packs of a lane."""

    packs: list[tuple[int, int]]  # number, and how many requests are left in it
    is_whole: bool  # are they all?


class Lanes:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.arrived: list[tuple[int, int, int, bytes]] = []  # rows to be written
        self.fronts: dict[
            int, Front
        ] = {}  # of lanes that something was pulled from: their first number -> front
        self.emptied: list[tuple[int]] = []  # numbers of packs
        self.tails: dict[
            int, Tail
        ] = {}  # a lane's first number -> its end, if no request was taken from it since
        self.ahead: OrderedDict[int, Portion] = OrderedDict()  # a lane's first number -> what was read ahead

    def append(self, domain: int, of_rank: int, door: int, groups: list[Group]) -> None:
        """Put requests at the end of a lane, each lane once between two calls of `flush`."""
        self._write_fronts()
        first, last = first_pack(domain, of_rank, door), last_pack(domain, of_rank, door)
        tail = self.tails.pop(first, None) or self._tail(first, last)
        at = tail.packs[-1][0] + 1 if tail.packs else first
        small = tail.packs[-SMALL_PACKS:]
        if (
            len(small) == SMALL_PACKS
            and sum([left for _, left in small]) + count_requests(groups) <= MOST_IN_PACK
        ):
            at = small[0][0]
            groups = self._take_out(at, last) + groups
            del tail.packs[-SMALL_PACKS:]
            self._forget(first)
        if at + count_requests(groups) // MOST_IN_PACK >= last:
            at = self._move_up(first, last)
            tail = Tail([], is_whole=False)
            self._forget(first)
        for number, some in enumerate(split_groups(groups, MOST_IN_PACK), at):
            self.arrived.append((number, count_requests(some), 0, pack(some)))
            tail.packs.append((number, count_requests(some)))
        self._remember(first, tail)

    def _tail(self, first: int, last: int) -> Tail:
        rows = self.connection.execute(
            "SELECT number, size - taken FROM packs WHERE number BETWEEN ? AND ?"
            " ORDER BY number DESC LIMIT ?",
            (first, last, TAIL_PACKS),
        ).fetchall()
        return Tail(rows[::-1], is_whole=len(rows) < TAIL_PACKS)

    def _remember(self, first: int, tail: Tail) -> None:
        """Remember what the next `append` needs: a whole lane, or its last packs."""
        if len(tail.packs) > TAIL_PACKS:
            tail = Tail(tail.packs[-TAIL_PACKS:], is_whole=False)
        if tail.is_whole or len(tail.packs) >= SMALL_PACKS:
            if len(self.tails) == MOST_TAILS:
                self.tails.clear()
            self.tails[first] = tail

    def _move_up(self, first: int, last: int) -> int:
        """Renumber a lane that has come to its last number, from its first one on; return where it ends then.

        This happens after some ten million requests of a lane that was never empty, and takes a second."""
        begin, end = self.connection.execute(
            "SELECT min(number), max(number) FROM packs WHERE number BETWEEN ? AND ?", (first, last)
        ).fetchone()
        if begin == first:
            raise UserMistake("one domain has more requests in one lane than there are numbers for")
        self.connection.execute(
            "UPDATE packs SET number = number - ? WHERE number BETWEEN ? AND ?", (begin - first, first, last)
        )
        return int(end - begin + first + 1)

    def flush(self) -> None:
        """Write down what was appended and pulled."""
        self._write_fronts()
        self.write_arrived()

    def write_arrived(self) -> None:
        if self.arrived:
            self.connection.executemany("INSERT INTO packs VALUES (?, ?, ?, ?)", self.arrived)
            self.arrived.clear()

    def _write_fronts(self) -> None:
        if self.fronts:
            taken = [(taken, number) for number, taken in self.fronts.values() if taken]
            self.connection.executemany("DELETE FROM packs WHERE number = ?", sorted(self.emptied))
            self.connection.executemany("UPDATE packs SET taken = ? WHERE number = ?", taken)
            self.fronts.clear()
            self.emptied.clear()

    def pull(self, domain: int, of_rank: int, door: int, most: int) -> list[Group]:
        """Take requests from the front of a lane, `most` of them if it has so many."""
        first = first_pack(domain, of_rank, door)
        portion = self.ahead.get(first)
        if portion is None or portion.most != most:
            portion = self._read(first, last_pack(domain, of_rank, door), most)
        self.take(portion)
        return portion.groups

    def look_ahead(self, domain: int, of_rank: int, door: int, most: int) -> Portion | None:
        """The requests that `pull` would take now; None if there are fewer than `most`."""
        first = first_pack(domain, of_rank, door)
        portion = self._read(first, last_pack(domain, of_rank, door), most)
        if count_requests(portion.groups) < most:
            return None  # more may arrive until then
        self._forget(first)
        if len(self.ahead) >= MOST_AHEAD:
            self._forget(next(iter(self.ahead)))
        self.ahead[first] = portion
        portion.is_ahead = True
        return portion

    def _forget(self, first: int) -> None:
        """Forget what was read ahead of this lane, which is changed now."""
        portion = self.ahead.pop(first, None)
        if portion is not None:
            portion.is_ahead = False

    def take(self, portion: Portion) -> None:
        """Take a portion from the front of its lane."""
        self._forget(portion.first)
        self.tails.pop(portion.first, None)
        self.fronts[portion.first] = portion.front
        self.emptied += portion.emptied

    def _read(self, first: int, last: int, most: int) -> Portion:
        front, before = self.fronts.get(first, (first, 0))
        groups: list[Group] = []
        emptied: list[tuple[int]] = []
        rows = self.connection.execute(
            "SELECT number, size, taken, requests FROM packs WHERE number BETWEEN ? AND ? ORDER BY number",
            (front, last),
        )
        left, at = most, (front, before)
        for number, end, taken, data in rows:
            begin = before if number == front and before else taken
            requests = unpack(data)
            if begin + left < end:
                groups += cut_groups(requests, begin, begin + left)
                at = (number, begin + left)
                break
            groups += cut_groups(requests, begin, end) if begin else requests
            emptied.append((number,))
            left, at = left - (end - begin), (number + 1, 0)
            if not left:
                break
        return Portion(first, most, groups, at, emptied)

    def clear(self, domain: int, doors: int) -> None:
        """Delete all requests that are queued for a domain with so many doors."""
        self._write_fronts()
        for of_rank, door in product(RANKS, range(doors)):
            first = first_pack(domain, of_rank, door)
            self._forget(first)
            self.tails.pop(first, None)
        lanes = first_pack(domain, 0, 0), last_pack(domain, RANKS[-1], MOST_DOORS - 1)
        self.connection.execute("DELETE FROM packs WHERE number BETWEEN ? AND ?", lanes)

    def _take_out(self, first: int, last: int) -> list[Group]:
        rows = self.connection.execute(
            "SELECT taken, size, requests FROM packs WHERE number BETWEEN ? AND ? ORDER BY number",
            (first, last),
        ).fetchall()
        self.connection.execute("DELETE FROM packs WHERE number BETWEEN ? AND ?", (first, last))
        return [group for taken, end, data in rows for group in cut_groups(unpack(data), taken, end)]
