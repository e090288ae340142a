"""Edge: a web of `web.py` on loopback addresses, one listening socket per address, one port for all.

Every request is one line of the access log: a JSON object with the times of its first byte and of the end of
its answer, as a suspicious administrator would keep it. The four rules are proved from this log. So the first
byte is dated when the event loop receives it, not when a coroutine reads it.
"""

import asyncio
import errno
import json
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from http import HTTPStatus
from typing import SupportsIndex, TextIO, TypeVar

from txtr import clock
from txtr.demo.web import MISDIRECTED, Answer, Misbehaviour, Web

BACKLOG = 1024  # connections: a robot may knock on one address many times at once
MAX_HEAD_BYTES = 65536  # of a request; a longer head is no request
ENDLESS_CHUNK_BYTES = 65536
TRICKLE_DELAY = 1.0
PORT_TRIES = 20  # a port that is free on one address may be taken on another

AnyWeb = TypeVar("AnyWeb", bound=Web)


def open_web(build: Callable[[int], AnyWeb], port: int = 0) -> tuple[AnyWeb, list[socket.socket]]:
    """Build a web for a port (0: any that is free on all its addresses) and listen for it."""
    for _ in range(PORT_TRIES):
        web = build(port or _free_port())
        try:
            return web, _listen(web)
        except OSError as error:
            if port or error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no port is free on all addresses of the web")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listen(web: Web) -> list[socket.socket]:
    doors: list[socket.socket] = []
    try:
        for address in web.addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            doors.append(socket.create_server((address, web.port), family=family, backlog=BACKLOG))
    except OSError:
        for door in doors:
            door.close()
        raise
    return doors


class _DatedReader(asyncio.StreamReader):
    """A reader that dates the first byte of each request: (wall, monotonic)."""

    heard: tuple[float, float] | None = None

    def feed_data(self, data: Iterable[SupportsIndex]) -> None:
        if self.heard is None:
            self.heard = clock.wall(), clock.now()
        super().feed_data(data)


class _Request:
    """The head of one request, as far as a small server reads it."""

    def __init__(self, head: bytes) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, _, rest = first.partition(" ")
        self.path, _, self.version = rest.rpartition(" ")
        pairs = (line.partition(":") for line in lines if line)
        self.headers = {name.strip().lower(): value.strip() for name, _, value in pairs}

    @property
    def host(self) -> str:
        """The domain that is asked for, without the port."""
        name = self.headers.get("host", "").lower()
        return name if name.endswith("]") else name.rsplit(":", 1)[0]

    @property
    def keeps_alive(self) -> bool:
        wish = self.headers.get("connection", "").lower()
        return wish != "close" and (self.version != "HTTP/1.0" or wish == "keep-alive")


