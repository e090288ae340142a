"""Edge: an exchange is a request that is sent on a connection, and the head of its answer.

Invariants:

- An exchange is one request on the wire. Whatever happens to the request, it is not sent again.
- Nothing stays open when the exchange is left. A connection is kept if the answer was read to its end, and is
  closed if not.

Connections, parser and streams are aiohttp's, but its session is not used. A session makes a request, a
response and a dozen other objects for every exchange, and asks for cookies, proxies and passwords. It also
sends a request again when a kept connection turns out dead, and that second request would obey no rule.
"""

from functools import lru_cache
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http_writer import _serialize_headers
from aiohttp.streams import StreamReader
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from txtr.fetch.connections import MOST_HEADS, PIECE_BYTES, Connector
from txtr.fetch.guard import Limits

MOST_HEADER_BYTES = 32 * 1024  # of one header line; long lines are policies and cookies
MOST_HEADERS = 256


class Exchange:
    """A request and the head of its answer. When it is entered, it sends the one and waits for the other."""

    __slots__ = ("_connection", "_connector", "_headers", "_limits", "_url", "body", "headers", "status")

    body: StreamReader
    headers: CIMultiDictProxy[str]
    status: int

    def __init__(self, connector: Connector, url: URL, headers: dict[str, str], limits: Limits) -> None:
        """`headers` are all headers of the request but Host."""
        self._connector = connector
        self._url = url
        self._headers = headers
        self._limits = limits

    async def __aenter__(self) -> Self:
        self._connection = await self._connect()
        try:
            await self._ask()
        except BaseException:
            self._connection.close()
            raise
        self.body.on_eof(self._connection.release)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.release()  # and close it, unless the body has ended

    def close(self) -> None:
        """Close the connection, although more of the answer may come."""
        self._connection.close()

    @property
    def protocol(self) -> ResponseHandler | None:
        """What reads the rest of the body; None if all of it is here, or the connection has ended."""
        protocol = self._connection.protocol
        return protocol if protocol is not None and protocol.is_connected() else None

    async def _connect(self) -> Connection:
        try:
            return await self._connector.connect(_Target(self._url), [], _patience(self._limits.connect))
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError(f"Connection timeout to host {self._url}") from error

    async def _ask(self) -> None:
        """Send the request; wait for the head of the answer."""
        transport, protocol = self._connection.transport, self._connection.protocol
        if transport is None or protocol is None or transport.is_closing():
            raise aiohttp.ClientConnectionResetError("the connection has just been closed")
        protocol.set_response_params(
            read_until_eof=True,
            auto_decompress=False,
            read_timeout=self._limits.read,
            read_bufsize=PIECE_BYTES,
            max_line_size=MOST_HEADER_BYTES,
            max_field_size=MOST_HEADER_BYTES,
            max_headers=MOST_HEADERS,
        )
        protocol.start_timeout()
        transport.write(self._head())
        for _ in range(MOST_HEADS):
            message, self.body = await protocol.read()
            self.status, self.headers = message.code, message.headers
            if self.status >= 200 or self.status == 101:
                return
        raise aiohttp.ClientPayloadError("the answer does not begin: only informational ones come")

    def _head(self) -> bytes:
        """The request as bytes. No header can break out of its line."""
        headers = CIMultiDict(Host=self._url.host_port_subcomponent or "", **self._headers)
        head: bytes = _serialize_headers(f"GET {self._url.raw_path_qs} HTTP/1.1", headers)
        return head


@lru_cache(1)  # it is the same for all exchanges
def _patience(connect: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(sock_connect=connect)


class _Target(aiohttp.ClientRequest):
    """A request of the library, with no more than the connector needs to know."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self._ssl = True
        self.proxy = self.proxy_auth = self.proxy_headers = self.server_hostname = None
