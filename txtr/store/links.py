"""Edge: the links on disk, in four tables; this module moves them from one to the other.

Rows are ordered by keys that begin with the domain's number (store/keys.py, store/domains.py).
*seen* (store/seen.py): the standings of all links; it is small, and answers nearly all questions.
*packs* (store/queue.py): the requests that are queued, a few dozen a row.
*leases* (store/leases.py): the requests that are in batches.
*documents* (store/documents.py): the links that are settled.
Memory grows with the domains in use, not with their links.

A queued link to which a shorter way was found is not searched for. Its standing holds the shorter way, and is
read when the link is taken, if its domain is *corrected*.

Invariant: all changes between two commits last together, or none does. Nothing lasts before `flush` and the
commit after it. Meanwhile each change is noted among the *deeds* (store/deeds.py), for the journal.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from typing import cast

from msgspec.structs import replace

from txtr.errors import OurMistake
from txtr.frontier.backlogs import Backlogs
from txtr.frontier.ranks import HOPELESS, rank
from txtr.frontier.records import FATES, Entry, Found, Prospect, Record, Token
from txtr.store.deeds import Deed
from txtr.store.documents import SCHEMA as DOCUMENTS
from txtr.store.documents import Documents
from txtr.store.domains import SCHEMA as HOMES
from txtr.store.domains import DomainRows
from txtr.store.home import Home
from txtr.store.keys import (
    MOST_DOORS,
    UNKNOWN,
    correct_record,
    decode_standing,
    digest,
    improve_standing,
    is_settled,
    last_key,
    settled_standing,
    standing_of_record,
)
from txtr.store.lanes import SCHEMA as LANES
from txtr.store.lanes import Lanes
from txtr.store.leases import SCHEMA as LEASES
from txtr.store.leases import Leases
from txtr.store.packs import Group, Parts, Portion, count_requests, merge_in_turn, paths_of, plan_turns
from txtr.store.queue import Queue
from txtr.store.rows import SCHEMA as TOTALS
from txtr.store.rows import OtherRows, Totals
from txtr.store.seen import SCHEMA as SEEN
from txtr.store.seen import Seen
from txtr.urls import door

SCHEMA = SEEN + LANES + DOCUMENTS + HOMES + LEASES + TOTALS
FORGOTTEN_AT_ONCE = 10_000  # links


class DiskLinks:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.deeds: list[Deed] = []  # since the store last wrote them to the journal, and emptied this
        self.backlogs = Backlogs()
        self.homes = DomainRows(connection, self.backlogs, self.deeds)
        self.seen = Seen(connection)
        self.leases = Leases(connection, self.homes, self.seen)
        self.leased = self.leases.of  # called so often that one call more would cost
        self.lanes = Lanes(connection)
        self.queue = Queue(self.homes, self.lanes, self.seen, self.leases)
        self.documents = Documents(connection)
        self.others = OtherRows(connection, self.deeds)
        self.totals = Totals(connection)
        self.fates: Counter[str] = Counter(self.totals.recall())
        self.backlogs.queued_count = self.fates.pop("queued", 0)
        self.backlogs.parked_count = self.fates.pop("parked", 0)
        self.lifted: set[str] = set()
        self.fresh: dict[str, int] = {}  # path -> digest of links that the last `meet` found new
        self.doors_to_come: Counter[str] = Counter()  # new doors of these links, by domain
        self.taken: tuple[str, str] | None = None  # the request that left the leases last

    @property
    def queued_count(self) -> int:
        return self.backlogs.queued_count

    @property
    def parked_count(self) -> int:
        return self.backlogs.parked_count

    @property
    def leased_count(self) -> int:
        return self.leases.count

    # --- links come in

    def meet(self, found: Sequence[Found]) -> list[tuple[list[str], list[str]]]:
        firsts = [self.homes[some.domain].first for some in found]
        digests, standings = self.seen.meet(firsts, [some.paths for some in found])
        kinds = {present for present in set(standings) if present != UNKNOWN}
        self.fresh = {}
        self.doors_to_come.clear()
        met = []
        better: set[int] = set()  # those kinds that this record makes better
        record, end = None, 0
        for some in found:
            if some.record is not record:  # mostly all links of a page share one
                record = some.record
                better = {
                    present
                    for present in kinds
                    if improve_standing(present, standing_of_record(record)) != present
                }
            begin, end = end, end + len(some.paths)
            stand = standings[begin:end]
            new = self._new(some, digests[begin:end], stand) if UNKNOWN in stand else []
            is_any_better = better and not better.isdisjoint(stand)
            met.append((new, self._nearer(some, digests[begin:end], stand, better) if is_any_better else []))
        return met

    def _new(self, found: Found, digests: list[int], standings: list[int]) -> list[str]:
        """The links that were never met."""
        doors = self.homes[found.domain].doors
        fresh = _select_once(found.paths, digests, standings, {UNKNOWN})
        behind = door(next(iter(fresh)))
        if behind not in doors:
            if len(doors) + self.doors_to_come[found.domain] >= MOST_DOORS:
                return []  # nonsense, or a trap: no server has so many ports
            self.doors_to_come[found.domain] += 1
        self.fresh |= fresh
        return list(fresh)

    def _nearer(self, found: Found, digests: list[int], standings: list[int], better: set[int]) -> list[str]:
        """Improve links that are queued or leased; return those to which the new way is shorter."""
        domain, paths, record = found
        again = _select_once(paths, digests, standings, better)
        self.deeds.append(("meet", domain, list(again), record))
        present = dict(zip(digests, standings, strict=True))
        worst = max(decode_standing(stands).rank for stands in better.intersection(standings))
        leased = self._leased_digests(domain) if rank(record.promise) < worst else set()
        return [
            path
            for path, its_digest in again.items()
            if self._improve(self.homes[domain], domain, path, present[its_digest], record, leased)
        ]

    def _improve(
        self, home: Home, domain: str, path: str, present: int, record: Record, leased: set[int]
    ) -> bool:
        """Improve a link that was found again; is the new way shorter?"""
        better = improve_standing(present, standing_of_record(record))
        before, after = decode_standing(present), decode_standing(better)
        is_leased, is_lifted = path in self.leased(domain), after.rank < before.rank
        if is_lifted and not is_leased and not self._may_be_queued(domain, path, before.rank, leased):
            return False
        self.seen.set(home.first, digest(path), better)
        if is_leased:
            self.leases.improve(domain, path, better, record.promise)
        elif is_lifted:
            home.is_doubled = True
            self.homes.count(home, domain, door(path), before.rank, -1)
            best = replace(record, depth=after.depth, usability=after.usability)
            self.queue.append(home, domain, door(path), [path], best)
            self.lifted.add(domain)
        else:
            home.is_corrected = True
            self.homes.changed.add(domain)
        return after.depth < before.depth

    def _may_be_queued(self, domain: str, path: str, of_rank: int, leased: set[int]) -> bool:
        """Is this path queued with this rank, as far as can be told?

        If not, another path has the same digest (store/keys.py). Anybody can make such paths in a second."""
        return self.backlogs.behind(domain, door(path))[of_rank] > 0 and digest(path) not in leased

    def _leased_digests(self, domain: str) -> set[int]:
        return {digest(path) for path in self.leased(domain)}

    def enqueue(self, domain: str, paths: Iterable[str], record: Record) -> None:
        paths = list(paths)
        home, fresh = self.homes[domain], self.fresh  # a new home's number is a deed before this one
        self.deeds.append(("enqueue", domain, paths, record))
        self.seen.set_some(
            home.first, [fresh.get(path) or digest(path) for path in paths], standing_of_record(record)
        )
        for behind, some in _group_by_door(paths).items():
            self.queue.append(home, domain, behind, some, record)

    # --- requests go out and come back

    def doors(self, domain: str) -> list[str]:
        if domain not in self.homes:
            self.homes.move_in(domain)
        return self.backlogs.doors(domain)

    def backlog(self, domain: str) -> int:
        if domain not in self.homes:
            self.homes.move_in(domain)
        return self.backlogs.backlog(domain)

    def best(self, domain: str) -> int | None:
        if domain not in self.homes:
            self.homes.move_in(domain)
        return self.backlogs.best(domain)

    def lease(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> list[str]:
        home = self.homes[domain]
        taken: list[str] = []
        while len(taken) < most and (ranks := self._turns(home, domain, behind, most - len(taken), worst)):
            lines = {
                of_rank: self.lease_of_rank(domain, behind, of_rank, number)
                for of_rank, number in Counter(ranks).items()
            }
            home.count_turns(behind, len(ranks))
            taken += merge_in_turn(ranks, lines)
        return taken

    def lease_of_rank(self, domain: str, behind: str, of_rank: int, most: int) -> list[Group]:
        """Take the next requests of one rank. Turns are not on disk; the deed names the rank."""
        home = self.homes[domain]
        self.deeds.append(("lease", domain, behind, of_rank, most))
        groups = self.queue.pull(home, domain, behind, of_rank, most)
        self.leases.add(domain, groups, count_requests(groups))
        return groups

    def look_ahead(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> Prospect | None:
        home = self.homes[domain]
        ranks = self._turns(home, domain, behind, most, worst)
        if home.is_doubled or not ranks:
            return None
        place = home.door(behind)
        portions: dict[int, Portion] = {}
        for of_rank, number in Counter(ranks).items():
            portion = self.lanes.look_ahead(home.id, of_rank, place, number)
            if portion is None:
                return None
            portions[of_rank] = portion
        lines = {of_rank: portion.groups for of_rank, portion in portions.items()}
        deepest = max([record.depth for groups in lines.values() for record, _ in groups])
        parts = Parts(home, home.changes, domain, behind, [*portions.items()])
        return Prospect(merge_in_turn(ranks, lines), deepest, parts)

    def lease_ahead(self, prospects: Sequence[Token]) -> bool:
        """Lease prospects, unless a request has come or gone at one of their domains since."""
        parts = cast("Sequence[Parts]", prospects)
        for home, changes, _, _, portions in parts:
            if home.changes != changes or not all([portion.is_ahead for _, portion in portions]):  # noqa: C419
                return False
        for home, _, domain, behind, portions in parts:
            for of_rank, portion in portions:
                most = portion.most
                self.deeds.append(("lease", domain, behind, of_rank, most))
                self.lanes.take(portion)
                self.homes.count(home, domain, behind, of_rank, -most)
                home.count_turns(behind, most)
                self.leases.add(domain, portion.groups, most)
        return True

    def _turns(self, home: Home, domain: str, behind: str, most: int, worst: int) -> list[int]:
        """The ranks of the next requests, in turn."""
        return plan_turns(self.backlogs.behind(domain, behind)[: worst + 1], home.turn(behind), most)

    def tried(self, domain: str, path: str) -> Record:
        record = self.leases.tried(domain, path)
        self.deeds.append(("tried", domain, path))
        return record

    def give_back(self, domain: str, path: str) -> None:
        record = self.leases.remove(domain, path)
        if record is None:
            raise OurMistake(f"{domain} {path} was given back, but is not leased")
        self.deeds.append(("give_back", domain, path))
        self.leases.loosened.add(domain)
        self.queue.append(self.homes[domain], domain, door(path), [path], record)

    def take(self, domain: str, path: str) -> Record | None:
        home, record = self.homes[domain], self.leases.remove(domain, path)
        if record is not None:
            self.deeds.append(("take", domain, path))
            self.taken = (domain, path)
            if not home.is_corrected:
                return record
        stands = self.seen.get(home.first, digest(path))
        if record is not None:
            return record if stands is None else correct_record(record, stands)
        if stands is None or is_settled(stands):
            return None
        present = decode_standing(stands)
        if not self._may_be_queued(domain, path, present.rank, self._leased_digests(domain)):
            return None
        self.deeds.append(("take", domain, path))
        home.is_doubled = True
        self.homes.count(home, domain, door(path), present.rank, -1)
        return Record(present.depth, present.usability)

    # --- what is settled

    def settle(self, domain: str, path: str, entry: Entry) -> None:
        first, its_digest = self.homes[domain].first, digest(path)
        self.deeds.append(("settle", domain, path, entry))
        if self.taken != (domain, path):  # a request that was leased was not settled
            before = self.seen.get(first, its_digest)
            if before is not None and is_settled(before):
                self.fates[FATES[decode_standing(before).fate]] -= 1
        self.taken = None
        self.fates[entry.fate] += 1
        self.seen.set_later(first, its_digest, settled_standing(entry.fate, entry.depth))
        self.documents.put(first + its_digest, domain, path, entry)

    def knows(self, domain: str, path: str) -> bool:
        if path in self.leased(domain):
            return False
        stands = self.seen.get(self.homes[domain].first, digest(path))
        return stands is not None and is_settled(stands)

    def drop(self, domain: str, most: int) -> int:
        home, backlogs = self.homes[domain], self.backlogs.numbers
        self.deeds.append(("drop", domain, most))
        dropped = 0
        while dropped < most and domain in backlogs:
            behind, numbers = next(iter(backlogs[domain].items()))
            of_rank = next(of_rank for of_rank, number in enumerate(numbers) if number)
            groups = self.queue.pull(home, domain, behind, of_rank, min(most - dropped, numbers[of_rank]))
            self.seen.remove(home.first, [digest(path) for path in paths_of(groups)])
            dropped += count_requests(groups)
        if domain not in backlogs:
            self.queue.forget_arrived(domain)
            self.queue.clear(home)
        return dropped

    def unsettle(
        self, domain: str, fate: str, most: int, behind: str | None = None
    ) -> list[tuple[str, Entry]]:
        home = self.homes[domain]
        self.deeds.append(("unsettle", domain, fate, most, behind))
        found = self.documents.of_fate(fate, domain, home.first, last_key(home.id), behind, most)
        self._unsettle(domain, home, fate, found)
        return list(found.values())

    def _unsettle(self, domain: str, home: Home, fate: str, found: Collection[int]) -> None:
        self.documents.remove(list(found))
        self.seen.remove(home.first, [key - home.first for key in found])
        self.fates[fate] -= len(found)
        self.leases.loosened.add(domain)  # rows of leases may still hold these links

    def forget_disallowed(self, domain: str, behind: str) -> None:
        home, fate = self.homes[domain], "disallowed"
        self.deeds.append(("forget_disallowed", domain, behind))
        first, last = home.first, last_key(home.id)
        while found := self.documents.keys_of_fate(fate, first, last, behind, FORGOTTEN_AT_ONCE):
            self._unsettle(domain, home, fate, found)
            first = found[-1] + 1  # all before are done

    # --- parking

    def park(self, domain: str, behind: str | None = None) -> int:
        self._changes(domain)
        self.deeds.append(("park", domain, behind))
        return self.backlogs.park(domain, behind)

    def unpark(self, domain: str, behind: str | None = None) -> int:
        self._changes(domain)
        self.deeds.append(("unpark", domain, behind))
        return self.backlogs.unpark(domain, behind)

    def _changes(self, domain: str) -> None:
        if domain not in self.homes:
            self.homes.move_in(domain)
        self.homes.changed.add(domain)

    def is_parked(self, domain: str, behind: str = "") -> bool:
        if domain not in self.homes:
            if self.homes.known_number(domain) is None:
                return False  # a question adds no domain
            self.homes.move_in(domain)
        return self.backlogs.is_parked(domain, behind)

    # --- writing

    def flush(self) -> None:
        """Write down what is only in memory; a commit makes it last."""
        self.queue.flush()
        self.seen.flush()
        self.documents.flush()
        self.leases.flush()
        for domain in self.homes.changed:
            if not self.backlogs.numbers.get(domain):
                self._emptied(domain)
        self.homes.flush()
        self.totals.write({"queued": self.queued_count, "parked": self.parked_count, **self.fates})
        self.others.flush()

    def _emptied(self, domain: str) -> None:
        """Note that no request is queued here that could be doubled or corrected."""
        home = self.homes[domain]
        self.queue.clear(home)
        home.is_corrected = home.is_corrected and bool(self.leased(domain))


def _select_once(
    paths: Collection[str], digests: Sequence[int], standings: Sequence[int], those: Container[int]
) -> dict[str, int]:
    """Path -> digest of the links with one of those standings, each digest once."""
    found = {
        its_digest: path
        for path, its_digest, stands in zip(paths, digests, standings, strict=True)
        if stands in those
    }
    return {path: its_digest for its_digest, path in found.items()}


def _group_by_door(paths: list[str]) -> dict[str, list[str]]:
    """Door -> its paths. Mostly all paths are behind one door."""
    behind = door(paths[0]) if paths else ""
    if not [path for path in paths if not path.startswith(behind + "/")]:
        return {behind: paths} if paths else {}
    by_door: dict[str, list[str]] = {}
    for path in paths:
        by_door.setdefault(door(path), []).append(path)
    return by_door
