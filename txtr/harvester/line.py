"""Edge: the line to the queuekeeper. It may be cut and comes back; what was said is not lost.

Invariant: a report is kept until a ping sent after it has been answered, and said again on the
next line if that never happened. The queuekeeper ignores what it has heard before. Nobody is obeyed who has
not proved to know the secret; while we know none ourselves, whoever is at the port can only refuse us.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any

from txtr import clock
from txtr.errors import TheirMistake, TxtrError
from txtr.wire.caller import Caller
from txtr.wire.conversation import harvester_side
from txtr.wire.lease import PING_EVERY
from txtr.wire.messages import (
    Challenge,
    Claim,
    Message,
    Ping,
    Pong,
    Refusal,
    Reported,
    Resolved,
    Verdict,
    Welcome,
)

HANDSHAKE = 10.0  # seconds
RECONNECT_PATIENCE = 60.0  # seconds without a queuekeeper before the harvester ends
RETRY = 0.3  # seconds between two attempts to connect
SAY_EVERY = 0.05  # seconds at most, if nobody flushes: what is said together travels in one write


class Unreachable(TxtrError):
    """There has been no queuekeeper for long."""


class Refused(TheirMistake):
    """The queuekeeper does not want us; after a cut line that may pass."""


class Line:
    def __init__(self, host: str, port: int, name: str, secret: Callable[[], bytes]) -> None:
        self.place = (host, port)
        self.name = name
        self.secret = secret  # asked anew for each connection
        self.writer: asyncio.StreamWriter | None = None
        self.talk = harvester_side()
        self.unconfirmed: deque[tuple[float, Message]] = deque()  # said at; emptied by pongs
        self.claims: dict[int, tuple[Claim, asyncio.Future[Verdict]]] = {}  # not yet answered
        self.serial = 0
        self.unsaid: list[bytes] = []  # to go out together
        self.timer: asyncio.TimerHandle | None = None  # when they go out at the latest
        self.was_welcome = False
        self.failures = 0  # to connect
        self.refusal = ""  # what was heard last instead of a welcome

    @property
    def is_up(self) -> bool:
        return self.writer is not None

    async def hold(
        self, held: Callable[[], dict[int, int]], hear: Callable[[Any], None], is_over: Callable[[], bool]
    ) -> None:
        """Connect, and connect again whenever the line is cut, until it is over. `hear` gets the messages."""
        last_up = clock.now()
        while not is_over():
            try:
                reader, writer = await asyncio.wait_for(asyncio.open_connection(*self.place), HANDSHAKE)
                try:
                    await self._greet(reader, writer, held(), hear)
                    await self._listen(reader, hear)
                finally:
                    last_up = clock.now() if self.writer else last_up
                    self.writer = None
                    writer.close()
            except (OSError, TimeoutError):
                pass
            except Refused as error:
                if not self.was_welcome:
                    raise
                self.refusal = f"; {error}"
            self.failures += 1
            if is_over() or clock.now() - last_up > RECONNECT_PATIENCE:
                break
            await asyncio.sleep(RETRY)
        if not is_over():
            raise Unreachable(
                f"no queuekeeper at {self.place[0]}:{self.place[1]} for {RECONNECT_PATIENCE:.0f} seconds"
                + self.refusal
            )

    def say(self, message: Message) -> None:
        """Say it now, or when the line is back if it is of the kind that may not be lost."""
        if isinstance(message, (Reported, Resolved)):
            self.unconfirmed.append((clock.now(), message))
        if self.writer is not None and not self.talk.is_over:
            if self.timer is None:
                self.timer = asyncio.get_running_loop().call_later(SAY_EVERY, self._speak)
            self.unsaid.append(self.talk.send(message))

    def _speak(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        unsaid, self.unsaid, self.timer = self.unsaid, [], None
        if self.writer is not None and unsaid:
            self.writer.write(b"".join(unsaid))

    async def claim(self, url: str, digest: str) -> Verdict:
        """Ask whether this text is new."""
        self.serial += 1
        claim = Claim(self.serial, url, digest)
        answer: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self.claims[self.serial] = (claim, answer)
        self.say(claim)
        return await answer

    async def ping(self, counts: Callable[[], dict[str, float]]) -> None:
        """Show that we are alive, again and again."""
        while True:
            self.say(Ping(clock.now(), counts()))
            await asyncio.sleep(PING_EVERY)

    async def flush(self) -> None:
        """Send what was said; wait until the line takes more, so that a slow queuekeeper slows us down."""
        self._speak()
        if self.writer is not None:
            with contextlib.suppress(OSError):
                await self.writer.drain()

    async def hang_up(self) -> None:
        """End the line when everything said has gone out."""
        self._speak()
        if self.writer is not None:
            self.writer.close()
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(self.writer.wait_closed(), HANDSHAKE)

    async def _greet(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        held: dict[int, int],
        hear: Callable[[Any], None],
    ) -> None:
        """The handshake; then say again what may not have been heard."""
        caller = Caller(self.name, secrets.token_hex(16), held=held)
        self.talk = caller.talk
        async with asyncio.timeout(HANDSHAKE):
            writer.write(caller.greet())
            challenge = await self._next(reader, Challenge)
            secret = self.secret()
            writer.write(caller.prove(challenge, secret))
            welcome = await self._next(reader, Welcome)
        if not secret:
            raise Refused(
                f"whoever answers at {self.place[0]}:{self.place[1]} cannot prove to be the queuekeeper: "
                "no secret is known here; give the --state of the crawl, or --secret-file"
            )
        if not caller.has_proved(welcome):
            raise TheirMistake("the queuekeeper does not know the secret")
        self.writer, self.was_welcome, self.unsaid = writer, True, []
        self.refusal = ""
        hear(welcome)
        for _, message in self.unconfirmed:
            writer.write(self.talk.send(message))
        for claim, _ in self.claims.values():
            writer.write(self.talk.send(claim))

    async def _next(self, reader: asyncio.StreamReader, kind: type[Any]) -> Any:
        while data := await reader.read(65536):
            for message in self.talk.receive(data):
                if isinstance(message, Refusal):
                    raise Refused(f"the queuekeeper refuses us: {message.reason}")
                if isinstance(message, kind):
                    return message
        raise ConnectionResetError("the queuekeeper hung up")

    async def _listen(self, reader: asyncio.StreamReader, hear: Callable[[Any], None]) -> None:
        while data := await reader.read(1 << 18):
            for message in self.talk.receive(data):
                if isinstance(message, Pong):
                    self._confirm(message.stamp)
                elif isinstance(message, Verdict) and message.serial in self.claims:
                    self.claims.pop(message.serial)[1].set_result(message)
                hear(message)

    def _confirm(self, stamp: float) -> None:
        while self.unconfirmed and self.unconfirmed[0][0] <= stamp:
            self.unconfirmed.popleft()
