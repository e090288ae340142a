"""The edge of fetch: HTTP, TLS and DNS. Carries bytes, and asks outcome.py what they mean.

Invariants, each of which the HTTP library alone does not give:

- One call of fetch() is at most one request on the wire. aiohttp sends an idempotent request again
  when a kept connection turns out dead; that second request would obey no rule of ours.
- Only the address given is connected to, and it is compared with the peer of the connection, kept
  or new, before the first byte is sent. A connection to a domain's former address is never used.
- Whatever a server does, fetch() returns; only cancellation passes through, and leaves nothing open.
- What all downloads hold together is bounded by a budget. A download that waits for its share keeps its
  connection and its place in the row, and its time limit does not run: it is not the server that is slow.
"""

import asyncio
import select
import socket
import ssl
import threading
import zlib
from asyncio.sslproto import SSLProtocol, _SSLProtocolTransport
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http_exceptions import ContentEncodingError, HttpProcessingError
from aiohttp.tracing import Trace
from yarl import URL

from txtr import clock
from txtr.fetch import guard, outcome
from txtr.fetch.budget import Budget
from txtr.fetch.guard import Limits
from txtr.fetch.outcome import Failed, Outcome, Page, RedirectTo
from txtr.manners import robots
from txtr.model import Purpose, Resolution, Trouble

ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.5"
MOST_HEADER_BYTES = 32 * 1024  # of one header line; long ones are policies and cookies
MOST_HEADERS = 256
# Bytes of the body taken at once; also bounds what is read and decompressed ahead, on every connection.
PIECE = 64 * 1024
RECORD = 2**14 + 2048 + 5  # bytes: the longest of TLS (RFC 5246, 6.2.3), which must fit in to be read
# The unwanted body of a redirect or a "not found" is read to the end if it is this short and quick,
# for then the connection can be kept, and a new one costs the server more.
MOST_LEFTOVER_BYTES = 16 * 1024
LEFTOVER_TIME = 1.0  # seconds
LOOKUPS = 100  # names asked for at once: two batches of them, so that slow ones keep nobody waiting
LOOKUP_TIME = 20.0  # seconds; the resolver's own default is two servers, twice five seconds
DETAIL = 200  # characters of a message that are worth keeping


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of one request; times of the monotonic clock."""

    outcome: Outcome
    ended: float  # the body was read, or the connection given up
    took: float  # from sending the request to the first byte of the answer, or to the trouble
    sent: float | None = None  # the request left no earlier than this; None: it never did
    first_byte: float | None = None  # the head of the answer was there
    number: int = 0  # of the download, for Fetcher.give_back when the page has been read
    body: float = 0.0  # seconds from the first byte to the end, but for those that the server waited for us


@dataclass(slots=True)
class _Call:
    """One fetch(), as the connector sees it from inside the library."""

    number: int
    address: str
    limit: asyncio.Timeout  # of the whole request
    is_new: bool = False  # a connection was opened for it
    waited: float = 0.0  # seconds for a share of the budget
    sent: float | None = None
    first_byte: float | None = None


_CALL: ContextVar[_Call] = ContextVar("call")


class _WrongPeer(Exception):
    """We are connected to an address that nobody asked for."""


class Fetcher:
    """Fetches one document at a time and tells what came of it; many calls may run at once."""

    def __init__(
        self,
        limits: Limits,
        agent: str,
        contact: str = "",
        *,
        is_wanted: Callable[[str], bool],
        allow_private: bool = False,
        check_certificates: bool = True,
    ) -> None:
        """Agent is the User-Agent header; contact, if any, the From header."""
        self._limits = limits
        self._is_wanted = is_wanted
        self._allow_private = allow_private
        self._check_certificates = check_certificates
        self._headers = {"User-Agent": agent, "Accept": ACCEPT, "Accept-Encoding": "gzip, deflate, br, zstd"}
        if contact:
            self._headers["From"] = contact
        self._budget = Budget(limits.held_bytes, max(limits.max_size_bytes, robots.MOST_BYTES) + PIECE)
        self._waiting: set[asyncio.Future[None]] = set()  # for bytes to be given back
        self._called = 0  # fetches begun
        self.received_bytes = 0  # of bodies, so far

    async def __aenter__(self) -> Self:
        limits = self._limits
        self._session = aiohttp.ClientSession(
            connector=_Connector(limits, self._check_certificates),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            timeout=aiohttp.ClientTimeout(sock_connect=limits.connect, sock_read=limits.read),
            middlewares=[_only_once],
            read_bufsize=PIECE,
            max_line_size=MOST_HEADER_BYTES,
            max_field_size=MOST_HEADER_BYTES,
            max_headers=MOST_HEADERS,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def fetch(self, url: str, address: str, purpose: Purpose = Purpose.PAGE) -> Fetched:
        """Request a canonical URL at this address, and nowhere else."""
        began = clock.now()
        self._called += 1
        limit = asyncio.timeout(self._limits.total)
        call = _Call(self._called, guard.plain(address) or "", limit)
        token = _CALL.set(call)
        result: Outcome | None = None
        try:
            async with limit:
                result = self._refused(url, address) or await self._request(url, call, purpose)
        except Exception as error:  # the broad one: whatever it is, it is about this request only
            result = Failed(_trouble(error, call), _detail(error, call))
            _let_go(error)
        finally:
            _CALL.reset(token)
            if isinstance(result, Page):
                self._budget.arrived(call.number)
            else:
                self.give_back(call.number)
        ended = clock.now()
        took = (call.first_byte or ended) - (call.sent or began)
        body = ended - (call.first_byte or ended) - call.waited
        return Fetched(result, ended, took, call.sent, call.first_byte, call.number, body)

    def give_back(self, number: int) -> None:
        """The page of this download has been read: others may use its share of the budget."""
        self._budget.give_back(number)
        waiting, self._waiting = self._waiting, set()
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    @property
    def is_short(self) -> bool:
        """Do downloads wait for bytes to be given back? Then nothing should be begun."""
        return bool(self._waiting)

    def _refused(self, url: str, address: str) -> Failed | None:
        """Is this a place that we may not contact, or not the one that the URL spells out?"""
        if not guard.may_contact(address, self._allow_private):
            return Failed(Trouble.GUARDED, f"{address[:60]} is not a public address")
        target = URL(url, encoded=True)
        if guard.is_bad_port(target.port):
            return Failed(Trouble.GUARDED, f"port {target.port} is for another service")
        spelled = guard.plain(target.raw_host or "")
        if spelled is not None and spelled != guard.plain(address):
            return Failed(Trouble.GUARDED, f"the URL says {spelled}, not {address}")
        return None

    async def _request(self, url: str, call: _Call, purpose: Purpose) -> Outcome:
        # encoded: a canonical URL is sent as it is, not respelled
        async with self._session.get(URL(url, encoded=True), allow_redirects=False) as response:
            call.first_byte = clock.now()
            headers = outcome.kept(response.headers.items())
            early = outcome.before_body(
                url,
                response.status,
                headers,
                purpose=purpose,
                is_wanted=self._is_wanted,
                max_size_bytes=self._limits.max_size_bytes,
                wall=clock.wall(),
            )
            if early is not None:
                await _leave(response, early)
                return early
            return await self._read(response, headers, purpose, call)

    async def _read(
        self, response: aiohttp.ClientResponse, headers: outcome.Headers, purpose: Purpose, call: _Call
    ) -> Outcome:
        """Read the body, and no more of it than we may."""
        is_robots = purpose is Purpose.ROBOTS
        most = robots.MOST_BYTES if is_robots else self._limits.max_size_bytes
        body = await self._body(response, most, call)
        is_whole = len(body) <= most
        if not is_whole:
            response.close()
            if not is_robots:
                return Failed(Trouble.TOO_LARGE, f"more than {most} bytes")
        content_type = outcome.value(headers, "content-type")
        return Page(response.status, content_type, headers, body[:most], truncated=not is_whole)

    async def _body(self, response: aiohttp.ClientResponse, most: int, call: _Call) -> bytes:
        """The body, decompressed; longer than `most` by no more than a piece."""
        pieces, size_bytes = [], 0
        unpack = _unpacker(response.headers.get("Content-Encoding", ""))
        while size_bytes <= most and (packed := await response.content.read(PIECE)):
            piece = unpack(packed, most - size_bytes + 1)
            if not self._budget.take(call.number, len(piece)):
                await self._share(response, len(piece), call)
            pieces.append(piece)
            size_bytes += len(piece)
            self.received_bytes += len(piece)
        return b"".join(pieces)

    async def _share(self, response: aiohttp.ClientResponse, size_bytes: int, call: _Call) -> None:
        """Wait for a share of the budget; meanwhile nothing is read, and no time limit runs."""
        loop = asyncio.get_running_loop()
        began, left = clock.now(), (call.limit.when() or 0.0) - loop.time()
        call.limit.reschedule(None)
        protocol = _reading(response)
        if protocol is not None:
            protocol.pause_reading()
        while not self._budget.take(call.number, size_bytes):
            waiter = loop.create_future()
            self._waiting.add(waiter)
            await waiter
        if protocol is not None:
            protocol.resume_reading()
        call.waited += clock.now() - began
        call.limit.reschedule(loop.time() + left)


def _reading(response: aiohttp.ClientResponse) -> ResponseHandler | None:
    """Who reads the rest of a body; None: it is all here, or the connection has ended."""
    protocol = response.connection.protocol if response.connection is not None else None
    return protocol if protocol is not None and protocol.is_connected() else None


def _unpacker(coding: str) -> Callable[[bytes, int], bytes]:
    """For the coding that the library does not undo: gzip by its old name (RFC 9110, 8.4.1.3)."""
    if coding.strip().lower() != "x-gzip":
        return lambda packed, most: packed
    gzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    return gzip.decompress


async def _leftover(response: aiohttp.ClientResponse) -> int:
    """Read a body away, as far as that is cheap; how much there was."""
    size_bytes = 0
    while size_bytes <= MOST_LEFTOVER_BYTES and (piece := await response.content.read(PIECE)):
        size_bytes += len(piece)
    return size_bytes


async def _leave(response: aiohttp.ClientResponse, early: RedirectTo | Failed) -> None:
    """Do without the body: read it away if that is cheap, else close the connection."""
    is_unwanted = isinstance(early, Failed) and not early.status
    length = response.content_length
    if is_unwanted or (length is not None and length > MOST_LEFTOVER_BYTES):
        response.close()
        return
    with suppress(aiohttp.ClientError, TimeoutError, OSError):
        async with asyncio.timeout(LEFTOVER_TIME):
            if await _leftover(response) <= MOST_LEFTOVER_BYTES:
                return
    response.close()


# --- connections --------------------------------------------------------------------------


class _Connector(aiohttp.TCPConnector):
    """Connections to pinned addresses: one that is stale, or leads elsewhere, is closed, not used."""

    def __init__(self, limits: Limits, check_certificates: bool) -> None:
        super().__init__(
            ssl=check_certificates,
            use_dns_cache=False,
            resolver=_Pinned(),
            keepalive_timeout=limits.keep_alive,
            limit=limits.connections,
            happy_eyeballs_delay=None,
            socket_factory=_open,
        )
        SSLProtocol.max_size = RECORD  # asyncio gives every connection a buffer of this size, 256 KiB else
        protocol: type[ResponseHandler] = _Protocol
        self._factory = partial(protocol, loop=self._loop)

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - the library's own word
    ) -> Connection:
        call = _CALL.get()
        while True:
            connection = await super().connect(req, traces, timeout)
            if _fits(connection, call):
                call.sent = clock.now()
                return connection
            connection.close()
            if call.is_new:
                raise _WrongPeer(f"connected, but not to {call.address}")

    def _release(self, key: ConnectionKey, protocol: ResponseHandler, *, should_close: bool = False) -> None:
        # The library bounds the connections in use, not those kept idle.
        has_enough = len(self._conns) >= self.limit
        super()._release(key, protocol, should_close=should_close or has_enough)


class _Protocol(ResponseHandler):
    """Reads little ahead; and tells the reader of a body that the rest of it makes no sense.

    aiohttp 3.14 forgets to, when the nonsense comes after the head, and the reader waits in vain.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if isinstance(transport, _SSLProtocolTransport):
            transport.set_read_buffer_limits(high=RECORD, low=RECORD)
        else:
            transport.max_size = PIECE  # type: ignore[attr-defined]  # of one recv; 256 KiB else

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        if isinstance(exc, HttpProcessingError) and self._payload is not None:
            self._payload.set_exception(aiohttp.ClientPayloadError(str(exc)))
        super().set_exception(exc, *cause)


