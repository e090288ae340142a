"""The frontier on disk: saved whole, loaded whole, polite after loading."""

from pathlib import Path

import pytest

from txtr.errors import TheirMistake
from txtr.frontier import disk
from txtr.frontier.documents import Entry
from txtr.frontier.frontier import Frontier
from txtr.frontier.gate import Gate
from txtr.frontier.queue import Record
from txtr.manners.rules import Rules
from txtr.model import Link, Resolution, RobotsFile


def frontier() -> Frontier:
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    return Frontier(rules, Gate(".*", "^$", 0), "texttractor")


def at_work() -> Frontier:
    """One domain in a series, with a Crawl-delay longer than the general pause."""
    front = frontier()
    front.admit([Link("a.cz", "/1", 0), Link("a.cz", "s/2", 3, usability=0.5)], 0)
    for name in front.new_domains(10, batch=1):
        front.resolved(Resolution(name, ["192.0.2.1"]), 0)
    list(front.visits(1, 10, 0))
    front.robots(RobotsFile("a.cz", "/robots.txt", 200, "User-agent: *\nCrawl-delay: 100", 0.1), 1, 0)
    front.top_up("192.0.2.1", 0)
    front.documents.add("a.cz", "/0", Entry("kept", 0, 0.7, 1.0, 2.0, 3.0, "Ó"))
    return front


def test_a_frontier_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    """Spec 6: it saves its structures; what was leased is to be fetched still."""
    path = disk.save(tmp_path, disk.take(at_work(), {"digest": "http://a.cz/0"}, {}, now=0))
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    snapshot = disk.load(tmp_path)
    assert snapshot is not None
    assert snapshot.texts == {"digest": "http://a.cz/0"}
    front = frontier()
    disk.restore(front, snapshot, now=1000)
    assert front.queue.everything() == {"a.cz": {"/1": Record(0, 1.0), "s/2": Record(3, 0.5)}}
    assert front.documents.entries == {"a.cz": {"/0": Entry("kept", 0, 0.7, 1.0, 2.0, 3.0, "Ó")}}
    assert list(front.domains.new) == ["a.cz"]


def test_after_loading_everybody_gets_his_pause_first(tmp_path: Path) -> None:
    """Spec 2: the earlier run may just have been there; also a Crawl-delay is still owed."""
    snapshot = disk.take(at_work(), {}, {}, now=0)
    front = frontier()
    disk.restore(front, snapshot, now=1000)
    front.admit([Link("b.cz", "/", 0)], 1000)
    for name in front.new_domains(10, batch=1):
        front.resolved(Resolution(name, ["192.0.2.1"]), 1000)

    def dealt(now: float) -> list[str]:
        front.pass_time(now)
        return [visit.domain for visit in front.visits(int(now), 10, now)]

    assert dealt(1029) == []
    assert dealt(1031) == ["b.cz"]
    front.give_up(1031, 1031)
    assert dealt(1099) == ["b.cz"]
    front.give_up(1099, 1099)
    assert "a.cz" in dealt(1131)


def test_a_first_run_finds_nothing(tmp_path: Path) -> None:
    """A fresh machine."""
    assert disk.load(tmp_path) is None


@pytest.mark.parametrize("damage", [b"", b"\xff", b"\x80", b"garbage", b"\x81\xa7version\xcc\x63"])
def test_a_damaged_file_is_named(tmp_path: Path, damage: bytes) -> None:
    """Style 5: messages say what was expected, what came, and where."""
    (tmp_path / disk.NAME).write_bytes(damage)
    with pytest.raises(TheirMistake, match=disk.NAME):
        disk.load(tmp_path)


def test_a_truncated_file_is_damaged_wherever_it_was_cut(tmp_path: Path) -> None:
    """A crash leaves the old file or the new one; a full disk may leave a piece."""
    whole = disk.save(tmp_path, disk.take(at_work(), {}, {}, now=0)).read_bytes()
    for length in range(0, len(whole), 7):
        (tmp_path / disk.NAME).write_bytes(whole[:length])
        with pytest.raises(TheirMistake):
            disk.load(tmp_path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    """Better to stop than to misread."""
    snapshot = disk.take(frontier(), {}, {}, now=0)
    snapshot.version = 99
    disk.save(tmp_path, snapshot)
    with pytest.raises(TheirMistake, match="99"):
        disk.load(tmp_path)
