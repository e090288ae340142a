"""States to look into: a frontier on disk that has been through everything, without a crawl."""

from pathlib import Path

from txtr.frontier.frontier import Frontier
from txtr.frontier.orders import Task
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import Document, Failure, Link, Redirect, Resolution, RobotsFile, Trouble
from txtr.store.store import Store
from txtr.urls import split

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=3, general_pause=300.0)
EPOCH = 1_800_000_000.0  # wall time of 0
HERE, THERE = "192.0.2.1", "192.0.2.2"
BATCH = 7


def opened(state: Path) -> tuple[Store, Frontier]:
    state.mkdir(parents=True, exist_ok=True)
    store = Store(state)
    frontier = Frontier(RULES, Gate(".*", "^$", 0), "texttractor", links=store.links, archive=store)
    frontier.epoch = EPOCH
    store.begin(frontier, 0.0)
    return store, frontier


def closed(store: Store, frontier: Frontier, now: float = 10.0) -> None:
    store.write(frontier, now)
    store.commit()
    store.close()


def links(*urls: str, depth: int = 0, source: str = "") -> list[Link]:
    return [Link(*split(url), depth=depth, source=source) for url in urls]


def everything(state: Path) -> None:
    """a.cz has links of every kind, in a batch and in the queue; b.cz is blocked, c.cz new."""
    store, frontier = opened(state)
    frontier.admit(links("http://a.cz/", "http://b.cz/1", "https://b.cz/2"), 1)
    addresses = {"a.cz": HERE, "b.cz": THERE}
    for name in frontier.new_domains(10, batch=1):
        frontier.resolved(Resolution(name, [addresses[name]]), 1)
    list(frontier.visits(BATCH, 10, 2))
    frontier.robots(RobotsFile("a.cz", "/robots.txt", 200, "user-agent: *\ndisallow: /tajne", 0.1), BATCH, 2)
    frontier.top_up(HERE, 2)
    found = [f"http://a.cz/{number}" for number in range(200)]
    frontier.fetched(
        Document(
            "a.cz",
            "/",
            "kept",
            0.8,
            200,
            5000,
            0.1,
            "Titul\nna řádku",
            EPOCH + 3,
            links=[*found, "http://c.cz/"],
        ),
        BATCH,
        3,
    )
    frontier.admit(links("http://a.cz/tajne/x", depth=1, source="http://a.cz/"), 3)
    frontier.close(HERE, 4)
    frontier.pass_time(1000)
    list(frontier.visits(BATCH + 1, 10, 1000))
    frontier.failed(Failure("a.cz", "/0", Trouble.GONE), BATCH + 1, 1001)
    frontier.redirected(Redirect("a.cz", "/1", "http://a.cz/2", 301, 0.1), BATCH + 1, 1001)
    store.connection.execute("INSERT INTO batches VALUES (?, 'harvester-03', 3)", (BATCH + 1,))
    task = Task(frontier, "block", ["b.cz"])
    task.go_on(1002)
    closed(store, frontier, 1002)
