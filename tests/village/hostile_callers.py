"""Hostile callers: what those do who connect to a program's port without being one of us.

`with beset(name, port):` they are there all the time, and come back whenever they are hung up on. Each has a
connection of its own; `few_files` gives the program no more than a user of a usual system has.
"""

import resource
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from txtr.wire import frames
from txtr.wire.messages import VERSION, Hello, Order

FILES = 1024  # that a program may have open: `ulimit -n` of most systems
MANY = 1200  # connections at a time
ENOUGH_BYTES = 48 * 1024 * 1024  # of a long frame, that a caller counts as there
CALLING = -1  # bytes that somebody has said who is not connected yet
AGAIN = 0.1  # seconds until somebody calls again


@dataclass(frozen=True, slots=True)
class Calls:
    """So many connections, which begin with these bytes."""

    number: int
    words: Callable[[], bytes]


def _long_frame() -> bytes:
    """A frame of a segmenter's that never ends."""
    greeting = b'{"txtr-segmenter": 1, "languages": []}'
    length = 64 * 1024 * 1024
    begun = len(greeting).to_bytes(4, "big") + greeting + length.to_bytes(4, "big")
    return begun + b"x" * (length - 1)


CALLERS: dict[str, Calls] = {
    "silent": Calls(MANY, bytes),
    "half-a-greeting": Calls(MANY, lambda: frames.encode(Hello(VERSION, "harvester-01", "00"))[:20]),
    "greeting-and-no-proof": Calls(MANY, lambda: frames.encode(Hello(VERSION, "harvester-01", "00"))),
    "orders-without-greeting": Calls(MANY, lambda: frames.encode(Order("drop", ["a.cz"]))),
    "frames-that-never-end": Calls(8, _long_frame),
}


def few_files(pid: int) -> None:
    """Let a program that has just been started open no more files than usual."""
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (FILES, FILES))


def most_memory(pid: int) -> float:
    """MB that a process has had at most."""
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmHWM" in line]
    return int(line.split()[1]) / 1000


@contextmanager
def beset(name: str, port: int) -> Iterator[None]:
    """They call until the block ends; it begins when all of them have called once."""
    _allow_many_files()
    is_over, have_called = threading.Event(), threading.Event()
    thread = threading.Thread(target=_call, args=(CALLERS[name], port, is_over, have_called))
    thread.start()
    try:
        have_called.wait(30)
        yield
    finally:
        is_over.set()
        thread.join()


def _call(calls: Calls, port: int, is_over: threading.Event, have_called: threading.Event) -> None:
    words, were_hung_up = calls.words(), 0
    enough = min(len(words), ENOUGH_BYTES)
    with selectors.DefaultSelector() as selector:
        for _ in range(calls.number):
            _connect(selector, port)
        while not is_over.is_set():
            hung_up = [key for key, _ in selector.select(0.02) if not _go_on(selector, key, words)]
            were_hung_up += len(hung_up)
            waiting = sum(key.data >= enough for key in selector.get_map().values())
            if were_hung_up + waiting >= calls.number:
                have_called.set()
            is_over.wait(AGAIN if hung_up else 0)
            for key in hung_up:
                selector.unregister(key.fileobj)
                _socket(key).close()
                _connect(selector, port)
        for key in list(selector.get_map().values()):
            _socket(key).close()


def _connect(selector: selectors.BaseSelector, port: int) -> None:
    caller = socket.socket()
    caller.setblocking(False)
    caller.connect_ex(("127.0.0.1", port))
    selector.register(caller, selectors.EVENT_READ | selectors.EVENT_WRITE, CALLING)


def _go_on(selector: selectors.BaseSelector, key: selectors.SelectorKey, words: bytes) -> bool:
    """Say some more; whether anybody is still there."""
    caller, said = _socket(key), max(0, int(key.data))
    try:
        if said < len(words):
            said += caller.send(words[said : said + (1 << 18)])
        selector.modify(
            caller, selectors.EVENT_READ | (selectors.EVENT_WRITE if said < len(words) else 0), said
        )
        return caller.recv(1 << 16) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _socket(key: selectors.SelectorKey) -> socket.socket:
    assert isinstance(key.fileobj, socket.socket)
    return key.fileobj


def _allow_many_files() -> None:
    """To the tests, which keep the other ends."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
