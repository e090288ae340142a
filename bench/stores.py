"""Which embedded store for the seen test? Ours (leaves in SQLite) against a row per link, LMDB and RocksDB.

    python bench/stores.py [--links=2000000]      needs lmdb and rocksdict; whoever is missing is left out

Links are numbers, a domain's and a digest's, 100 to a domain on average, as in keys.py. A page asks for 50 of
them, 40 of its own domain, and adds 10; after every 100 pages everything is committed and on the disk. What
is stored for each link is how it stands, a number of three bytes.

Printed are links asked for or added per second, elapsed and of processor time, and bytes on disk per link.
Figures and what follows from them: docs/decisions/0007-frontier-on-disk.md.
"""

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from txtr.store.keys import DIGEST_BITS, first_key  # noqa: E402
from txtr.store.seen import SCHEMA, Seen  # noqa: E402

PER_DOMAIN = 100
PAGES = 4000
COMMIT_EVERY = 100  # pages
STANDING = 1_638_404  # queued, of usability 0, four clicks deep

Link = tuple[int, int]  # domain, digest


class Peer(Protocol):
    def ask(self, links: list[Link]) -> int: ...
    def add(self, links: Iterable[Link]) -> None: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...


def _sqlite(directory: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(directory / "db", isolation_level=None)
    for setting in ("page_size = 8192", "journal_mode = WAL", "synchronous = FULL", "cache_size = -262144"):
        connection.execute(f"PRAGMA {setting}")
    return connection


class Leaves:
    """SQLite, a row for up to 96 links of a domain: what we do."""

    def __init__(self, directory: Path) -> None:
        self.connection = _sqlite(directory)
        self.connection.execute(SCHEMA)
        self.connection.execute("BEGIN")
        self.seen = Seen(self.connection)

    def ask(self, links: list[Link]) -> int:
        return sum(len(self.seen.get_some(first_key(d), some)) for d, some in _by_domain(links).items())

    def add(self, links: Iterable[Link]) -> None:
        for domain, digest in links:
            self.seen.set(first_key(domain), digest, STANDING)

    def commit(self) -> None:
        self.seen.flush()
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def close(self) -> None:
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.connection.close()


class Rows(Leaves):
    """SQLite, a row for each link."""

    def __init__(self, directory: Path) -> None:
        self.connection = _sqlite(directory)
        self.connection.execute("CREATE TABLE seen (key INTEGER PRIMARY KEY, standing INTEGER NOT NULL)")
        self.connection.execute("BEGIN")

    def ask(self, links: list[Link]) -> int:
        marks = ",".join("?" * len(links))
        question = f"SELECT key, standing FROM seen WHERE key IN ({marks})"
        return len(self.connection.execute(question, list(map(_key, links))).fetchall())

    def add(self, links: Iterable[Link]) -> None:
        rows = [(_key(link), STANDING) for link in links]
        self.connection.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?)", rows)

    def commit(self) -> None:
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")


class Lmdb:
    """LMDB: a B+ tree in mapped memory."""

    def __init__(self, directory: Path) -> None:
        import lmdb  # type: ignore[import-not-found,unused-ignore]

        self.environment = lmdb.open(str(directory), map_size=8 << 30)
        self.transaction = self.environment.begin(write=True)

    def ask(self, links: list[Link]) -> int:
        return len(self.transaction.cursor().getmulti([_bytes(link) for link in links]))

    def add(self, links: Iterable[Link]) -> None:
        value = STANDING.to_bytes(3)
        self.transaction.cursor().putmulti([(_bytes(link), value) for link in links])

    def commit(self) -> None:
        self.transaction.commit()
        self.transaction = self.environment.begin(write=True)

    def close(self) -> None:
        self.transaction.commit()
        self.environment.close()


