"""Edge: checkpoints. Now and then the write-ahead log is worked into the database: most of it beside us, in a
thread, the rest when that is done.

The log is written from its beginning then, and keeps its length: to cut it off and make it longer again would
hold everybody up. How far it is in use is told by its frames: those from before have another *salt* than its
head (sqlite.org/fileformat2.html, 4). Its index knows it, too, but whoever closes that file gives up the
locks that SQLite has on it.
"""

import contextlib
import sqlite3
import threading
from pathlib import Path

CHECKPOINT_BYTES = 256 * 1024 * 1024  # of the write-ahead log, before it is worked into the database
_HEAD_BYTES = 32  # of the log
_FRAME_BYTES = 24  # of the head of a frame, which a page follows
_PAGE_SIZE, _SALT = slice(8, 12), slice(16, 24)  # in the head of the log
_SALT_OF_FRAME = slice(8, 16)


class Checkpoints:
    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path
        self.log = path.with_name(path.name + "-wal")
        self.thread: threading.Thread | None = None  # that works on one

    def go_on(self) -> None:
        """Begin or finish one, if it is time; call it after a commit."""
        if self.thread is not None and not self.thread.is_alive():
            self.thread = None
            self.connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        elif self.thread is None and _is_in_use(self.log, CHECKPOINT_BYTES):
            self.thread = threading.Thread(target=_work_in, args=(self.path,), daemon=True)
            self.thread.start()

    def end(self) -> None:
        """Wait for the one that is under way."""
        if self.thread is not None:
            self.thread.join()


def _is_in_use(log: Path, size_bytes: int) -> bool:
    """Is so much of the log, and more, what was written since it began anew?"""
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
    with contextlib.suppress(sqlite3.Error):  # whoever commits next will meet it, and tell
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    connection.close()
