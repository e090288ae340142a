"""Checkpoints: the write-ahead log is worked into the database when much of it is in use."""

import subprocess
import sys
from pathlib import Path

import pytest

from txtr.store import checkpoints
from txtr.store.store import Store


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk has a log."""


def commit(store: Store) -> None:
    store.connection.execute("INSERT OR REPLACE INTO counters VALUES ('refused', 1)")
    store.commit()


LOOK_IN = """
import sqlite3, sys
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(*connection.execute("SELECT number FROM counters WHERE name = 'refused'").fetchone())
"""


def test_whoever_looks_in_beside_us_holds_nobody_up(tmp_path: Path) -> None:
    """What tells how long the log is must not give up our locks on it: whoever came began its index anew."""
    store = Store(tmp_path)
    for _ in range(3):
        commit(store)
        command = [sys.executable, "-c", LOOK_IN, str(store.path)]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1\n"
    store.close()


def test_after_a_checkpoint_the_log_has_to_grow_again_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It kept its length, so that from the first one on there was another after every second commit."""
    monkeypatch.setattr(checkpoints, "CHECKPOINT_BYTES", 256 * 1024)
    store = Store(tmp_path)
    commits = 0
    while store.checkpoints.thread is None:
        commit(store)
        commits += 1
    store.checkpoints.end()
    commit(store)  # and finishes it
    for _ in range(commits // 2):
        commit(store)
        assert store.checkpoints.thread is None
    store.close()
