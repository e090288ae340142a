"""Edge: carries the harvesters' bytes, and visitors', to the keeper and back. Decides nothing.

Anybody may knock at the port. Whoever does not come from where harvesters come from, does not
speak the conversation or does not know the secret is shown out and noted; nobody else is affected. How many
may be connected: txtr/wire/callers.py.
"""

import asyncio
import contextlib
import secrets
import socket
import sqlite3
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, TypeVar

import msgspec

from txtr import clock
from txtr.config.options import is_local, port_trouble
from txtr.diary.tally import Tally
from txtr.errors import Damaged, TheirMistake, UserMistake
from txtr.eventloop import Watch
from txtr.model import Event
from txtr.queuekeeper.intake import LinksAhead, Pace
from txtr.queuekeeper.keeper import Keeper
from txtr.wire.callers import Callers
from txtr.wire.conversation import (
    CHARACTERS_SHOWN,
    Conversation,
    check_hello,
    is_proved,
    make_proof,
    queuekeeper_side,
)
from txtr.wire.listener import Caller, Listener, listen_at_port
from txtr.wire.messages import (
    HARVESTER,
    ROLES,
    VISITOR,
    Challenge,
    Hello,
    Message,
    Order,
    Outcome,
    Proof,
    Received,
    Refusal,
    Welcome,
)
from txtr.wire.secret import Secret

HANDSHAKE = 10.0  # seconds a stranger has to prove himself
BACKLOG_BYTES = 64 * 1024 * 1024  # unsent to one harvester, before its line is cut
# What arrives together is answered together. Each tick ends when the disk has what happened, and that takes
# about as long for little as for much, so the next tick waits several times as long as the last one took: a
# busy queuekeeper writes seldom, one that has little to do answers soon.
COALESCE = 8  # times as long as the last tick took
SOONEST, LATEST = 0.005, 0.05  # seconds, whatever the last tick took
IDLE = 1.0  # seconds at most between two ticks
STEP = 0.02  # seconds of the processor, after which we look at the sockets before the next portion
MOST_TOUCHED = 1000  # domains, from one writing down to the next
HELD_UP = 1.0  # seconds of work in one go after which we ask what we have missed

Kind = TypeVar("Kind", bound=Message)


class Line(msgspec.Struct):
    """One harvester's connection."""

    conversation: Conversation
    writer: asyncio.StreamWriter
    name: str = ""  # of the harvester, from its admission on

    def say(self, *messages: Message) -> None:
        """In one write: each would be a call of the system."""
        if not self.writer.is_closing():
            talk = self.conversation
            self.writer.write(b"".join([talk.send(message) for message in messages if not talk.is_over]))
        if self.writer.transport.get_write_buffer_size() > BACKLOG_BYTES:
            self.writer.transport.abort()


class Rejected(TheirMistake):
    """A harvester, but not one of ours."""


