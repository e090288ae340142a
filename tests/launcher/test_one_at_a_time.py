"""The lock of a directory: who may change which processes PID.txt names."""

import errno
import fcntl
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from txtr.errors import UserMistake
from txtr.launcher import processes
from txtr.launcher.files import LOCK_FILE, Busy, one_at_a_time
from txtr.store.lock import StateIsLocked, hold_lock


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nobody_else_can_hold_it() -> None:
    """Found by attack: the directory itself was locked, which everybody may who may read it."""
    directory = os.open(".", os.O_RDONLY)
    fcntl.flock(directory, fcntl.LOCK_EX)
    with one_at_a_time(patience=0.0):
        about = LOCK_FILE.stat()
        assert (stat.S_IMODE(about.st_mode), about.st_uid) == (0o600, os.getuid())
        with pytest.raises(Busy), one_at_a_time(patience=0.0):
            pass
    os.close(directory)
    assert list(Path().iterdir()) == []


def test_a_command_that_was_killed_leaves_no_lock() -> None:
    LOCK_FILE.write_bytes(b"")
    with one_at_a_time(patience=0.0):
        pass
    assert not LOCK_FILE.exists()


def test_the_lock_is_written_to_for_network_file_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """NFS locks only what was opened to be written, and refused the directory with a trace."""

    def lock_as_nfs(file: int, how: int) -> None:
        if fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    monkeypatch.setattr(fcntl, "flock", lock_as_nfs)
    with one_at_a_time(patience=0.0):
        assert LOCK_FILE.is_file()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EBADF, errno.ENOTSUP])
def test_a_file_system_without_locks_is_told_of_in_a_line(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory's lock ended in a trace, the state's in a queuekeeper that nobody had started."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    reason = f"cannot be locked: {os.strerror(number)}"
    with pytest.raises(UserMistake, match=f"^{LOCK_FILE}: {reason}"), one_at_a_time(patience=0.0):
        pass
    with pytest.raises(UserMistake, match=f"^--state={tmp_path}: {tmp_path}/lock: {reason}") as told:
        hold_lock(tmp_path)
    assert not isinstance(told.value, StateIsLocked)


def test_what_has_the_name_of_the_lock_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    for make, reason in (
        (lambda: os.mkfifo(LOCK_FILE), "is a FIFO"),
        (lambda: LOCK_FILE.symlink_to("other"), "symbolic link"),
        (LOCK_FILE.mkdir, "Is a directory"),
    ):
        make()
        with pytest.raises(UserMistake, match=f"^{LOCK_FILE}: .*{reason}"), one_at_a_time(patience=0.0):
            pass
        LOCK_FILE.rmdir() if LOCK_FILE.is_dir() else LOCK_FILE.unlink()
    assert (tmp_path / "other").read_text() == "mine"


def test_whoever_looks_where_no_crawl_is_needs_no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("txtr.launcher.files.one_at_a_time", None)  # a call would raise
    processes.forget()
    assert list(Path().iterdir()) == []


def _count(times: int) -> None:
    for _ in range(times):
        with one_at_a_time():
            number = int(Path("count").read_text())
            Path("count").write_text(str(number + 1))


def test_of_many_commands_one_is_at_work_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each removes the file when it is done: one that is gone is nobody's turn."""
    monkeypatch.setattr("txtr.launcher.files.GLANCE", 0.0)
    Path("count").write_text("0")
    commands = [multiprocessing.get_context("fork").Process(target=_count, args=(100,)) for _ in range(4)]
    for command in commands:
        command.start()
    for command in commands:
        command.join()
    assert Path("count").read_text() == "400"
    assert not LOCK_FILE.exists()
