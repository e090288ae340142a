"""Orders on a full disk: what was done is said to be done, what was not is said in one line that says why."""

import contextlib
import json
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.queue.states import closed, links, opened
from txtr.config.places import DATABASE_FILE
from txtr.queue.program import main
from txtr.store.database import LEAST_ROOM_BYTES

LOG = f"{DATABASE_FILE}-wal"


@contextlib.contextmanager
def no_file_beyond(size_bytes: int) -> Iterator[None]:
    """No file of ours can grow beyond this, as on a disk with no more room than that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def filled(state: Path, count: int) -> int:
    """Queue so many links that the database has to grow when the log is worked in; its size before."""
    size_bytes = (state / DATABASE_FILE).stat().st_size
    store, frontier = opened(state)
    frontier.admit(links(*(f"http://d{number}.cz/" for number in range(count))), 1)
    store.write(frontier, 1)
    store.commit()
    with no_file_beyond(size_bytes):
        store.close()
    return size_bytes


def test_a_state_that_cannot_work_its_log_in_ends_cleanly(state, capsys):
    """What was committed is in the log: nothing is lost, and nobody need be told."""
    before = filled(state, 2000)
    assert (state / DATABASE_FILE).stat().st_size == before
    assert (state / LOG).stat().st_size > 0
    assert main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["domains"] == 2003
    store, frontier = opened(state)
    assert frontier.links.queued_count == 198 + 2000
    closed(store, frontier)
    assert not (state / LOG).exists()


def test_an_order_that_was_saved_succeeds_although_the_log_stays(state, capsys):
    before = filled(state, 2000)
    with no_file_beyond(before):
        assert main(["block", "c.cz"]) == 2  # the log may not grow either
    log = (state / LOG).stat().st_size
    with no_file_beyond(max(before, log + 200_000)):
        assert main(["block", "c.cz"]) == 0
    said = capsys.readouterr()
    assert "c.cz: blocked" in said.out
    assert main(["domain", "c.cz"]) == 0
    assert "blocked" in capsys.readouterr().out


def test_a_database_whose_log_stays_is_not_replaced(state, capsys):
    """The log of the old file would spoil the new one; here somebody reads, and keeps it in use."""
    filled(state, 2000)
    with contextlib.closing(sqlite3.connect(state / DATABASE_FILE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM domains").fetchone()
        assert main(["block", "c.cz"]) == 0
        assert main(["compact"]) == 2
        assert "the queue is as it was" in capsys.readouterr().err
    assert main(["compact"]) == 0
    assert main(["verify"]) == 0


@pytest.mark.parametrize(
    "free, expected", [(4096, "the disk is full"), (1 << 30, "cannot be read or written")]
)
def test_an_order_that_finds_no_room_says_that_the_disk_is_full(state, capsys, monkeypatch, free, expected):
    """Of some of its files SQLite says only "disk I/O error"; how much room there is tells more."""
    monkeypatch.setattr("txtr.store.database._has_room", lambda path: free > LEAST_ROOM_BYTES)
    with no_file_beyond(4096):
        assert main(["block", "c.cz"]) == 2
    said = capsys.readouterr().err
    assert f"state/{DATABASE_FILE}: " in said
    assert expected in said
    assert len(said.splitlines()) == 1


def test_a_repair_that_finds_no_room_says_so_and_repairs_nothing(state, capsys):
    store, frontier = opened(state)
    frontier.admit(links(*(f"http://d{number}.cz/" for number in range(1000))), 1)
    closed(store, frontier)
    with contextlib.closing(sqlite3.connect(state / DATABASE_FILE)) as connection:
        connection.execute("UPDATE domains SET queued = queued + 1 WHERE id > 3")
        connection.commit()
    with no_file_beyond(32 * 1024):  # the index of the log fits, the log does not
        assert main(["verify", "--repair"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert f"state/{DATABASE_FILE}: the disk cannot be read or written" in said
    assert main(["verify"]) == 1
    assert "1 000 faults" in capsys.readouterr().err