class Server:
    """Where harvesters are received."""

    def __init__(
        self,
        keeper: Keeper,
        secret: Secret,
        machines: list[str],
        note: Callable[..., None],
        tally: Tally,
        keep: Callable[[], None],
        watch: Watch,
        files: int,
    ) -> None:
        self.keeper = keeper
        self.secret = secret
        self.machines = machines  # whom harvesters may come from, besides this machine
        self.note = note  # writes events into the diary
        self.tally = tally
        self.keep = keep  # makes what has happened last
        self.watch = watch
        self.turn = asyncio.Lock()  # of taking in what somebody says
        self.lines: dict[str, Line] = {}
        self.callers: Callers[Caller] = Callers(files)
        self.listener = Listener(self._receive, self.callers, note)
        self.broken: Exception | None = None  # the state cannot be read or written: the end
        self.stirred = asyncio.Event()  # something was said: tick soon
        self.took = 0.0  # seconds, the last tick
        self.is_behind = False  # is there more to prepare? then the next tick is soon

    async def open(self, port: int) -> None:
        """Listen: on this machine only, unless harvesters come from others."""
        try:
            self.listener.begin(await listen_at_port([] if self.machines else ["127.0.0.1"], port))
        except OSError as error:
            raise UserMistake(port_trouble(port, error)) from error

    async def hang_up(self) -> None:
        """Let nobody wait who is still connected when we end."""
        await self.listener.hang_up()

    async def keep_time(self, is_over: Callable[[], bool]) -> None:
        """Tick whenever something was said or is due, until it is over."""
        while not is_over():
            await self._stirred_or_due()
            begun = clock.now()
            self.keeper.tick(begun)
            self.deliver()
            self.took = clock.now() - begun
            self.tally.spend("dealing", self.took)
            if self.took > HELD_UP:
                self.keeper.was_held_up(self.took)
            self.is_behind = self.keeper.look_ahead(clock.now())

    def deliver(self) -> None:
        """Make what happened last; then carry what the keeper says, and write it into the diary."""
        if self.broken is not None:
            raise self.broken  # what has happened since may be half of something
        self.keep()
        outbox, self.keeper.outbox = self.keeper.outbox, []
        said: dict[str, list[Message]] = {}
        for name, message in outbox:
            if name in self.lines:
                said.setdefault(name, []).append(message)
        for name, messages in said.items():
            self.lines[name].say(*messages)
            self._note_talk("said", name, messages)
            if any(isinstance(message, Refusal) for message in messages):
                self.lines[name].writer.close()
        events, self.keeper.frontier.events = self.keeper.frontier.events, []
        self.note(*events)

    async def _stirred_or_due(self) -> None:
        due = self.keeper.frontier.next_change()
        patience = SOONEST if self.is_behind else IDLE
        if due is not None:
            patience = min(patience, max(0.0, due - clock.now()))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):  # not wait_for: that makes a task each time
                await self.stirred.wait()
            await asyncio.sleep(min(LATEST, max(SOONEST, COALESCE * self.took)))
        self.stirred.clear()

    async def _receive(self, caller: Caller) -> None:
        """One caller, from the first byte to the last."""
        line, peer = Line(queuekeeper_side(), caller.writer), caller.peer
        try:
            async with asyncio.timeout(HANDSHAKE):
                await self._check_machine(peer)
                role = await self._admit(caller, line)
            if role == VISITOR:
                await self._attend(caller.reader, line)
            else:
                await self._listen(caller.reader, line, line.name)
        except TheirMistake as error:
            is_known = line.name or isinstance(error, Rejected)
            self._say_why("rejected" if is_known else "stranger", line, caller, str(error))
        except TimeoutError:
            self._say_why("stranger", line, caller, f"said nothing sensible for {HANDSHAKE:.0f} seconds")
        except OSError as error:
            self._say_why("cut-off" if line.name else "stranger", line, caller, str(error))
        except (sqlite3.Error, Damaged) as error:
            self.broken = error
            self.stirred.set()
        except Exception:
            self.note(Event("error", line.name or peer, {"trace": traceback.format_exc()}))
        finally:
            self._dismiss(line)

    def _say_why(self, what: str, line: Line, caller: Caller, reason: str) -> None:
        """Why a line has ended; of strangers, of whom there may be thousands, in few words."""
        event = Event(what, line.name or caller.peer, {"reason": caller.sent_away or reason})
        if line.name:
            self.note(event)
        else:
            self.listener.complain(event)

    def _dismiss(self, line: Line) -> None:
        """However this caller's line ended: the name that it was admitted by is free for its next one."""
        if line.name and self.lines.get(line.name) is line:
            del self.lines[line.name]
            self.keeper.disconnect(line.name, clock.now())
            self.stirred.set()

    async def _check_machine(self, peer: str) -> None:
        """Does this caller come from a machine that harvesters come from?"""
        if is_local(peer) or is_local(peer.removeprefix("::ffff:")):
            return
        loop = asyncio.get_running_loop()
        for machine in self.machines:
            with contextlib.suppress(OSError):
                found = await loop.getaddrinfo(machine, None, type=socket.SOCK_STREAM)
                if peer.removeprefix("::ffff:") in {entry[4][0] for entry in found}:
                    return
        raise TheirMistake(f"connects from {peer}, harvesters come from {', '.join(self.machines) or 'here'}")

    async def _admit(self, caller: Caller, line: Line) -> str:
        """The handshake: a visitor or a harvester, whose line has its name from here on."""
        hello = await _next(caller.reader, line.conversation, Hello)
        challenge = Challenge(secrets.token_hex(16))
        role = hello.role if hello.role in ROLES else HARVESTER
        reason = check_hello(hello)
        if not reason:
            line.say(challenge)
            answer = await _next(caller.reader, line.conversation, Proof)
            if not is_proved(answer.digest, self.secret.value, role, hello, challenge):
                reason = self.secret.refusal()
            elif not self.callers.has_room():
                reason = (
                    f"{self.callers.most_known} are connected, more its open files do not allow (ulimit -n)"
                )
        if reason:
            self._refuse(hello, line, reason)
        digest = make_proof(self.secret.value, "queuekeeper", hello, challenge)
        line.say(Received(digest) if role == VISITOR else self._join(hello, line, digest))
        self.callers.admit(caller)
        return role

    def _join(self, hello: Hello, line: Line, digest: str) -> Welcome:
        """From here on the name is taken, until its line ends, however it ends."""
        with self._wholly():
            batches = self.keeper.join(hello.name, hello.held, clock.now())
        if batches is None:
            self._refuse(hello, line, f"a harvester called {hello.name} is here already")
        line.name = hello.name
        self.lines[hello.name] = line
        gate = self.keeper.frontier.gate
        return Welcome(digest, batches, gate.include.pattern, gate.exclude.pattern)

    def _refuse(self, hello: Hello, line: Line, reason: str) -> NoReturn:
        line.say(Refusal(reason))
        raise Rejected(f"{hello.name[:CHARACTERS_SHOWN]}: {reason}")

    async def _attend(self, reader: asyncio.StreamReader, line: Line) -> None:
        """A visitor's orders."""
        while data := await reader.read(1 << 18):
            for message in line.conversation.receive(data):
                await self._obey(message, line)

    async def _obey(self, order: Order, line: Line) -> None:
        """Do it, and say what came of it when that is on the disk; harvesters are served meanwhile."""
        task = self.keeper.order(order.verb, order.names)
        is_done = False
        while not is_done:
            with self._wholly():
                done = [] if task.is_done else self.keeper.go_on_with(task, clock.now())
                self.deliver()
            is_done = task.is_done
            line.say(Outcome(done, is_done))
            self.stirred.set()
            await line.writer.drain()
            await asyncio.sleep(0)

    async def _listen(self, reader: asyncio.StreamReader, line: Line, name: str) -> None:
        while not line.conversation.is_over and (data := await reader.read(1 << 18)):
            for message in line.conversation.receive(data):
                self._note_talk("heard", name, [message])
                pace = Pace()
                for portion in self.keeper.portions(message, pace):
                    async with self.turn:
                        begun = clock.thread_processor()
                        self._take_in(name, portion)
                        pace.lasted(clock.thread_processor() - begun)
                        await self._look_up()
                        self._keep_up()
                        await self._look_up()
            self.stirred.set()

    async def _look_up(self) -> None:
        """Look at the sockets, if that was not done for a while."""
        if self.watch.so_far() > STEP:
            await asyncio.sleep(0)

    def _keep_up(self) -> None:
        """Let no more pile up between two ticks than can be written down quickly."""
        if len(self.keeper.frontier.touched_domains) > MOST_TOUCHED:
            with self._wholly():
                self.deliver()

    def _take_in(self, name: str, portion: Message | LinksAhead) -> None:
        if name not in self.keeper.harvesters:
            raise TheirMistake("was silent for too long and has been given up")
        begun = clock.now()
        with self._wholly():
            self.keeper.answer(name, portion, begun)
        self.tally.spend("answering", clock.now() - begun)

    def _note_talk(self, what: str, name: str, messages: Iterable[Message]) -> None:
        """Everything that is said, for a diary in which everything is."""
        if self.keeper.frontier.is_verbose:
            self.note(*(Event(what, name, {"message": type(message).__name__}) for message in messages))

    @contextlib.contextmanager
    def _wholly(self) -> Iterator[None]:
        """A mistake of ours in the middle of something is the end: half of what follows must not be kept."""
        try:
            yield
        except TheirMistake:
            raise
        except Exception as error:
            self.broken = error
            self.stirred.set()
            raise


async def _next(reader: asyncio.StreamReader, talk: Conversation, kind: type[Kind]) -> Kind:
    """The one message that is expected now."""
    while data := await reader.read(4096):
        for message in talk.receive(data):
            if isinstance(message, kind):
                return message
            raise TheirMistake(f"{type(message).__name__} where {kind.__name__} was expected")
    raise TheirMistake("hung up during the handshake")
