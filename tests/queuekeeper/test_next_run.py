"""What the next run makes of the last moments of this one."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from txtr import clock
from txtr.config.options import Options
from txtr.corpus.record import digest, encode_record
from txtr.errors import UserMistake
from txtr.eventloop import Watch
from txtr.model import Event, Figures, Report, Resolution, RobotsFile
from txtr.queuekeeper import program as queuekeeper
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.program import Queuekeeper
from txtr.queuekeeper.server import Server
from txtr.wire.messages import Ask, Claim, Reported, Verdict

URL = "http://a.cz/"


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk has a next run."""


def prepared(directory: Path, **other: str) -> Queuekeeper:
    """A queuekeeper that has not begun."""
    (directory / "urls.txt").write_text(URL)
    (directory / "corpus").mkdir(exist_ok=True)
    places = {"state": "state", "target": "corpus", "urls": "urls.txt", "log_path": "log"}
    targets = {"disallowed_target": "disallowed.txt", "abandoned_target": "abandoned.txt"}
    others = {name: str(directory / place) if place != "none" else place for name, place in other.items()}
    chosen = {name: str(directory / place) for name, place in (places | targets).items()} | others
    return Queuekeeper(Options(**chosen), Watch())


def started(directory: Path, **other: str) -> Queuekeeper:
    program = prepared(directory, **other)
    program._begin()
    return program


def ended(program: Queuekeeper) -> None:
    program._end()
    program.lock.close()


def verdict(program: Queuekeeper, text: str) -> bool:
    program.keeper.answer("h", Claim(1, URL, digest(text.encode())), 10.0)
    (answer,) = [message for _, message in program.keeper.outbox if isinstance(message, Verdict)]
    program.keeper.outbox.clear()
    return answer.is_ours


def dealt(keeper: Keeper) -> None:
    """The only link there is is in a batch."""
    frontier = keeper.frontier
    (name,) = frontier.new_domains(1, batch=99)
    frontier.resolved(Resolution(name, ["192.0.2.1"]), 1.0)
    keeper.join("h", {}, 1.0)
    keeper.answer("h", Ask(0, 0, 0.0), 1.0)
    keeper.tick(1.0)
    robots = RobotsFile("a.cz", "/robots.txt", 404, "", 0.1)
    keeper.answer("h", Reported(Report(keeper.last_number, robots=[robots])), 1.0)
    assert frontier.links.leased("a.cz").keys() == {"/"}


def test_a_crawl_goes_on_though_all_its_links_were_in_batches(tmp_path: Path) -> None:
    """It was refused for ever: none of the start addresses is allowed."""
    program = started(tmp_path)
    dealt(program.keeper)
    program._keep()
    program.books.store.connection.close()  # killed
    program.lock.close()
    program = started(tmp_path)
    assert program.frontier.links.leased_count == 1
    ended(program)


def test_a_text_that_could_not_be_reported_before_a_clean_end_is_not_kept_again(tmp_path: Path) -> None:
    """A harvester may hang longer than a farewell lasts."""
    program = started(tmp_path)
    dealt(program.keeper)
    assert verdict(program, "Text.")
    record = encode_record({"url": URL}, b"Text.", "utf-8")
    (tmp_path / "corpus" / "h-00001.txt").write_bytes(record)
    ended(program)
    program = started(tmp_path)
    program.keeper.join("h", {}, 1.0)
    assert not verdict(program, "Text.")
    ended(program)


class LateServer(Server):
    """Its harvester's claim still waits for its turn when the queuekeeper ends."""

    async def open(self, port: int) -> None:
        pass

    async def keep_time(self, is_over: Callable[[], bool]) -> None:
        dealt(self.keeper)

    async def hang_up(self) -> None:
        self._take_in("h", Claim(1, URL, digest(b"Text.")))
        await super().hang_up()


def test_what_waits_for_its_turn_at_the_end_is_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The books were closed before, and each portion that was left ended in a ProgrammingError."""
    monkeypatch.setattr(queuekeeper, "Server", LateServer)
    monkeypatch.setattr(queuekeeper, "FAREWELL_SECONDS", 0.0)
    program = prepared(tmp_path)
    assert asyncio.run(program.run()) == 0
    program.lock.close()
    program = started(tmp_path)
    assert program.books.claims.texts.get(digest(b"Text."), "") == URL
    ended(program)


def test_what_breaks_in_the_last_portion_is_no_clean_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of what follows from it must not be kept."""

    class Broken(LateServer):
        async def hang_up(self) -> None:
            self.broken = sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(queuekeeper, "Server", Broken)
    monkeypatch.setattr(queuekeeper, "FAREWELL_SECONDS", 0.0)
    program = prepared(tmp_path)
    with pytest.raises(UserMistake, match="The queuekeeper has stopped"):
        asyncio.run(program.run())
    assert (tmp_path / "state" / "running").exists()
    program.lock.close()


def abandon(program: Queuekeeper, name: str) -> None:
    program.frontier.abandoned[name] = Figures(50, 0, 1_000_000, 0)
    program.note(Event("abandoned", name))


def test_whoever_is_abandoned_in_the_last_moment_is_on_the_list(tmp_path: Path) -> None:
    """It was written every second, and not at the end."""
    program = started(tmp_path)
    abandon(program, "b.cz")
    ended(program)
    assert "b.cz documents=50" in (tmp_path / "abandoned.txt").read_text()


def test_a_list_of_the_abandoned_that_takes_long_is_written_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every second all of it, .36 s for 200,000 of them, while nobody was answered."""
    program = started(tmp_path)
    times = iter([100.0, 100.5, 100.5])  # when it is begun, and done
    abandon(program, "b.cz")
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: next(times))
        program._list_changes()
    assert 100.5 + 20 <= program.listed_next <= 100.5 + 60
    ended(program)


def test_nobody_may_want_the_lists(tmp_path: Path) -> None:
    """--disallowed-target=/dev/null was refused, and --abandoned-target=/dev/null replaced the device."""
    program = started(tmp_path, disallowed_target="none", abandoned_target="none")
    program.note(Event("disallowed", f"{URL}private"), Event("abandoned", "a.cz"))
    ended(program)
    assert not list(tmp_path.rglob("*none*"))


def test_the_list_of_abandoned_domains_goes_through_no_fifo(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UserMistake, match=r"^--abandoned-target=.*fifo: is a FIFO, no regular file$"):
        started(tmp_path, abandoned_target="fifo")
    assert (tmp_path / "fifo").is_fifo()


def test_the_summary_of_a_run_has_no_lines_but_its_own(tmp_path, monkeypatch, capsys):
    """What older robots have believed of languages stands in the harvest of a state."""
    monkeypatch.chdir(tmp_path)
    program = started(tmp_path)
    forged = "cs\n% documents 999\x1b[2J\u2028"
    program.keeper.harvest.known.languages[forged] = program.keeper.harvest.known.total = Figures(3, 1, 9, 9)
    program.keeper.departed[forged] = 7.0
    capsys.readouterr()
    ended(program)
    said = capsys.readouterr().out
    assert "cs\\u000a% documents 999\\u001b[2J\\u2028" in said
    assert "\n% documents" not in said and "\x1b" not in said