class Server:
    """Answers for every host of a web, and keeps the access log."""

    def __init__(self, web: Web, log: TextIO) -> None:
        self.web = web
        self.log = log
        self.asked: Counter[tuple[str, str]] = Counter()  # (domain, path) -> requests so far
        self.visits: set[asyncio.Task[None]] = set()  # filled by _greet, emptied as they end

    @asynccontextmanager
    async def serve(
        self, doors: list[socket.socket], tls: ssl.SSLContext | None = None
    ) -> AsyncIterator[None]:
        """Answer on the listening sockets until the block ends; with TLS if that is given."""
        loop = asyncio.get_running_loop()
        servers = [await loop.create_server(self._greet, sock=door, ssl=tls) for door in doors]
        try:
            yield
        finally:
            for server in servers:
                server.close()
            for visit in self.visits:
                visit.cancel()
            await asyncio.gather(*self.visits, return_exceptions=True)

    def _greet(self) -> asyncio.StreamReaderProtocol:
        reader = _DatedReader(limit=MAX_HEAD_BYTES)
        return asyncio.StreamReaderProtocol(reader, self._begin)

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert isinstance(reader, _DatedReader)
        visit = asyncio.get_running_loop().create_task(self._visit(reader, writer))
        self.visits.add(visit)
        visit.add_done_callback(self.visits.discard)

    async def _visit(self, reader: _DatedReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection: requests and answers in turn, until one side ends it."""
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: _DatedReader, writer: asyncio.StreamWriter) -> bool:
        """Carry out one request and its answer; may another follow on this connection?"""
        reader.heard = None
        request = _Request((await reader.readuntil(b"\r\n\r\n"))[:-4])
        started = reader.heard or (clock.wall(), clock.now())
        answer = self._find(request)
        performance = _Response(reader, writer, request)
        try:
            with suppress(ConnectionError):
                await performance.give(answer)
        finally:
            self._record(request, answer, started, performance)
        return performance.complete and request.keeps_alive

    def _find(self, request: _Request) -> Answer:
        host = self.web.hosts.get(request.host)
        if host is None:
            return MISDIRECTED
        count = self.asked[request.host, request.path]
        self.asked[request.host, request.path] += 1
        answer = host.find(request.path).at_time(count)
        return replace(answer, wait=answer.wait + host.wait)

    def _record(
        self, request: _Request, answer: Answer, started: tuple[float, float], performance: "_Response"
    ) -> None:
        entry = {
            "start": started[0],
            "end": clock.wall(),
            "monotonic_start": started[1],
            "monotonic_end": clock.now(),
            "address": performance.address,
            "host": request.host,
            "method": request.method,
            "path": request.path,
            "status": answer.status,
            "complete": performance.complete,
            "agent": request.headers.get("user-agent", ""),
            "bytes": performance.sent_bytes,
        }
        self.log.write(json.dumps(entry, ensure_ascii=False) + "\n")
        self.log.flush()


class _Response:
    """One answer being given, properly or with its misbehaviour."""

    def __init__(self, reader: _DatedReader, writer: asyncio.StreamWriter, request: _Request) -> None:
        self.reader = reader
        self.writer = writer
        self.request = request
        self.address = str(writer.get_extra_info("sockname")[0])
        self.sent_bytes = 0  # of the body
        self.complete = False  # the visitor got the whole answer and may ask again

    async def give(self, answer: Answer) -> None:
        if answer.wait and await self._left_within(answer.wait):
            return
        if answer.misbehaviour is None:
            await self._properly(answer)
        else:
            await MISBEHAVE[answer.misbehaviour](self, answer)

    async def _properly(self, answer: Answer) -> None:
        body = b"" if self.request.method == "HEAD" else answer.body
        self.writer.write(self._head(answer) + body)
        self.sent_bytes = len(body)
        await self.writer.drain()
        self.complete = True

    def _head(self, answer: Answer) -> bytes:
        """The status line and headers; headers of the answer replace the usual ones."""
        headers = {"Server": "miniature", "Content-Length": str(len(answer.body))} | dict(answer.headers)
        if not self.request.keeps_alive:
            headers["Connection"] = "close"
        lines = [f"HTTP/1.1 {answer.status} {_phrase(answer.status)}"]
        lines += [f"{name}: {value}" for name, value in headers.items() if value]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8")

    async def _left_within(self, seconds: float | None) -> bool:
        """Wait so long, or until the visitor hangs up; has he?"""
        try:
            return not await asyncio.wait_for(self.reader.read(1), seconds)
        except TimeoutError:
            return False

    async def _send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()
        self.sent_bytes += len(data)

    async def _stall(self, answer: Answer) -> None:
        while not await self._left_within(None):
            pass

    async def _hold(self, answer: Answer) -> None:
        self.writer.write(self._head(replace(answer, headers=dict(answer.headers) | {"Content-Length": ""})))
        await self._send(answer.body)
        await self._stall(answer)

    async def _drop(self, answer: Answer) -> None:
        self.writer.write(self._head(answer))
        await self._send(answer.body[: len(answer.body) // 2])

    async def _trickle(self, answer: Answer) -> None:
        self.writer.write(self._head(answer))
        for byte in answer.body:
            await self._send(bytes([byte]))
            if await self._left_within(TRICKLE_DELAY):
                return
        self.complete = True

    async def _endless_body(self, answer: Answer) -> None:
        self.writer.write(self._head(replace(answer, headers=dict(answer.headers) | {"Content-Length": ""})))
        repeated = answer.body * (ENDLESS_CHUNK_BYTES // len(answer.body) + 1)
        while True:
            await self._send(repeated)
            await asyncio.sleep(0)  # drain() does not yield while the visitor keeps up

    async def _endless_headers(self, answer: Answer) -> None:
        self.writer.write(self._head(answer)[:-2])
        number = 0
        while True:
            number += 1
            self.writer.write(f"X-Header-{number}: {'x' * 1000}\r\n".encode())
            await self.writer.drain()
            await asyncio.sleep(0)

    async def _garbage(self, answer: Answer) -> None:
        await self._send(answer.body)


MISBEHAVE = {
    Misbehaviour.STALL: _Response._stall,
    Misbehaviour.HOLD: _Response._hold,
    Misbehaviour.DROP: _Response._drop,
    Misbehaviour.TRICKLE: _Response._trickle,
    Misbehaviour.ENDLESS_BODY: _Response._endless_body,
    Misbehaviour.ENDLESS_HEADERS: _Response._endless_headers,
    Misbehaviour.GARBAGE: _Response._garbage,
}


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unheard Of"