class _Pinned(AbstractResolver):
    """Resolves every name to the address that the present call is for."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        address = _CALL.get().address
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=0)]

    async def close(self) -> None:
        """There is nothing to close."""


def _open(place: aiohttp.AddrInfoType) -> socket.socket:
    """The socket for a new connection of the present call."""
    family, kind, protocol, _, _ = place
    _CALL.get().is_new = True
    return socket.socket(family, kind, protocol)


def _fits(connection: Connection, call: _Call) -> bool:
    """Is the peer the pinned address; and, of a kept connection, is it open and silent?"""
    transport, protocol = connection.transport, connection.protocol
    if transport is None or protocol is None:
        return False
    peer = transport.get_extra_info("peername") or ("",)
    if guard.plain(str(peer[0]).partition("%")[0]) != call.address:
        return False
    return call.is_new or not (protocol.should_close or _has_news(transport))


def _has_news(transport: asyncio.Transport) -> bool:
    """On an idle connection anything to read is the server's farewell, or not for us."""
    number = transport.get_extra_info("socket").fileno()
    poll = select.poll()  # unlike select, it knows no largest number
    poll.register(number, select.POLLIN)
    return bool(poll.poll(0))


async def _only_once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Hide from aiohttp the two errors after which it would send the request a second time."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError(str(error) or type(error).__name__) from error


