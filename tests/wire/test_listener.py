"""A port that anybody may connect to."""

import asyncio
import contextlib
import errno
import os
import resource
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from txtr.model import Event
from txtr.wire import listener as listener_module
from txtr.wire.callers import Callers
from txtr.wire.listener import Caller, Listener, listen_at_path, listen_at_port

pytestmark = pytest.mark.web

FILES = 256  # that the program may have open, of which thirty-two are for strangers
PATIENCE = 10.0  # seconds for what takes milliseconds


async def silent(caller: Caller) -> None:
    """Hear somebody out."""
    while await caller.reader.read(100):
        pass


Converse = Callable[[Listener, int, list[Event]], Coroutine[Any, Any, None]]


def listen(test: Converse, receive: Callable[[Caller], Coroutine[Any, Any, None]] = silent) -> list[Event]:
    """Listen while the test does its work; what was noted."""
    notes: list[Event] = []

    async def run() -> None:
        opened = Listener(receive, Callers(FILES), lambda *events: notes.extend(events))
        doors = await listen_at_port(["127.0.0.1"], 0)
        opened.begin(doors)
        try:
            await test(opened, doors[0].getsockname()[1], notes)
        finally:
            await opened.hang_up()
        assert not opened.callers.strangers and not opened.callers.known

    asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE))
    return notes


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE / 0.01)):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to that")


def open_files() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def test_however_many_are_silent_few_files_are_open() -> None:
    """Found by attack: 1,010 silent connections ended the queuekeeper."""

    async def crowd(opened: Listener, port: int, _: list[Event]) -> None:
        before, most = open_files(), 0
        with contextlib.ExitStack() as calling:
            for number in range(4 * FILES):
                caller = calling.enter_context(socket.socket())
                caller.setblocking(False)
                await asyncio.get_running_loop().sock_connect(caller, ("127.0.0.1", port))
                most = max(most, open_files() - before - number - 1)
            await until(lambda: len(opened.callers.strangers) == 32)
        assert 32 <= most <= 32 + 2 * listener_module.ARRIVALS_AT_ONCE

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    listen(crowd)


def test_no_files_left_means_try_again_and_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio's servers say it a hundred times a second, each with a trace."""

    async def short(opened: Listener, port: int, notes: list[Event]) -> None:
        loop = asyncio.get_running_loop()
        usual = loop.sock_accept
        errors = [errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ECONNABORTED] * 20

        async def accept(door: socket.socket) -> Any:
            if errors:
                raise OSError(number := errors.pop(), os.strerror(number))
            return await usual(door)

        monkeypatch.setattr(loop, "sock_accept", accept)
        first = await asyncio.open_connection("127.0.0.1", port)  # is accepted: who waits already does
        second = await asyncio.open_connection("127.0.0.1", port)
        await until(lambda: len(opened.callers.strangers) == 2)
        assert not errors
        for _, writer in (first, second):
            writer.close()

    monkeypatch.setattr(listener_module, "RETRY_AFTER", 0.001)
    notes = listen(short)
    assert {event.what for event in notes} == {"warning"}
    assert sum(int(str(event.facts.get("times", 1))) for event in notes) == 100
    assert len(notes) < 25
    assert str(notes[0].facts["reason"]).startswith("cannot accept: ")


def test_who_arrives_at_the_end_holds_nobody_up() -> None:
    """It was not among those who were hung up on, and the segmenter waited ten seconds for it."""

    async def at_the_end(opened: Listener, port: int, _: list[Event]) -> None:
        calling = [await asyncio.open_connection("127.0.0.1", port) for _ in range(40)]
        begun = asyncio.get_running_loop().time()
        await opened.hang_up()
        assert asyncio.get_running_loop().time() - begun < listener_module.FAREWELL / 2
        for _, writer in calling:
            writer.close()

    listen(at_the_end)


def test_nothing_is_done_for_a_connection_after_the_hanging_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What had waited for its turn for ten seconds went on when the database was closed."""
    monkeypatch.setattr(listener_module, "FAREWELL", 0.05)
    at_work: list[Caller] = []

    async def waits(caller: Caller) -> None:
        at_work.append(caller)
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            at_work.remove(caller)

    async def hang_up(opened: Listener, port: int, _: list[Event]) -> None:
        calling = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        await until(lambda: len(at_work) == 3)
        await opened.hang_up()
        assert not at_work
        for _, writer in calling:
            writer.close()

    listen(hang_up, waits)


def test_who_is_sent_away_is_told_apart_from_who_hangs_up() -> None:
    gone: list[str] = []

    async def receive(caller: Caller) -> None:
        await silent(caller)
        gone.append(caller.sent_away)

    async def crowd(opened: Listener, port: int, _: list[Event]) -> None:
        calling = [await asyncio.open_connection("127.0.0.1", port) for _ in range(33)]
        await until(lambda: len(gone) == 1)
        calling[-1][1].close()
        await until(lambda: len(gone) == 2)
        for _, writer in calling:
            writer.close()

    listen(crowd, receive)
    assert gone[:2] == ["made way for another: 32 may be connected without saying who they are", ""]


def test_a_socket_that_is_left_over_is_replaced_and_any_other_file_is_not(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    listen_at_path(str(path))[0].close()
    listen_at_path(str(path))[0].close()
    path.unlink()
    path.write_text("a letter")
    with pytest.raises(OSError, match="in use"):
        listen_at_path(str(path))
    assert path.read_text() == "a letter"


def test_a_port_that_is_taken_is_told_by_its_error() -> None:
    async def take() -> None:
        (door,) = await listen_at_port(["127.0.0.1"], 0)
        with door, pytest.raises(OSError) as caught:
            await listen_at_port(["127.0.0.1"], door.getsockname()[1])
        assert caught.value.errno == errno.EADDRINUSE

    asyncio.run(take())


def test_without_a_name_the_whole_world_may_call() -> None:
    async def open_and_call() -> None:
        doors = await listen_at_port([], 0)
        try:
            assert {door.getsockname()[0] for door in doors} <= {"0.0.0.0", "::"}
            with socket.create_connection(("127.0.0.1", doors[0].getsockname()[1]), PATIENCE):
                pass
        finally:
            for door in doors:
                door.close()

    asyncio.run(open_and_call())
