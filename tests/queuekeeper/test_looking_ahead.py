"""The keeper prepares what will be asked for, as long as there is anybody who may ask."""

from pathlib import Path

import pytest

from tests.frontier.test_frontier import RULES, admit, deal, learn, settle
from txtr.corpus.duplicates import Claims
from txtr.frontier.frontier import Frontier
from txtr.gate import Gate
from txtr.model import Request, Visit
from txtr.queuekeeper.keeper import Keeper
from txtr.store.store import Store
from txtr.wire.messages import Ask, Deal

PAUSE = RULES.general_pause + 1
HERE = "192.0.2.1"


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    """One address waits, with a page of a domain whose robots.txt is known."""
    store = Store(tmp_path)
    front = Frontier(RULES, Gate(".*", "^$", 0), "texttractor", links=store.links, archive=store)
    store.begin(front, 0)
    admit(front, "http://a.cz/1")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz")
    front.close(HERE, 0)
    store.write(front, 0)
    front.pass_time(PAUSE)
    return Keeper(front, Claims(), most_rows=10)


def is_prepared(keeper: Keeper) -> bool:
    return keeper.frontier.plans.plans.get(HERE) is not None


def test_what_was_prepared_is_what_a_harvester_gets(keeper: Keeper) -> None:
    """Answering a harvester does not take long."""
    keeper.join("harvester-1", {}, PAUSE)
    keeper.look_ahead(PAUSE)
    assert is_prepared(keeper)
    keeper.answer("harvester-1", Ask(0, 0, 0.01), PAUSE)
    keeper.tick(PAUSE)
    (batch,) = [message.batch for _, message in keeper.outbox if isinstance(message, Deal)]
    assert batch.rows == [[Visit("a.cz", HERE, RULES.req_delay, [Request("/1")])]]


def test_nothing_is_prepared_for_nobody(keeper: Keeper) -> None:
    """Without harvesters there is no hurry, and at the end nothing more is dealt."""
    assert not keeper.look_ahead(PAUSE)
    assert not is_prepared(keeper)
    keeper.join("harvester-1", {}, PAUSE)
    keeper.close()
    assert not keeper.look_ahead(PAUSE)
    assert not is_prepared(keeper)
