"""Edge: the lanes on disk, each a row of packs (packs.py) with rising numbers.

What arrives together is written as a pack of its own, however small: to open the last one and write it
again would cost more than all else. When several small ones stand at the end of a lane they are made one.
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

    def append(self, domain: int, of_rank: int, door: int, groups: list[Group]) -> None:
        """Put requests at the end of a lane; of each lane once between two calls of `flush`."""
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
        """Write down what was appended."""
        if self.arrived:
            self.connection.executemany("INSERT INTO packs VALUES (?, ?, ?, ?)", self.arrived)
            self.arrived.clear()

    def pull(self, domain: int, of_rank: int, door: int, most: int) -> list[Group]:
        """Take requests from the front of a lane: some, as many as are in its first pack at most."""
        row = self.connection.execute(
            "SELECT number, size, taken, requests FROM packs WHERE number BETWEEN ? AND ?"
            " ORDER BY number LIMIT 1",
            (first_pack(domain, of_rank, door), last_pack(domain, of_rank, door)),
        ).fetchone()
        if row is None:
            return []
        number, requests, taken, data = row
        if taken + most < requests:
            self.connection.execute("UPDATE packs SET taken = ? WHERE number = ?", (taken + most, number))
        else:
            self.connection.execute("DELETE FROM packs WHERE number = ?", (number,))
        groups = unpack(data)
        return cut(groups, taken, taken + most) if taken or most < requests else groups

    def clear(self, domain: int) -> None:
        """Forget whatever is queued for a domain."""
        lanes = first_pack(domain, 0, 0), last_pack(domain, RANKS[-1], MOST_DOORS - 1)
        self.connection.execute("DELETE FROM packs WHERE number BETWEEN ? AND ?", lanes)

    def _take_out(self, first: int, last: int) -> list[Group]:
        rows = self.connection.execute(
            "SELECT taken, size, requests FROM packs WHERE number BETWEEN ? AND ? ORDER BY number",
            (first, last),
        ).fetchall()
        self.connection.execute("DELETE FROM packs WHERE number BETWEEN ? AND ?", (first, last))
        return [group for taken, end, data in rows for group in cut(unpack(data), taken, end)]
