"""Edge: brings the database of a state directory up to date. A migration and its version are one transaction.

1  the first version: one file with everything, frontier.msgpack. It is read once, then renamed to
   frontier.msgpack.old.
2  a database. The version is the database's user_version; an empty database has 0.
3  a journal beside the database (store/journal.py), which an earlier robot would overlook.
4  no table of canonical addresses, to which earlier robots write. A database of version 3 keeps that table,
   for its journal may write to the table once more; no program reads it.
"""

import sqlite3
from pathlib import Path

import msgspec

from txtr import files
from txtr.config.places import FIRST_VERSION, FIRST_VERSION_READ
from txtr.errors import UserMistake
from txtr.frontier.records import Entry, Record, round_to_hundredths
from txtr.store.links import SCHEMA as LINKS
from txtr.store.links import DiskLinks
from txtr.store.owners import SCHEMA as OWNERS
from txtr.store.owners import Owners

VERSION = 4
FIRST_DATABASE = 2  # the first version that is a database

SCHEMA = """
CREATE TABLE doors (
    domain INTEGER NOT NULL, door TEXT NOT NULL, about BLOB NOT NULL, PRIMARY KEY (domain, door)
);
CREATE TABLE addresses (address TEXT PRIMARY KEY, since REAL, series BLOB);
CREATE TABLE abandoned (name TEXT PRIMARY KEY, figures BLOB NOT NULL);
CREATE TABLE counters (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE batches (number INTEGER PRIMARY KEY, harvester TEXT NOT NULL, requests INTEGER NOT NULL);
CREATE TABLE blocked (name TEXT PRIMARY KEY, since REAL NOT NULL);
"""


class _Queued(msgspec.Struct):
    """A request in a state of version 1."""

    depth: int
    usability: float
    tries: int = 0
    hops: int = 0
    promise: float = 1.0


class _Snapshot(msgspec.Struct):
    """A state of version 1, without the fields that are of no use any more."""

    version: int
    queued: dict[str, dict[str, _Queued]]
    documents: dict[str, dict[str, Entry]]
    resting: list[str]
    texts: dict[str, str]


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a database, 0 if it is empty; refuses one that we cannot use. Writes nothing."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise UserMistake(
            f"{path} was written by a newer robot (version {version}, this one reads {VERSION})"
        )
    if not version and connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        raise UserMistake(f"{path}: this is not the queue's database, but somebody else's; move it away")
    return int(version)


def bring_up_to_date(connection: sqlite3.Connection, path: Path, wall: float) -> None:
    """Bring a database of any version to ours; or an error says why that is not possible."""
    version = check_version(connection, path)
    if version == VERSION:
        return
    if version >= FIRST_DATABASE:
        connection.execute(f"PRAGMA user_version = {VERSION}")
        return
    old = path.with_name(FIRST_VERSION)
    snapshot = _read(old) if old.exists() else None
    connection.execute("BEGIN IMMEDIATE")
    for statement in (LINKS + OWNERS + SCHEMA).split(";"):
        connection.execute(statement)
    if snapshot is not None:
        _take_in(connection, snapshot, wall)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    if snapshot is not None:
        files.rename(old, path.with_name(FIRST_VERSION_READ))


def _read(path: Path) -> _Snapshot:
    try:
        return msgspec.msgpack.decode(files.content(path), type=_Snapshot)
    except files.NotRegular as error:
        raise UserMistake(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise UserMistake(f"{path} is damaged ({error}); move it away to start afresh") from error


def _take_in(connection: sqlite3.Connection, snapshot: _Snapshot, wall: float) -> None:
    links = DiskLinks(connection)
    for domain, documents in snapshot.documents.items():
        for path, entry in documents.items():
            links.settle(domain, path, entry)
    for domain, requests in snapshot.queued.items():
        for path, queued in requests.items():
            record = Record(
                queued.depth,
                round_to_hundredths(queued.usability),
                queued.tries,
                queued.hops,
                queued.promise,
                since=int(wall),
            )
            links.enqueue(domain, [path], record)
    links.flush()
    rests = [(address, wall) for address in snapshot.resting]
    connection.executemany("INSERT INTO addresses (address, since) VALUES (?, ?)", rests)
    owners = Owners(links)
    for text, url in snapshot.texts.items():
        owners[text] = url
