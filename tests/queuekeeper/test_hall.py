"""The hall: how what the keeper says reaches the harvesters."""

import asyncio

import pytest

from txtr.corpus.duplicates import Claims
from txtr.eventloop import Watch
from txtr.frontier.frontier import Frontier
from txtr.frontier.gate import Gate
from txtr.manners.rules import Rules
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.sockets import LATEST, SOONEST, Hall, Line
from txtr.report.tally import Tally
from txtr.wire.conversation import Stage, harvester_side, proof, queuekeeper_side
from txtr.wire.messages import VERSION, Hello, Message, Pong, Proof, Refusal, Verdict


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


def hall(include: str = ".*", exclude: str = "^$") -> tuple[Hall, Written]:
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    keeper = Keeper(Frontier(rules, Gate(include, exclude, 0), "texttractor"), Claims(), 100)
    opened, writer = Hall(keeper, b"", [], lambda *_: None, Tally(), lambda: None, Watch()), Written()
    opened.lines["h1"] = Line(queuekeeper_side(), writer)  # type: ignore[arg-type]
    opened.lines["h1"].conversation.stage = Stage.TALKING
    return opened, writer


def read(data: bytes) -> list[Message]:
    talk = harvester_side()
    talk.stage = Stage.TALKING
    return list(talk.receive(data))


def test_what_is_said_together_is_one_write() -> None:
    """Issue 6: batch everything that crosses a process border."""
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
        reader = asyncio.StreamReader()
        reader.feed_data(talk.send(hello))
        admitting = asyncio.create_task(opened._admit(reader, Line(queuekeeper_side(), writer)))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        (challenge,) = talk.receive(writer.writes.pop())
        reader.feed_data(talk.send(Proof(proof(b"", "harvester", hello, challenge))))
        assert await admitting == "h2"
        (welcome,) = talk.receive(writer.writes.pop())
        return welcome

    welcome = asyncio.run(greet())
    assert (welcome.include, welcome.exclude) == (r"\.cz$", "^shop")


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
        patch.setattr("txtr.queuekeeper.sockets.asyncio.sleep", sleep)
        asyncio.run(stir())
    assert slept == [pytest.approx(pause)]
