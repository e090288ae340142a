"""Edge: the homes of domains on disk. A row holds a domain's number, its name, and how much is queued where.

`homes[domain]` takes a domain into use: the domain *moves in*, with what its row says, or with a new number
if it was never met. It stays in use until it is forgotten. Meanwhile its requests are counted in the
backlogs (frontier/backlogs.py).

Invariant: a home is forgotten only after a flush, so everything about it is on disk.
"""

import sqlite3
from collections.abc import Container

from txtr.errors import UserMistake
from txtr.frontier.backlogs import Backlogs
from txtr.store.deeds import Deed
from txtr.store.home import Home
from txtr.store.keys import MOST_DOMAINS
from txtr.store.values import Backlog, encode_backlog, read_backlog

SCHEMA = """
CREATE TABLE domains (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, queued INTEGER NOT NULL DEFAULT 0,
    backlog BLOB, about BLOB
);
"""
MOST_LOOKED_AT = 5000  # domains that stay in memory although they are not in use


class DomainRows(dict[str, Home]):
    """The homes of domains in use. A dict, because nothing is looked up as often: a home costs no call."""

    def __init__(self, connection: sqlite3.Connection, backlogs: Backlogs, deeds: list[Deed]) -> None:
        super().__init__()
        self.connection = connection
        self.backlogs = backlogs
        self.deeds = deeds
        self.looked_at: list[str] = []  # domains that moved in, and may not be in use after all
        self.changed: set[str] = set()  # domains whose backlog has changed, to be written
        (last,) = connection.execute("SELECT max(id) FROM domains").fetchone()
        self.last: int = last or 0  # highest number of a domain; numbers begin at 1, none is ever removed

    def __missing__(self, domain: str) -> Home:
        return self.move_in(domain)

    def move_in(self, domain: str) -> Home:
        """Take a domain into use that is not in use."""
        row = self.connection.execute("SELECT id, backlog FROM domains WHERE name = ?", (domain,)).fetchone()
        home = self[domain] = self._found(domain) if row is None else self.load(domain, *row)
        self.looked_at.append(domain)
        return home

    def _found(self, domain: str) -> Home:
        added = self.connection.execute("INSERT INTO domains (name) VALUES (?)", (domain,))
        assert added.lastrowid is not None
        if added.lastrowid >= MOST_DOMAINS:
            raise UserMistake(f"{domain}: there are {MOST_DOMAINS} domains already, which is the most")
        self.last = added.lastrowid
        self.deeds.append(("number", added.lastrowid, domain))
        return Home(added.lastrowid, [], is_doubled=False, is_corrected=False)

    def number(self, number: int, domain: str) -> None:
        """Add a domain with the number that it had before a crash."""
        self.connection.execute("INSERT INTO domains (id, name) VALUES (?, ?)", (number, domain))
        self.last = max(self.last, number)

    def load(self, domain: str, number: int, data: bytes | None) -> Home:
        """Take a domain into use, as its row says."""
        backlog = read_backlog(data, domain)
        home = self[domain] = Home(
            number, backlog.doors, backlog.is_doubled, bool(data) and backlog.is_corrected
        )
        if backlog.numbers:
            self.backlogs.load(domain, backlog.numbers)
        if backlog.is_parked:
            self.backlogs.parked_domains.add(domain)
        if backlog.parked_doors:
            self.backlogs.parked_doors[domain] = set(backlog.parked_doors)
        return home

    def known_number(self, domain: str) -> int | None:
        """The domain's number, if it was ever met."""
        if domain in self:
            return self[domain].id
        row = self.connection.execute("SELECT id FROM domains WHERE name = ?", (domain,)).fetchone()
        return row[0] if row else None

    def name_of(self, number: int) -> str | None:
        """The domain that has this number."""
        row = self.connection.execute("SELECT name FROM domains WHERE id = ?", (number,)).fetchone()
        return row[0] if row else None

    def count(self, home: Home, domain: str, behind: str, of_rank: int, by: int) -> None:
        """Count requests that were queued behind a door of this domain, or taken away."""
        self.backlogs.count(domain, behind, of_rank, by)
        self.changed.add(domain)
        home.changes += 1

    def forget(self, domain: str) -> None:
        """End the use of a domain; call it after a flush."""
        self.backlogs.forget(domain)
        if domain in self:
            self.pop(domain).changes += 1  # a prospect of this home must not be leased

    def tidy(self, in_use: Container[str]) -> None:
        """Forget domains that were only looked at; call it after a flush."""
        if len(self.looked_at) > MOST_LOOKED_AT:
            for domain in self.looked_at:
                if domain not in in_use:
                    self.forget(domain)
            self.looked_at.clear()

    def flush(self) -> None:
        """Write down what has changed; a commit makes it last."""
        rows = [self._row(domain) for domain in self.changed]
        self.connection.executemany("UPDATE domains SET queued = ?, backlog = ? WHERE id = ?", rows)
        self.changed.clear()

    def _row(self, domain: str) -> tuple[int, bytes, int]:
        home, backlogs = self[domain], self.backlogs
        numbers = backlogs.numbers.get(domain, {})
        backlog = Backlog(
            list(home.doors),
            numbers,
            domain in backlogs.parked_domains,
            sorted(backlogs.parked_doors.get(domain, ())),
            home.is_doubled,
            home.is_corrected,
        )
        return sum(map(sum, numbers.values())), encode_backlog(backlog), home.id
