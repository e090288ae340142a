"""The journal: what was put down lasts, whatever dies, and whoever copies the files while we go on."""

import contextlib
import errno
import os
import random
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mortal import MortalWorld
from tests.queue.states import RULES, closed, links, opened
from tests.world import site
from txtr.admin.stopped import compact
from txtr.config.places import DATABASE_FILE, JOURNAL_FILES
from txtr.corpus.duplicates import Claims
from txtr.errors import Damaged, UserMistake
from txtr.frontier.frontier import Frontier
from txtr.frontier.orders import BLOCK
from txtr.frontier.records import Found, Record
from txtr.gate import Gate
from txtr.queuekeeper.books import Books
from txtr.queuekeeper.keeper import Keeper
from txtr.store import store as disk
from txtr.store.database import explain_trouble
from txtr.store.inspection import Inspection
from txtr.store.journal import Journal, is_journal_left
from txtr.store.migrations import VERSION
from txtr.store.store import Store
from txtr.store.verification import Verification


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk has a journal."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path)
    journal.begin()
    journal.go_on(7)
    yield journal
    journal.close()


def _bodies(directory: Path, generation: int) -> list[bytes]:
    return [step.body for step in Journal(directory).read(generation)]


def test_steps_are_read_in_their_order(journal: Journal, tmp_path: Path) -> None:
    """Those of the generation that was asked for, and no others."""
    for step in (b"one", b"", b"three"):
        journal.write(step)
    assert _bodies(tmp_path, 7) == [b"one", b"", b"three"]
    assert _bodies(tmp_path, 6) == _bodies(tmp_path, 8) == []


@pytest.mark.parametrize("lost", [1, 5, 20, 30])
def test_a_step_that_is_torn_is_as_if_it_had_not_been(journal: Journal, tmp_path: Path, lost: int) -> None:
    """Nobody was told of it: that happens when the disk has it."""
    journal.write(b"one")
    journal.write(b"two")
    path = tmp_path / JOURNAL_FILES[1]
    written = path.read_bytes()
    end = len(written.rstrip(b"\0"))
    path.write_bytes(written[: end - lost] + bytes(len(written) - end + lost))  # the room was there already
    assert _bodies(tmp_path, 7) == [b"one"]


