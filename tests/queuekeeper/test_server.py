"""The hall: how what the keeper says reaches the harvesters."""

import asyncio

import pytest

from txtr.corpus.duplicates import Claims
from txtr.diary.tally import Tally
from txtr.eventloop import Watch
from txtr.frontier.frontier import Frontier
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import Event
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.server import LATEST, SOONEST, Line, Server
from txtr.wire.conversation import Stage, harvester_side, make_proof, queuekeeper_side
from txtr.wire.listener import Caller, Listener
from txtr.wire.messages import (
    HARVESTER,
    VERSION,
    Challenge,
    Hello,
    Message,
    Pong,
    Proof,
    Refusal,
    Verdict,
    Welcome,
)
from txtr.wire.secret import Secret


class Written:
    """A writer that remembers."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.is_closed = False
        self.transport = self

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    def is_closing(self) -> bool:
        return self.is_closed

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        self.is_closed = True

    def get_extra_info(self, _: str) -> tuple[str, int]:
        return ("127.0.0.1", 40000)


def hall(include: str = ".*", exclude: str = "^$") -> tuple[Server, Written]:
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    keeper = Keeper(Frontier(rules, Gate(include, exclude, 0), "texttractor"), Claims(), 100)
    opened, writer = (
        Server(keeper, Secret(b"dub"), [], lambda *_: None, Tally(), lambda: None, Watch(), 1024),
        Written(),
    )
    opened.lines["h1"] = Line(queuekeeper_side(), writer)  # type: ignore[arg-type]
    opened.lines["h1"].conversation.stage = Stage.TALKING
    return opened, writer


def read(data: bytes) -> list[Message]:
    talk = harvester_side()
    talk.stage = Stage.TALKING
    return list(talk.receive(data))


def test_what_is_said_together_is_one_write() -> None:
    """Batch everything that crosses a process border."""
    opened, writer = hall()
    said: list[Message] = [Pong(1.0), Verdict(1, True), Verdict(2, False, "http://a.cz/")]
    opened.keeper.outbox += [("h1", said[0]), ("gone", Pong(5.0)), ("h1", said[1]), ("h1", said[2])]
    opened.deliver()
    (data,) = writer.writes
    assert read(data) == said
    assert not writer.is_closed


def test_a_harvester_is_welcomed_with_the_servers_that_are_refused() -> None:
    """So that it need not tell their links again and again."""
    opened, writer = hall(include=r"\.cz$", exclude="^shop")
    talk, hello = harvester_side(), Hello(VERSION, "h2", "nonce")

    async def greet() -> Message:
        reader, line = asyncio.StreamReader(), Line(queuekeeper_side(), writer)  # type: ignore[arg-type]
        reader.feed_data(talk.send(hello))
        admitting = asyncio.create_task(opened._admit(Caller(reader, line.writer), line))
        await asyncio.sleep(0)
        (challenge,) = talk.receive(writer.writes.pop())
        reader.feed_data(talk.send(Proof(make_proof(b"dub", "harvester", hello, challenge))))
        assert (await admitting, line.name) == (HARVESTER, "h2")
        (welcome,) = talk.receive(writer.writes.pop())
        return welcome

    welcome = asyncio.run(greet())
    assert (welcome.include, welcome.exclude) == (r"\.cz$", "^shop")


async def call(opened: Server, name: str) -> list[Message]:
    """All that is said to a harvester that knows the secret, and hangs up when it has been welcomed."""
    reader, writer, talk = asyncio.StreamReader(), Written(), harvester_side()
    hello, heard = Hello(VERSION, name, "nonce"), list[Message]()
    reader.feed_data(talk.send(hello))
    calling = asyncio.create_task(opened._receive(Caller(reader, writer)))  # type: ignore[arg-type]
    while not calling.done():
        await asyncio.sleep(0)
        said = [message for data in writer.writes for message in talk.receive(data)]
        writer.writes.clear()
        for message in said:
            if isinstance(message, Challenge):
                reader.feed_data(talk.send(Proof(make_proof(b"dub", "harvester", hello, message))))
            else:
                reader.feed_eof()
        heard += said
    return heard


@pytest.mark.parametrize("name", ["", "a b", "../h9", "h" * 65])
def test_who_has_no_proper_name_is_refused_by_name_and_leaves_nothing_behind(name: str) -> None:
    """Found by attack: an empty name left a trace and a ghost that was there for 135 seconds."""
    opened, _ = hall()
    notes: list[Event] = []
    opened.listener = Listener(opened._receive, opened.callers, lambda *events: notes.extend(events))
    (refusal,) = asyncio.run(call(opened, name))
    assert isinstance(refusal, Refusal) and repr(name) in refusal.reason
    assert (list(opened.lines), opened.keeper.harvesters, opened.callers.known) == (["h1"], {}, {})
    assert [event.what for event in notes] == ["rejected"]


def test_one_harvester_more_than_the_open_files_allow_is_told_so() -> None:
    """Those who are here are not put out for it."""
    opened, _ = hall()
    opened.callers.most_known = 0
    refusal = asyncio.run(call(opened, "h2"))[-1]
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "0 are connected, more its open files do not allow (ulimit -n)"
    assert opened.keeper.harvesters == {}


def test_an_exception_during_admission_frees_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by attack: the name was taken for good."""
    opened, _ = hall()
    with monkeypatch.context() as patch:
        patch.setattr(opened.keeper.frontier, "gate", None)
        (challenge,) = asyncio.run(call(opened, "h2"))
    assert isinstance(challenge, Challenge)
    assert (list(opened.lines), opened.keeper.harvesters["h2"].is_connected) == (["h1"], False)
    assert isinstance(asyncio.run(call(opened, "h2"))[-1], Welcome)


def test_nothing_is_said_after_a_refusal() -> None:
    """The conversation is over, and the line ends when that has been said."""
    opened, writer = hall()
    opened.keeper.outbox += [("h1", Refusal("silent for too long")), ("h1", Pong(1.0))]
    opened.deliver()
    assert read(b"".join(writer.writes)) == [Refusal("silent for too long")]
    assert writer.is_closed


@pytest.mark.parametrize(("took", "pause"), [(0.0, SOONEST), (0.002, 0.016), (1.0, LATEST)])
def test_a_busy_queuekeeper_commits_seldom_and_an_idle_one_answers_soon(took: float, pause: float) -> None:
    """A commit costs about the same, however much is in it."""
    opened, _ = hall()
    opened.took = took
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def stir() -> None:
        opened.stirred.set()
        await opened._stirred_or_due()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("txtr.queuekeeper.server.asyncio.sleep", sleep)
        asyncio.run(stir())
    assert slept == [pytest.approx(pause)]