# --- troubles -----------------------------------------------------------------------------

# The first kind that fits decides; the order is from the special to the general.
_TROUBLES: list[tuple[tuple[type[BaseException], ...], Trouble]] = [
    ((_WrongPeer,), Trouble.GUARDED),
    ((aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch, ssl.SSLError), Trouble.TLS),
    ((TimeoutError,), Trouble.TIMED_OUT),
    ((aiohttp.ClientConnectorError,), Trouble.CONNECT),
    ((aiohttp.ClientResponseError, zlib.error), Trouble.NOT_HTTP),
    ((aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError), Trouble.DROPPED),
]


def _trouble(error: Exception, call: _Call) -> Trouble:
    if _is_caused_by(error, ContentEncodingError):
        return Trouble.NOT_HTTP  # it would be as garbled the next time
    found = next((trouble for kinds, trouble in _TROUBLES if isinstance(error, kinds)), Trouble.UNREADABLE)
    return Trouble.KEPT_WAITING if found is Trouble.DROPPED and call.waited else found


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__
    return error is not None


def _detail(error: Exception, call: _Call) -> str:
    said = getattr(error, "message", "") or str(error) or repr(error)
    words = " ".join(said.split())[:DETAIL]
    kept = "" if call.is_new or call.sent is None else " (on a kept connection)"
    return f"{words}{kept}"


