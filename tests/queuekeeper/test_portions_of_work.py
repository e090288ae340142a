"""Dealing goes by portions: a large answer to one harvester delays no other."""

from math import ceil

import pytest

from tests.frontier.test_frontier import RULES, admit, frontier
from txtr.corpus.duplicates import Claims
from txtr.frontier.portions import MOST_VISITS, UNPLANNED
from txtr.model import Resolution
from txtr.queuekeeper.keeper import Keeper
from txtr.wire.messages import Ask, Deal

IN_A_PORTION = ceil(MOST_VISITS / UNPLANNED)  # visits that were not planned
ADDRESSES = 2 * IN_A_PORTION + 50


@pytest.fixture
def keeper() -> Keeper:
    """Many addresses wait, each with one domain."""
    front = frontier()
    admit(front, *(f"http://d{number}.cz/" for number in range(ADDRESSES)))
    for number, name in enumerate(front.new_domains(ADDRESSES, batch=99)):
        front.resolved(Resolution(name, [f"192.0.{number // 200}.{number % 200}"]), 0)
    return Keeper(front, Claims(), most_rows=2 * ADDRESSES)


def ask(keeper: Keeper, name: str, batches: int = 0) -> None:
    keeper.join(name, {}, 0)
    keeper.answer(name, Ask(0, 0, RULES.req_delay / 2 / ADDRESSES, batches), 0)


def tick(keeper: Keeper) -> dict[str, list[str]]:
    """Harvester -> the domains it was dealt."""
    keeper.outbox.clear()
    keeper.tick(0)
    return {
        name: sorted(visit.domain for row in message.batch.rows for visit in row)
        for name, message in keeper.outbox
        if isinstance(message, Deal)
    }


def test_a_harvester_that_asks_for_more_than_a_portion_gets_the_rest_soon(keeper: Keeper) -> None:
    """Answering takes 50 ms at most; and everything is dealt, in the same order, once."""
    ask(keeper, "h")
    dealt: list[str] = []
    sizes = []
    is_behind = True
    while is_behind:
        domains = tick(keeper)["h"]
        sizes.append(len(domains))
        dealt += domains
        is_behind = keeper.look_ahead(0)
    assert sizes == [IN_A_PORTION, IN_A_PORTION, 50]
    assert sorted(dealt) == sorted(f"d{number}.cz" for number in range(ADDRESSES))
    assert set(dealt[:IN_A_PORTION]) == {f"d{number}.cz" for number in range(IN_A_PORTION)}


def test_a_harvester_that_counts_batches_gets_whole_ones(keeper: Keeper) -> None:
    """--batch-count=1: the rest of a batch would never come."""
    ask(keeper, "h", batches=1)
    assert len(tick(keeper)["h"]) == ADDRESSES


def test_several_askers_share_a_portion(keeper: Keeper) -> None:
    """A harvester gets work while another has room for everything."""
    ask(keeper, "a")
    ask(keeper, "b")
    for _ in range(2):
        dealt = tick(keeper)
        assert {name: len(domains) for name, domains in dealt.items()} == {
            "a": IN_A_PORTION // 2,
            "b": IN_A_PORTION // 2,
        }


def test_a_harvester_that_has_all_it_asked_for_is_not_waited_for(keeper: Keeper) -> None:
    """The next tick is soon only if it has something to deal."""
    keeper.most_rows = IN_A_PORTION
    ask(keeper, "h")
    assert len(tick(keeper)["h"]) == IN_A_PORTION
    assert not keeper.is_behind
