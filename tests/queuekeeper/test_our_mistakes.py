"""A mistake of ours in the middle of an answer ends the queuekeeper, and nothing half-done is kept."""

import asyncio

import pytest

from txtr.corpus.duplicates import Claims
from txtr.frontier.frontier import Frontier
from txtr.frontier.gate import Gate
from txtr.manners.rules import Rules
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.sockets import Hall
from txtr.report.tally import Tally
from txtr.wire.messages import Ping


def test_half_an_answer_is_never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by review: the link was not queued, not leased, not settled, and yet known."""
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    keeper = Keeper(Frontier(rules, Gate(".*", "^$", 0), "texttractor"), Claims(), most_rows=100)
    kept: list[str] = []

    def stumble(*_: object) -> None:
        raise KeyError("a bug")

    async def meet() -> None:
        hall = Hall(keeper, b"", [], lambda *_: None, Tally(), lambda: kept.append("kept"))
        monkeypatch.setattr(keeper, "answer", stumble)
        with pytest.raises(KeyError):
            hall._answer("h1", Ping(0.0))
        with pytest.raises(KeyError):
            await hall.keep_time(lambda: False)

    asyncio.run(meet())
    assert kept == []