def _let_go(error: BaseException | None) -> None:
    """Free the frames in which an error was raised, and so the body as far as it has come.

    The library keeps the error with the reader that was being read, and the error's frames keep the reader:
    such a ring lives on until the garbage collector comes, and its bytes were given back to the budget.
    """
    if error is not None and error.__traceback__ is not None:
        error.__traceback__ = None
        _let_go(error.__cause__)
        _let_go(error.__context__)


# --- names --------------------------------------------------------------------------------


class Names:
    """Finds the addresses of domains: hosts file first, then what this machine uses.

    The lookups run in threads that do not keep the program from ending: a name server that does
    not answer must not hold up the harvester's farewell, as a thread pool would.
    """

    def __init__(self, hosts: dict[str, list[str]], allow_private: bool) -> None:
        self._hosts = hosts
        self._allow_private = allow_private
        self._slots = asyncio.Semaphore(LOOKUPS)

    async def resolve(self, domain: str) -> Resolution:
        """The addresses of a domain that we may contact, IPv4 first; or the trouble."""
        try:
            found = self._known(domain) or await self._ask(domain)
        except UnicodeError:
            return Resolution(domain, trouble=Trouble.NO_SUCH_DOMAIN, detail="not a domain name")
        except socket.gaierror as error:
            is_none = error.errno in (socket.EAI_NONAME, socket.EAI_NODATA)
            trouble = Trouble.NO_SUCH_DOMAIN if is_none else Trouble.DNS
            return Resolution(domain, trouble=trouble, detail=str(error.strerror))
        except Exception as error:  # the broad one: it is about this domain only
            return Resolution(domain, trouble=Trouble.DNS, detail=str(error) or "no answer in time")
        return self._resolution(domain, found)

    def _known(self, domain: str) -> list[str]:
        literal = guard.plain(domain)
        return [literal] if literal else self._hosts.get(domain, [])

    def _resolution(self, domain: str, found: list[str]) -> Resolution:
        spelled = dict.fromkeys(filter(None, map(guard.plain, found)))
        addresses = [address for address in spelled if guard.may_contact(address, self._allow_private)]
        if not addresses:
            return Resolution(domain, trouble=Trouble.GUARDED, detail=" ".join(found)[:DETAIL])
        return Resolution(domain, sorted(addresses, key=lambda address: ":" in address))

    async def _ask(self, domain: str) -> list[str]:
        name = domain.encode("ascii")
        await self._slots.acquire()  # given back by the thread, even when nobody waits for it any more
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        threading.Thread(target=self._look_up, args=(name, loop, answer), daemon=True).start()
        async with asyncio.timeout(LOOKUP_TIME):
            return await answer

    def _look_up(
        self, name: bytes, loop: asyncio.AbstractEventLoop, answer: "asyncio.Future[list[str]]"
    ) -> None:
        """In a thread: ask, and tell the loop."""
        found: list[str] = []
        trouble: Exception | None = None
        try:
            found = [str(place[4][0]) for place in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
        except Exception as error:
            trouble = error
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(self._settle, answer, found, trouble)

    def _settle(
        self, answer: "asyncio.Future[list[str]]", found: list[str], trouble: Exception | None
    ) -> None:
        self._slots.release()
        if answer.done():
            return
        if trouble is None:
            answer.set_result(found)
        else:
            answer.set_exception(trouble)
