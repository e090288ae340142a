"""Paths of one domain that have the same digest (keys.py): some are taken for known, and nothing else.

Whoever likes finds such paths in a second, and may put them on a page of his.
"""

import random

import pytest

from txtr.frontier import state
from txtr.frontier.records import Entry, Found, Record
from txtr.frontier.storage import Links
from txtr.store.keys import digest
from txtr.urls import door

ALIKE = [
    ("/p422907", "/p455406"),
    ("/p372653", "/p804877"),
    ("s/p102674", "/p365647"),
    ("s/p44113", "/p784066"),
]
PATHS = [*(path for alike in ALIKE for path in alike), "/x", "s/x"]
HOPELESS, PROMISING = Record(1, 1.0, promise=0.0), Record(1, 1.0, promise=1.0)


@pytest.fixture
def links() -> Links:
    return state.MemoryLinks()  # or whatever conftest.py has put in its place


def admit(links: Links, paths: list[str], record: Record) -> None:
    for path in paths:
        ((new, _),) = links.meet([Found("a.cz", [path], record)])
        if new:
            links.enqueue("a.cz", new, record)


def settle(links: Links, path: str) -> None:
    if links.take("a.cz", path) is not None:
        links.settle("a.cz", path, Entry("kept", 1))


def empty(links: Links) -> None:
    """Whatever is queued or leased is fetched."""
    for _ in range(2 * len(PATHS)):
        for behind in links.doors("a.cz"):
            links.lease("a.cz", behind, 3)
        for path in list(links.leased("a.cz")):
            settle(links, path)


def test_they_are_alike() -> None:
    assert all(digest(one) == digest(other) for one, other in ALIKE)


@pytest.mark.parametrize("one, other", ALIKE)
def test_a_better_way_to_another_path_of_the_same_digest_leaves_no_work_that_is_not_there(
    links: Links, one: str, other: str
) -> None:
    """The one is in a batch. Fewer than none were queued then, and the crawl could not end."""
    admit(links, [one], HOPELESS)
    assert links.lease("a.cz", door(one), 1) == [one]
    admit(links, [other], PROMISING)
    empty(links)
    assert (links.queued_count, links.leased_count, links.doors("a.cz")) == (0, 0, [])


@pytest.mark.parametrize("seed", range(40))
def test_no_history_of_paths_of_the_same_digest_makes_the_count_wrong(links: Links, seed: int) -> None:
    """However they are found, leased, given up and reported late: in the end nothing is left."""
    chance, given_up = random.Random(seed), list[str]()
    for _ in range(60):
        leased = list(links.leased("a.cz"))
        match chance.choice(["admit", "admit", "lease", "give up", "report", "report late"]):
            case "admit":
                admit(links, chance.sample(PATHS, 3), chance.choice([HOPELESS, PROMISING]))
            case "lease":
                for behind in links.doors("a.cz"):
                    links.lease("a.cz", behind, chance.randrange(1, 4))
            case "give up" if leased:
                given_up.append(chance.choice(leased))
                links.give_back("a.cz", given_up[-1])
            case "report" if leased:
                settle(links, chance.choice(leased))
            case "report late" if given_up:
                settle(links, chance.choice(given_up))
        assert links.queued_count == links.backlog("a.cz") >= 0
    empty(links)
    assert (links.queued_count, links.leased_count, links.doors("a.cz")) == (0, 0, [])
