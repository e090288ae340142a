"""A mistake of ours in the middle of an answer or an order ends the queuekeeper; no half of it is kept."""

import asyncio
from typing import Any

import pytest

from txtr.corpus.duplicates import Claims
from txtr.diary.tally import Tally
from txtr.eventloop import Watch
from txtr.frontier.frontier import Frontier
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.server import Line, Server
from txtr.wire.messages import Message, Order, Ping
from txtr.wire.secret import Secret


class Caller:
    """Somebody on a line, who says one thing and waits."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.is_over = False

    async def read(self, _: int) -> bytes:
        return b"said"

    def receive(self, _: bytes) -> list[Message]:
        return [self.message]


@pytest.mark.parametrize(
    ("message", "who"),
    [(Ping(0.0), "_listen"), (Order("block", ["a.cz"]), "_attend")],
    ids=["answer", "order"],
)
def test_half_an_answer_is_never_kept(message: Message, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by review: the link was not queued, not leased, not settled, and yet known."""
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    keeper = Keeper(Frontier(rules, Gate(".*", "^$", 0), "texttractor"), Claims(), most_rows=100)
    keeper.join("h1", {}, 0.0)
    kept: list[str] = []

    def stumble(*_: object) -> None:
        raise KeyError("a bug")

    async def meet() -> None:
        hall = Server(
            keeper, Secret(b"dub"), [], lambda *_: None, Tally(), lambda: kept.append("kept"), Watch(), 1024
        )
        monkeypatch.setattr(keeper, "answer", stumble)
        monkeypatch.setattr(keeper, "go_on_with", stumble)
        caller: Any = Caller(message)
        line = Line(caller, caller)
        with pytest.raises(KeyError):
            await (hall._listen(caller, line, "h1") if who == "_listen" else hall._attend(caller, line))
        with pytest.raises(KeyError):
            await hall.keep_time(lambda: False)

    asyncio.run(asyncio.wait_for(meet(), 5.0))
    assert kept == []
