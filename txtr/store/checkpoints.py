"""Edge: checkpoints, which copy SQLite's write-ahead log into the database now and then.

A thread copies most of the log while the program goes on; the rest is copied when the thread is done.

After a checkpoint the log is written from its beginning again, and keeps its length: cutting it off and
growing it again would delay every commit. Frames that are left from before have another *salt* than the head
of the log (sqlite.org/fileformat2.html, 4); this tells how much of the log is in use. The log's index tells
it too, but a process that closes the index gives up the locks that SQLite holds on it.
"""

import contextlib
import sqlite3
import threading
from pathlib import Path

from txtr.config.places import WRITE_AHEAD_LOG

CHECKPOINT_BYTES = 256 * 1024 * 1024  # of the write-ahead log, before it is copied into the database
_HEAD_BYTES = 32  # of the log
_FRAME_BYTES = 24  # of the head of a frame; a page follows it
_PAGE_SIZE, _SALT = slice(8, 12), slice(16, 24)  # in the head of the log
_SALT_OF_FRAME = slice(8, 16)


class Checkpoints:
    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path
        self.log = path.with_name(WRITE_AHEAD_LOG)
        self.thread: threading.Thread | None = None  # that copies

    def go_on(self) -> None:
        """Begin or finish a checkpoint, if it is time; call it after a commit."""
        if self.thread is not None and not self.thread.is_alive():
            self.thread = None
            self.connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        elif self.thread is None and _is_in_use(self.log, CHECKPOINT_BYTES):
            self.thread = threading.Thread(target=_work_in, args=(self.path,), daemon=True)
            self.thread.start()

    def end(self) -> None:
        """Wait for the checkpoint that is under way."""
        if self.thread is not None:
            self.thread.join()


def _is_in_use(log: Path, size_bytes: int) -> bool:
    """Is more of the log than this in use, written since the log began anew?"""
    try:
        with log.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            frame = _FRAME_BYTES + int.from_bytes(head[_PAGE_SIZE])
            file.seek(_HEAD_BYTES + size_bytes // frame * frame)
            return file.read(_FRAME_BYTES)[_SALT_OF_FRAME] == head[_SALT] != b""
    except FileNotFoundError:
        return False


def _work_in(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.suppress(sqlite3.Error):  # the next commit meets the same error, and tells it
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    connection.close()
