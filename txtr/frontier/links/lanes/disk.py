"""Edge: the lanes on disk, each a row of packs (packs.py) with rising numbers.

What arrives together is written as a pack of its own, however small: to open the last one and write it
again would cost more than all else. When several small ones stand at the end of a lane they are made one.

What is taken from the front is only noted, and written with everything else.
"""

import sqlite3

from txtr.errors import UserMistake
from txtr.frontier.links.keys import MOST_DOORS, first_pack, last_pack
from txtr.frontier.links.packs import Group, cut, pack, portions, size, unpack
from txtr.frontier.ranks import RANKS

SCHEMA = """
CREATE TABLE packs (
    number INTEGER PRIMARY KEY, size INTEGER NOT NULL, taken INTEGER NOT NULL, requests BLOB NOT NULL
);
"""
PACK = 64  # requests in one row: enough to be compressed well, few enough to be unpacked for one
SMALL_ONES = 3  # at the end of a lane, besides the one that arrives, before they are made one


class Lanes:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.arrived: list[tuple[int, int, int, bytes]] = []  # rows to be written
        # What was pulled since: a lane's first number -> where it begins now, and how many are taken there.
        self.fronts: dict[int, tuple[int, int]] = {}
        self.emptied: list[tuple[int]] = []  # numbers of packs

    def append(self, domain: int, of_rank: int, door: int, groups: list[Group]) -> None:
        """Put requests at the end of a lane; of each lane once between two calls of `flush`."""
        self._write_fronts()
        first, last = first_pack(domain, of_rank, door), last_pack(domain, of_rank, door)
        rows = self.connection.execute(
            "SELECT number, size - taken FROM packs WHERE number BETWEEN ? AND ?"
            " ORDER BY number DESC LIMIT ?",
            (first, last, SMALL_ONES),
        ).fetchall()
        at = rows[0][0] + 1 if rows else first
        if len(rows) == SMALL_ONES and sum(left for _, left in rows) + size(groups) <= PACK:
            at = rows[-1][0]
            groups = self._take_out(at, last) + groups
        if at + size(groups) // PACK >= last:
            at = self._move_up(first, last)
        for number, some in enumerate(portions(groups, PACK)):
            self.arrived.append((at + number, size(some), 0, pack(some)))

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
        first, last = first_pack(domain, of_rank, door), last_pack(domain, of_rank, door)
        front, before = self.fronts.get(first, (first, 0))
        pulled: list[Group] = []
        rows = self.connection.execute(
            "SELECT number, size, taken, requests FROM packs WHERE number BETWEEN ? AND ? ORDER BY number",
            (front, last),
        )
        for number, end, taken, data in rows:
            begin = before if number == front and before else taken
            groups = unpack(data)
            if begin + most < end:
                self.fronts[first] = (number, begin + most)
                pulled += cut(groups, begin, begin + most)
                break
            self.fronts[first] = (number + 1, 0)
            self.emptied.append((number,))
            pulled += cut(groups, begin, end) if begin else groups
            most -= end - begin
            if not most:
                break
        return pulled

    def clear(self, domain: int) -> None:
        """Forget whatever is queued for a domain."""
        self._write_fronts()
        lanes = first_pack(domain, 0, 0), last_pack(domain, RANKS[-1], MOST_DOORS - 1)
        self.connection.execute("DELETE FROM packs WHERE number BETWEEN ? AND ?", lanes)

    def _take_out(self, first: int, last: int) -> list[Group]:
        rows = self.connection.execute(
            "SELECT taken, size, requests FROM packs WHERE number BETWEEN ? AND ? ORDER BY number",
            (first, last),
        ).fetchall()
        self.connection.execute("DELETE FROM packs WHERE number BETWEEN ? AND ?", (first, last))
        return [group for taken, end, data in rows for group in cut(unpack(data), taken, end)]
