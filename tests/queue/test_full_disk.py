"""Orders on a full disk: what was done is said to be done, what was not is said in one line that says why."""

import contextlib
import json
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.queue.states import closed, everything, links, opened
from txtr.frontier.disk import NAME
from txtr.queue.process import main

LOG = f"{NAME}-wal"


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    everything(tmp_path / "state")
    return tmp_path / "state"


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
    size_bytes = (state / NAME).stat().st_size
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
    assert (state / NAME).stat().st_size == before
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
    with contextlib.closing(sqlite3.connect(state / NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM domains").fetchone()
        assert main(["block", "c.cz"]) == 0
        assert main(["compact"]) == 2
        assert f"state/{LOG}: cannot be worked in" in capsys.readouterr().err
    assert main(["compact"]) == 0
    assert main(["verify"]) == 0
