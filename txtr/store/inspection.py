"""Edge: reads what is in a state; a queuekeeper may be at work on the state meanwhile.

Invariant: nothing is written, and no queuekeeper is delayed. A long table is read in portions, each a
transaction of its own, so that the queuekeeper can go on copying its log into the database. Only one portion
is in memory. What is read is what was last committed.
"""

import contextlib
import heapq
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import astuple

from txtr.config.places import DATABASE_FILE, FIRST_VERSION, WRITE_AHEAD_LOG
from txtr.errors import Damaged, UserMistake
from txtr.frontier.permits import Door
from txtr.frontier.records import FATES, Record
from txtr.model import Figures
from txtr.store.database import CHECK_PAGES, explain_trouble, refuse_remains
from txtr.store.documents import COLUMNS, Documents
from txtr.store.journal import is_journal_left
from txtr.store.keys import (
    decode_standing,
    digest,
    domain_of,
    first_key,
    first_pack,
    is_settled,
    last_key,
    last_pack,
)
from txtr.store.leaf import decode_leaf
from txtr.store.lock import hold_lock
from txtr.store.migrations import check_version
from txtr.store.packs import cut_groups, each_request, unpack
from txtr.store.seen import Seen
from txtr.store.store import Store
from txtr.store.values import About, Backlog, Running, decode, read_backlog
from txtr.urls import door, join

ROWS_AT_ONCE = 2000  # rows read in one transaction
PACKS_AT_ONCE = 50  # packs likewise
LEAVES_AT_ONCE = 50  # of the seen likewise


class Row(NamedTuple):
    """A domain in the list of domains."""

    number: int
    name: str
    queued: int  # and parked
    backlog: Backlog
    about: About | None


class Finding(NamedTuple):
    """A link that is settled."""

    url: str
    fate: str
    depth: int
    usability: float
    fetched: float
    modified: float | None
    valid_until: float | None
    title: str
    source: str
    reason: str


