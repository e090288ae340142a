"""Edge: checkpoints. Now and then the write-ahead log is worked into the database: most of it beside us, in a
thread, the rest when that is done.
"""

import contextlib
import sqlite3
import threading
from pathlib import Path

from txtr.frontier.database.disk import size_bytes

CHECKPOINT_BYTES = 256 * 1024 * 1024  # of the write-ahead log, before it is worked into the database


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
        elif self.thread is None and size_bytes(self.log) > CHECKPOINT_BYTES:
            self.thread = threading.Thread(target=_work_in, args=(self.path,), daemon=True)
            self.thread.start()

    def end(self) -> None:
        """Wait for the one that is under way."""
        if self.thread is not None:
            self.thread.join()


def _work_in(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.suppress(sqlite3.Error):  # whoever commits next will meet it, and tell
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    connection.close()
