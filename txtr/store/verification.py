"""Edge: the consistency check of a state, and the repair of what can be counted anew.

First SQLite checks its own file, and we check that the journal goes on where the database ends. Then the
check goes through the domains:

- the standings of a domain can be read, and are in their order;
- every request in a pack or a lease has a standing that says queued (the packs of a *doubled* domain may hold
  old requests, see store/queue.py);
- every link whose standing says queued is in exactly one pack or lease;
- the counts by door and rank, by domain and in all are right;
- every link that is settled has a document of the same fate, and every document belongs to such a link;
- a domain that has leases takes part in a series.

Last, no row belongs to a domain that does not exist.

Invariant: only one portion is in memory, however long the queue. The standings of a domain are laid out in a
table on disk. Packs and standings have the same links if the number of links and the sums of their keys are
the same. Only where these differ, and in doubled domains, the keys themselves are compared, in another table.

A repair sets counts right, and forgets the standings of links that are queued nowhere, so that these links
can be found again. All else needs a copy of the state.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from txtr.errors import Damaged, UserMistake
from txtr.frontier.permits import Door
from txtr.frontier.ranks import RANKS
from txtr.frontier.records import FATES
from txtr.model import Figures
from txtr.store.database import GENERATION, explain_trouble
from txtr.store.journal import Journal, explain_rollback
from txtr.store.keys import (
    DIGEST_BITS,
    MOST_DOORS,
    SERIAL_BITS,
    digest,
    first_key,
    first_pack,
    last_key,
    last_pack,
)
from txtr.store.leaf import DIGESTS, decode_leaf
from txtr.store.packs import Group, count_requests, cut_groups, each_request, unpack
from txtr.store.seen import Seen
from txtr.store.values import About, Backlog, Running, decode, read_backlog
from txtr.urls import door

PACKS_AT_ONCE = 32  # read at once
LEAVES_AT_ONCE = 200  # likewise
DOMAINS_AT_ONCE = 1000  # likewise
STANDINGS_AT_ONCE = 500  # asked for in one query
MOST_FAULTS = 100  # of the file, as SQLite names them

_KEYS = "count(*), total(key & 0xFFFFF), total(key >> 20 & 0x3FFFF)"  # the sums of both halves of the digests


@dataclass(slots=True)
class Sum:
    """How many keys there are, and the sums of both halves of their digests."""

    count: int = 0
    low: int = 0
    high: int = 0

    def add(self, its_key: int) -> None:
        self.count += 1
        self.low += its_key & 0xFFFFF
        self.high += its_key >> 20 & 0x3FFFF


@dataclass(slots=True)
class Tally:
    """What is counted anew, over all domains."""

    queued: int = 0
    parked: int = 0
    fates: Counter[str] = field(default_factory=Counter)
    domains: int = 0
    links: int = 0
    requests: int = 0  # in packs and leases


class Verification:
    def __init__(self, connection: sqlite3.Connection, path: Path, is_repairing: bool = False) -> None:
        self.connection = connection
        self.path = path
        self.is_repairing = is_repairing
        self.tally = Tally()
        self.in_series: set[str] = set()  # domains that take part in a series
        self.countable = 0  # faults that a repair mends, or has mended

    def faults(self) -> Iterator[str]:
        """What is wrong, a line for each fault. Repairs it too, if that is wanted and possible."""
        newest = Journal(self.path.parent).newest()  # read first: a crawl may go on meanwhile
        is_sound = True
        for fault in self._file():
            is_sound = False
            yield fault
        if not is_sound:
            return  # all other faults would only follow from that
        yield from self._commits(newest)
        yield from self._addresses()
        for number, name, queued, backlog, about in self._domains():
            self.tally.domains += 1
            yield from (f"{name}: {fault}" for fault in self._domain(number, name, queued, backlog, about))
        yield from self._strays()
        yield from self._totals()

    # --- the file

    def _file(self) -> Iterator[str]:
        try:
            for (said,) in self.connection.execute(f"PRAGMA integrity_check({MOST_FAULTS})"):
                if said != "ok":
                    yield f"{self.path}: {said}"
        except sqlite3.DatabaseError as error:
            yield explain_trouble(self.path, error)

    # --- addresses, and the small tables

    def _commits(self, newest: int) -> Iterator[str]:
        row = self.connection.execute("SELECT number FROM counters WHERE name = ?", (GENERATION,)).fetchone()
        if row is not None and newest > row[0]:
            yield f"{self.path.name} {explain_rollback(newest - row[0])}"

    def _addresses(self) -> Iterator[str]:
        for address, since, data in self._rows("SELECT address, since, series FROM addresses"):
            if (since is None) == (data is None):
                yield f"address {address}: neither resting nor active, or both"
            elif data is not None:
                running = _read_or_none(decode, data, Running)
                if running is None:
                    yield f"address {address}: its series cannot be read"
                else:
                    self.in_series.update(running.left)
        for name, data in self._rows("SELECT name, figures FROM abandoned"):
            if _read_or_none(decode, data, Figures) is None:
                yield f"{name}: its figures cannot be read"

    # --- one domain

    def _domains(self) -> Iterator[tuple[int, str, int, bytes | None, bytes | None]]:
        last = 0
        question = "SELECT id, name, queued, backlog, about FROM domains WHERE id > ? ORDER BY id LIMIT ?"
        while rows := self._rows(question, last, DOMAINS_AT_ONCE):
            last = rows[-1][0]
            yield from rows

    def _domain(
        self, number: int, name: str, queued: int, data: bytes | None, about: bytes | None
    ) -> Iterator[str]:
        if about is not None and _read_or_none(decode, about, About) is None:
            yield "what is known of it cannot be read"
        for behind, rules in self._rows("SELECT door, about FROM doors WHERE domain = ?", number):
            if _read_or_none(decode, rules, Door) is None:
                yield f"the rules of door {behind!r} cannot be read"
        backlog = _read_or_none(read_backlog, data, name)
        if backlog is None:
            yield "what is queued for it cannot be read"
            return
        check = _Domain(self, number, backlog)
        yield from check.faults(name in self.in_series)
        counted = sum(map(sum, check.numbers.values()))
        if check.is_readable and (check.numbers != backlog.numbers or queued != counted):
            before = sum(map(sum, backlog.numbers.values()))
            yield f"{before} requests are counted (in all {queued}), {counted} are there{self._mended()}"
            if self.is_repairing:
                self._recount(number, backlog, check.numbers)
        self._add(backlog, check.numbers if self.is_repairing else backlog.numbers)

    def _recount(self, number: int, backlog: Backlog, numbers: dict[str, list[int]]) -> None:
        backlog.numbers = numbers
        self.connection.execute(
            "UPDATE domains SET queued = ?, backlog = ? WHERE id = ?",
            (sum(map(sum, numbers.values())), msgspec.msgpack.encode(backlog), number),
        )

    def _add(self, backlog: Backlog, numbers: dict[str, list[int]]) -> None:
        for behind, counts in numbers.items():
            if backlog.is_parked or behind in backlog.parked_doors:
                self.tally.parked += sum(counts)
            else:
                self.tally.queued += sum(counts)

    # --- all of them

    def _strays(self) -> Iterator[str]:
        """Rows that belong to no domain: after the last one, or in a gap between two numbers."""
        for first, last in self._gaps():
            for table, column in (
                ("seen", "key"),
                ("documents", "key"),
                ("packs", "number"),
                ("leases", "number"),
            ):
                question = f"SELECT count(*) FROM {table} WHERE {column} BETWEEN ? AND ?"
                ((count,),) = self._rows(question, first, last)
                if count:
                    yield f"{count} rows of the table {table} belong to no domain"
        ((count,),) = self._rows("SELECT count(*) FROM doors WHERE domain NOT IN (SELECT id FROM domains)")
        if count:
            yield f"{count} doors belong to no domain"

    def _gaps(self) -> Iterator[tuple[int, int]]:
        last = 0
        question = "SELECT id FROM domains WHERE id > ? ORDER BY id LIMIT ?"
        while rows := self._rows(question, last, DOMAINS_AT_ONCE):
            for (number,) in rows:
                if number > last + 1:
                    yield first_key(last + 1), last_key(number - 1)
                last = number
        yield first_key(last + 1), (1 << 63) - 1

    def _totals(self) -> Iterator[str]:
        kept = dict(self._rows("SELECT name, number FROM totals"))
        found = {"queued": self.tally.queued, "parked": self.tally.parked, **self.tally.fates}
        for name in sorted({*kept, *found}):
            before, now = kept.get(name, 0), found.get(name, 0)
            if before != now:
                yield f"in all {before} are counted as {name}, {now} are{self._mended()}"
                if self.is_repairing:
                    row = (name, now)
                    self.connection.execute("INSERT OR REPLACE INTO totals VALUES (?, ?)", row)

    def _mended(self) -> str:
        self.countable += 1
        return ": repaired" if self.is_repairing else ""

    def _rows(self, question: str, *given: object) -> list[Any]:
        try:
            return self.connection.execute(question, given).fetchall()
        except sqlite3.DatabaseError as error:
            raise UserMistake(explain_trouble(self.path, error)) from error


class _Domain:
    """The links of one domain."""

    def __init__(self, whole: Verification, number: int, backlog: Backlog) -> None:
        self.whole = whole
        self.rows = whole._rows
        self.number = number
        self.backlog = backlog
        self.first, self.last = first_key(number), last_key(number)
        self.leased: dict[str, int] = {}  # path -> key
        self.numbers: dict[str, list[int]] = {}  # as in the backlog, counted anew
        self.found = Sum()  # requests that are to be fetched, in packs and leases
        self.is_readable = True

    def faults(self, is_in_series: bool) -> Iterator[str]:
        yield from self._stands()
        if not self.is_readable:
            return
        yield from self._leases(is_in_series)
        yield from self._packs()
        yield from self._queued()
        yield from self._settled()

    def _stands(self) -> Iterator[str]:
        """Lay out the standings in a table."""
        execute = self.whole.connection.execute
        execute("CREATE TEMP TABLE IF NOT EXISTS stood (key INTEGER PRIMARY KEY, standing INTEGER NOT NULL)")
        execute("DELETE FROM stood")
        end = 0
        for its_key, data in self._leaf_rows():
            leaf = _read_or_none(decode_leaf, its_key - self.first, data)
            if leaf is None or leaf.begin != end:
                self.is_readable = False
                yield f"how its links stand cannot be read, or is not in order (row {its_key})"
                return
            end = leaf.end
            rows = [(self.first + its_digest, stands) for its_digest, stands in leaf]
            self.whole.connection.executemany("INSERT INTO stood VALUES (?, ?)", rows)
        if end not in (0, DIGESTS):  # 0: no links; else the last leaf must end where digests do
            self.is_readable = False
            yield f"how its links stand cannot be read: there is nothing behind {end:x}"

    def _leaf_rows(self) -> Iterator[tuple[int, bytes]]:
        last = self.first - 1
        question = "SELECT key, links FROM seen WHERE key > ? AND key <= ? ORDER BY key LIMIT ?"
        while rows := self.rows(question, last, self.last, LEAVES_AT_ONCE):
            last = rows[-1][0]
            yield from rows

    def _leases(self, is_in_series: bool) -> Iterator[str]:
        for (data,) in self.rows(
            "SELECT requests FROM leases WHERE number BETWEEN ? AND ?", self.first, self.last
        ):
            groups = _read_or_none(unpack, data)
            if groups is None:
                yield "leases cannot be read"
                continue
            for path, its_key, stands in self._standings(groups):
                if stands is None:
                    yield f"{path} is leased, but was never seen"
                elif path in self.leased:
                    yield f"{path} is leased twice"
                elif not stands >> 8 & 15:
                    self.leased[path] = its_key
                    self.found.add(its_key)
        self.whole.tally.requests += len(self.leased)
        if self.leased and not is_in_series:
            yield f"{len(self.leased)} requests are leased, but no series is running"

    def _packs(self) -> Iterator[str]:
        if self.backlog.is_doubled:
            self._lay_out(self.leased.values())
        for number, total, taken, data in self._pack_rows():
            groups = _read_or_none(unpack, data)
            if groups is None or count_requests(groups) != total or taken >= total:
                self.is_readable = False
                yield f"pack {number} cannot be read, or is not as large as it should be"
            else:
                yield from self._pack(number, cut_groups(groups, taken, total))

    def _pack_rows(self) -> Iterator[tuple[int, int, int, bytes]]:
        last, end = first_pack(self.number, 0, 0) - 1, last_pack(self.number, RANKS[-1], MOST_DOORS - 1)
        question = (
            "SELECT number, size, taken, requests FROM packs WHERE number > ? AND number <= ?"
            " ORDER BY number LIMIT ?"
        )
        while rows := self.rows(question, last, end, PACKS_AT_ONCE):
            last = rows[-1][0]
            yield from rows

    def _pack(self, number: int, groups: list[Group]) -> Iterator[str]:
        lane = number - first_pack(self.number, 0, 0) >> SERIAL_BITS
        of_rank, place = divmod(lane, MOST_DOORS)
        is_doubled = self.backlog.is_doubled
        for path, its_key, stands in self._standings(groups):
            if stands is None:
                if not is_doubled:  # else it was settled or moved, then forgotten
                    yield f"{path} is queued, but was never seen"
                continue
            behind = door(path)
            if self.backlog.doors[place : place + 1] != [behind]:
                yield f"{path} is queued behind another door"
            is_live = stands >> 8 & 63 == of_rank << 4 and path not in self.leased
            if is_live and (not is_doubled or self._is_first(its_key)):
                self.numbers.setdefault(behind, [0] * len(RANKS))[of_rank] += 1
                self.found.add(its_key)
            elif not is_doubled:
                yield f"{path} is queued, but also leased, settled or queued elsewhere"

    def _queued(self) -> Iterator[str]:
        """The links with a standing that says queued are those in packs and leases."""
        question = f"SELECT {_KEYS} FROM stood WHERE standing & 0xF00 = 0"
        wanted = Sum(*map(int, self.rows(question)[0]))
        self.whole.tally.requests += self.found.count - len(self.leased)
        if wanted == self.found or not self.is_readable:
            return
        lost, twice = self._compare()
        if lost:
            yield f"{lost} links are to be fetched, but are in no pack and no batch{self._forget_lost()}"
        if twice:
            yield f"{twice} links are queued twice"

    def _compare(self) -> tuple[int, int]:
        """How many links are queued nowhere, and how many twice. Counted on disk, as they may be many."""
        twice = 0
        if not self.backlog.is_doubled:  # else the keys are laid out already
            self._lay_out(self.leased.values())
            twice = sum(not self._is_first(its_key) for its_key in self._live_keys())
        ((lost,),) = self.rows(f"SELECT count(*) FROM stood WHERE {_LOST}")
        return lost, twice

    def _lay_out(self, keys: Iterable[int]) -> None:
        """Begin the table of keys that were met."""
        execute = self.whole.connection.execute
        execute("CREATE TEMP TABLE IF NOT EXISTS met (key INTEGER PRIMARY KEY)")
        execute("DELETE FROM met")
        for its_key in keys:
            self._is_first(its_key)

    def _is_first(self, its_key: int) -> bool:
        """Is this key met for the first time?"""
        return bool(
            self.whole.connection.execute("INSERT OR IGNORE INTO met VALUES (?)", (its_key,)).rowcount
        )

    def _live_keys(self) -> Iterator[int]:
        """The keys of requests in packs that are to be fetched."""
        for number, total, taken, data in self._pack_rows():
            of_rank = (number - first_pack(self.number, 0, 0) >> SERIAL_BITS) // MOST_DOORS
            for path, its_key, stands in self._standings(cut_groups(unpack(data), taken, total)):
                if stands is not None and stands >> 8 & 63 == of_rank << 4 and path not in self.leased:
                    yield its_key

    def _forget_lost(self) -> str:
        if self.whole.is_repairing:
            lost = self.rows(f"SELECT key FROM stood WHERE {_LOST}")
            seen = Seen(self.whole.connection)
            seen.remove(self.first, [its_key - self.first for (its_key,) in lost])
            seen.flush()
        mended = self.whole._mended()
        return f"{mended}, they may be found again" if mended else ""

    def _settled(self) -> Iterator[str]:
        ends = self.first, self.last
        fates = self.rows("SELECT standing >> 8 & 15, count(*) FROM stood GROUP BY 1")
        for fate, count in fates:
            self.whole.tally.links += count
            if fate >= len(FATES):
                yield f"{count} links have an unknown fate"
            elif fate:
                self.whole.tally.fates[FATES[fate]] += count
        ((unsettled,),) = self.rows(
            "SELECT count(*) FROM documents LEFT JOIN stood USING (key) WHERE documents.key BETWEEN ? AND ?"
            " AND (stood.key IS NULL OR standing >> 8 & 15 != fate)",
            *ends,
        )
        if unsettled:
            yield f"{unsettled} documents are not settled, or with another fate"
        ((missing,),) = self.rows(
            "SELECT count(*) FROM stood LEFT JOIN documents USING (key)"
            " WHERE standing & 0xF00 != 0 AND documents.key IS NULL",
        )
        if missing:
            yield f"{missing} links are settled, but have no document"
        yield from self._misplaced()

    def _misplaced(self) -> Iterator[str]:
        """Documents with another key than that of their path."""
        last, count = self.first - 1, 0
        question = "SELECT key, path FROM documents WHERE key > ? AND key <= ? ORDER BY key LIMIT ?"
        while rows := self.rows(question, last, self.last, DOMAINS_AT_ONCE):
            last = rows[-1][0]
            count += sum(its_key != self.first + digest(path) for its_key, path in rows)
        if count:
            yield f"{count} documents are in the wrong place"

    def _standings(self, groups: list[Group]) -> Iterator[tuple[str, int, int | None]]:
        """Path, key and standing of each request."""
        every = [path for path, _ in each_request(groups)]
        for begin in range(0, len(every), STANDINGS_AT_ONCE):
            paths = every[begin : begin + STANDINGS_AT_ONCE]
            keys = [self.first + digest(path) for path in paths]
            marks = ",".join("?" * len(keys))
            stands = dict(self.rows(f"SELECT key, standing FROM stood WHERE key IN ({marks})", *keys))
            yield from (
                (path, its_key, stands.get(its_key)) for path, its_key in zip(paths, keys, strict=True)
            )


def _read_or_none(read: Callable[..., Any], *given: object) -> Any:
    """What `read` makes of it; None if it is damaged."""
    try:
        return read(*given)
    except Damaged:
        return None


_LOST = "standing & 0xF00 = 0 AND key NOT IN (SELECT key FROM met)"

assert DIGEST_BITS == 38  # of which _KEYS adds up 20 and 18
