"""A file of the state that is none: a FIFO that nobody writes to, or a directory. Nobody waits for ever."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from txtr.admin import stopped
from txtr.admin.crawl import Crawl
from txtr.config.options import Options
from txtr.diary.file import load_yield
from txtr.errors import UserMistake
from txtr.harvester.program import _has_finished
from txtr.launcher import files as launched
from txtr.model import Event
from txtr.queuekeeper.program import Queuekeeper
from txtr.store.lock import hold_lock
from txtr.store.store import Store
from txtr.wire.secret import known, provided

PATIENCE = 5  # seconds


@pytest.fixture(autouse=True)
def impatience() -> Iterator[None]:
    """A test that waits for a writer fails."""

    def give_up(*_: object) -> None:
        raise AssertionError("waits for somebody who writes into the FIFO")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def special(kind: str, path: Path) -> str:
    """Make one; what is said of it."""
    if kind == "directory":
        path.mkdir()
        return "Is a directory"
    os.mkfifo(path)
    return "is a FIFO, no regular file"


kinds = pytest.mark.parametrize("kind", ["FIFO", "directory"])


@kinds
@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("secret", provided),
        ("lock", lambda chosen: hold_lock(Path(chosen.state))),
        ("running.lock", launched.lock),
        ("yield.json", lambda chosen: load_yield(Path(chosen.state))),
        ("frontier.journal-0", lambda chosen: Store(Path(chosen.state))),
    ],
)
def test_what_the_queuekeeper_needs_is_refused_by_name(
    kind: str, name: str, use: Callable[[Options], object], tmp_path: Path
) -> None:
    """Found by attack: a FIFO called state/secret held the queuekeeper for ever, which held the lock."""
    if name.startswith("frontier"):
        Store(tmp_path).close()  # a journal belongs to a database
        (tmp_path / name).unlink(missing_ok=True)
    said = special(kind, tmp_path / name)
    with pytest.raises(UserMistake, match=f"{tmp_path}.*{name}: {said}"):
        use(Options(state=str(tmp_path)))
    assert not (tmp_path / name).is_file()


@pytest.mark.parametrize("name", ["frontier.sqlite", "frontier.sqlite-wal", "frontier.msgpack"])
def test_a_database_that_is_a_fifo_is_refused_by_name(name: str, tmp_path: Path) -> None:
    said = special("FIFO", tmp_path / name)
    with pytest.raises(UserMistake, match=f"^{tmp_path}/{name}: {said}"):
        Store(tmp_path)


@kinds
def test_what_tells_of_a_crawl_is_as_if_it_were_not_there(kind: str, tmp_path: Path) -> None:
    """Harvesters, `status` and `queue` look at these: they go on without."""
    chosen = Options(state=str(tmp_path))
    for name in ("secret", "lock", "launch.json", "status.json"):
        special(kind, tmp_path / name)
    assert known(chosen)() == b""
    assert not Crawl(chosen).is_kept()
    assert Crawl(chosen).progress() is None
    with pytest.raises(UserMistake, match="does not tell how the crawl was started"):
        launched.recall(chosen)
    assert stopped.crawl_options([f"--state={tmp_path}"]) == chosen
    assert Crawl(chosen).port_and_secret()[0] == chosen.port
    assert not _has_finished(tmp_path)


@kinds
def test_wishes_that_are_no_file_are_told_of_once_and_left_alone(kind: str, tmp_path: Path) -> None:
    """The queuekeeper looks every second; a directory ended it, a FIFO kept it for ever."""
    said = special(kind, tmp_path / "bring-back.txt")
    told: list[Event] = []
    keeper = SimpleNamespace(state=tmp_path, unread_wishes="", note=told.append)
    for _ in range(3):
        assert Queuekeeper._bring_back(keeper) == []  # type: ignore[arg-type]
    assert [event.facts for event in told] == [{"reason": said}]
    assert not (tmp_path / "bring-back.txt").is_file()
