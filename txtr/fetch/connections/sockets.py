"""Edge: the connections of fetch: opened, kept, and compared with the address before they are used.

Invariants, each of which the HTTP library alone does not give:

- Only the address of the call is connected to, and it is compared with the peer of the connection, kept
  or new, before the first byte is sent. A connection to a domain's former address is never used.
- Nothing is read far ahead of whoever reads the body.
"""

import asyncio
import select
import socket
from asyncio.sslproto import SSLProtocol, _SSLProtocolTransport
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.tracing import Trace

from txtr import clock
from txtr.fetch import guard
from txtr.fetch.guard import Limits

# Bytes of the body taken at once; also bounds what is read ahead, on every connection.
PIECE = 64 * 1024
RECORD = 2**14 + 2048 + 5  # bytes: the longest of TLS (RFC 5246, 6.2.3), which must fit in to be read


@dataclass(slots=True)
class Call:
    """One fetch(), as the connector sees it from inside the library."""

    number: int
    address: str
    limit: asyncio.Timeout  # of the whole request
    is_new: bool = False  # a connection was opened for it
    waited: float = 0.0  # seconds for a share of the budget
    sent: float | None = None
    first_byte: float | None = None


CALL: ContextVar[Call] = ContextVar("call")


class WrongPeer(Exception):
    """We are connected to an address that nobody asked for."""


class Connector(aiohttp.TCPConnector):
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
        address = CALL.get().address
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=0)]

    async def close(self) -> None:
        """There is nothing to close."""


def _open(place: aiohttp.AddrInfoType) -> socket.socket:
    """The socket for a new connection of the present call."""
    family, kind, protocol, _, _ = place
    CALL.get().is_new = True
    return socket.socket(family, kind, protocol)


def _fits(connection: Connection, call: Call) -> bool:
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
