"""Edge: listens at a port, or at the path of a socket, to which any program may connect.

It accepts callers, and sends away those that must go.

Invariant: however many callers connect, the program can open its own files. So connections are accepted here,
a few at a time, and not by asyncio's servers. Those accept a hundred at once, and when no file is left they
log that a hundred times a second. Here the listener tries again in a moment, and logs it once.
"""

import asyncio
import contextlib
import errno
import os
import resource
import socket
import stat
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

from txtr import clock
from txtr.model import Event
from txtr.wire.callers import Callers
from txtr.wire.complaints import PAUSE, Complaints

MOST_WAITING = 100  # connections that the system holds until we accept them
ARRIVALS_AT_ONCE = 16  # connections that are accepted and not callers yet
RETRY_AFTER = 0.2  # seconds until the next try, after the system could not give us a connection
MISSING_ADDRESS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # of IPv6 names on a machine without IPv6
FAREWELL = 10.0  # seconds that callers have to notice our end


def allow_many_files() -> int:
    """Raise the limit of open files, as each connection is one, and return it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


class Caller:
    """A caller, as its connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.peer = str((writer.get_extra_info("peername") or ("?",))[0] or "?")
        self.sent_away = ""  # the reason, if it had to go

    def send_away(self, reason: str) -> None:
        """End the connection of a caller; a task that reads from it meets the end."""
        self.sent_away = reason
        self.writer.transport.abort()


class Listener:
    """Accepts callers. `receive` does all that is to be done for one caller, and raises nothing."""

    def __init__(
        self,
        receive: Callable[[Caller], Awaitable[None]],
        callers: Callers[Caller],
        note: Callable[..., None],
    ) -> None:
        self.receive = receive
        self.callers = callers
        self.complaints = Complaints(clock.now())
        self._note = note
        self._doors: list[socket.socket] = []
        self._is_closed = False
        self._accepting: list[asyncio.Task[None]] = []
        self._received: set[asyncio.Task[None]] = set()  # one for each connection
        self._arriving = asyncio.Semaphore(ARRIVALS_AT_ONCE)
        self._summing_up: asyncio.TimerHandle | None = None

    def begin(self, doors: Iterable[socket.socket]) -> None:
        """Accept callers at these sockets, from the next look at the sockets on."""
        self._doors = list(doors)
        for door in self._doors:
            door.setblocking(False)
        self._accepting = [asyncio.create_task(self._accept(door)) for door in self._doors]

    def close(self) -> None:
        """Accept no callers any more."""
        self._is_closed = True
        for task in self._accepting:
            task.cancel()
        for door in self._doors:
            door.close()

    async def hang_up(self) -> None:
        """End all connections. When this returns, `receive` is at work for none of them.

        What was heard may still be taken in; what is not taken in by the end of FAREWELL is dropped.
        """
        self.close()
        for caller in [*self.callers.strangers, *self.callers.known]:
            caller.writer.transport.abort()
        if self._received:
            _, late = await asyncio.wait(list(self._received), timeout=FAREWELL)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._note(*self.complaints.end(clock.now()))
        if self._summing_up is not None:
            self._summing_up.cancel()

    def complain(self, event: Event) -> None:
        """Log an event, or count it if there are too many."""
        self._note(*self.complaints.hear(event, clock.now()))
        if self.complaints.times and self._summing_up is None:
            self._summing_up = asyncio.get_running_loop().call_later(PAUSE, self._sum_up)

    def _sum_up(self) -> None:
        self._summing_up = None
        self._note(*self.complaints.sum_up(clock.now()))
        if self.complaints.times:
            self._summing_up = asyncio.get_running_loop().call_later(PAUSE, self._sum_up)

    async def _accept(self, door: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._arriving.acquire()
            try:
                connection, _ = await loop.sock_accept(door)
            except OSError as error:  # no files left, or a connection that broke before we had it
                self._arriving.release()
                self.complain(Event("warning", "connections", {"reason": f"cannot accept: {error.strerror}"}))
                await asyncio.sleep(RETRY_AFTER)
                continue
            task = asyncio.create_task(self._serve(connection))
            self._received.add(task)
            task.add_done_callback(self._received.discard)

    async def _serve(self, connection: socket.socket) -> None:
        """One caller, from its arrival to its end."""
        try:
            caller = Caller(*await asyncio.open_connection(sock=connection))
            if self._is_closed:
                caller.send_away("we end")
            for leaving in self.callers.come(caller):
                most = self.callers.most_strangers
                leaving.send_away(
                    f"made way for another: {most} may be connected without saying who they are"
                )
        except OSError:  # it ended before it could be served
            connection.close()
            return
        finally:
            self._arriving.release()
        try:
            await self.receive(caller)
        finally:
            self.callers.go(caller)
            caller.writer.close()


async def listen_at_port(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Listen at a port of this machine under these names; without names, to the whole world."""
    loop = asyncio.get_running_loop()
    doors: list[socket.socket] = []
    names: list[str | None] = [*hosts] or [None]
    with contextlib.ExitStack() as unless_all_is_well:
        for host in names:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            for family, _, _, _, address in found:
                with _ignore_errors(MISSING_ADDRESS):
                    door = socket.create_server(address, family=family, backlog=MOST_WAITING)
                    doors.append(unless_all_is_well.enter_context(door))
        if not doors:
            raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
        unless_all_is_well.pop_all()
    return doors


def listen_at_path(path: str) -> list[socket.socket]:
    """Listen at the path of a socket; replace a socket that is left there."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISSOCK(Path(path).stat().st_mode):
            Path(path).unlink()
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        door.bind(path)
        door.listen(MOST_WAITING)
    except OSError:
        door.close()
        raise
    return [door]


@contextlib.contextmanager
def _ignore_errors(numbers: Collection[int]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
