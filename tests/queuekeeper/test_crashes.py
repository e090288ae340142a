"""The queuekeeper is killed at random moments, harvesters too; nothing is lost, no rule broken."""

import random
from functools import partial
from pathlib import Path

import pytest

from tests.mortal import MortalWorld
from tests.world import Server, World, site

HISTORIES = 50  # with about six deaths each
UNHEARD = "/robots.txt and /robots.txt"  # the first was not heard of, and so nobody knew of its Crawl-delay
DEATHS: list[int] = []  # of each history, to be counted at the end


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk survives a crash."""


@pytest.fixture(autouse=True)
def _hurried_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the directory is what is left of a machine here: no need to wait for the disk."""
    monkeypatch.setattr("txtr.store.store.SYNCHRONOUS", "OFF")


def web(chance: random.Random) -> dict[str, Server]:
    """Ten domains at four addresses that link to each other, one of them with a long delay."""
    names = [f"{letter}.cz" for letter in "abcdefghij"]
    servers = {}
    for number, name in enumerate(names):
        robots = "User-agent: *\nCrawl-delay: 50" if number == 3 else ""
        server = site(name, chance.randrange(3, 15), f"192.0.2.{number % 4}", robots)
        server.pages["/0"] = [f"http://{other}/" for other in names]
        server.took = chance.choice([0.05, 0.5, 3.0])
        servers[name] = server
    return servers


def replace(world: World) -> None:
    """A harvester is killed, another one is started."""
    alive = [player for player in world.players.values() if player.is_alive and player.is_up]
    if alive:
        world.kill(world.random.choice(alive))
        world.add_harvester()


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_whoever_dies_nothing_is_lost_and_no_rule_is_broken(seed: int, tmp_path: Path) -> None:
    """What counts 1 and 2. The seed says which history it is."""
    chance = random.Random(seed)
    world = MortalWorld(web(chance), tmp_path, seed=seed)
    world.start("http://a.cz/", harvesters=chance.randrange(1, 4))
    for _ in range(8):
        world.die(chance.expovariate(1 / 60), chance.choice([0.1, 1.0, 8.0, 20.0, 40.0]))
    for _ in range(chance.randrange(3)):
        world.at(chance.random() * 100, partial(replace, world))
    world.run()
    DEATHS.append(world.deaths)
    assert sorted(world.reported) == sorted(world.everything())
    assert [found for found in world.violations() if UNHEARD not in found.evidence] == []
    assert world.asked_again == []
    harvest = world.keeper.harvest.known
    assert harvest.total.documents == len(world.reported)
    assert sum(harvest.fates.values()) == len(world.reported)
    assert sum(figures.documents for figures in harvest.languages.values()) == len(world.reported)
    assert sum(figures.documents for figures in harvest.domains.values()) == len(world.reported)


def test_those_were_hundreds_of_deaths() -> None:
    """At least 200 kills over the suite."""
    if len(DEATHS) < HISTORIES:
        pytest.skip("only some of the histories were run")
    assert sum(DEATHS) >= 200
