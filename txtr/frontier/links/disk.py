"""Edge: the links on disk. What is in memory grows with the domains in use, not with their links.

Three tables, each ordered by keys that begin with the domain's number (keys.py). *seen*: every link, as
two numbers, key and standing; it answers nearly all that is asked, and it is small. *packs*: what is queued,
a few dozen requests a row. *documents*: what is settled, for whoever wants to read it. Besides, *leases*:
requests that are in batches, a row for each portion that was leased.

A link that moves to a better rank, or is settled while it is queued, is not searched for in the packs: its
old request stays there, and is passed over when it comes up, for its standing says otherwise. Domains in
which that can happen are called *doubled*; the others are not checked.

Invariant: nothing is written for good before `flush` and the commit that follows it, and then everything
is: whatever happens between two commits happens wholly or not at all.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import msgspec

from txtr.errors import OurMistake, UserMistake
from txtr.frontier.links.backlogs import Backlogs
from txtr.frontier.links.keys import (
    MOST_DOMAINS,
    MOST_DOORS,
    domain_of,
    first_key,
    first_pack,
    key,
    last_key,
    last_pack,
)
from txtr.frontier.links.packs import Requests, pack, unpack
from txtr.frontier.links.record import FATES, Entry, Record
from txtr.frontier.links.standing import QUEUED, Standing, code, is_settled, number, standing
from txtr.frontier.ranks import HOPELESS, RANKS, rank, serve
from txtr.urls import door

SCHEMA = """
CREATE TABLE domains (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, queued INTEGER NOT NULL DEFAULT 0,
    backlog BLOB, about BLOB
);
CREATE TABLE seen (key INTEGER PRIMARY KEY, standing INTEGER NOT NULL);
CREATE TABLE packs (
    number INTEGER PRIMARY KEY, size INTEGER NOT NULL, taken INTEGER NOT NULL, requests BLOB NOT NULL
);
CREATE TABLE leases (number INTEGER PRIMARY KEY, requests BLOB NOT NULL);
CREATE TABLE documents (
    key INTEGER PRIMARY KEY, path TEXT NOT NULL, fate INTEGER NOT NULL, depth INTEGER NOT NULL,
    usability REAL NOT NULL, fetched REAL NOT NULL, modified REAL, valid_until REAL, title TEXT NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE totals (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
"""
PACK = 64  # requests in one row: enough to be compressed well, few enough to be unpacked for one
_SOME = (256, 64, 16, 4, 1)  # sizes of the questions for several standings
_QUESTIONS = {size: f"SELECT key, standing FROM seen WHERE key IN ({','.join('?' * size)})" for size in _SOME}

Lane = tuple[str, int, str]  # domain, rank, door


class Backlog(msgspec.Struct, array_like=True):
    """What is queued for a domain, as it is kept on disk."""

    doors: list[str] = []  # in the order of their numbers
    numbers: dict[str, list[int]] = {}  # door -> how many, by rank
    is_parked: bool = False
    parked_doors: list[str] = []
    is_doubled: bool = False


class _Home:
    """Where a domain's links are."""

    __slots__ = ("doors", "first", "id", "is_doubled")

    def __init__(self, number: int, doors: list[str], is_doubled: bool) -> None:
        self.id = number
        self.first = first_key(number)
        self.doors = {behind: place for place, behind in enumerate(doors)}
        self.is_doubled = is_doubled


class DiskLinks(Backlogs):
    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self.connection = connection
        self.homes: dict[str, _Home] = {}  # of domains in use
        self.turns: Counter[tuple[str, str]] = Counter()  # how many were leased behind each door
        self.leases: dict[str, dict[str, Record]] = {}  # domain -> path -> record
        self.leased_count = 0
        self.fates: Counter[str] = Counter()
        # What flush will write.
        self.arrived: dict[Lane, Requests] = {}
        self.newly_leased: dict[str, Requests] = {}
        self.loosened: set[str] = set()  # domains whose leases are to be written anew
        self.changed: set[str] = set()  # domains whose backlog has changed
        self.totals: dict[str, int] = {}  # as they are on disk
        self._recall_totals()

    # --- links come in

    def meet(self, domain: str, paths: Iterable[str], record: Record) -> tuple[list[str], list[str]]:
        home = self._home(domain)
        first = home.first
        if len(home.doors) == MOST_DOORS:  # nonsense, or a trap: no server has so many ports
            paths = [path for path in paths if door(path) in home.doors]
        keys = {key(first, path): path for path in paths}
        known = self._standings(list(keys))
        if not known:
            return list(keys.values()), []
        corrected = []
        found = Standing(QUEUED, record.depth, record.usability, rank(record.promise))
        for its_key, present in known.items():
            if not is_settled(present) and self._improve(home, domain, keys[its_key], present, found, record):
                corrected.append(keys[its_key])
        return [path for its_key, path in keys.items() if its_key not in known], corrected

    def _improve(
        self, home: _Home, domain: str, path: str, present: int, found: Standing, record: Record
    ) -> bool:
        """Somebody else leads there too; is the way shorter?"""
        before = standing(present)
        after = Standing(
            QUEUED,
            min(before.depth, found.depth),
            max(before.usability, found.usability),
            min(before.rank, found.rank),
        )
        if after == before:
            return False
        self._set_standing(key(home.first, path), number(after))
        if after.rank < before.rank:
            self._raise(home, domain, path, before.rank, replace(record, depth=after.depth))
        return after.depth < before.depth

    def _raise(self, home: _Home, domain: str, path: str, before: int, record: Record) -> None:
        leased = self.leases.get(domain, {}).get(path)
        if leased is not None:
            self.leases[domain][path] = replace(leased, promise=record.promise)
            self.loosened.add(domain)
            return
        home.is_doubled = True
        self._count(domain, door(path), before, -1)
        self._append(domain, path, record)

    def enqueue(self, domain: str, paths: Iterable[str], record: Record) -> None:
        first = self._home(domain).first
        paths = list(paths)
        stands = number(Standing(QUEUED, record.depth, record.usability, rank(record.promise)))
        self.connection.executemany(
            "INSERT OR IGNORE INTO seen VALUES (?, ?)", [(key(first, path), stands) for path in paths]
        )
        for path in paths:
            self._append(domain, path, record)

    def _append(self, domain: str, path: str, record: Record) -> None:
        behind, of_rank = door(path), rank(record.promise)
        self._door(self._home(domain), behind)
        lane = domain, of_rank, behind
        if lane in self.arrived:
            self.arrived[lane].append((path, record))
        else:
            self.arrived[lane] = [(path, record)]
        self._count(domain, behind, of_rank, 1)

    def _count(self, domain: str, behind: str, of_rank: int, by: int) -> None:
        self.count(domain, behind, of_rank, by)
        self.changed.add(domain)

    # --- requests go out and come back

    def doors(self, domain: str) -> list[str]:
        self._home(domain)
        return super().doors(domain)

    def backlog(self, domain: str) -> int:
        self._home(domain)
        return super().backlog(domain)

    def best(self, domain: str) -> int | None:
        self._home(domain)
        return super().best(domain)

    def lease(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> list[str]:
        home = self._home(domain)
        taken: list[str] = []
        while len(taken) < most and (turns := self._turns(domain, behind, most - len(taken), worst)):
            lines = {of_rank: iter(self._pull(home, domain, behind, of_rank, turns.count(of_rank)))
                     for of_rank in set(turns)}  # fmt: skip
            leased = [
                (path, record) for of_rank in turns for path, record in [next(lines[of_rank], ("", None))]
            ]
            requests = [(path, record) for path, record in leased if record is not None]
            self._note_leased(domain, requests)
            taken += [path for path, _ in requests]
        return taken

    def _turns(self, domain: str, behind: str, most: int, worst: int) -> list[int]:
        """Whose turn it is, by rank, for the next requests."""
        left = self.behind(domain, behind)[: worst + 1]
        turns: list[int] = []
        while len(turns) < most and (served := serve(left, self.turns[domain, behind])) is not None:
            self.turns[domain, behind] += 1
            left[served] -= 1
            turns.append(served)
        return turns

    def _pull(self, home: _Home, domain: str, behind: str, of_rank: int, most: int) -> Requests:
        """Take requests from a lane, in their order; fewer if some were there no more."""
        self._write_lane((domain, of_rank, behind))
        place = self._door(home, behind)
        lane = first_pack(home.id, of_rank, place), last_pack(home.id, of_rank, place)
        taken: Requests = []
        while len(taken) < most:
            row = self.connection.execute(
                "SELECT number, taken, requests FROM packs"
                " WHERE number BETWEEN ? AND ? ORDER BY number LIMIT 1",
                lane,
            ).fetchone()
            if row is None:  # the count was wrong: what is not there cannot be waited for
                self._count(domain, behind, of_rank, len(taken) - most)
                break
            taken += self._open(home, domain, behind, of_rank, row, most - len(taken), taken)
        return taken

    def _open(
        self,
        home: _Home,
        domain: str,
        behind: str,
        of_rank: int,
        row: tuple[int, int, bytes],
        most: int,
        before: Requests,
    ) -> Requests:
        """Take requests from the front of a pack; those taken before are not taken twice."""
        number_of_pack, begin, data = row
        requests = unpack(data)
        end = min(begin + most, len(requests))
        if end == len(requests):
            self.connection.execute("DELETE FROM packs WHERE number = ?", (number_of_pack,))
        else:
            self.connection.execute("UPDATE packs SET taken = ? WHERE number = ?", (end, number_of_pack))
        taken = requests[begin:end]
        if home.is_doubled:
            taken = self._still_queued(home, domain, taken, of_rank, before)
        if taken:
            self._count(domain, behind, of_rank, -len(taken))
        return taken

    def _still_queued(
        self, home: _Home, domain: str, requests: Requests, of_rank: int, before: Requests
    ) -> Requests:
        """Those of a pack, each once, that are not settled, leased or in another lane by now."""
        keys = {path: key(home.first, path) for path, _ in requests}
        stands = self._standings(list(keys.values()))
        out = {*self.leases.get(domain, ()), *(path for path, _ in before)}
        return [
            (path, record)
            for path, record in dict(requests).items()
            if path not in out
            and (found := stands.get(keys[path])) is not None
            and (found >> 8 & 63) == of_rank << 4
        ]

    def _note_leased(self, domain: str, requests: Requests) -> None:
        if requests:
            self.leases.setdefault(domain, {}).update(requests)
            self.newly_leased.setdefault(domain, []).extend(requests)
            self.leased_count += len(requests)

    def leased(self, domain: str) -> dict[str, Record]:
        return self.leases.get(domain, {})

    def tried(self, domain: str, path: str) -> Record:
        record = self.leases[domain][path]
        record = self.leases[domain][path] = replace(record, tries=record.tries + 1)
        self.loosened.add(domain)
        return record

    def give_back(self, domain: str, path: str) -> None:
        record = self._unlease(domain, path)
        if record is None:
            raise OurMistake(f"{domain} {path} was given back, but is not leased")
        self.loosened.add(domain)
        self._append(domain, path, record)

    def take(self, domain: str, path: str) -> Record | None:
        home = self._home(domain)
        stands = self._standing(key(home.first, path))
        if stands is None:
            return None
        present = standing(stands)
        record = self._unlease(domain, path)
        if record is not None:
            return replace(
                record,
                depth=min(record.depth, present.depth) if present.depth < 255 else record.depth,
                usability=max(record.usability, present.usability),
            )
        if is_settled(stands):
            return None
        home.is_doubled = True
        self._count(domain, door(path), present.rank, -1)
        return Record(present.depth, present.usability)

    def _unlease(self, domain: str, path: str) -> Record | None:
        leases = self.leases.get(domain)
        record = leases.pop(path, None) if leases else None
        if record is not None:
            self.leased_count -= 1
            if not leases:
                del self.leases[domain]
                self.loosened.add(domain)
        return record

    # --- what is settled

    def settle(self, domain: str, path: str, entry: Entry) -> None:
        its_key = key(self._home(domain).first, path)
        before = self._standing(its_key)
        if before is not None and is_settled(before):
            self.fates[FATES[standing(before).fate]] -= 1
        self.fates[entry.fate] += 1
        self._set_standing(its_key, number(Standing(code(entry.fate), entry.depth)))
        self.connection.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                its_key,
                path,
                code(entry.fate),
                entry.depth,
                entry.usability,
                entry.fetched,
                entry.modified,
                entry.valid_until,
                entry.title,
                entry.source,
                entry.reason,
            ),
        )

    def knows(self, domain: str, path: str) -> bool:
        stands = self._standing(key(self._home(domain).first, path))
        return stands is not None and is_settled(stands)

    def drop(self, domain: str, most: int) -> int:
        home = self._home(domain)
        dropped = 0
        while dropped < most and domain in self.numbers:
            behind, numbers = next(iter(self.numbers[domain].items()))
            of_rank = next(of_rank for of_rank, number in enumerate(numbers) if number)
            requests = self._pull(home, domain, behind, of_rank, min(most - dropped, numbers[of_rank]))
            gone = [(key(home.first, path),) for path, _ in requests]
            self.connection.executemany("DELETE FROM seen WHERE key = ?", gone)
            dropped += len(gone)
        if domain not in self.numbers:
            for lane in [lane for lane in self.arrived if lane[0] == domain]:
                del self.arrived[lane]
            self._clear_lanes(home)
        return dropped

    def _clear_lanes(self, home: _Home) -> None:
        """Nothing is queued here: what is still in the packs has moved or was settled."""
        if home.is_doubled:
            self.connection.execute(
                "DELETE FROM packs WHERE number BETWEEN ? AND ?",
                (first_pack(home.id, 0, 0), last_pack(home.id, RANKS[-1], MOST_DOORS - 1)),
            )
            home.is_doubled = False

    def unsettle(
        self, domain: str, fate: str, most: int, behind: str | None = None
    ) -> list[tuple[str, Entry]]:
        home = self._home(domain)
        rows = self.connection.execute(
            "SELECT key, path, depth, usability, fetched, modified, valid_until, title, source, reason"
            " FROM documents WHERE key BETWEEN ? AND ? AND fate = ?",
            (home.first, last_key(home.id), code(fate)),
        )
        found = list(islice((row for row in rows if behind in (None, door(row[1]))), most))
        gone = [(row[0],) for row in found]
        self.connection.executemany("DELETE FROM documents WHERE key = ?", gone)
        self.connection.executemany("DELETE FROM seen WHERE key = ?", gone)
        self.fates[fate] -= len(gone)
        return [(path, Entry(fate, *about)) for _, path, *about in found]

    def forget_disallowed(self, domain: str, behind: str) -> None:
        home = self._home(domain)
        rows = self.connection.execute(
            "SELECT key, path FROM documents WHERE key BETWEEN ? AND ? AND fate = ?",
            (home.first, last_key(home.id), code("disallowed")),
        )
        gone = [(its_key,) for its_key, path in rows.fetchall() if door(path) == behind]
        self.connection.executemany("DELETE FROM documents WHERE key = ?", gone)
        self.connection.executemany("DELETE FROM seen WHERE key = ?", gone)
        self.fates["disallowed"] -= len(gone)

    # --- parking

    def park(self, domain: str, behind: str | None = None) -> int:
        self._home(domain)
        self.changed.add(domain)
        return super().park(domain, behind)

    def unpark(self, domain: str, behind: str | None = None) -> int:
        self._home(domain)
        self.changed.add(domain)
        return super().unpark(domain, behind)

    # --- domains

    def number_of(self, domain: str) -> int:
        """The domain's number on disk."""
        return self._home(domain).id

    def forget(self, domain: str) -> None:
        """A domain is not in use any more; call it after a flush."""
        super().forget(domain)
        self.homes.pop(domain, None)

    def _home(self, domain: str) -> _Home:
        home = self.homes.get(domain)
        if home is None:
            home = self.homes[domain] = self._move_in(domain)
        return home

    def _move_in(self, domain: str) -> _Home:
        row = self.connection.execute("SELECT id, backlog FROM domains WHERE name = ?", (domain,)).fetchone()
        if row is None:
            added = self.connection.execute("INSERT INTO domains (name) VALUES (?)", (domain,))
            assert added.lastrowid is not None
            if added.lastrowid >= MOST_DOMAINS:
                raise UserMistake(f"{domain}: there are {MOST_DOMAINS} domains already, which is the most")
            return _Home(added.lastrowid, [], is_doubled=False)
        return self.load_backlog(domain, *row)

    def load_backlog(self, domain: str, number_of_domain: int, data: bytes | None) -> _Home:
        """Take a domain into use, as the disk knows it."""
        backlog = msgspec.msgpack.decode(data, type=Backlog) if data else Backlog()
        home = self.homes[domain] = _Home(number_of_domain, backlog.doors, backlog.is_doubled)
        if backlog.numbers:
            self.load(domain, backlog.numbers)
        if backlog.is_parked:
            self.parked_domains.add(domain)
        if backlog.parked_doors:
            self.parked_doors[domain] = set(backlog.parked_doors)
        return home

    def _door(self, home: _Home, behind: str) -> int:
        """The number of a door."""
        if behind not in home.doors:
            if len(home.doors) == MOST_DOORS:
                raise OurMistake(f"{behind}: more than {MOST_DOORS} doors")
            home.doors[behind] = len(home.doors)
        return home.doors[behind]

    # --- reading and writing

    def _standing(self, its_key: int) -> int | None:
        row = self.connection.execute("SELECT standing FROM seen WHERE key = ?", (its_key,)).fetchone()
        return row[0] if row else None

    def _set_standing(self, its_key: int, stands: int) -> None:
        self.connection.execute("INSERT OR REPLACE INTO seen VALUES (?, ?)", (its_key, stands))

    def _standings(self, keys: list[int]) -> dict[int, int]:
        """Of several links at once, as many as are known."""
        found: dict[int, int] = {}
        at = 0
        while at < len(keys):
            left = len(keys) - at
            size = next(size for size in _SOME if size <= left)
            found.update(self.connection.execute(_QUESTIONS[size], keys[at : at + size]))
            at += size
        return found

    def flush(self) -> None:
        """Write down what is still in memory only; a commit makes it last."""
        for lane in list(self.arrived):
            self._write_lane(lane)
        self._write_leases()
        for domain in self.changed:
            self._write_backlog(domain)
        self.changed.clear()
        totals = {"queued": self.queued_count, "parked": self.parked_count, **self.fates}
        news = totals.items() - self.totals.items()
        self.connection.executemany("INSERT OR REPLACE INTO totals VALUES (?, ?)", news)
        self.totals = totals

    def _write_lane(self, lane: Lane) -> None:
        requests = self.arrived.pop(lane, None)
        if requests is None:
            return
        domain, of_rank, behind = lane
        home = self._home(domain)
        place = self._door(home, behind)
        first, last = first_pack(home.id, of_rank, place), last_pack(home.id, of_rank, place)
        row = self.connection.execute(
            "SELECT number, size, taken FROM packs WHERE number BETWEEN ? AND ? ORDER BY number DESC LIMIT 1",
            (first, last),
        ).fetchone()
        at = first if row is None else row[0] + 1
        if row is not None and row[1] - row[2] + len(requests) <= PACK:
            at = row[0]
            (data,) = self.connection.execute("SELECT requests FROM packs WHERE number = ?", (at,)).fetchone()
            requests = unpack(data)[row[2] :] + requests
        rows = [(at + count, len(some), 0, pack(some)) for count, some in enumerate(_portions(requests))]
        self.connection.executemany("INSERT OR REPLACE INTO packs VALUES (?, ?, ?, ?)", rows)

    def _write_leases(self) -> None:
        for domain in self.loosened:
            home = self._home(domain)
            self.connection.execute(
                "DELETE FROM leases WHERE number BETWEEN ? AND ?", (home.first, last_key(home.id))
            )
            self.newly_leased[domain] = list(self.leases.get(domain, {}).items())
        rows = []
        for domain, requests in self.newly_leased.items():
            if requests:
                home = self._home(domain)
                (last,) = self.connection.execute(
                    "SELECT max(number) FROM leases WHERE number BETWEEN ? AND ?",
                    (home.first, last_key(home.id)),
                ).fetchone()
                rows.append((home.first if last is None else last + 1, pack(requests)))
        self.connection.executemany("INSERT INTO leases VALUES (?, ?)", rows)
        self.loosened.clear()
        self.newly_leased.clear()

    def _write_backlog(self, domain: str) -> None:
        home = self._home(domain)
        numbers = self.numbers.get(domain, {})
        if not numbers:
            self._clear_lanes(home)
        backlog = Backlog(
            list(home.doors),
            numbers,
            domain in self.parked_domains,
            sorted(self.parked_doors.get(domain, ())),
            home.is_doubled,
        )
        self.connection.execute(
            "UPDATE domains SET queued = ?, backlog = ? WHERE id = ?",
            (sum(map(sum, numbers.values())), msgspec.msgpack.encode(backlog), home.id),
        )

    def _recall_totals(self) -> None:
        for name, total in self.connection.execute("SELECT name, number FROM totals"):
            if name == "queued":
                self.queued_count = total
            elif name == "parked":
                self.parked_count = total
            else:
                self.fates[name] = total

    def recall_leases(self) -> None:
        """Begin with what an earlier run had in its batches."""
        rows = self.connection.execute("SELECT number, requests FROM leases ORDER BY number").fetchall()
        for at, data in rows:
            number_of_domain = domain_of(at)
            (domain,) = self.connection.execute(
                "SELECT name FROM domains WHERE id = ?", (number_of_domain,)
            ).fetchone()
            first = first_key(number_of_domain)
            requests = unpack(data)
            stands = self._standings([key(first, path) for path, _ in requests])
            open_ones = {
                path: record for path, record in requests if not is_settled(stands.get(key(first, path), 0))
            }
            if open_ones:
                self.leases.setdefault(domain, {}).update(open_ones)
        self.leased_count = sum(map(len, self.leases.values()))


def _portions(requests: Requests) -> Iterator[Requests]:
    for at in range(0, len(requests), PACK):
        yield requests[at : at + PACK]
