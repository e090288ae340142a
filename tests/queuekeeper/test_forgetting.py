"""A queuekeeper that keeps nobody in memory who has nothing to do crawls like one that remembers all."""

import random
from pathlib import Path

import pytest

from tests.mortal import MortalWorld
from tests.queuekeeper.test_crashes import UNHEARD, web
from txtr.frontier import state
from txtr.store import domains as homes_on_disk


@pytest.fixture(autouse=True)
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("txtr.store.store.SYNCHRONOUS", "OFF")
    monkeypatch.setattr(state, "MOST_IDLE", 0)
    monkeypatch.setattr(state, "MOST_AT_HAND", 0)
    monkeypatch.setattr(homes_on_disk, "MOST_LOOKED_AT", 0)


@pytest.mark.parametrize("seed", range(8))
def test_whoever_is_forgotten_is_remembered_in_time(seed: int, tmp_path: Path) -> None:
    """No rule is broken, nothing is lost, and robots.txt is asked for no more often."""
    chance = random.Random(seed)
    world = MortalWorld(web(chance), tmp_path, seed=seed)
    world.start("http://a.cz/", harvesters=2)
    for _ in range(seed % 3):
        world.die(chance.expovariate(1 / 60), 1.0)
    world.run()
    assert sorted(world.reported) == sorted(world.everything())
    assert [found for found in world.violations() if UNHEARD not in found.evidence] == []
    assert world.asked_again == []
    world.books.keep(world.keeper, world.now + 1e6)
    assert len(world.frontier.domains) <= len(world.frontier.rest_area.rooms) * 3