class Inspection:
    def __init__(self, state: Path) -> None:
        self.path = state / DATABASE_FILE
        self.connection = _open(state)

    def close(self) -> None:
        self.connection.close()

    # --- the whole

    def totals(self) -> dict[str, int]:
        """How many links are queued, parked, and settled with each fate."""
        return {name: number for name, number in self._all("SELECT name, number FROM totals") if number}

    def leased(self) -> int:
        return sum(len(self._leases(*ends)) for ends in self._lease_portions())

    def domains(self) -> tuple[int, int]:
        """How many domains there are, and how many of them have anything queued."""
        ((known, waiting),) = self._all("SELECT count(*), total(queued > 0) FROM domains")
        return known, int(waiting)

    def addresses(self, rested: float) -> tuple[int, int]:
        """How many addresses are active, and how many began to rest after this wall time."""
        ((active, resting),) = self._all(
            "SELECT count(series), count(CASE WHEN since > ? THEN 1 END) FROM addresses", rested
        )
        return active, resting

    def batches(self) -> set[int]:
        """The batches that addresses are active in, with those whose harvesters are gone for good."""
        found: set[int] = set()
        last = ""
        while rows := self._all(
            "SELECT address, series FROM addresses WHERE address > ? AND series IS NOT NULL"
            " ORDER BY address LIMIT ?",
            last,
            ROWS_AT_ONCE,
        ):
            last = rows[-1][0]
            found.update(decode(series, Running).batch for _, series in rows)
        return found

    def abandoned(self) -> dict[str, Figures]:
        rows = self._all("SELECT name, figures FROM abandoned ORDER BY name")
        return {name: decode(data, Figures) for name, data in rows}

    def blocked(self) -> dict[str, float]:
        """Domain -> the time when it was blocked."""
        return dict(self._all("SELECT name, since FROM blocked ORDER BY name"))

    # --- domains

    def rows(self, pattern: str = "") -> Iterator[Row]:
        """The domains whose names match, in the order in which they were met."""
        expression = re.compile(pattern)
        last = 0
        while rows := self._all(
            "SELECT id, name, queued, backlog, about FROM domains WHERE id > ? ORDER BY id LIMIT ?",
            last,
            ROWS_AT_ONCE,
        ):
            last = rows[-1][0]
            yield from (_row(*row) for row in rows if expression.search(row[1]))

    def largest(self, pattern: str, most: int) -> tuple[list[Row], int]:
        """The matching domains with the longest backlogs, and how many match in all."""
        count = 0

        def counted() -> Iterator[Row]:
            nonlocal count
            for row in self.rows(pattern):
                count += 1
                yield row

        return heapq.nlargest(most, counted(), key=_order), count

    def row(self, name: str) -> Row | None:
        rows = self._all("SELECT id, name, queued, backlog, about FROM domains WHERE name = ?", name)
        return _row(*rows[0]) if rows else None

    def fates(self, row: Row) -> Counter[str]:
        """How many links of a domain are settled, by fate."""
        counts: Counter[str] = Counter()
        last = first_key(row.number) - 1
        while leaves := self._all(
            "SELECT key, links FROM seen WHERE key > ? AND key <= ? ORDER BY key LIMIT ?",
            last,
            last_key(row.number),
            LEAVES_AT_ONCE,
        ):
            last = leaves[-1][0]
            stands = (number for _, data in leaves for _, number in decode_leaf(0, data))
            counts.update(FATES[decode_standing(number).fate] for number in stands if is_settled(number))
        return counts

    def has_failed(self, row: Row) -> bool:
        """Has a link of this domain failed, or was one disallowed because there was no robots.txt?"""
        failed = FATES.index("failed"), FATES.index("disallowed")
        ends = first_key(row.number), last_key(row.number)
        found = "SELECT 1 FROM documents WHERE key BETWEEN ? AND ? AND (fate = ? OR fate = ? AND reason = ?)"
        return bool(self._all(found + " LIMIT 1", *ends, *failed, "robots-unreachable"))

    def doors(self, row: Row) -> dict[str, Door]:
        rows = self._all("SELECT door, about FROM doors WHERE domain = ? ORDER BY door", row.number)
        return {behind: decode(data, Door) for behind, data in rows}

    def address(self, address: str) -> tuple[float | None, Running | None] | None:
        """Since when an address rests, or its series; None when it does neither."""
        rows = self._all("SELECT since, series FROM addresses WHERE address = ?", address)
        if not rows:
            return None
        since, data = rows[0]
        return since, decode(data, Running) if data is not None else None

    def harvester(self, batch: int) -> str:
        """The harvester that has a batch; '' when none is known to."""
        rows = self._all("SELECT harvester FROM batches WHERE number = ?", batch)
        return rows[0][0] if rows else ""

    def leased_by(self, row: Row) -> dict[str, Record]:
        """A domain's requests that are in batches."""
        return self._leases(first_key(row.number), last_key(row.number))

    # --- links

    def standing(self, row: Row, path: str) -> int | None:
        its_digest = digest(path)
        return self._standings(first_key(row.number), [its_digest]).get(its_digest)

    def queued(self, row: Row, path: str, of_rank: int) -> Record | None:
        """The record of a queued request. Packs are read from the front, so a long queue takes long."""
        behind = door(path)
        if behind not in row.backlog.doors:
            return None
        place = row.backlog.doors.index(behind)
        last, end = first_pack(row.number, of_rank, place) - 1, last_pack(row.number, of_rank, place)
        while rows := self._all(
            "SELECT number, size, taken, requests FROM packs WHERE number > ? AND number <= ?"
            " ORDER BY number LIMIT ?",
            last,
            end,
            PACKS_AT_ONCE,
        ):
            last = rows[-1][0]
            for _, size, taken, data in rows:
                for candidate, record in each_request(cut_groups(unpack(data), taken, size)):
                    if candidate == path:
                        return record
        return None

    def settled(self, row: Row, path: str) -> Finding | None:
        its_key = first_key(row.number) + digest(path)
        rows = self._all(f"SELECT key, {COLUMNS} FROM documents WHERE key = ?", its_key)
        return self._finding(row.name, *rows[0]) if rows else None

    def documents(self) -> Iterator[Finding]:
        """Every link that is settled, domain by domain."""
        names: dict[int, str] = {}
        last = first_key(1) - 1
        while rows := self._all(
            f"SELECT key, {COLUMNS} FROM documents WHERE key > ? ORDER BY key LIMIT ?", last, ROWS_AT_ONCE
        ):
            last = rows[-1][0]
            names = self._names({domain_of(row[0]) for row in rows})
            for row in rows:
                if name := names.get(domain_of(row[0])):
                    yield self._finding(name, *row)

    # --- inside

    def _names(self, numbers: set[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for number in numbers:
            found.update(self._all("SELECT id, name FROM domains WHERE id = ?", number))
        return found

    def _lease_portions(self) -> Iterator[tuple[int, int]]:
        """Ranges of leases that belong to one domain each."""
        last = first_key(1) - 1
        while rows := self._all("SELECT min(number) FROM leases WHERE number > ?", last):
            if rows[0][0] is None:
                return
            number = domain_of(rows[0][0])
            last = last_key(number)
            yield first_key(number), last

    def _leases(self, first: int, last: int) -> dict[str, Record]:
        rows = self._all("SELECT requests FROM leases WHERE number BETWEEN ? AND ?", first, last)
        leased = {path: record for (data,) in rows for path, record in each_request(unpack(data))}
        digests = {path: digest(path) for path in leased}
        stands = self._standings(first, digests.values())
        return {
            path: record for path, record in leased.items() if not is_settled(stands.get(digests[path], 0))
        }

    def _standings(self, first: int, digests: Iterable[int]) -> dict[int, int]:
        """How links of a domain stand now, as many as are known."""
        try:
            return Seen(self.connection).get_some(first, digests)
        except sqlite3.Error as error:
            raise UserMistake(explain_trouble(self.path, error)) from error

    def _finding(self, domain: str, key: int, path: str, *about: Any) -> Finding:
        try:
            entry = Documents(self.connection).entry(domain, key, path, *about)
        except sqlite3.Error as error:
            raise UserMistake(explain_trouble(self.path, error)) from error
        return Finding(join(domain, path), *astuple(entry))

    def _all(self, question: str, *given: object) -> list[Any]:
        try:
            return self.connection.execute(question, given).fetchall()
        except sqlite3.Error as error:
            raise UserMistake(explain_trouble(self.path, error)) from error


def why_forbidden(rules: Door, path: str) -> str:
    """What a door's robots.txt says against a path now; '' when the path is allowed."""
    inside = path[len(door(path)) :]
    if rules.rules.may_fetch(inside):
        return ""
    if rules.is_closed():
        return "robots.txt could not be had"
    return f"robots.txt: {rules.rules.rule_for(inside)}"


def _order(row: Row) -> tuple[int, int, int]:
    """Domains are ordered by requests that are queued, by documents of their trial, then by arrival."""
    return row.queued, row.about.trial[0] if row.about else 0, -row.number


def _row(number: int, name: str, queued: int, backlog: bytes | None, about: bytes | None) -> Row:
    known = decode(about, About) if about is not None else None
    return Row(number, name, queued, read_backlog(backlog, name), known)


def find_database(state: Path) -> Path:
    """The database of a state directory; a UserMistake says why there is none."""
    if not state.exists():
        raise UserMistake(f"--state={state}: no such directory")
    if not state.is_dir():
        raise UserMistake(f"--state={state}: not a directory")
    path = state / DATABASE_FILE
    try:
        is_there = path.exists()
        refuse_remains(path)
    except OSError as error:
        raise UserMistake(f"--state={state}: {error.strerror}") from error
    if not is_there and not (state / FIRST_VERSION).exists():
        raise UserMistake(f"--state={state}: there is no queue here")
    return path


def _open(state: Path) -> sqlite3.Connection:
    """Open a state to read it only. A state of version 1 is brought up to date first.

    A journal that a crash has left is worked in first, if no program holds the state and we may write."""
    path = find_database(state)
    if not path.exists() or not _version(path):
        if not (state / FIRST_VERSION).exists():  # its first run was killed
            raise UserMistake(f"--state={state}: there is no queue here yet")
        with hold_lock(state):
            Store(state).close()
    elif is_journal_left(state):
        _work_in(state)
    return _connect(path)


def _work_in(state: Path) -> None:
    """Work in what a crash has left in the journal, if we can. A damaged journal is not passed over."""
    try:
        with hold_lock(state, is_new_allowed=False):
            Store(state).close()
    except UserMistake as error:
        if isinstance(error.__cause__, Damaged):
            raise


def _version(path: Path) -> int:
    with contextlib.closing(_connect(path)) as connection:
        return check_version(connection, path)


def _connect(path: Path) -> sqlite3.Connection:
    """Connect in a way that leaves all files as they were.

    SQLite makes a log even to read, and removes it only if it may write; but if it may write, it copies a log
    with content into the database. So it may write only where the log has no content."""
    address = path.absolute().as_uri()
    try:
        try:
            return _connected(f"{address}?mode={'ro' if _has_log(path) else 'rw'}")
        except sqlite3.OperationalError:
            if _has_log(path):
                raise
            return _connected(f"{address}?immutable=1")  # no program writes to a read-only disk
    except sqlite3.Error as error:
        raise UserMistake(explain_trouble(path, error)) from error


def _connected(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA {CHECK_PAGES}")
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(WRITE_AHEAD_LOG)
    return log.exists() and log.stat().st_size > 0
