"""Edge: one request over HTTP. The fetcher carries bytes, and asks outcome.py what they mean.

Invariants:

- One call of fetch() is at most one request on the wire (exchange.py), to the given address and no other
  (connections.py).
- Whatever a server does, fetch() returns. Only cancellation passes through, and leaves nothing open.
- What all downloads hold together is bounded: heads by a limit (heads.py), bodies by a budget (budget.py).
  A download that waits for its share keeps its connection and its place in the row. Its time limit does not
  run, because the server is not slow. While some downloads wait, those that bring nothing are broken off.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from types import TracebackType
from typing import NamedTuple, Self

import aiohttp
from msgspec import Struct
from yarl import URL

from txtr import clock
from txtr.eventloop import Portions
from txtr.fetch import guard, outcome, unpacking
from txtr.fetch.budget import Budget
from txtr.fetch.connections import CALL, PIECE_BYTES, Call, Connector
from txtr.fetch.exchange import Exchange
from txtr.fetch.failures import describe, drop_frames, find_trouble
from txtr.fetch.guard import Limits
from txtr.fetch.heads import Heads
from txtr.fetch.outcome import Failed, Outcome, Page, RedirectTo
from txtr.manners import robots
from txtr.model import Purpose, Trouble

ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.5"
# The unwanted body of a redirect or a "not found" is read to its end if it is this short and quick. Then the
# connection can be kept: a new one would cost the server more.
MOST_LEFTOVER_BYTES = 16 * 1024
LEFTOVER_TIME = 1.0  # seconds
LOOK_EVERY = 1.0  # seconds between two looks for downloads that bring nothing while others wait
THREAD_PIECES = 16  # that are unpacked at once in a thread
UNPACKING_TIME = 0.002  # seconds in one step of the event loop; another request takes some six steps


class Fetched(Struct, frozen=True):
    """What came of one request. Times are of the monotonic clock."""

    outcome: Outcome
    ended: float  # when the body was read, or the connection given up
    took: float  # seconds from sending the request to the first byte of the answer, or to the trouble
    sent: float | None = None  # when: the request was sent no earlier; None: it never was
    first_byte: float | None = None  # when the head of the answer was there
    number: int = 0  # of the download, for Fetcher.give_back when the page has been read
    body: float = 0.0  # seconds from the first byte to the end, without those that it waited for a share

    @property
    def lasted(self) -> float:
        """Seconds from sending the request to the end of the answer, or to the trouble."""
        return self.took if self.sent is None else self.ended - self.sent


class _Waiter(NamedTuple):
    """A download that waits for a share of the budget."""

    take: Callable[[], bool]
    has_share: asyncio.Future[None]


class Fetcher:
    """Fetches documents. Each call is for one, and many calls may run at once."""

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
        """`agent` is the User-Agent header; `contact`, if there is one, is the From header."""
        self._limits = limits
        self._is_wanted = is_wanted
        self._allow_private = allow_private
        self._check_certificates = check_certificates
        self._headers = {"User-Agent": agent, "Accept": ACCEPT, "Accept-Encoding": "gzip, deflate, br, zstd"}
        if contact:
            self._headers["From"] = contact
        most = max(limits.max_size_bytes, robots.MOST_BYTES) + PIECE_BYTES
        self._budget = Budget(limits.held_bytes, most, unpacking.MOST_OWN_BYTES)
        self._waiting: dict[int, _Waiter] = {}  # download -> the share it waits for, the longest wait first
        self._heads = Heads(limits.connections)
        self._calls: dict[int, Call] = {}  # download -> its call, while it is under way
        self._look: asyncio.TimerHandle | None = None  # the next look for downloads that bring nothing
        self._unpacking = Portions(UNPACKING_TIME)
        self._unpacker = ThreadPoolExecutor(1, "unpacker")  # for pieces that take long
        self._called = 0  # how many calls of fetch() have begun
        self.received_bytes = 0  # of bodies, so far

    async def __aenter__(self) -> Self:
        self._connector = Connector(self._limits, self._check_certificates, self._hold_head)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._look is not None:
            self._look.cancel()
        self._unpacker.shutdown(wait=False, cancel_futures=True)
        await self._connector.close()

    async def fetch(self, url: str, address: str, purpose: Purpose = Purpose.PAGE) -> Fetched:
        """Request a canonical URL at this address and at no other."""
        began = clock.now()
        self._called += 1
        limit = asyncio.timeout(self._limits.total)
        call = Call(self._called, guard.plain_address(address) or "", limit)
        token = CALL.set(call)
        result: Outcome | None = None
        try:
            async with limit:
                self._calls[call.number] = call
                result = self._refused(url, address) or await self._request(url, call, purpose)
        except Exception as error:  # the broad one: any error is about this request only
            result = Failed(find_trouble(error, call), describe(error, call))
            drop_frames(error)
        finally:
            CALL.reset(token)
            self._calls.pop(call.number, None)
            self._heads.forget(call.number)
            if isinstance(result, Page):
                self._budget.arrived(call.number)
            else:
                self.give_back(call.number)
        ended = clock.now()
        took = (call.first_byte or ended) - (call.sent or began)
        body = ended - (call.first_byte or ended) - call.waited
        return Fetched(result, ended, took, call.sent, call.first_byte, call.number, body)

    def give_back(self, number: int) -> None:
        """The page of this download has been read: other downloads may use its share of the budget."""
        self._budget.give_back(number)
        self._wake()

    def _wake(self) -> None:
        """Give shares to the downloads that wait, the longest wait first, as far as there is room now."""
        for number, waiter in list(self._waiting.items()):
            if not waiter.has_share.done() and waiter.take():
                del self._waiting[number]
                waiter.has_share.set_result(None)

    def _look_for_stalled(self) -> None:
        """Break off the downloads that bring nothing, and look again as long as others wait."""
        self._look = None
        if not self._waiting:
            return
        loop = asyncio.get_running_loop()
        for number in self._waiting:
            self._budget.waits(number)
        for number in self._budget.stalled(clock.now()):
            self._break_off(number, "too little came while others waited for memory")
        self._look = loop.call_later(LOOK_EVERY, self._look_for_stalled)

    def _hold_head(self, number: int, size_bytes: int) -> None:
        """Note how long the head of this download is; if all are too long, break the longest off."""
        if number in self._calls and not self._calls[number].broken_off:
            for longest in self._heads.hold(number, size_bytes):
                self._break_off(longest, "its head was the longest when all heads together were too long")

    def _break_off(self, number: int, why: str) -> None:
        call = self._calls.get(number)
        if call is not None and not call.limit.expired():
            call.broken_off = why
            if call.drop_head is not None:
                call.drop_head()
            call.limit.reschedule(asyncio.get_running_loop().time())

    @property
    def is_short(self) -> bool:
        """Would even a small page have to wait for a share? Then no request should be begun."""
        return self._budget.is_short

    @property
    def waiting(self) -> int:
        """How many downloads wait for a share."""
        return len(self._waiting)

    def _refused(self, url: str, address: str) -> Failed | None:
        """The failure, if this address may not be contacted or is not the one that the URL spells out."""
        if not guard.may_contact(address, self._allow_private):
            return Failed(Trouble.GUARDED, f"{address[:60]} is not a public address")
        target = URL(url, encoded=True)
        if guard.is_bad_port(target.port):
            return Failed(Trouble.GUARDED, f"port {target.port} is for another service")
        spelled = guard.plain_address(target.raw_host or "")
        if spelled is not None and spelled != guard.plain_address(address):
            return Failed(Trouble.GUARDED, f"the URL says {spelled}, not {address}")
        return None

    async def _request(self, url: str, call: Call, purpose: Purpose) -> Outcome:
        # encoded: a canonical URL is sent as it is, and is not spelled anew
        target = URL(url, encoded=True)
        async with Exchange(self._connector, target, self._headers, self._limits) as exchange:
            call.first_byte = clock.now()
            headers = outcome.keep_headers(exchange.headers.items())
            early = outcome.judge_head(
                url,
                exchange.status,
                headers,
                purpose=purpose,
                is_wanted=self._is_wanted,
                max_size_bytes=self._limits.max_size_bytes,
                wall=clock.wall(),
            )
            if early is not None:
                await _leave(exchange, early, outcome.header_value(headers, "content-length"))
                return early
            return await self._read(exchange, headers, purpose, call)

    async def _read(
        self, exchange: Exchange, headers: outcome.Headers, purpose: Purpose, call: Call
    ) -> Outcome:
        """Read the body, as far as its size is within the limit."""
        is_robots = purpose is Purpose.ROBOTS
        most = robots.MOST_BYTES if is_robots else self._limits.max_size_bytes
        coding = outcome.header_value(headers, "content-encoding").lower()
        pieces, is_whole = await self._body(exchange, coding, most, call)
        if not is_whole:
            exchange.close()
            if not is_robots:
                return Failed(Trouble.TOO_LARGE, f"more than {most} bytes")
        content_type = outcome.header_value(headers, "content-type")
        return Page(exchange.status, content_type, headers, b"".join(pieces)[:most], truncated=not is_whole)

    async def _body(self, exchange: Exchange, coding: str, most: int, call: Call) -> tuple[list[bytes], bool]:
        """The body in unpacked pieces, longer than `most` by no more than a piece; and is it whole?

        The limit is for the packed bytes as well as for the page: some packed bytes become nothing.
        """
        pieces: list[bytes] = []
        size_bytes, packed_bytes = 0, 0
        unpack = unpacking.make_unpacker(coding, PIECE_BYTES)
        while max(size_bytes, packed_bytes) <= most and (packed := await exchange.body.read(PIECE_BYTES)):
            packed_bytes += len(packed)
            unpacked, own = unpack.pieces(packed), 0
            while size_bytes <= most:
                own = unpack.needs(packed, size_bytes)
                await self._take(exchange, call, partial(self._budget.take_own, call.number, own))
                if (piece := await self._next(unpack, unpacked)) is None:
                    break
                await self._take(exchange, call, partial(self._budget.take, call.number, len(piece)))
                pieces.append(piece)
                size_bytes += len(piece)
                self.received_bytes += len(piece)
            self._budget.take_own(call.number, unpack.holds(size_bytes))
            if own > unpack.holds(size_bytes):
                self._wake()
        is_whole = max(size_bytes, packed_bytes) <= most
        if is_whole:
            unpack.end()
        return pieces, is_whole

    async def _next(self, unpack: unpacking.Unpacking, pieces: Iterator[bytes]) -> bytes | None:
        """The next piece. All downloads together unpack for UNPACKING_TIME in one step of the event loop."""
        if unpack.takes_long:
            return await asyncio.get_running_loop().run_in_executor(self._unpacker, _several, pieces)
        await self._unpacking.turn()
        begun = clock.thread_processor()
        piece = next(pieces, None)
        self._unpacking.spend(clock.thread_processor() - begun)
        return piece

    async def _take(self, exchange: Exchange, call: Call, take: Callable[[], bool]) -> None:
        """Take a share of the budget, now or when other downloads have given enough back."""
        if not take():
            await self._share(exchange, call, take)

    async def _share(self, exchange: Exchange, call: Call, take: Callable[[], bool]) -> None:
        """Wait for a share of the budget. Meanwhile nothing is read, and no time limit runs."""
        loop = asyncio.get_running_loop()
        began, left = clock.now(), (call.limit.when() or 0.0) - loop.time()
        call.limit.reschedule(None)
        protocol = exchange.protocol
        if protocol is not None:
            protocol.pause_reading()
        self._waiting[call.number] = waiter = _Waiter(take, loop.create_future())
        self._budget.waits(call.number)
        if self._look is None:
            self._look = loop.call_later(LOOK_EVERY, self._look_for_stalled)
        try:
            await waiter.has_share
        finally:
            self._waiting.pop(call.number, None)
        if protocol is not None:
            protocol.resume_reading()
        call.waited += clock.now() - began
        call.limit.reschedule(loop.time() + left)


def _several(pieces: Iterator[bytes]) -> bytes | None:
    """Several pieces joined, or None if none is left. To enter a thread takes longer than to make a piece."""
    some = list(islice(pieces, THREAD_PIECES))
    return b"".join(some) if some else None


async def _leftover(exchange: Exchange) -> int:
    """Read a body that is not wanted, up to MOST_LEFTOVER_BYTES; how long it was."""
    size_bytes = 0
    while size_bytes <= MOST_LEFTOVER_BYTES and (piece := await exchange.body.read(PIECE_BYTES)):
        size_bytes += len(piece)
    return size_bytes


async def _leave(exchange: Exchange, early: RedirectTo | Failed, length: str) -> None:
    """Do without the body: read it to its end if that is cheap, else close the connection."""
    is_unwanted = isinstance(early, Failed) and not early.status
    if is_unwanted or (length.isdecimal() and int(length) > MOST_LEFTOVER_BYTES):
        exchange.close()
        return
    with suppress(aiohttp.ClientError, TimeoutError, OSError):
        async with asyncio.timeout(LEFTOVER_TIME):
            if await _leftover(exchange) <= MOST_LEFTOVER_BYTES:
                return
    exchange.close()
