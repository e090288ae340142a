"""Edge: the database file of a state directory: opens it, creates it, or refuses it and says what to do.

Invariant: a file that is not the queue's database, or only a part of it, is not changed.
"""

import contextlib
import shutil
import sqlite3
from pathlib import Path

from txtr import clock, files
from txtr.config.places import (
    CRAWL_FILES,
    FIRST_VERSION,
    FRESH_DATABASE,
    JOURNAL_FILES,
    WRITE_AHEAD_LOG,
)
from txtr.errors import Damaged, UserMistake
from txtr.store.migrations import bring_up_to_date, check_version

GENERATION = "generation"  # the counter of commits that the journal refers to
CACHE_KIB = 256 * 1024  # of the database in our memory; the system caches more while it can
LEAST_ROOM_BYTES = 64 * 1024  # SQLite's index of its log grows by 32 KiB; a disk with less is full
_MAGIC = b"SQLite format 3\0"  # how every database begins
CHECK_PAGES = "cell_size_check = ON"  # without it, rows of a damaged page are mostly just not found
WAY_OUT = "restore a copy of the state, or move the whole directory away to start afresh"

# SQLite's primary code -> what is wrong with the database, and what the user can do about it.
_TROUBLES: dict[int | None, str] = {
    sqlite3.SQLITE_NOTADB: f"this is not the queue's database, or no longer; {WAY_OUT}",
    sqlite3.SQLITE_CORRUPT: f"the database is damaged; {WAY_OUT}",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the file or its directory cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened, or its directory cannot be written",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written, or a file may not grow any further",
    sqlite3.SQLITE_BUSY: "another program has locked it",
}


def explain_trouble(path: Path, error: BaseException) -> str:
    """What is wrong with a database, in one line that names it."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        code &= 255
    if code == sqlite3.SQLITE_IOERR and not _has_room(path):
        code = sqlite3.SQLITE_FULL  # SQLite says so only of some of its files
    if isinstance(error, Damaged):
        code = sqlite3.SQLITE_CORRUPT
    known = _TROUBLES.get(code)
    return f"{path}: {known} ({error})" if known else f"{path}: {error}"


def is_damage(error: BaseException) -> bool:
    """Is the content of the file wrong, rather than the disk that it lies on?"""
    code = getattr(error, "sqlite_errorcode", 0) & 255
    return isinstance(error, Damaged) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _has_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free >= LEAST_ROOM_BYTES
    except OSError:
        return True  # the disk's room is not known to be the cause


def open_database(path: Path, synchronous: str) -> sqlite3.Connection:
    try:
        if not path.exists():
            _begin(path)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        check_version(connection, path)  # before anything is written
        for setting in (
            "journal_mode = WAL",  # readers delay no writer; a copy made by SQLite loses this setting
            f"synchronous = {synchronous}",
            f"cache_size = -{CACHE_KIB}",
            "wal_autocheckpoint = 0",  # checkpoints.py chooses when
            "temp_store = MEMORY",
            CHECK_PAGES,
        ):
            connection.execute(f"PRAGMA {setting}")
        bring_up_to_date(connection, path, clock.wall())
        connection.execute("PRAGMA busy_timeout = 0")  # a program that only reads may not delay us
    except sqlite3.DatabaseError as error:
        raise UserMistake(explain_trouble(path, error)) from error
    return connection


def _begin(path: Path) -> None:
    """Create a database without tables. It gets its name when it is whole: a kill leaves no empty file."""
    fresh = path.with_name(FRESH_DATABASE)
    try:
        fresh.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            connection.execute("PRAGMA page_size = 8192")
            connection.execute("PRAGMA journal_mode = WAL")
        files.rename(fresh, path)
        files.sync(path.parent)  # the name is on the disk before any file that tells of a crawl
    except OSError as error:
        raise UserMistake(f"{path}: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)


def refuse_remains(path: Path) -> None:
    """Refuse a state of which only a part is left: it is neither a queue nor the absence of one.

    A kill of ours leaves no such part: the database has its head before it has its name, and its log and
    journal after that. SQLite would turn an empty file into a database without tables. Where the database is
    gone, or another file has its name, SQLite would take the log for the database, however little of it the
    log has. A queue that was lost must not begin afresh without a word: all pages would be fetched again.
    """
    _refuse_special(path)
    if not path.exists():
        for name in (*JOURNAL_FILES, WRITE_AHEAD_LOG):
            remains = path.with_name(name)
            if remains.exists() and (name in JOURNAL_FILES or size_bytes(remains)):
                raise UserMistake(f"{path}: is missing, and {name}, which belongs to it, is there; {WAY_OUT}")
        _refuse_records(path)
    elif path.is_file():
        if not size_bytes(path):
            raise UserMistake(f"{path}: is empty: was emptied or never written; {WAY_OUT}")
        if _head(path) != _MAGIC:
            raise UserMistake(f"{path}: {_TROUBLES[sqlite3.SQLITE_NOTADB]}")
        _refuse_lost_log(path)


def _refuse_special(path: Path) -> None:
    """Whoever looks into a log that is a FIFO waits for ever."""
    for file in (path, path.with_name(WRITE_AHEAD_LOG)):
        try:
            if not file.is_dir():  # SQLite says that
                files.refuse_special(file)
        except files.NotRegular as error:
            raise UserMistake(f"{file}: {error.strerror}") from error


def _refuse_records(path: Path) -> None:
    """Refuse files that tell of a crawl whose database is gone. A state of version 1 has no database."""
    left = [name for name in CRAWL_FILES if path.with_name(name).exists()]
    if left and not path.with_name(FIRST_VERSION).exists():
        raise UserMistake(
            f"{path}: is missing, and {left[0]}, which tells of a crawl, is there: "
            f"the queue, with all that was fetched, was lost; {WAY_OUT}"
        )


def _refuse_lost_log(path: Path) -> None:
    """Refuse a database whose log was lost. All of a young queue is in the log, its tables too.

    The journal begins after the first commit, so a database that belongs to a journal has tables.
    """
    journals = [
        name for name in JOURNAL_FILES if path.with_name(name).exists()
    ]  # listed first: one may begin now
    with contextlib.suppress(sqlite3.Error):  # open_database meets the same error, and tells it
        if journals and not _was_committed(path):
            raise UserMistake(
                f"{path}: has no queue, and {journals[0]}, which belongs to it, is there: "
                f"its write-ahead log {WRITE_AHEAD_LOG} was lost or damaged; {WAY_OUT}"
            )


def _was_committed(path: Path) -> bool:
    """Was anything committed? Opened to read only: a SQLite that may write empties a log without content."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'counters'").fetchone():
            return False
        row = connection.execute("SELECT 1 FROM counters WHERE name = ?", (GENERATION,)).fetchone()
        return row is not None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC))
    except OSError:
        return _MAGIC  # SQLite will say why it cannot be read


def size_bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
