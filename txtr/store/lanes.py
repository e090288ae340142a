"""Edge: the lanes on disk, each a row of packs (store/packs.py) with rising numbers.

What arrives together is written as a pack of its own, however small: to open the last one and write it
again would cost more than all else. When several small ones stand at the end of a lane they are made one.

What is taken from the front is only noted, and written with everything else. What will be taken soon may be
read *ahead*, when there is time for it: it is as if `pull` had read it then, and whatever changes those packs
in between has it forgotten.
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
MOST_TAILS = 20_000  # lanes whose ends are, each some 600 bytes; then all are forgotten
MOST_AHEAD = 10_000  # lanes that something is read ahead of, each some 4 kB; those read first are forgotten


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
        ] = {}  # a lane's first number -> its end, if nobody has taken from it since
        self.ahead: OrderedDict[int, Portion] = OrderedDict()  # a lane's first number -> what was read ahead

    def append(self, domain: int, of_rank: int, door: int, groups: list[Group]) -> None:
        """Put requests at the end of a lane; of each lane once between two calls of `flush`."""
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
        """What is enough to append again: a whole lane, or its last packs."""
        if len(tail.packs) > TAIL_PACKS:
            tail = Tail(tail.packs[-TAIL_PACKS:], is_whole=False)
        if tail.is_whole or len(tail.packs) >= SMALL_PACKS:
            if len(self.tails) == MOST_TAILS:
                self.tails.clear()
            self.tails[first] = tail

    def _move_up(self, first: int, last: int) -> int:
        """A lane that was never empty has come to its last number, and begins anew; where it ends then.

        After some ten million requests of one domain: then it takes a second."""
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
        """Take requests from the front of a lane: so many, if it has them."""
        first = first_pack(domain, of_rank, door)
        portion = self.ahead.get(first)
        if portion is None or portion.most != most:
            portion = self._read(first, last_pack(domain, of_rank, door), most)
        self.take(portion)
        return portion.groups

    def look_ahead(self, domain: int, of_rank: int, door: int, most: int) -> Portion | None:
        """What `pull` would take now, if there are so many."""
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
        """What was read ahead of this lane may be another now."""
        portion = self.ahead.pop(first, None)
        if portion is not None:
            portion.is_ahead = False

    def take(self, portion: Portion) -> None:
        """Take what `pull` would."""
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
        """Forget whatever is queued for a domain, behind so many doors."""
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
