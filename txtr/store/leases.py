"""Edge: leases on disk, the requests that are in batches. A row holds the requests that were leased together.

Most requests are leased and settled without a look at their records, so a row is *opened*, path by path, only
when one of its records is asked for. A row stays as it is when one of its requests is settled: the standing
of the request says so. The rows of a domain are written *anew* only when its last lease has ended, or when a
lease has changed.
"""

import sqlite3

from msgspec.structs import replace

from txtr.frontier.ranks import rank
from txtr.frontier.records import Record
from txtr.store.domains import DomainRows
from txtr.store.keys import correct_record, digest, domain_of, first_key, is_settled, last_key
from txtr.store.packs import Group, encode_groups, paths_of, unpack
from txtr.store.seen import Seen

SCHEMA = """
CREATE TABLE leases (number INTEGER PRIMARY KEY, requests BLOB NOT NULL);
"""


class Leases:
    def __init__(self, connection: sqlite3.Connection, homes: DomainRows, seen: Seen) -> None:
        self.connection = connection
        self.homes = homes
        self.seen = seen
        self.leases: dict[str, dict[str, Record]] = {}  # domain -> path -> record
        self.unopened: dict[str, list[list[Group]]] = {}  # domain -> leases that are not opened yet
        self.count = 0
        self.last = 0  # number within its domain, rising
        # To be written by flush:
        self.new: list[tuple[str, list[Group]]] = []  # leases with their domains
        self.loosened: set[str] = set()  # domains whose leases are to be written anew

    def add(self, domain: str, groups: list[Group], number: int) -> None:
        """Requests of a domain, so many, go into a batch."""
        if groups:
            self.new.append((domain, groups))
            self.unopened.setdefault(domain, []).append(groups)
            self.count += number

    def of(self, domain: str) -> dict[str, Record]:
        if domain in self.unopened:
            leases = self.leases.setdefault(domain, {})
            for groups in self.unopened.pop(domain):
                for record, paths in groups:
                    leases.update(dict.fromkeys(paths, record))
        return self.leases.get(domain) or {}

    def improve(self, domain: str, path: str, stands: int, promise: float) -> None:
        """A shorter or better way was found to a request that is leased."""
        leases = self.of(domain)
        leased = correct_record(leases[path], stands)
        if rank(promise) < rank(leased.promise):
            leased = replace(leased, promise=promise)
            self.loosened.add(domain)
        leases[path] = leased

    def tried(self, domain: str, path: str) -> Record:
        leases = self.of(domain)
        record = leases[path] = replace(leases[path], tries=leases[path].tries + 1)
        self.loosened.add(domain)
        return record

    def remove(self, domain: str, path: str) -> Record | None:
        """End a lease, and return its record; None if there is no such lease."""
        leases = self.of(domain)
        record = leases.pop(path, None)
        if record is not None:
            self.count -= 1
            if not leases:
                del self.leases[domain]
                self.loosened.add(domain)
        return record

    def flush(self) -> None:
        """Write down what has changed; a commit makes it last."""
        for domain in self.loosened:
            home = self.homes[domain]
            self.connection.execute(
                "DELETE FROM leases WHERE number BETWEEN ? AND ?", (home.first, last_key(home.id))
            )
        left = [
            (domain, [(record, [path]) for path, record in self.of(domain).items()])
            for domain in self.loosened
        ]
        new = [(domain, groups) for domain, groups in self.new if domain not in self.loosened]
        rows = []
        for domain, groups in left + new:
            if groups:
                self.last += 1
                rows.append((self.homes[domain].first + self.last, encode_groups(groups)))
        self.connection.executemany("INSERT INTO leases VALUES (?, ?)", rows)
        self.loosened.clear()
        self.new.clear()

    def recall(self) -> None:
        """Read the leases of an earlier run."""
        self.leases.clear()
        self.unopened.clear()
        rows = self.connection.execute("SELECT number, requests FROM leases ORDER BY number").fetchall()
        for at, data in rows:
            first = first_key(domain_of(at))
            self.last = max(self.last, at - first)
            (domain,) = self.connection.execute(
                "SELECT name FROM domains WHERE id = ?", (domain_of(at),)
            ).fetchone()
            groups = unpack(data)
            digests = {path: digest(path) for path in paths_of(groups)}
            stands = self.seen.get_some(first, digests.values())
            for record, paths in groups:
                for path in paths:
                    stood = stands.get(digests[path], 0)
                    if not is_settled(stood):
                        self.leases.setdefault(domain, {})[path] = correct_record(record, stood)
        self.count = sum(map(len, self.leases.values()))
