"""Edge: connections to web servers are opened, kept, and compared with the address before they are used.

Invariants, none of which the HTTP library keeps by itself:

- The robot connects to the address of the call only. The address is compared with the peer of the connection,
  kept or new, before the first byte is sent. A connection to a domain's former address is never used.
- Nothing is read far ahead of the reader of the body.
- What comes beside the body (the head, informational heads before it, trailers) is bounded as a whole. An
  answer that was not asked for ends the connection.
"""

import asyncio
import select
import socket
from asyncio.sslproto import SSLProtocol, _SSLProtocolTransport
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http import RawResponseMessage
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.tracing import Trace

from txtr import clock
from txtr.fetch import guard
from txtr.fetch.guard import Limits
from txtr.fetch.heads import FREE_BYTES

# Bytes of the body that are taken at once. This also bounds what is read ahead on every connection.
PIECE_BYTES = 64 * 1024
MOST_RECORD_BYTES = 2**14 + 2048 + 5  # of TLS (RFC 5246, 6.2.3): the buffer must have room for one
# Of all that is not of the body; browsers take as much. The library bounds each header and their number, and
# keeps every header twice: 250 headers of 32 KiB took 13 to 16 MB.
MOST_HEAD_BYTES = 256 * 1024
MOST_KEPT_HEAD_BYTES = 32 * 1024  # a connection keeps its last head; with a longer one it is not kept
MOST_HEADS = 16  # of one answer: heads with a status of 1xx come before the one that counts
_SLICE_BYTES = 4096  # of a head, between two looks at what has come: 240 informational heads at most


@dataclass(slots=True)
class Call:
    """A call of Fetcher.fetch, as the connector sees it from inside the library."""

    number: int
    address: str
    limit: asyncio.Timeout  # of the whole request
    is_new: bool = False  # was a connection opened for it?
    waited: float = 0.0  # seconds for a share of the budget
    broken_off: str = ""  # the reason, if it was broken off because it took memory that others needed
    drop_head: Callable[[], None] | None = None  # frees the memory of its head at once
    sent: float | None = None
    first_byte: float | None = None


CALL: ContextVar[Call] = ContextVar("call")


class WrongPeer(Exception):
    """The connection leads to an address that is not the call's."""


class Connector(aiohttp.TCPConnector):
    """Gives connections to the address of a call. A stale one, or one to elsewhere, is closed, not used."""

    def __init__(
        self, limits: Limits, check_certificates: bool, hold_head: Callable[[int, int], None]
    ) -> None:
        """`hold_head` is told how many bytes the long head of a call has, by the call's number."""
        super().__init__(
            ssl=check_certificates,
            use_dns_cache=False,
            resolver=_Pinned(),
            keepalive_timeout=limits.keep_alive,
            limit=limits.connections,
            happy_eyeballs_delay=None,
            socket_factory=_open,
        )
        # The buffer that asyncio gives every connection, 256 KiB otherwise.
        SSLProtocol.max_size = MOST_RECORD_BYTES
        protocol: Callable[..., ResponseHandler] = _Protocol
        self._factory = partial(protocol, loop=self._loop, hold_head=hold_head)

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - the library's own word
    ) -> Connection:
        call = CALL.get()
        while True:
            connection = await super().connect(req, traces, timeout)
            if _fits(connection, call):
                call.sent = clock.now()
                return connection
            connection.close()
            if call.is_new:
                raise WrongPeer(f"connected, but not to {call.address}")

    def _release(self, key: ConnectionKey, protocol: ResponseHandler, *, should_close: bool = False) -> None:
        # The library bounds the connections in use, but not those that are kept idle.
        has_enough = len(self._conns) >= self.limit
        super()._release(key, protocol, should_close=should_close or has_enough)


