"""Edge: the rows of all tables that hold no links, and the totals. They are written together with the links.

The journal has one sequence of deeds for all tables, and one commit makes all of them last. So domains,
addresses, batches and the yield are written through this module. The totals count how many links are queued,
parked, and settled with each fate, a row each.
"""

import sqlite3
from typing import Any

from txtr.store.deeds import Deed

Row = tuple[Any, ...]


class OtherRows:
    def __init__(self, connection: sqlite3.Connection, deeds: list[Deed]) -> None:
        self.connection = connection
        self.deeds = deeds
        self.later: dict[str, dict[Any, tuple[str, Row]]] = {}  # table -> key -> statement, row

    def write(self, table: str, statement: str, rows: dict[Any, Row]) -> None:
        """Rows by key, to be written later. Of several rows with the same key the last one counts."""
        if rows:
            self.deeds.append(("write", statement, list(rows.values())))
            later = self.later.setdefault(table, {})
            for key, row in rows.items():
                later[key] = (statement, row)

    def write_again(self, statement: str, rows: list[Row]) -> None:
        self.connection.executemany(statement, rows)

    def get(self, table: str, key: Any) -> Row | None:
        """A row that is not written yet, if there is one with this key."""
        written = self.later.get(table)
        return written[key][1] if written is not None and key in written else None

    def flush(self) -> None:
        """Write down what has arrived; a commit makes it last."""
        for written in self.later.values():
            by_statement: dict[str, list[Row]] = {}
            for key in sorted(written):
                statement, row = written[key]
                by_statement.setdefault(statement, []).append(row)
            for statement, rows in by_statement.items():
                self.connection.executemany(statement, rows)
        self.later.clear()


SCHEMA = """
CREATE TABLE totals (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
"""


class Totals:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.written: dict[str, int] = {}  # as we have last written them

    def recall(self) -> dict[str, int]:
        return dict(self.connection.execute("SELECT name, number FROM totals"))

    def write(self, totals: dict[str, int]) -> None:
        """Write the totals that have changed; a commit makes it last."""
        news = totals.items() - self.written.items()
        self.connection.executemany("INSERT OR REPLACE INTO totals VALUES (?, ?)", news)
        self.written = totals
