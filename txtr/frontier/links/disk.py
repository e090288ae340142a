"""Edge: the links on disk. What is in memory grows with the domains in use, not with their links.

Three tables, each ordered by keys that begin with the domain's number (keys.py). *seen* (seen/disk.py):
how every link stands; it answers nearly all that is asked, and it is small. *packs* (lanes/disk.py): what
is queued, a few dozen requests a row. *documents*: what is settled, for whoever wants to read it. Besides,
*leases*: requests that are in batches, a row for each portion that was leased.

A link that moves to a better rank, or is settled while it is queued, is not searched for in the packs: its
old request stays there, and is passed over when it comes up, for its standing says otherwise. Domains in
which that can happen are called *doubled*; the others are not checked. Nor is a link searched for to which a
shorter way was found: its standing knows of it, and is asked when it is taken, if its domain is *corrected*.

Invariant: nothing is written for good before `flush` and the commit that follows it, and then everything
is: whatever happens between two commits happens wholly or not at all. Between them whatever is done is noted
among the *deeds*, for the journal (journal/disk.py); done again by `redo`, in the same order and on the same
tables, they lead to the same state, for nothing else decides what they do.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from txtr.errors import Damaged, OurMistake, UserMistake
from txtr.frontier.links.backlogs import Backlogs
from txtr.frontier.links.documents.disk import SCHEMA as DOCUMENTS
from txtr.frontier.links.documents.disk import Documents
from txtr.frontier.links.keys import (
    MOST_DOMAINS,
    MOST_DOORS,
    digest,
    digests,
    domain_of,
    first_key,
    last_key,
)
from txtr.frontier.links.lanes.disk import SCHEMA as LANES
from txtr.frontier.links.lanes.disk import Lanes, Portion
from txtr.frontier.links.packs import Group, size, unpack, unpacked
from txtr.frontier.links.record import FATES, Entry, Prospect, Record
from txtr.frontier.links.seen.disk import SCHEMA as SEEN
from txtr.frontier.links.seen.disk import Seen
from txtr.frontier.links.standing import DEEPEST, improved, is_settled, queued, settled, standing
from txtr.frontier.ranks import HOPELESS, rank, serve
from txtr.urls import door, join, split

SCHEMA = f"""{SEEN}{LANES}{DOCUMENTS}
CREATE TABLE domains (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, queued INTEGER NOT NULL DEFAULT 0,
    backlog BLOB, about BLOB
);
CREATE TABLE leases (number INTEGER PRIMARY KEY, requests BLOB NOT NULL);
CREATE TABLE totals (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
"""
FORGOTTEN_AT_ONCE = 1000  # links whose entries are read at once
FEW_DOORS = 3  # of a domain
MOST_LOOKED_AT = 5000  # domains that stay in memory although they are not in use

_encode = msgspec.msgpack.Encoder().encode

Lane = tuple[str, int, str]  # domain, rank, door
Deed = tuple[Any, ...]  # what was done, and to what
Row = tuple[Any, ...]


class Backlog(msgspec.Struct, array_like=True):
    """What is queued for a domain, as it is kept on disk."""

    doors: list[str] = []  # in the order of their numbers
    numbers: dict[str, list[int]] = {}  # door -> how many, by rank
    is_parked: bool = False
    parked_doors: list[str] = []
    is_doubled: bool = False
    is_corrected: bool = True  # unless it says that it is not: earlier versions did not


def read_backlog(data: bytes | None, domain: str) -> Backlog:
    try:
        return msgspec.msgpack.decode(data, type=Backlog) if data else Backlog()
    except (msgspec.DecodeError, ValueError) as error:
        raise Damaged(f"what is queued for {domain} cannot be read: {error}") from error


class _Home:
    """Where a domain's links are."""

    __slots__ = ("changes", "doors", "first", "id", "is_corrected", "is_doubled")

    def __init__(self, number: int, doors: list[str], is_doubled: bool, is_corrected: bool) -> None:
        self.id = number
        self.first = first_key(number)
        self.doors = _places(tuple(doors))  # door -> its number
        self.is_doubled = is_doubled
        self.is_corrected = is_corrected
        self.changes = 0  # of how much is queued, since we know of it

    def add(self, behind: str) -> None:
        if len(self.doors) < FEW_DOORS:
            self.doors = _places((*self.doors, behind))
        else:
            self.doors = self.doors if len(self.doors) > FEW_DOORS else dict(self.doors)
            self.doors[behind] = len(self.doors)


def _places(doors: tuple[str, ...]) -> dict[str, int]:
    """Nearly all domains have the same one or two doors: these share what is never changed then."""
    return _shared_places(doors) if len(doors) <= FEW_DOORS else _own_places(doors)


def _own_places(doors: tuple[str, ...]) -> dict[str, int]:
    return {behind: place for place, behind in enumerate(doors)}


_shared_places = lru_cache(1000)(_own_places)


class _Parts(NamedTuple):
    """What a prospect was when it was seen."""

    home: "_Home"
    changes: int  # at home, until then
    domain: str
    behind: str
    portions: list[tuple[int, Portion]]  # by rank


class DiskLinks(Backlogs):
    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self.connection = connection
        self.seen = Seen(connection)
        self.lanes = Lanes(connection)
        self.documents = Documents(connection)
        self.homes: dict[str, _Home] = {}  # of domains in use
        self.looked_at: list[str] = []  # those of them that may not be in use after all
        self.turns: dict[str, dict[str, int]] = {}  # domain -> how many were leased behind each door
        self.leases: dict[str, dict[str, Record]] = {}  # domain -> path -> record
        self.unopened: dict[str, list[list[Group]]] = {}  # domain -> leases that nobody has asked for yet
        self.leased_count = 0
        self.fresh: dict[str, int] = {}  # digests of paths that were met last, and are new
        self.fates: Counter[str] = Counter()
        # What flush will write.
        self.arrived: dict[Lane, list[Group]] = {}
        self.newly_leased: list[tuple[str, list[Group]]] = []  # with their domains
        self.loosened: set[str] = set()  # domains whose leases are to be written anew
        self.last_lease = 0  # number within its domain, rising
        self.changed: set[str] = set()  # domains whose backlog has changed
        self.totals: dict[str, int] = {}  # as they are on disk
        self.later: dict[str, dict[Any, tuple[str, Row]]] = {}  # other table -> key -> what writes its row
        self.taken: tuple[str, str] | None = None  # the request that left the leases last
        self.deeds: list[Deed] = []  # since whoever keeps the journal has emptied it
        self._recall_totals()

    # --- links come in

    def meet(self, domain: str, paths: Iterable[str], record: Record) -> tuple[list[str], list[str]]:
        home = self._home(domain)
        if len(home.doors) == MOST_DOORS:  # nonsense, or a trap: no server has so many ports
            paths = [path for path in paths if door(path) in home.doors]
        met = digests(paths)
        known = self.seen.get_some(home.first, met)
        if len(known) < len(met):
            self.fresh = {path: its_digest for its_digest, path in met.items() if its_digest not in known}
        else:
            self.fresh = {}
        found = _queued(record)
        better = [present for present in set(known.values()) if improved(present, found) != present]
        if not better:
            return list(self.fresh), []
        again = [met[its_digest] for its_digest, present in known.items() if present in better]
        self.deeds.append(("meet", domain, again, record))
        corrected = [
            met[its_digest]
            for its_digest, present in known.items()
            if present in better and self._improve(home, domain, met[its_digest], present, found, record)
        ]
        return list(self.fresh), corrected

    def _improve(self, home: _Home, domain: str, path: str, present: int, found: int, record: Record) -> bool:
        """Somebody else leads there too; is the way shorter?"""
        better = improved(present, found)
        self.seen.set(home.first, digest(path), better)
        before, after = standing(present), standing(better)
        if path in self.leased(domain):
            self._improve_lease(domain, path, better, record.promise)
        elif after.rank < before.rank:
            home.is_doubled = True
            self._count(home, domain, door(path), before.rank, -1)
            best = replace(record, depth=after.depth, usability=after.usability)
            self._append(domain, door(path), [path], best)
        else:
            home.is_corrected = True
            self.changed.add(domain)
        return after.depth < before.depth

    def _improve_lease(self, domain: str, path: str, stands: int, promise: float) -> None:
        leases = self.leased(domain)
        leased = _corrected(leases[path], stands)
        if rank(promise) < rank(leased.promise):
            leased = replace(leased, promise=promise)
            self.loosened.add(domain)
        leases[path] = leased

    def enqueue(self, domain: str, paths: Iterable[str], record: Record) -> None:
        paths = list(paths)
        self.deeds.append(("enqueue", domain, paths, record))
        fresh = self.fresh
        self.seen.set_some(
            self._home(domain).first, [fresh.get(path) or digest(path) for path in paths], _queued(record)
        )
        for behind, some in _by_door(paths).items():
            self._append(domain, behind, some, record)

    def _append(self, domain: str, behind: str, paths: list[str], record: Record) -> None:
        of_rank = rank(record.promise)
        home = self._home(domain)
        self._door(home, behind)
        self.arrived.setdefault((domain, of_rank, behind), []).append((record, paths))
        self._count(home, domain, behind, of_rank, len(paths))

    def _count(self, home: _Home, domain: str, behind: str, of_rank: int, by: int) -> None:
        self.count(domain, behind, of_rank, by)
        self.changed.add(domain)
        home.changes += 1

    # --- requests go out and come back

    def doors(self, domain: str) -> list[str]:
        if domain not in self.homes:
            self._home(domain)
        return Backlogs.doors(self, domain)

    def backlog(self, domain: str) -> int:
        self._home(domain)
        return super().backlog(domain)

    def best(self, domain: str) -> int | None:
        if domain not in self.homes:
            self._home(domain)
        return Backlogs.best(self, domain)

    def lease(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> list[str]:
        home = self._home(domain)
        taken: list[str] = []
        while len(taken) < most and (turns := self._turns(domain, behind, most - len(taken), worst)):
            lines = {
                of_rank: self._lease(home, domain, behind, of_rank, number)
                for of_rank, number in Counter(turns).items()
            }
            self._count_turns(domain, behind, len(turns))
            taken += _in_turn(turns, lines)
        return taken

    def look_ahead(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> Prospect | None:
        home = self._home(domain)
        turns = self._turns(domain, behind, most, worst)
        if home.is_doubled or not turns:
            return None
        place = self._door(home, behind)
        portions: dict[int, Portion] = {}
        for of_rank, number in Counter(turns).items():
            portion = self.lanes.look_ahead(home.id, of_rank, place, number)
            if portion is None:
                return None
            portions[of_rank] = portion
        lines = {of_rank: portion.groups for of_rank, portion in portions.items()}
        deepest = max([record.depth for groups in lines.values() for record, _ in groups])
        parts = _Parts(home, home.changes, domain, behind, [*portions.items()])
        return Prospect(_in_turn(turns, lines), deepest, parts)

    def lease_ahead(self, prospects: Sequence[_Parts]) -> bool:
        """What was seen is what `lease` would take if nothing has come or gone at that domain."""
        for home, changes, _, _, portions in prospects:
            if home.changes != changes or not all([portion.is_ahead for _, portion in portions]):  # noqa: C419
                return False
        for home, _, domain, behind, portions in prospects:
            for of_rank, portion in portions:
                most = portion.most
                self.deeds.append(("lease", domain, behind, of_rank, most))
                self.lanes.take(portion)
                self._count(home, domain, behind, of_rank, -most)
                self._count_turns(domain, behind, most)
                self._note_leased(domain, portion.groups, most)
        return True

    def _lease(self, home: _Home, domain: str, behind: str, of_rank: int, most: int) -> list[Group]:
        """The next requests of one rank. Whose turn it is, is not kept, so the deed says it."""
        self.deeds.append(("lease", domain, behind, of_rank, most))
        groups = self._pull(home, domain, behind, of_rank, most)
        self._note_leased(domain, groups, size(groups))
        return groups

    def _turns(self, domain: str, behind: str, most: int, worst: int) -> list[int]:
        """Whose turn it is, by rank, for the next requests."""
        left = self.behind(domain, behind)[: worst + 1]
        ranks = [of_rank for of_rank, number in enumerate(left) if number]
        if len(ranks) == 1:  # nobody else is there to take turns with
            return ranks * min(most, left[ranks[0]])
        turn = self._turn(domain, behind)
        turns: list[int] = []
        while len(turns) < most and (served := serve(left, turn + len(turns))) is not None:
            left[served] -= 1
            turns.append(served)
        return turns

    def _turn(self, domain: str, behind: str) -> int:
        counts = self.turns.get(domain)
        return counts.get(behind, 0) if counts else 0

    def _count_turns(self, domain: str, behind: str, number: int) -> None:
        counts = self.turns.setdefault(domain, {})
        counts[behind] = counts.get(behind, 0) + number

    def _pull(self, home: _Home, domain: str, behind: str, of_rank: int, most: int) -> list[Group]:
        """Take requests from a lane, in their order; fewer if some were there no more."""
        self._arrive((domain, of_rank, behind))
        self.lanes.write_arrived()
        place = self._door(home, behind)
        taken: list[Group] = []
        left = most
        while left > 0 and (groups := self.lanes.pull(home.id, of_rank, place, left)):
            if home.is_doubled:
                groups = self._still_queued(home, domain, groups, of_rank, taken)
            taken += groups
            left -= size(groups)
        self._count(home, domain, behind, of_rank, -most)  # if fewer came, the count was wrong
        return taken

    def _still_queued(
        self, home: _Home, domain: str, groups: list[Group], of_rank: int, before: list[Group]
    ) -> list[Group]:
        """Those of a pack, each once, that are not settled, leased or in another lane by now."""
        digests = {path: digest(path) for path in _paths(groups)}
        stands = self.seen.get_some(home.first, digests.values())
        out = {*self.leased(domain), *_paths(before)}
        still: list[Group] = []
        for record, paths in groups:
            some = [
                path
                for path in dict.fromkeys(paths)
                if path not in out and _is_queued(stands.get(digests[path]), of_rank)
            ]
            out.update(some)
            if some:
                still.append((record, some))
        return still

    def _note_leased(self, domain: str, groups: list[Group], number: int) -> None:
        if groups:
            self.newly_leased.append((domain, groups))
            self.unopened.setdefault(domain, []).append(groups)
            self.leased_count += number

    def leased(self, domain: str) -> dict[str, Record]:
        if domain in self.unopened:
            leases = self.leases.setdefault(domain, {})
            for groups in self.unopened.pop(domain):
                for record, paths in groups:
                    leases.update(dict.fromkeys(paths, record))
        return self.leases.get(domain) or {}

    def tried(self, domain: str, path: str) -> Record:
        leases = self.leased(domain)
        record = leases[path] = replace(leases[path], tries=leases[path].tries + 1)
        self.deeds.append(("tried", domain, path))
        self.loosened.add(domain)
        return record

    def give_back(self, domain: str, path: str) -> None:
        record = self._unlease(domain, path)
        if record is None:
            raise OurMistake(f"{domain} {path} was given back, but is not leased")
        self.deeds.append(("give_back", domain, path))
        self.loosened.add(domain)
        self._append(domain, door(path), [path], record)

    def take(self, domain: str, path: str) -> Record | None:
        home, record = self._home(domain), self._unlease(domain, path)
        if record is not None:
            self.deeds.append(("take", domain, path))
            self.taken = (domain, path)
            if not home.is_corrected:
                return record
        stands = self.seen.get(home.first, digest(path))
        if record is not None:
            return record if stands is None else _corrected(record, stands)
        if stands is None or is_settled(stands):
            return None
        self.deeds.append(("take", domain, path))
        present = standing(stands)
        home.is_doubled = True
        self._count(home, domain, door(path), present.rank, -1)
        return Record(present.depth, present.usability)

    def _unlease(self, domain: str, path: str) -> Record | None:
        leases = self.leased(domain)
        record = leases.pop(path, None)
        if record is not None:
            self.leased_count -= 1
            if not leases:
                del self.leases[domain]
                self.loosened.add(domain)
        return record

    # --- what is settled

    def settle(self, domain: str, path: str, entry: Entry) -> None:
        first, its_digest = self._home(domain).first, digest(path)
        self.deeds.append(("settle", domain, path, entry))
        if self.taken != (domain, path):  # what was leased was not settled
            before = self.seen.get(first, its_digest)
            if before is not None and is_settled(before):
                self.fates[FATES[standing(before).fate]] -= 1
        self.taken = None
        self.fates[entry.fate] += 1
        self.seen.set_later(first, its_digest, settled(entry.fate, entry.depth))
        self.documents.put(first + its_digest, domain, path, entry)

    def knows(self, domain: str, path: str) -> bool:
        if path in self.leased(domain):
            return False
        stands = self.seen.get(self._home(domain).first, digest(path))
        return stands is not None and is_settled(stands)

    def drop(self, domain: str, most: int) -> int:
        home = self._home(domain)
        self.deeds.append(("drop", domain, most))
        dropped = 0
        while dropped < most and domain in self.numbers:
            behind, numbers = next(iter(self.numbers[domain].items()))
            of_rank = next(of_rank for of_rank, number in enumerate(numbers) if number)
            groups = self._pull(home, domain, behind, of_rank, min(most - dropped, numbers[of_rank]))
            self.seen.remove(home.first, map(digest, _paths(groups)))
            dropped += size(groups)
        if domain not in self.numbers:
            for lane in [lane for lane in self.arrived if lane[0] == domain]:
                del self.arrived[lane]
            self._clear_lanes(home)
        return dropped

    def _clear_lanes(self, home: _Home) -> None:
        """Nothing is queued here: what is still in the packs has moved or was settled."""
        if home.is_doubled:
            self.lanes.clear(home.id)
            home.is_doubled = False

    def unsettle(
        self, domain: str, fate: str, most: int, behind: str | None = None
    ) -> list[tuple[str, Entry]]:
        home = self._home(domain)
        self.deeds.append(("unsettle", domain, fate, most, behind))
        found = self.documents.of_fate(fate, domain, home.first, last_key(home.id), behind, most)
        self._unsettle(domain, home, fate, found)
        return list(found.values())

    def _unsettle(self, domain: str, home: _Home, fate: str, found: Collection[int]) -> None:
        self.documents.remove(list(found))
        self.seen.remove(home.first, [key - home.first for key in found])
        self.fates[fate] -= len(found)
        self.loosened.add(domain)  # they may still stand among the leases, as settled

    def forget_disallowed(self, domain: str, behind: str) -> None:
        home, fate = self._home(domain), "disallowed"
        self.deeds.append(("forget_disallowed", domain, behind))
        first, last = home.first, last_key(home.id)
        while found := self.documents.of_fate(fate, domain, first, last, behind, FORGOTTEN_AT_ONCE):
            self._unsettle(domain, home, fate, found)
            first = max(found) + 1  # those before were looked at

    # --- parking

    def park(self, domain: str, behind: str | None = None) -> int:
        self._home(domain)
        self.deeds.append(("park", domain, behind))
        self.changed.add(domain)
        return super().park(domain, behind)

    def unpark(self, domain: str, behind: str | None = None) -> int:
        self._home(domain)
        self.deeds.append(("unpark", domain, behind))
        self.changed.add(domain)
        return super().unpark(domain, behind)

    def is_parked(self, domain: str, behind: str = "") -> bool:
        if self.known_number(domain) is None:
            return False  # to ask makes no domain
        self._home(domain)
        return super().is_parked(domain, behind)

    # --- domains

    def known_number(self, domain: str) -> int | None:
        """The same, if it was ever met."""
        if domain in self.homes:
            return self.homes[domain].id
        row = self.connection.execute("SELECT id FROM domains WHERE name = ?", (domain,)).fetchone()
        return row[0] if row else None

    def key_of(self, url: str) -> int:
        """A link as one number."""
        domain, path = split(url)
        return self._home(domain).first + digest(path)

    def url_of(self, key: int) -> str | None:
        """The link of this key, if it is settled or in a batch."""
        self.documents.flush()
        name, number = "SELECT name FROM domains WHERE id = ?", domain_of(key)
        row = self.connection.execute(name, (number,)).fetchone()
        if row is None:
            return None
        path = "SELECT path FROM documents WHERE key = ?"
        paths = [path for (path,) in self.connection.execute(path, (key,))]
        paths += [path for path in self.leased(row[0]) if first_key(number) + digest(path) == key]
        return join(row[0], paths[0]) if paths else None

    def number_of(self, domain: str) -> int:
        """The domain's number on disk."""
        return self._home(domain).id

    def forget(self, domain: str) -> None:
        """A domain is not in use any more; call it after a flush."""
        super().forget(domain)
        if domain in self.homes:
            self.homes.pop(domain).changes += 1  # what was seen here is not to be leased
        self.turns.pop(domain, None)

    def tidy(self, in_use: Container[str]) -> None:
        """Forget domains that were only looked at; call it after a flush."""
        if len(self.looked_at) > MOST_LOOKED_AT:
            for domain in self.looked_at:
                if domain not in in_use:
                    self.forget(domain)
            self.looked_at.clear()

    def _home(self, domain: str) -> _Home:
        home = self.homes.get(domain)
        if home is None:
            home = self.homes[domain] = self._move_in(domain)
            self.looked_at.append(domain)
        return home

    def _move_in(self, domain: str) -> _Home:
        row = self.connection.execute("SELECT id, backlog FROM domains WHERE name = ?", (domain,)).fetchone()
        if row is None:
            added = self.connection.execute("INSERT INTO domains (name) VALUES (?)", (domain,))
            assert added.lastrowid is not None
            if added.lastrowid >= MOST_DOMAINS:
                raise UserMistake(f"{domain}: there are {MOST_DOMAINS} domains already, which is the most")
            self.deeds.append(("number", added.lastrowid, domain))
            return _Home(added.lastrowid, [], is_doubled=False, is_corrected=False)
        return self.load_backlog(domain, *row)

    def load_backlog(self, domain: str, number_of_domain: int, data: bytes | None) -> _Home:
        """Take a domain into use, as the disk knows it."""
        backlog = read_backlog(data, domain)
        home = self.homes[domain] = _Home(
            number_of_domain, backlog.doors, backlog.is_doubled, bool(data) and backlog.is_corrected
        )
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
            home.add(behind)
        return home.doors[behind]

    # --- doing it again

    def write_later(self, table: str, statement: str, rows: dict[Any, Row]) -> None:
        """Rows of a table that is not ours, by key: of several that write the same the last one counts."""
        if rows:
            self.deeds.append(("write", statement, list(rows.values())))
            self.later.setdefault(table, {}).update({key: (statement, row) for key, row in rows.items()})

    def _write_again(self, statement: str, rows: list[Row]) -> None:
        self.connection.executemany(statement, rows)

    def redo(self, deeds: Iterable[Deed]) -> None:
        """What was done after the last commit of an earlier run."""
        for what, *given in deeds:
            _REDO[what](self, *given)
        self.deeds.clear()

    def _number(self, number: int, domain: str) -> None:
        self.connection.execute("INSERT INTO domains (id, name) VALUES (?, ?)", (number, domain))

    def _lease_again(self, domain: str, behind: str, of_rank: int, most: int) -> None:
        self._lease(self._home(domain), domain, behind, of_rank, most)

    # --- reading and writing

    def flush(self) -> None:
        """Write down what is still in memory only; a commit makes it last."""
        for lane in list(self.arrived):
            self._arrive(lane)
        self.lanes.flush()
        self.seen.flush()
        self.documents.flush()
        self._write_leases()
        rows = [self._backlog(domain) for domain in self.changed]
        self.connection.executemany("UPDATE domains SET queued = ?, backlog = ? WHERE id = ?", rows)
        self.changed.clear()
        totals = {"queued": self.queued_count, "parked": self.parked_count, **self.fates}
        news = totals.items() - self.totals.items()
        self.connection.executemany("INSERT OR REPLACE INTO totals VALUES (?, ?)", news)
        self.totals = totals
        self._write_others()

    def _write_others(self) -> None:
        for written in self.later.values():
            by_statement: dict[str, list[Row]] = {}
            for _, (statement, row) in sorted(written.items()):
                by_statement.setdefault(statement, []).append(row)
            for statement, rows in by_statement.items():
                self.connection.executemany(statement, rows)
        self.later.clear()

    def _arrive(self, lane: Lane) -> None:
        groups = self.arrived.pop(lane, None)
        if groups is not None:
            domain, of_rank, behind = lane
            home = self._home(domain)
            self.lanes.append(home.id, of_rank, self._door(home, behind), groups)

    def _write_leases(self) -> None:
        for domain in self.loosened:
            home = self._home(domain)
            self.connection.execute(
                "DELETE FROM leases WHERE number BETWEEN ? AND ?", (home.first, last_key(home.id))
            )
        left = [
            (domain, [(record, [path]) for path, record in self.leased(domain).items()])
            for domain in self.loosened
        ]
        new = [(domain, groups) for domain, groups in self.newly_leased if domain not in self.loosened]
        rows = []
        for domain, groups in left + new:
            if groups:
                self.last_lease += 1
                rows.append((self._home(domain).first + self.last_lease, unpacked(groups)))
        self.connection.executemany("INSERT INTO leases VALUES (?, ?)", rows)
        self.loosened.clear()
        self.newly_leased.clear()

    def _backlog(self, domain: str) -> tuple[int, bytes, int]:
        home = self._home(domain)
        numbers = self.numbers.get(domain, {})
        if not numbers:
            self._clear_lanes(home)
            home.is_corrected = home.is_corrected and bool(self.leased(domain))
        backlog = Backlog(
            list(home.doors),
            numbers,
            domain in self.parked_domains,
            sorted(self.parked_doors.get(domain, ())),
            home.is_doubled,
            home.is_corrected,
        )
        return sum(map(sum, numbers.values())), _encode(backlog), home.id

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
        self.leases.clear()
        self.unopened.clear()
        rows = self.connection.execute("SELECT number, requests FROM leases ORDER BY number").fetchall()
        for at, data in rows:
            first = first_key(domain_of(at))
            self.last_lease = max(self.last_lease, at - first)
            (domain,) = self.connection.execute(
                "SELECT name FROM domains WHERE id = ?", (domain_of(at),)
            ).fetchone()
            groups = unpack(data)
            digests = {path: digest(path) for path in _paths(groups)}
            stands = self.seen.get_some(first, digests.values())
            for record, paths in groups:
                for path in paths:
                    stood = stands.get(digests[path], 0)
                    if not is_settled(stood):
                        self.leases.setdefault(domain, {})[path] = _corrected(record, stood)
        self.leased_count = sum(map(len, self.leases.values()))


_REDO: dict[str, Callable[..., object]] = {
    "number": DiskLinks._number,
    "meet": lambda links, domain, paths, record: links.meet(domain, paths, Record(*record)),
    "enqueue": lambda links, domain, paths, record: links.enqueue(domain, paths, Record(*record)),
    "lease": DiskLinks._lease_again,
    "tried": DiskLinks.tried,
    "give_back": DiskLinks.give_back,
    "take": DiskLinks.take,
    "settle": lambda links, domain, path, entry: links.settle(domain, path, Entry(**entry)),
    "drop": DiskLinks.drop,
    "unsettle": DiskLinks.unsettle,
    "forget_disallowed": DiskLinks.forget_disallowed,
    "park": DiskLinks.park,
    "unpark": DiskLinks.unpark,
    "write": DiskLinks._write_again,
}


def _by_door(paths: list[str]) -> dict[str, list[str]]:
    """Mostly they are all behind one."""
    behind = door(paths[0]) if paths else ""
    if not [path for path in paths if not path.startswith(behind + "/")]:
        return {behind: paths} if paths else {}
    by_door: dict[str, list[str]] = {}
    for path in paths:
        by_door.setdefault(door(path), []).append(path)
    return by_door


def _in_turn(turns: list[int], lines: dict[int, list[Group]]) -> list[str]:
    """Paths from several lines, by whose turn it was."""
    if len(lines) <= 1:
        return [path for groups in lines.values() for _, paths in groups for path in paths]
    lists = {of_rank: _paths(groups) for of_rank, groups in lines.items()}
    return [path for of_rank in turns for path in [next(lists[of_rank], "")] if path]


def _queued(record: Record) -> int:
    """How a link stands that is queued with this record."""
    return queued(record.depth, record.usability, rank(record.promise))


def _corrected(record: Record, stands: int) -> Record:
    """What is leased may have been found by a shorter or a better way since; its standing knows."""
    if stands == _queued(record):
        return record
    present = standing(stands)
    depth = min(record.depth, present.depth) if present.depth < DEEPEST else record.depth
    return replace(record, depth=depth, usability=max(record.usability, present.usability))


def _is_queued(stands: int | None, of_rank: int) -> bool:
    if stands is None or is_settled(stands):
        return False
    return standing(stands).rank == of_rank


def _paths(groups: Iterable[Group]) -> Iterator[str]:
    return (path for _, paths in groups for path in paths)