class _Protocol(ResponseHandler):
    """Reads one answer: a little ahead of the reader of the body, and nothing behind the end of the answer.

    It tells the reader of a body when the rest makes no sense. aiohttp 3.14 does not, if that comes after
    the head, and the reader waits in vain. aiohttp also reads and keeps answers that were not asked for.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, hold_head: Callable[[int, int], None]) -> None:
        super().__init__(loop)
        self._hold_head = hold_head
        self._number = 0  # of the call
        self._head_bytes = 0  # that came beside the body since the request was sent, or since the body grew
        self._kept_bytes = 0  # of the head, since the body has begun
        self._held_bytes = 0  # of both, as `hold_head` was told last
        self._has_long_head = False
        self._is_answered = True  # has the head of the answer to the last request come?
        self._is_left = False  # is no more read, because of what the server has sent?

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if isinstance(transport, _SSLProtocolTransport):
            transport.set_read_buffer_limits(high=MOST_RECORD_BYTES, low=MOST_RECORD_BYTES)
        else:
            transport.max_size = PIECE_BYTES  # type: ignore[attr-defined]  # of one read; 256 KiB else

    def set_response_params(self, **given: Any) -> None:
        """Begin to read the answer to a request that is about to be sent."""
        self._head_bytes = self._kept_bytes = self._held_bytes = 0
        call = CALL.get()
        self._is_answered, self._number = False, call.number
        call.drop_head = partial(self._drop_head, call.number)
        super().set_response_params(**given)

    @property
    def should_close(self) -> bool:
        return self._has_long_head or self._is_left or super().should_close

    def data_received(self, data: bytes) -> None:
        while not (self._is_answered or self._is_left) and data:
            self._read_head(data[:_SLICE_BYTES])
            data = data[_SLICE_BYTES:]
        if self._is_left or self.transport is None:
            return
        if self._payload is None or not self._payload.is_eof():
            self._read_body(data)
        elif data:
            self._leave()  # the answer has ended

    def _read_head(self, data: bytes) -> None:
        self._count(len(data))
        if self._is_left:
            return
        super().data_received(data)
        if len(self._buffer) > MOST_HEADS:
            self._fail("the answer does not begin: only informational ones come")
        elif self._head_bytes > MOST_HEAD_BYTES and not self._is_answered:
            self._fail(f"a head of more than {MOST_HEAD_BYTES} bytes")

    def _read_body(self, data: bytes) -> None:
        """Read more of the body, or trailers, or what is written beside the sizes of chunks."""
        before = self._payload.total_bytes if self._payload is not None else 0
        super().data_received(data)
        if self._payload is not None and self._payload.total_bytes > before:
            self._kept_bytes = self._kept_bytes or self._head_bytes
            self._count(-self._head_bytes)
            return
        self._count(len(data))
        if self._head_bytes > MOST_HEAD_BYTES:
            self._fail(f"more than {MOST_HEAD_BYTES} bytes beside the body")

    def _count(self, size_bytes: int) -> None:
        self._head_bytes += size_bytes
        self._has_long_head = self._has_long_head or self._head_bytes > MOST_KEPT_HEAD_BYTES
        held_bytes = self._kept_bytes + self._head_bytes
        if max(held_bytes, self._held_bytes) > FREE_BYTES:
            self._hold_head(self._number, held_bytes)
        self._held_bytes = held_bytes

    def _drop_head(self, number: int) -> None:
        """Read no more for this call, which is about to end, and free the memory of its head.

        The call ends at the next look at the sockets. Hundreds of heads would be kept until then.
        """
        if number == self._number:
            self._is_left, self._parser = True, None

    def feed_data(self, data: tuple[RawResponseMessage, aiohttp.StreamReader], size: int = 0) -> None:
        """Take the head of an answer, or an informational head before it."""
        if self._is_answered:
            self._leave()
            return
        self._is_answered = data[0].code >= 200 or data[0].code == 101
        super().feed_data(data, size)

    def _fail(self, why: str) -> None:
        """The answer makes no sense: tell the reader of its head or body, and close the connection."""
        error = HttpProcessingError(message=why)
        if self._payload is not None:
            self._payload.set_exception(error)
        super().set_exception(error)
        self._leave()

    def _leave(self) -> None:
        """Close the connection at once."""
        self._is_left = True
        if self.transport is not None:
            self.transport.abort()

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        if isinstance(exc, HttpProcessingError) and self._payload is not None:
            self._payload.set_exception(aiohttp.ClientPayloadError(str(exc)))
        super().set_exception(exc, *cause)


class _Pinned(AbstractResolver):
    """Resolves every name to the address of the present call."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        address = CALL.get().address
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=0)]

    async def close(self) -> None:
        """There is nothing to close."""


def _open(place: aiohttp.AddrInfoType) -> socket.socket:
    """Make the socket for a new connection of the present call."""
    family, kind, protocol, _, _ = place
    CALL.get().is_new = True
    return socket.socket(family, kind, protocol)


def _fits(connection: Connection, call: Call) -> bool:
    """Is the peer the address of the call? And is a kept connection still open, with nothing to read?"""
    transport, protocol = connection.transport, connection.protocol
    if transport is None or protocol is None:
        return False
    peer = transport.get_extra_info("peername") or ("",)
    if guard.plain_address(str(peer[0]).partition("%")[0]) != call.address:
        return False
    return call.is_new or not (protocol.should_close or _has_news(transport))


def _has_news(transport: asyncio.Transport) -> bool:
    """Is there anything to read? On an idle connection that is its end, or an answer to no request."""
    number = transport.get_extra_info("socket").fileno()
    poll = select.poll()  # unlike select, it knows no largest number
    poll.register(number, select.POLLIN)
    return bool(poll.poll(0))
