"""Log files: written at once, rotated by size, never fatal."""

import errno
import os

import pytest

from txtr.diary.file import MIB, Diary
from txtr.errors import UserMistake
from txtr.model import Event


def diary_in(directory, level="INFO", size_mib=1.0, count=2):
    return Diary(str(directory / "log/{instance}.log"), "harvester-07", level, size_mib, count)


def contents(path):
    return path.read_text("utf-8")


def test_a_line_is_on_disk_as_soon_as_it_is_written(tmp_path):
    """tail -f works, and a kill -9 loses nothing."""
    diary = diary_in(tmp_path)
    diary.write(Event("fetched", "http://a.cz/", {"status": 200}), Event("queued", "http://a.cz/b"))
    (line,) = contents(tmp_path / "log/harvester-07.log").splitlines()
    assert line.endswith(" harvester-07 fetched http://a.cz/ status=200")


def test_debug_shows_everything(tmp_path):
    diary = diary_in(tmp_path, level="DEBUG")
    assert diary.debug
    diary.write(Event("queued", "http://a.cz/b"))
    assert " queued " in contents(tmp_path / "log/harvester-07.log")


def test_a_later_run_goes_on_in_the_same_file(tmp_path):
    for _ in range(2):
        diary = diary_in(tmp_path)
        diary.write(Event("started"))
        diary.close()
    assert len(contents(tmp_path / "log/harvester-07.log").splitlines()) == 2


@pytest.mark.parametrize("count", [0, 1, 3])
def test_log_files_rotate_and_only_so_many_are_kept(tmp_path, count):
    """Log files rotate."""
    diary = diary_in(tmp_path, size_mib=200 / MIB, count=count)
    for number in range(30):
        diary.write(Event("started", f"turn-{number}"))
    names = {path.name for path in (tmp_path / "log").iterdir()}
    assert names == {"harvester-07.log", *(f"harvester-07.log.{n}" for n in range(1, count + 1))}
    assert "turn-29" in contents(tmp_path / "log/harvester-07.log")
    assert all(path.stat().st_size <= 200 for path in (tmp_path / "log").iterdir())


def test_rotated_files_follow_each_other_without_a_gap(tmp_path):
    diary = diary_in(tmp_path, size_mib=200 / MIB, count=50)
    for number in range(30):
        diary.write(Event("started", f"turn-{number:02}"))
    text = "".join(contents(path) for path in (tmp_path / "log").iterdir())
    assert sorted(line.split()[3] for line in text.splitlines()) == [f"turn-{n:02}" for n in range(30)]


def test_an_impossible_log_path_names_its_option(tmp_path):
    (tmp_path / "log").write_text("a file, no directory")
    with pytest.raises(UserMistake, match=r"--log-path=.*: (File exists|Not a directory)"):
        diary_in(tmp_path)


def test_a_full_disk_is_said_once_and_stops_nobody(tmp_path, monkeypatch, capsys):
    diary = diary_in(tmp_path)

    def full(file, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        diary.write(Event("started"))
        diary.write(Event("started"))
    assert capsys.readouterr().err.count("No space left on device") == 1
    diary.write(Event("stopped"))
    assert " stopped " in contents(tmp_path / "log/harvester-07.log")


def test_a_line_torn_by_a_full_disk_does_not_swallow_the_next(tmp_path, monkeypatch):
    diary = diary_in(tmp_path)
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, data: write(file, data[:10]))
        diary.write(Event("started"))
    diary.write(Event("stopped"))
    torn, whole = contents(tmp_path / "log/harvester-07.log").splitlines()
    assert len(torn) == 10 and whole.endswith("stopped -")
