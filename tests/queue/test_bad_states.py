"""States that cannot be used: one line that names the file, exit code 2, and nothing is damaged."""

import contextlib
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tests.queue.states import everything
from txtr.config.places import CRAWL_FILES, DATABASE_FILE, FIRST_VERSION
from txtr.errors import UserMistake
from txtr.frontier.records import Record
from txtr.queue.program import main
from txtr.queuekeeper.program import main as queuekeeper
from txtr.store.database import open_database
from txtr.store.migrations import VERSION
from txtr.store.store import Store

ORDERS = (["add", "a.cz/x"], ["verify", "--repair"], ["compact"])
LOOKS = (["totals"], ["verify"], ["export"], ["url", "a.cz"])


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls.txt").write_text("http://a.cz/\n")
    everything(tmp_path / "state")
    return tmp_path / "state"


def truncate(path):
    os.truncate(path, path.stat().st_size // 2)


def behead(path):
    with path.open("r+b") as file:
        file.write(bytes(4096))


def foreign(path):
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE dogs (name TEXT)")
        connection.commit()


def newer(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def directory(path):
    path.unlink()
    path.mkdir()


SPOILED = {
    "garbage": (
        lambda path: path.write_bytes(b"These are not the links you are looking for.\n" * 500),
        "not the queue's",
    ),
    "truncated": (truncate, "damaged"),
    "without its head": (behead, "not the queue's"),
    "emptied": (lambda path: os.truncate(path, 0), "move the whole directory away"),
    "newer": (newer, "newer robot"),
    "a directory": (directory, "cannot be opened"),
    "somebody else's": (foreign, "not the queue's"),
}


@pytest.mark.parametrize("argv", [*LOOKS, *ORDERS], ids=" ".join)
@pytest.mark.parametrize("spoil, expected", SPOILED.values(), ids=SPOILED.keys())
def test_a_database_that_cannot_be_used_is_named_and_left_alone(state, capsys, spoil, expected, argv):
    path = state / DATABASE_FILE
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    assert main(argv) == 2
    said = capsys.readouterr().err
    assert str(path.relative_to(Path.cwd())) in said
    assert expected in said
    assert len(said.splitlines()) == 1
    assert (path.read_bytes() if path.is_file() else None) == before


@pytest.mark.parametrize("spoil, expected", SPOILED.values(), ids=SPOILED.keys())
def test_the_queuekeeper_refuses_it_with_the_same_words(state, capsys, spoil, expected):
    path = state / DATABASE_FILE
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    assert queuekeeper(["--port=1", "--urls=nowhere.txt"]) == 2
    said = capsys.readouterr().err
    assert f"queuekeeper: {path.relative_to(Path.cwd())}" in said
    assert expected in said
    assert "Traceback" not in said
    assert (path.read_bytes() if path.is_file() else None) == before


@pytest.mark.parametrize(
    "run",
    [main, lambda argv: queuekeeper(["--port=1", "--urls=nowhere.txt", *argv])],
    ids=["queue", "queuekeeper"],
)
def test_a_state_that_is_no_directory_is_named(state, capsys, run):
    Path("file").write_text("x")
    assert run(["--state=file"]) == 2
    assert "--state=file: not a directory" in capsys.readouterr().err
    assert run(["--state=file/below"]) == 2
    assert "--state=file/below" in capsys.readouterr().err
    assert Path("file").read_text() == "x"


def crashed(state):
    """A young queue whose queuekeeper was killed: all pages are in the log, and the rest in the journal."""
    shutil.rmtree(state)
    here = state.with_name("living")
    here.mkdir()
    with closing(Store(here)) as store:
        store.links.enqueue("d.cz", ["/1"], Record(0, 1.0))
        store.put_down(1.0)
        store.links.enqueue("d.cz", ["/2"], Record(0, 1.0))
        store.put_down(1.1)
        shutil.copytree(here, state)


def without(*suffixes):
    def remove(state):
        for suffix in suffixes:
            (state / f"frontier.{suffix}").unlink()

    return remove


def overwritten(state):
    (state / DATABASE_FILE).write_bytes(bytes(range(256)) * 1000)


def cut_log(state):
    (state / f"{DATABASE_FILE}-shm").unlink()
    os.truncate(state / f"{DATABASE_FILE}-wal", 30_000)


REMAINS = {
    "journal": (without("sqlite", "sqlite-wal", "sqlite-shm"), "is missing, and frontier.journal-"),
    "log": (without("sqlite", "journal-0", "journal-1"), "is missing, and frontier.sqlite-wal"),
    "both": (without("sqlite"), "is missing, and frontier.journal-"),
    "overwritten": (overwritten, "not the queue's database, or no longer"),
    "no log": (without("sqlite-wal", "sqlite-shm"), "its write-ahead log frontier.sqlite-wal was lost"),
    "log was cut": (cut_log, "its write-ahead log frontier.sqlite-wal was lost"),
}


@pytest.mark.parametrize("spoil, expected", REMAINS.values(), ids=REMAINS.keys())
def test_what_is_left_of_a_queue_passes_neither_for_one_nor_for_none(state, capsys, spoil, expected):
    """Found by a new user: the journal was thrown away, and the log taken for the whole database."""
    crashed(state)
    spoil(state)
    before = {path.name: path.read_bytes() for path in state.iterdir()}
    runs = [lambda argv=argv: main(argv) for argv in (*LOOKS, *ORDERS)]
    for run in (*runs, lambda: queuekeeper(["--port=1", "--urls=urls.txt"])):
        assert run() == 2
        said = capsys.readouterr().err
        assert f"state/{DATABASE_FILE}: " in said
        assert expected in said
        assert "move the whole directory away to start afresh" in said
    after = {path.name: path.read_bytes() for path in state.iterdir()}
    assert {name: after[name] for name in before if name in after} == before


def test_a_log_and_a_journal_are_worked_into_the_database_they_belong_to(state, capsys):
    crashed(state)
    assert main(["url", "d.cz/2"]) == 0
    assert "queued" in capsys.readouterr().out
    assert main(["verify"]) == 0


@pytest.mark.parametrize("argv", [*LOOKS, *ORDERS, None], ids=str)
def test_who_has_a_damaged_journal_is_told_where_the_way_out_is(state, capsys, argv):
    """Found by a new user: a copy is not all that helps, but only the manual said so."""
    crashed(state)
    (written,) = [path for path in state.glob("frontier.journal-*") if path.read_bytes().startswith(b"step")]
    written.unlink()
    assert (main(argv) if argv else queuekeeper(["--port=1", "--urls=urls.txt"])) == 2
    said = capsys.readouterr().err
    assert f"{written.name} is empty or missing" in said
    assert "restore a copy of the state, or see 'When something goes wrong' in docs/state.md" in said
    assert "## When something goes wrong\n" in (Path(__file__).parents[2] / "docs/state.md").read_text(
        "utf-8"
    )


def test_a_queue_that_was_removed_after_a_clean_end_may_begin_anew(state):
    """Nothing is left of it then; an empty log holds nothing."""
    for name in (DATABASE_FILE, *CRAWL_FILES):
        (state / name).unlink(missing_ok=True)
    (state / f"{DATABASE_FILE}-wal").touch()
    Store(state).close()
    assert main(["verify"]) == 0


@pytest.mark.parametrize("record", CRAWL_FILES)
def test_a_state_whose_database_alone_is_missing_is_refused(state, capsys, record):
    """It began afresh without a word, and fetched everything a second time."""
    for path in state.glob(f"{DATABASE_FILE}*"):
        path.unlink()
    for name in CRAWL_FILES:
        (state / name).unlink(missing_ok=True)
    (state / record).write_text("{}")
    before = sorted(path.name for path in state.iterdir())
    runs = [lambda argv=argv: main(argv) for argv in (*LOOKS, *ORDERS)]
    for run in (*runs, lambda: queuekeeper(["--port=1", "--urls=urls.txt"])):
        assert run() == 2
        said = capsys.readouterr().err
        assert f"state/{DATABASE_FILE}: is missing, and {record}, which tells of a crawl, is there" in said
        assert "move the whole directory away to start afresh" in said
    assert sorted({path.name for path in state.iterdir()} - {"lock"}) == sorted({*before} - {"lock"})


def test_looking_makes_nothing(tmp_path, monkeypatch, capsys):
    """A typing error must not leave a state behind."""
    monkeypatch.chdir(tmp_path)
    for argv in (*LOOKS, *ORDERS):
        assert main(["--state=stale", *argv]) == 2
        (tmp_path / "empty").mkdir(exist_ok=True)
        assert main(["--state=empty", *argv]) == 2
    assert "--state=empty: there is no queue here" in capsys.readouterr().err
    assert not (tmp_path / "stale").exists()
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_start_that_was_killed_at_once_goes_on(tmp_path, monkeypatch, capsys):
    """No moment of it leaves an empty file, so an empty file is never ours; and looking makes no tables."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state").mkdir()

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("txtr.store.database.bring_up_to_date", killed)
        with pytest.raises(KeyboardInterrupt):
            Store(tmp_path / "state")
    begun = (tmp_path / "state" / DATABASE_FILE).read_bytes()
    assert begun
    assert main(["totals"]) == 2
    assert "there is no queue here yet" in capsys.readouterr().err
    assert (tmp_path / "state" / DATABASE_FILE).read_bytes() == begun
    assert main(["add", "a.cz"]) == 0
    assert main(["verify"]) == 0


def test_a_disk_without_room_for_a_new_queue_leaves_nothing(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(UserMistake, match=DATABASE_FILE):
            Store(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not (tmp_path / DATABASE_FILE).exists()
    Store(tmp_path).close()


def test_a_state_of_the_first_version_is_brought_up_to_date(tmp_path, monkeypatch, capsys):
    """Whoever opens it; the old file is kept under another name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state").mkdir()
    old = {
        "version": 1,
        "queued": {"a.cz": {"/1": {"depth": 1, "usability": 0.5}, "s/2": {"depth": 2, "usability": 1.0}}},
        "documents": {"a.cz": {"/": {"fate": "kept", "depth": 0, "title": "A"}}},
        "resting": ["192.0.2.1"],
        "texts": {"digest": "http://a.cz/"},
        "own_addresses": {},
    }
    (tmp_path / "state" / FIRST_VERSION).write_bytes(msgspec.msgpack.encode(old))
    assert main(["totals", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    assert (known["queued"], known["settled"], known["addresses_resting"]) == (2, {"kept": 1}, 1)
    assert main(["url", "https://a.cz/2"]) == 0
    assert "queued" in capsys.readouterr().out
    assert main(["verify"]) == 0
    assert (tmp_path / "state" / f"{FIRST_VERSION}.old").exists()
    assert not (tmp_path / "state" / FIRST_VERSION).exists()


def test_a_damaged_snapshot_of_the_first_version_is_named_and_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / FIRST_VERSION).write_bytes(b"nonsense")
    for _ in range(2):
        assert main(["totals"]) == 2
        assert f"state/{FIRST_VERSION} is damaged" in capsys.readouterr().err
    assert (tmp_path / "state" / FIRST_VERSION).read_bytes() == b"nonsense"


def bound(program, argv, directory):
    """Run by a user to whom permissions apply: root is not, unless he gives that up."""
    caps = "-dac_override,-dac_read_search"
    give_up = ["setpriv", f"--bounding-set={caps}", f"--inh-caps={caps}"] if os.getuid() == 0 else []
    if give_up and not shutil.which("setpriv"):
        pytest.skip("root, and no setpriv")
    call = f"import sys; from txtr.{program}.program import main; sys.exit(main({argv!r}))"
    return subprocess.run(
        [*give_up, sys.executable, "-c", call],
        cwd=directory,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def guarded(state):
    yield state
    state.chmod(0o755)


@pytest.mark.web
@pytest.mark.parametrize(
    "mode, can_look", [(0o555, True), (0o000, False)], ids=["read-only", "no permission"]
)
def test_without_permission_nothing_is_changed_and_everything_is_said(guarded, mode, can_look):
    before = (guarded / DATABASE_FILE).read_bytes()
    (guarded / DATABASE_FILE).chmod(0o444)
    (guarded / "lock").unlink(missing_ok=True)
    guarded.chmod(mode)
    looked = bound("queue", ["totals"], guarded.parent)
    assert looked.returncode == (0 if can_look else 2), looked.stderr
    assert can_look or "state" in looked.stderr
    for program, argv in (
        ("queue", ["block", "a.cz"]),
        ("queue", ["compact"]),
        ("queuekeeper", ["--port=1", "--urls=nowhere.txt", "--log-path=log/{instance}.log"]),
    ):
        ended = bound(program, argv, guarded.parent)
        assert ended.returncode == 2, ended.stderr
        assert "--state=state: " in ended.stderr
        assert ("cannot be written (Permission denied)" if can_look else "Permission denied") in ended.stderr
        assert len(ended.stderr.splitlines()) == 1
    guarded.chmod(0o755)
    assert (guarded / DATABASE_FILE).read_bytes() == before


@pytest.mark.web
def test_a_database_that_may_only_be_read_is_named(guarded):
    """The directory may be written, the file may not."""
    (guarded / DATABASE_FILE).chmod(0o444)
    ended = bound("queue", ["block", "a.cz"], guarded.parent)
    assert ended.returncode == 2
    assert f"state/{DATABASE_FILE}: the file or its directory cannot be written" in ended.stderr


@pytest.mark.parametrize("argv", [["domains"], ["url", "a.cz"], ["block", "a.cz"]], ids=" ".join)
def test_a_row_that_cannot_be_read_is_a_state_that_cannot_be_used(state, capsys, argv):
    """As is a page that cannot: one exit code for a damaged state, whatever is damaged in it."""
    with closing(sqlite3.connect(state / DATABASE_FILE)) as connection:
        connection.execute("UPDATE domains SET about = x'ff'")
        connection.commit()
    assert main(argv) == 2
    said = capsys.readouterr().err
    assert f"state/{DATABASE_FILE}: " in said
    assert "in the state cannot be read" in said
    assert "restore a copy of the state" in said


@pytest.mark.parametrize(
    "argv", [["add", "http://a.cz/new"], ["drop", "a.cz"], ["verify", "--repair"]], ids=" ".join
)
@pytest.mark.parametrize("table", ["seen", "leases", "addresses"])
def test_damage_that_an_order_meets_is_named(state, capsys, table, argv):
    """Not a trace: the file is opened well, and read later."""
    path = state / DATABASE_FILE
    with closing(sqlite3.connect(path)) as connection:
        question = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (page,) = connection.execute(question, (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x55" * size)
    assert main(argv) == 2
    assert f"state/{DATABASE_FILE}: the database is damaged" in capsys.readouterr().err


def test_damage_within_a_page_is_mostly_told_and_not_taken_for_a_gap(tmp_path):
    """Found by a new user: half a page was overwritten, and links were called never seen."""
    path, damaged, keys = tmp_path / DATABASE_FILE, tmp_path / "damaged", range(0, 10**6, 10**4)
    with closing(open_database(path, "OFF")) as connection:
        connection.executemany("INSERT INTO seen VALUES (?, ?)", [(key, bytes(700)) for key in keys])
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    whole = path.read_bytes()
    unaware = aware = 0  # of how many damaged pages
    for begin in range(page, len(whole), page):
        data = bytearray(whole)
        data[begin + page // 2 : begin + page] = random.Random(begin).randbytes(page // 2)
        damaged.write_bytes(data)
        with closing(sqlite3.connect(damaged)) as connection:
            unaware += misses_any(connection, keys)
        with closing(open_database(damaged, "OFF")) as connection:
            aware += misses_any(connection, keys)
    assert aware < unaware / 2


def misses_any(connection, keys):
    """Is something not found, and nobody says why?"""
    with contextlib.suppress(sqlite3.DatabaseError):
        for key in keys:
            if connection.execute("SELECT 1 FROM seen WHERE key = ?", (key,)).fetchone() is None:
                return True
    return False