class Rocks:
    """RocksDB: sorted files, merged in the background."""

    def __init__(self, directory: Path) -> None:
        import rocksdict  # type: ignore[import-not-found,unused-ignore]

        self.module: Any = rocksdict
        self.database = rocksdict.Rdict(str(directory), rocksdict.Options(raw_mode=True))
        self.batch = rocksdict.WriteBatch(raw_mode=True)
        self.added: set[bytes] = set()  # a batch cannot be asked

    def ask(self, links: list[Link]) -> int:
        keys = [_bytes(link) for link in links]
        found = self.database.get(keys)
        return sum(value is not None or key in self.added for key, value in zip(keys, found, strict=True))

    def add(self, links: Iterable[Link]) -> None:
        value = STANDING.to_bytes(3)
        for link in links:
            self.batch.put(_bytes(link), value)
            self.added.add(_bytes(link))

    def commit(self) -> None:
        durably = self.module.WriteOptions()
        durably.sync = True
        self.database.write(self.batch, durably)
        self.batch = self.module.WriteBatch(raw_mode=True)
        self.added.clear()

    def close(self) -> None:
        self.commit()
        self.database.flush()
        self.database.close()


PEERS: tuple[Callable[[Path], Peer], ...] = (Leaves, Rows, Lmdb, Rocks)


def _key(link: Link) -> int:
    return first_key(link[0]) + link[1]


def _bytes(link: Link) -> bytes:
    return (link[0] << DIGEST_BITS | link[1]).to_bytes(8)


def _by_domain(links: Iterable[Link]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for domain, digest in links:
        groups.setdefault(domain, []).append(digest)
    return groups


def links(count: int, chance: random.Random) -> list[list[Link]]:
    """So many links, by domain; few domains have most of them."""
    domains: list[list[Link]] = []
    while count > 0:
        size = min(count, int(11 / (1 - chance.random())), 200_000)
        number = len(domains) + 1
        domains.append([(number, chance.getrandbits(DIGEST_BITS)) for _ in range(size)])
        count -= size
    return domains


def pages(domains: list[list[Link]], chance: random.Random) -> Iterator[tuple[list[Link], list[Link]]]:
    """What each page asks for, and what it adds."""
    for _ in range(PAGES):
        own, others = chance.choice(domains), chance.choices(domains, k=5)
        known = chance.choices(own, k=32) + [chance.choice(other) for other in others for _ in range(2)]
        new = [(own[0][0], chance.getrandbits(DIGEST_BITS)) for _ in range(10)]
        yield known[:40] + new, new


def measure(make: Callable[[Path], Peer], domains: list[list[Link]], asked: list[Any]) -> str:
    directory = Path(tempfile.mkdtemp(prefix="store-"))
    try:
        peer = make(directory)
        for number, own in enumerate(domains):
            peer.add(own)
            if number % 1000 == 0:
                peer.commit()
        peer.commit()
        begun, processor = time.perf_counter(), time.process_time()
        for number, (links, new) in enumerate(asked):
            peer.ask(links)
            peer.add(new)
            if number % COMMIT_EVERY == 0:
                peer.commit()
        peer.commit()
        spent, processor = time.perf_counter() - begun, time.process_time() - processor
        peer.close()
        done = sum(len(links) for links, _ in asked)
        size = sum(file.stat().st_blocks * 512 for file in directory.iterdir())
        total = sum(map(len, domains)) + 10 * len(asked)
        return f"{done / spent:10,.0f} {done / processor:10,.0f} {size / total:8.1f}"
    finally:
        shutil.rmtree(directory)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--links", type=int, default=2_000_000)
    chosen = parser.parse_args()
    chance = random.Random(0)
    domains = links(chosen.links, chance)
    asked = list(pages(domains, chance))
    print(f"{'':10} {'links/s':>10} {'per cpu s':>10} {'B/link':>8}")
    for make in PEERS:
        name = getattr(make, "__name__", "")
        try:
            print(f"{name:10} {measure(make, domains, asked)}", flush=True)
        except ImportError as error:
            print(f"{name:10} {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