@pytest.mark.parametrize("size", [300, 300_100])
def test_a_file_that_was_cut_is_told(journal: Journal, tmp_path: Path, size: int) -> None:
    """It had room for all that was put down, and for more."""
    for _ in range(3):
        journal.write(b"x" * size)
    path = tmp_path / JOURNAL_FILES[1]
    whole, end = path.read_bytes(), journal.size_bytes
    for left in (end, end - 1, end - size, end - size - 1, 2 * end // 3, end // 3, 100, 1):
        path.write_bytes(whole[:left])
        with pytest.raises(Damaged, match=f"{JOURNAL_FILES[1]}: was cut in step"):
            _bodies(tmp_path, 7)
    path.write_bytes(b"")
    with pytest.raises(Damaged, match=f"{JOURNAL_FILES[1]} is empty or missing"):
        _bodies(tmp_path, 7)


@pytest.mark.parametrize("spare", [0, 1, 28, 29, 30])
def test_there_is_always_room_for_another_head(journal: Journal, tmp_path: Path, spare: int) -> None:
    """A step that ends where the room did is not taken for one that was cut."""
    head = journal.size_bytes
    journal.write(b"")
    head = journal.size_bytes - head
    journal.write(b"x" * ((tmp_path / JOURNAL_FILES[1]).stat().st_size - 2 * head - spare))
    assert len(_bodies(tmp_path, 7)) == 2


def test_a_head_that_is_torn_is_no_sign_of_a_cut(journal: Journal, tmp_path: Path) -> None:
    """Its second half may be what was there before, and say any length."""
    journal.write(b"x" * (512 - 2 * 29 + 4))  # so the next head lies in two sectors
    at = journal.size_bytes
    journal.write(b"two")
    path = tmp_path / JOURNAL_FILES[1]
    data = path.read_bytes()
    assert at < 512 < at + 29
    path.write_bytes(data[:512] + b"\xff" * (at + 29 - 512) + data[at + 29 :])
    assert len(_bodies(tmp_path, 7)) == 1


def test_a_step_that_is_damaged_before_others_is_told(journal: Journal, tmp_path: Path) -> None:
    """A corrupt file is named, and nothing goes on as if nothing were."""
    for step in (b"one", b"two", b"three"):
        journal.write(step)
    path = tmp_path / JOURNAL_FILES[1]
    path.write_bytes(path.read_bytes().replace(b"two", b"twa"))
    with pytest.raises(Damaged, match=f"{JOURNAL_FILES[1]}: step 1 is damaged"):
        _bodies(tmp_path, 7)


def test_a_journal_grows_before_it_is_full(journal: Journal, tmp_path: Path) -> None:
    """Steps of whatever size are whole, and a file that is long enough is not made longer."""
    sizes = [10, 300_000, 5, 1_000_000, 70]
    for size in sizes:
        journal.write(b"x" * size)
    assert [len(step) for step in _bodies(tmp_path, 7)] == sizes
    length = (tmp_path / JOURNAL_FILES[1]).stat().st_size
    journal.go_on(9)
    for size in sizes:
        journal.write(b"y" * size)
    assert (tmp_path / JOURNAL_FILES[1]).stat().st_size == length
    assert [len(step) for step in _bodies(tmp_path, 9)] == sizes


def test_steps_of_an_older_generation_are_not_taken_for_ours(journal: Journal, tmp_path: Path) -> None:
    """The files are written over, not made shorter."""
    for _ in range(3):
        journal.write(b"a long step of an older generation")
    journal.go_on(9)
    journal.write(b"x")
    assert _bodies(tmp_path, 9) == [b"x"]
    assert _bodies(tmp_path, 7) == []


def test_a_generation_that_is_sealed_leads_to_the_next(journal: Journal, tmp_path: Path) -> None:
    """The database may have been copied before its commit, and the journal after it."""
    journal.write(b"one")
    journal.write(b"two", is_last=True)
    journal.go_on(8)
    journal.write(b"three")
    assert _bodies(tmp_path, 7) == [b"one", b"two", b"three"]


def test_one_that_is_not_sealed_leads_nowhere(journal: Journal, tmp_path: Path) -> None:
    """What was done between them is not known, so what came after cannot be done again."""
    journal.write(b"one")
    journal.go_on(8)
    journal.write(b"three")
    assert _bodies(tmp_path, 7) == [b"one"]


def test_a_disk_that_is_full_is_told_as_the_database_tells_it(journal: Journal, tmp_path: Path) -> None:
    """A clear message; whoever hears it knows what to do."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(sqlite3.Error) as raised:
            journal.write(b"x" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert f"may not grow any further ({JOURNAL_FILES[1]}: File too large)" in explain_trouble(
        tmp_path / DATABASE_FILE, raised.value
    )


def test_a_file_that_is_missing_is_told(journal: Journal, tmp_path: Path) -> None:
    """What was put down there is lost; nothing goes on as if it had not been."""
    journal.go_on(6)
    journal.write(b"zero", is_last=True)
    journal.go_on(7)
    journal.write(b"one")
    (tmp_path / JOURNAL_FILES[1]).unlink()
    with pytest.raises(Damaged, match=f"{JOURNAL_FILES[1]} is empty or missing"):
        _bodies(tmp_path, 7)


def test_files_that_were_exchanged_are_told(journal: Journal, tmp_path: Path) -> None:
    """Generations take turns, so each file has the even ones or the odd ones."""
    journal.write(b"one")
    (tmp_path / JOURNAL_FILES[1]).rename(tmp_path / JOURNAL_FILES[0])
    with pytest.raises(Damaged, match=f"{JOURNAL_FILES[0]}: this was {JOURNAL_FILES[1]}"):
        _bodies(tmp_path, 6)


@pytest.mark.parametrize("generation", [7, 8])
@pytest.mark.parametrize("last", [0, 1])
def test_whoever_is_killed_as_he_begins_or_ends_leaves_a_state(
    generation: int, last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file is there and the other is not, but everything is in the database."""
    (tmp_path / JOURNAL_FILES[last]).touch()
    assert _bodies(tmp_path, generation) == []
    journal = Journal(tmp_path)
    journal.begin()
    journal.go_on(generation - 1)
    journal.write(b"one", is_last=True)
    journal.go_on(generation)
    unlink, removed = Path.unlink, []

    def die(path: Path, missing_ok: bool = False) -> None:
        if removed:
            raise KeyboardInterrupt
        removed.append(path)
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", die)
    with pytest.raises(KeyboardInterrupt):
        journal.remove()
    assert is_journal_left(tmp_path)
    assert _bodies(tmp_path, generation) == []


def _left_by_a_crash(state: Path, generation: int) -> None:
    """Both files have steps, and all of them are in the database by now."""
    journal = Journal(state)
    journal.begin()
    for number in (generation - 2, generation - 1):
        journal.go_on(number)
        journal.write(b"done", is_last=True)
    journal.close()


@pytest.mark.parametrize("generation", [7, 8])
def test_whoever_is_killed_as_he_begins_after_a_crash_leaves_a_state(
    generation: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by a new user: one file was emptied and the other not, which passed for a damage."""
    _left_by_a_crash(tmp_path, generation)
    moments: list[str] = []
    for name in ("open", "ftruncate", "pwrite"):
        monkeypatch.setattr(os, name, _reads_after(tmp_path, generation, getattr(os, name), moments))
    journal = Journal(tmp_path)
    journal.go_on(generation)
    journal.begin()
    journal.close()
    assert "open" in moments and "ftruncate" in moments, "the journal changes its files some other way now"


def _reads_after(
    state: Path, generation: int, call: Callable[..., Any], moments: list[str]
) -> Callable[..., Any]:
    """Whoever is killed after this call leaves what can be read."""

    def called(*arguments: Any) -> Any:
        result = call(*arguments)
        moments.append(call.__name__)
        assert _bodies(state, generation) == []
        return result

    return called


@pytest.mark.parametrize("generation", [7, 8])
@pytest.mark.parametrize("forbidden", JOURNAL_FILES)
def test_whoever_may_not_write_one_file_does_not_empty_the_other(
    generation: int, forbidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by a new user: he mended it, and was told that the state was damaged; nor was it that file."""
    _left_by_a_crash(tmp_path, generation)
    before = {name: (tmp_path / name).read_bytes() for name in JOURNAL_FILES}
    opened_by_system = os.open

    def refuse(path: Path, *how: int) -> int:
        if path.name == forbidden:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened_by_system(path, *how)

    monkeypatch.setattr(os, "open", refuse)
    journal = Journal(tmp_path)
    journal.go_on(generation)
    with pytest.raises(sqlite3.Error) as raised:
        journal.begin()
    assert f"cannot be written ({forbidden}: Permission denied)" in explain_trouble(
        tmp_path / DATABASE_FILE, raised.value
    )
    assert {name: (tmp_path / name).read_bytes() for name in JOURNAL_FILES} == before
    assert not journal.is_open()


class Witness(MortalWorld):
    """Whoever is killed leaves a state in which everything is in order."""

    redone = 0

    def _die(self) -> None:
        super()._die()
        copy = self.directory / f"looked-at{self.deaths}"
        shutil.copytree(self.directory / f"state{self.deaths}", copy)
        self.redone += any(True for _ in Journal(copy).read(_generation(copy)))
        store = Store(copy)
        assert list(Verification(store.connection, store.path).faults()) == []
        store.close()


def _generation(state: Path) -> int:
    with contextlib.closing(sqlite3.connect(state / DATABASE_FILE)) as connection:
        row = connection.execute("SELECT number FROM counters WHERE name = ?", (disk.GENERATION,)).fetchone()
        return int(row[0]) if row else 0


@pytest.mark.parametrize("seed", range(4))
def test_what_is_done_again_leaves_everything_in_order(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queue, leases, standings, documents and counts agree, whenever it was killed."""
    monkeypatch.setattr(disk, "SYNCHRONOUS", "OFF")
    monkeypatch.setattr(disk, "WORK_IN_EVERY", 30.0)
    chance = random.Random(seed)
    servers = {f"{letter}.cz": site(f"{letter}.cz", 9, f"192.0.2.{ord(letter) % 3}") for letter in "abcde"}
    for server in servers.values():
        server.pages["/0"] = [f"http://{name}/" for name in servers]
    world = Witness(servers, tmp_path, seed=seed)
    world.start("http://a.cz/", harvesters=2)
    for _ in range(6):
        world.die(chance.expovariate(1 / 60), 1.0)
    world.run()
    assert world.redone
    assert sorted(world.reported) == sorted(world.everything())


DATABASE = (DATABASE_FILE, f"{DATABASE_FILE}-wal")


def copy_files(source: Path, target: Path, names: tuple[str, ...]) -> None:
    """As somebody does who copies a state file by file."""
    target.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(source / name, target)


class Keeping:
    """A queuekeeper's books without a port, that are kept and never closed."""

    def __init__(self, state: Path) -> None:
        state.mkdir(exist_ok=True)
        self.books = Books(state)
        store = self.books.store
        gate = Gate(".*", "^$", 0)
        self.frontier = Frontier(RULES, gate, "texttractor", links=store.links, archive=store)
        self.keeper = Keeper(self.frontier, Claims(), 100)
        self.books.open(self.keeper, 0.0)
        self.books.keep(self.keeper, 0.0)

    def add(self, url: str, now: float) -> None:
        self.frontier.admit(links(url), now)
        self.books.keep(self.keeper, now)


def test_whoever_looks_into_a_state_after_a_crash_sees_what_was_put_down(tmp_path: Path) -> None:
    """What the last crawl had said is what the next one will go on with."""
    keeping = Keeping(tmp_path / "running")
    keeping.add("http://a.cz/", 0.1)
    keeping.add("http://b.cz/", 0.2)
    shutil.copytree(tmp_path / "running", tmp_path / "copy")
    assert is_journal_left(tmp_path / "copy")
    with contextlib.closing(Inspection(tmp_path / "copy")) as inspection:
        assert inspection.totals()["queued"] == 2
        assert inspection.row("b.cz") is not None
    assert not is_journal_left(tmp_path / "copy")


def test_links_of_a_domain_that_was_never_met_are_queued_again(tmp_path: Path) -> None:
    """Its number comes first, or it would be given twice."""
    keeping = Keeping(tmp_path / "running")
    keeping.frontier.links.enqueue("new.cz", ["/"], Record(0, 1.0))
    keeping.books.keep(keeping.keeper, 0.1)
    shutil.copytree(tmp_path / "running", tmp_path / "copy")
    store = Store(tmp_path / "copy")
    assert store.links.lease("new.cz", "", 5) == ["/"]
    store.close()


def test_whoever_looks_into_a_state_with_a_damaged_journal_is_told(tmp_path: Path) -> None:
    """A clear message. To look at the database alone would say that everything is in order."""
    keeping = Keeping(tmp_path / "running")
    for number in range(3):
        keeping.add(f"http://a{number}.cz/", 0.1 + number / 10)
    shutil.copytree(tmp_path / "running", tmp_path / "copy")
    for name in JOURNAL_FILES:
        path = tmp_path / "copy" / name
        path.write_bytes(path.read_bytes().replace(b"a1.cz", b"x1.cz"))
    before = {file.name: file.read_bytes() for file in (tmp_path / "copy").glob("frontier.journal*")}
    with pytest.raises(UserMistake, match=r"step 1 is damaged"):
        Inspection(tmp_path / "copy")
    assert before == {file.name: file.read_bytes() for file in (tmp_path / "copy").glob("frontier.journal*")}


def copied_while_running(tmp_path: Path) -> Path:
    """The database, and a commit and a step later the journal."""
    keeping, copy = Keeping(tmp_path / "running"), tmp_path / "copy"
    keeping.add("http://a.cz/", 0.1)
    copy_files(tmp_path / "running", copy, DATABASE)
    keeping.add("http://b.cz/", 1.5)  # a commit
    keeping.add("http://c.cz/", 1.6)
    copy_files(tmp_path / "running", copy, JOURNAL_FILES)
    return copy


def test_a_copy_of_the_files_one_after_the_other_loses_nothing_from_before_it_began(tmp_path: Path) -> None:
    """The database first, the journal when a commit and more have followed: both are of one state."""
    store = Store(copied_while_running(tmp_path))
    assert store.links.queued_count == 3
    assert list(Verification(store.connection, store.path).faults()) == []


def left_behind(tmp_path: Path) -> Path:
    """The database, and the journal when commits have followed that nobody can do again."""
    keeping, copy = Keeping(tmp_path / "running"), tmp_path / "copy"
    keeping.add("http://a.cz/", 1.1)
    copy_files(tmp_path / "running", copy, DATABASE)
    for number in range(2, 6):
        keeping.add(f"http://b{number}.cz/", number + 0.1)
    copy_files(tmp_path / "running", copy, JOURNAL_FILES)
    return copy


def test_a_journal_that_is_newer_than_its_database_by_far_is_not_used(tmp_path: Path) -> None:
    """A backup of the database alone was put back: it is a state, and older."""
    store = Store(left_behind(tmp_path))
    assert store.links.queued_count == 1
    faults = list(Verification(store.connection, store.path).faults())
    assert len(faults) == 1
    assert "is 2 commits older than its journal" in faults[0]


@pytest.mark.parametrize("commits", [1, 3])
@pytest.mark.parametrize("is_sealed", [False, True])
def test_a_copy_that_took_longer_than_a_generation_says_so(
    tmp_path: Path, commits: int, is_sealed: bool
) -> None:
    """One file of the journal was copied before a commit, the other after it: what was between is lost."""
    keeping, copy = Keeping(tmp_path / "running"), tmp_path / "copy"
    keeping.add("http://a.cz/", 1.1)
    keeping.add("http://b.cz/", 1.2)
    first = keeping.books.store.journal.generation
    copy_files(tmp_path / "running", copy, DATABASE)
    if is_sealed:
        keeping.add("http://c.cz/", 2.5)
    copy_files(tmp_path / "running", copy, (JOURNAL_FILES[first % 2],))
    for number in range(commits + is_sealed):
        keeping.add(f"http://d{number}.cz/", 3.6 + 2 * number)
        keeping.add(f"http://e{number}.cz/", 3.7 + 2 * number)
    copy_files(tmp_path / "running", copy, (JOURNAL_FILES[(first + 1) % 2],))
    store = Store(copy)
    assert store.links.queued_count == (3 if is_sealed else 2)
    assert store.forgotten == commits + is_sealed


def test_whoever_looks_at_a_database_that_lost_its_log_leaves_the_journal_alone(tmp_path: Path) -> None:
    """It is the only proof of what is missing, and goes with the log if that is found again."""
    copy = left_behind(tmp_path)
    before = {name: (copy / name).read_bytes() for name in JOURNAL_FILES}
    with contextlib.closing(Inspection(copy)) as inspection:
        assert inspection.totals()["queued"] == 1
    assert before == {name: (copy / name).read_bytes() for name in JOURNAL_FILES}
    Keeping(copy).books.close()  # but who goes on with the crawl has one of his own
    assert not is_journal_left(copy)


@pytest.mark.parametrize("byte", [10, 11])
def test_a_damaged_number_of_steps_that_nobody_needs_is_not_believed(tmp_path: Path, byte: int) -> None:
    """They are in the database. It made the next commit one that no database can count."""
    keeping, copy = Keeping(tmp_path / "running"), tmp_path / "copy"
    keeping.add("http://a.cz/", 1.1)
    keeping.add("http://b.cz/", 2.5)
    shutil.copytree(tmp_path / "running", copy)
    path = copy / JOURNAL_FILES[(keeping.books.store.journal.generation + 1) % 2]
    data = bytearray(path.read_bytes())
    data[byte] ^= 0x80
    path.write_bytes(data)
    store = Keeping(copy).books.store
    assert store.links.queued_count == 2
    assert store.journal.generation < 1 << 53


def test_whoever_goes_on_beside_an_old_journal_never_comes_to_its_commits(tmp_path: Path) -> None:
    """He may be killed between a commit and the moment that the journal is begun anew."""
    copy = left_behind(tmp_path)
    for _ in range(5):
        store = Store(copy)
        store.links.enqueue("c.cz", [f"/{store.journal.generation}"], Record(0, 1.0))
        store.links.flush()
        store.commit()
        store.connection.close()  # as a kill does
    assert Store(copy).links.queued_count == 6


def test_what_was_done_again_is_not_done_a_third_time(tmp_path: Path) -> None:
    """Whoever opens such a copy may be killed before he writes anything: the next one finds it as he did."""
    copy = copied_while_running(tmp_path)
    Store(copy)  # and is killed
    shutil.copytree(copy, tmp_path / "again")
    store = Store(tmp_path / "again")
    assert store.links.queued_count == 3
    assert list(Verification(store.connection, store.path).faults()) == []


def test_steps_beside_a_backup_are_never_taken_for_ours(tmp_path: Path) -> None:
    """They are of generations that the backup will come to: then these are other steps."""
    keeping, backup = Keeping(tmp_path / "running"), tmp_path / "backup"
    keeping.add("http://a.cz/", 1.1)
    backup.mkdir()
    for file in (DATABASE_FILE, f"{DATABASE_FILE}-wal"):
        shutil.copy(tmp_path / "running" / file, backup)
    for number in range(2, 6):
        for tenth in range(10):
            keeping.add(f"http://b{number}{tenth}.cz/", number + tenth / 10)
    for file in JOURNAL_FILES:
        shutil.copy(tmp_path / "running" / file, backup)
    goes_on = Keeping(backup)
    for number in range(1, 6):
        goes_on.add(f"http://c{number}.cz/", number)
        goes_on.add(f"http://d{number}.cz/", number + 0.5)
        shutil.copytree(backup, tmp_path / f"copy{number}")
        store = Store(tmp_path / f"copy{number}")
        assert store.links.queued_count == 1 + 2 * number


def test_what_is_half_done_when_we_end_is_not_kept(tmp_path: Path) -> None:
    """A mistake of ours in the middle of an answer: what was put down before is there, and no more."""
    keeping = Keeping(tmp_path)
    keeping.add("http://a.cz/", 0.1)
    keeping.frontier.admit(links("http://b.cz/"), 0.2)
    keeping.books.close()
    assert Store(tmp_path).links.queued_count == 1


def test_an_order_is_in_the_database_when_it_is_answered(tmp_path: Path) -> None:
    """Looking in works on a running state, and shows what was ordered just before."""
    keeping = Keeping(tmp_path)
    keeping.add("http://a.cz/", 0.1)
    keeping.keeper.go_on_with(keeping.keeper.order(BLOCK, ["a.cz"]), 0.2)
    keeping.books.keep(keeping.keeper, 0.2)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as others:
        assert others.execute("SELECT name FROM blocked").fetchall() == [("a.cz",)]


def test_whoever_looks_into_a_state_that_was_compacted_holds_nobody_up(tmp_path: Path) -> None:
    """A copy that SQLite makes has no log beside it: there readers and writers would meet."""
    keeping = Keeping(tmp_path)
    keeping.add("http://a.cz/", 0.1)
    keeping.books.close()
    compact(tmp_path, "stop")
    keeping = Keeping(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_FILE, isolation_level=None)) as others:
        others.execute("BEGIN")
        assert others.execute("SELECT name FROM domains").fetchall() == [("a.cz",)]
        keeping.add("http://b.cz/", 2.0)  # a commit
    assert keeping.frontier.links.queued_count == 2


def test_whoever_is_clean_leaves_no_journal(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path)
    keeping.add("http://a.cz/", 0.1)
    assert is_journal_left(tmp_path)
    keeping.books.close()
    assert not is_journal_left(tmp_path)
    assert Store(tmp_path).links.queued_count == 1


def test_a_state_from_before_there_was_a_journal_is_brought_up_to_date(tmp_path: Path) -> None:
    """The state has a version and migrations; a robot of that version must not open it any more."""
    store, frontier = opened(tmp_path)
    frontier.admit(links("http://a.cz/"), 1)
    closed(store, frontier)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as connection:
        connection.execute("PRAGMA user_version = 2")
    with contextlib.closing(Inspection(tmp_path)) as inspection:
        assert inspection.totals()["queued"] == 1
    store = Store(tmp_path)
    assert store.links.queued_count == 1
    assert store.connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


@pytest.mark.parametrize("is_leased", [False, True])
@pytest.mark.parametrize("is_clean", [False, True])
def test_a_shorter_way_is_remembered_by_the_next_run(tmp_path: Path, is_leased: bool, is_clean: bool) -> None:
    """Spec 4: the record is corrected, in the queue and in a batch, whatever ends the run."""
    keeping = Keeping(tmp_path / "running")
    queue = keeping.frontier.links
    queue.enqueue("a.cz", ["/x"], Record(5, 0.5))
    if is_leased:
        queue.lease("a.cz", "", 1)
    keeping.books.keep(keeping.keeper, 5.0)
    assert queue.meet([Found("a.cz", ["/x"], Record(3, 0.8))]) == [([], ["/x"])]
    keeping.books.keep(keeping.keeper, 5.1)
    if is_clean:
        keeping.books.close()
    shutil.copytree(tmp_path / "running", tmp_path / "copy")
    store = Store(tmp_path / "copy")
    store.links.leases.recall()
    if not is_leased:
        store.links.lease("a.cz", "", 1)
    taken = store.links.take("a.cz", "/x")
    assert taken is not None
    assert (taken.depth, taken.usability) == (3, 0.8)


def test_what_failed_half_way_is_not_tried_again_with_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in the middle damages nothing; the journal has it all."""
    keeping = Keeping(tmp_path)
    keeping.add("http://a.cz/", 0.1)
    links_on_disk = keeping.books.store.links

    def fail() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(links_on_disk.seen, "flush", fail)
    with pytest.raises(sqlite3.OperationalError):
        keeping.add("http://b.cz/", 2.0)
    monkeypatch.undo()
    keeping.books.close()
    store = Store(tmp_path)
    assert store.links.queued_count == 1
    assert list(Verification(store.connection, store.path).faults()) == []
