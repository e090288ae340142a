"""Edge: the totals on disk: how many links are queued, parked, and settled with each fate, a row each."""

import sqlite3

SCHEMA = """
CREATE TABLE totals (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
"""


class Totals:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.written: dict[str, int] = {}  # as they are on disk, as far as we know

    def recall(self) -> dict[str, int]:
        return dict(self.connection.execute("SELECT name, number FROM totals"))

    def write(self, totals: dict[str, int]) -> None:
        """Those that have changed; a commit makes it last."""
        news = totals.items() - self.written.items()
        self.connection.executemany("INSERT OR REPLACE INTO totals VALUES (?, ?)", news)
        self.written = totals
