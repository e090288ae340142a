"""Edge: the books: what keeper and frontier know, written to disk before a harvester is told of it."""

import gc
from pathlib import Path
from zlib import crc32

from txtr.corpus.duplicates import Claims
from txtr.diary.yields import Yields
from txtr.frontier.frontier import Frontier
from txtr.manners.robots import token
from txtr.queuekeeper.keeper import Keeper
from txtr.store.owners import Owners
from txtr.store.store import Store

# How many objects are made from one search for cycles to the next, and how many searches from one that takes
# older objects in to the next: those are a hundred thousand, 25 ms. The oldest are never searched. What stays
# is in no cycle, and such a search took 1.3 s in one go when 160,000 domains were known.
CYCLE_THRESHOLDS = (20_000, 5, 1_000_000_000)

# What the crawl has yielded: a row for each language, domain and fate, and one for the whole crawl. The table
# is made if it is missing, as in states of earlier versions.
HARVEST_TABLE = """
CREATE TABLE IF NOT EXISTS harvest (
    kind TEXT NOT NULL, name TEXT NOT NULL,
    documents INTEGER NOT NULL, kept INTEGER NOT NULL,
    raw_bytes INTEGER NOT NULL, kept_bytes INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID
"""


class Books:
    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self.store.connection.execute(HARVEST_TABLE)
        self.refused = 0  # links, as last written
        gc.set_threshold(*CYCLE_THRESHOLDS)
        gc.enable()  # queuekeeper.py has switched it off
        self.claims = Claims(Owners(self.store.links))

    def open(self, keeper: Keeper, now: float) -> None:
        """Let the keeper go on where an earlier run ended."""
        connection = self.store.connection
        numbers = dict(connection.execute("SELECT name, number FROM counters"))
        self._introduce(keeper.frontier, numbers, now)
        self.store.begin(keeper.frontier, now)
        keeper.last_number = numbers.get("last-batch", 0)
        keeper.frontier.refused = self.refused = numbers.get("refused", 0)
        rows = connection.execute("SELECT number, harvester, requests FROM batches").fetchall()
        keeper.go_on(rows, now)
        keeper.harvest.go_on(connection.execute("SELECT * FROM harvest").fetchall())

    def _introduce(self, frontier: Frontier, numbers: dict[str, int], now: float) -> None:
        """Note the name of our robot. After a change of name every robots.txt has to be read anew."""
        name = crc32(token(frontier.permits.agent).encode())
        if numbers.get("robot") not in (None, name):
            numbers["named-since"] = int(self.store.steady(frontier.epoch) + now)
        self.store.named_since = numbers.get("named-since", 0)
        rows = [("robot", name), ("named-since", self.store.named_since)]
        self.store.connection.executemany("INSERT OR REPLACE INTO counters VALUES (?, ?)", rows)

    def take_up(self, keeper: Keeper, now: float) -> bool:
        """Let the keeper go on with a few more domains; are there others?"""
        is_more = self.store.take_up(keeper.frontier, now)
        if not is_more:
            gc.freeze()  # these objects stay for long: no search for cycles among them
        return is_more

    def keep(self, keeper: Keeper, now: float) -> None:
        """Write all that has happened to disk; after an order into the tables, where readers see it."""
        self.store.note(keeper.frontier, now)
        self._write_batches(keeper)
        self._write_harvest(keeper.harvest)
        self._write_refused(keeper.frontier.refused)
        if self.store.put_down(now, is_urgent=keeper.has_obeyed):
            keeper.has_obeyed = False
            keeper.frontier.put_away(now)

    def close(self) -> None:
        self.store.close()

    def _write_harvest(self, harvest: Yields) -> None:
        rows, gone = harvest.changes()
        write, row = self.store.links.others.write, "INSERT OR REPLACE INTO harvest VALUES (?, ?, ?, ?, ?, ?)"
        write("harvest", row, {row[:2]: row for row in rows})
        write("harvest", "DELETE FROM harvest WHERE kind = ? AND name = ?", {key: key for key in gone})

    def _write_refused(self, number: int) -> None:
        if number != self.refused:
            self._write_counter("refused", number)
            self.refused = number

    def _write_counter(self, name: str, number: int) -> None:
        statement = "INSERT OR REPLACE INTO counters VALUES (?, ?)"
        self.store.links.others.write("counters", statement, {name: (name, number)})

    def _write_batches(self, keeper: Keeper) -> None:
        if not keeper.touched_batches:
            return
        rows = {
            number: (number, harvester.name, harvester.dealt[number])
            for harvester in keeper.harvesters.values()
            for number in keeper.touched_batches & harvester.dealt.keys()
        }
        ended = {number: (number,) for number in keeper.touched_batches - rows.keys()}
        write = self.store.links.others.write
        write("batches", "INSERT OR REPLACE INTO batches VALUES (?, ?, ?)", rows)
        write("batches", "DELETE FROM batches WHERE number = ?", ended)
        self._write_counter("last-batch", keeper.last_number)
        keeper.touched_batches.clear()
