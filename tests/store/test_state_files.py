"""The open files of a state directory: one that is removed or replaced is missed."""

import shutil
from pathlib import Path

import pytest

from txtr.frontier.records import Record
from txtr.store.state_files import OpenFiles
from txtr.store.store import Store


@pytest.fixture
def here(tmp_path: Path) -> Path:
    directory = tmp_path / "state"
    directory.mkdir()
    for name in ("lock", "log"):
        (directory / name).write_text("x")
    return directory


def test_files_that_are_written_to_are_not_lost(here: Path) -> None:
    files = OpenFiles(here, ("lock", "log", "later"))
    (here / "log").write_text("longer")
    assert files.lost() == ""
    (here / "later").write_text("y")
    assert files.lost() == ""


def test_a_file_that_is_removed_or_replaced_is_lost(here: Path) -> None:
    files = OpenFiles(here, ("lock", "log"))
    (here / "log").rename(here / "log.moved")
    assert files.lost() == "log"
    (here / "log").write_text("x")
    assert files.lost() == "log", "another one has its name"
    (here / "log.moved").replace(here / "log")
    assert files.lost() == "", "it was put back"


def test_a_file_that_came_later_is_missed_when_it_goes(here: Path) -> None:
    files = OpenFiles(here, ("later",))
    (here / "later").write_text("y")
    assert files.lost() == ""
    (here / "later").unlink()
    assert files.lost() == "later"


def test_a_directory_that_is_removed_or_becomes_a_file_is_missed(here: Path) -> None:
    files = OpenFiles(here, ("lock",))
    shutil.rmtree(here)
    assert files.lost() == "lock"
    here.write_text("a file")
    assert files.lost() == "lock"


@pytest.mark.parametrize("name", ["frontier.sqlite", "frontier.sqlite-wal", "frontier.journal-0"])
def test_a_store_misses_each_of_its_files_and_none_while_it_works(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path)
    for turn in range(20):
        store.links.enqueue("a.cz", [f"/{turn}"], Record(0, 1.0))
        store.put_down(turn * 0.3)
        assert store.files.lost() == ""
    (tmp_path / name).unlink()
    assert store.files.lost() == name
    store.close()
