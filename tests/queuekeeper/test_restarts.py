"""What another run, perhaps with other options, makes of a state that a crash has left."""

from collections.abc import Callable
from pathlib import Path

import pytest

from txtr import clock
from txtr.frontier.addresses import State
from txtr.frontier.frontier import Frontier
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import Batch, Document, Link, Report, Resolution, RobotsFile
from txtr.queuekeeper.books import Books
from txtr.queuekeeper.keeper import Keeper
from txtr.urls import split
from txtr.wire.lease import PATIENCE
from txtr.wire.messages import Ask, Deal, More, NewDomains, Ping, Reported, Resolved, Spare

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
WALL = 1_800_000_000.0
HERE = "192.0.2.1"

Start = Callable[..., Keeper]


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk survives."""


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Start a queuekeeper on the state of the one before, which is killed by that."""
    last: list[Books] = []

    def open_books(
        now: float,
        exclude: str = "^$",
        agent: str = "texttractor",
        wall: float = WALL,
        rules: Rules = RULES,
    ) -> Keeper:
        for books in last:
            books.store.connection.close()
        books = Books(tmp_path)
        last[:] = [books]
        gate = Gate(".*", exclude, 0)
        frontier = Frontier(rules, gate, agent, links=books.store.links, archive=books.store)
        frontier.epoch = wall
        keeper = Keeper(frontier, books.claims, most_rows=100)
        books.open(keeper, now)
        while books.take_up(keeper, now):
            pass
        keeper.keep = lambda now: books.keep(keeper, now)  # type: ignore[attr-defined]
        return keeper

    return open_books


def said(keeper: Keeper, now: float) -> list[object]:
    """What it says to harvesters when everything is written down."""
    keeper.keep(now)  # type: ignore[attr-defined]
    outbox, keeper.outbox = keeper.outbox, []
    return [message for _, message in outbox]


def requests(messages: list[object]) -> list[str]:
    """What was dealt."""
    found = []
    for message in messages:
        if isinstance(message, Deal):
            found += [visit for row in message.batch.rows for visit in row]
        elif isinstance(message, More):
            found += message.visits
    return [visit.domain + request.path for visit in found for request in visit.requests]


def begin(keeper: Keeper, *urls: str) -> int:
    """One harvester has the robots.txt files of these URLs' domains in a batch; its number."""
    keeper.frontier.admit([Link(*split(url), depth=0) for url in urls], 0)
    keeper.join("h", {}, 0)
    keeper.answer("h", Ask(0, 0, 0.0), 0)
    keeper.tick(0)
    for message in said(keeper, 0):
        if isinstance(message, NewDomains):
            found = [Resolution(name, [HERE]) for name in message.domains]
            keeper.answer("h", Resolved(message.batch, found, is_all=True), 0)
    keeper.tick(0)
    (batch,) = [message.batch for message in said(keeper, 0) if isinstance(message, Deal)]
    assert isinstance(batch, Batch)
    return batch.number


def learn(
    keeper: Keeper, batch: int, now: float, status: int = 200, text: str = "", target: str = ""
) -> None:
    file = RobotsFile("a.cz", "/robots.txt", status, text, 0.1, target=target)
    keeper.answer("h", Reported(Report(batch, robots=[file])), now)


def test_a_domain_that_is_excluded_now_is_not_contacted_though_it_was_in_a_batch(start: Start) -> None:
    """All it had was leased, so nothing was queued for it when the next run looked."""
    keeper = start(0.0)
    batch = begin(keeper, "http://a.cz/")
    learn(keeper, batch, 1.0)
    assert requests(said(keeper, 1.0)) == ["a.cz/"]
    keeper = start(5.0, exclude="^a")
    for now in range(6, 200):
        keeper.tick(now)
    keeper.join("other", {}, 200)
    keeper.answer("other", Ask(0, 0, 0.0), 200)
    keeper.tick(200)
    assert requests(said(keeper, 200)) == []


def test_a_harvester_that_goes_on_hands_excluded_domains_back(start: Start) -> None:
    keeper = start(0.0)
    batch = begin(keeper, "http://a.cz/")
    learn(keeper, batch, 1.0)
    said(keeper, 1.0)
    keeper = start(5.0, exclude="^a")
    assert keeper.join("h", {batch: 2}, 6.0) == [batch]
    assert Spare("a.cz") in said(keeper, 6.0)


@pytest.mark.parametrize(
    "agent, asked", [("texttractor/2 (+mailto:x@a.cz)", ["a.cz/b"]), ("foobot", ["a.cz/robots.txt"])]
)
def test_another_robot_asks_for_robots_txt_anew(start: Start, agent: str, asked: list[str]) -> None:
    """Rules are kept as they concern us; they may concern another robot otherwise."""
    keeper = start(0.0)
    batch = begin(keeper, "http://a.cz/")
    learn(keeper, batch, 1.0, text="user-agent: foobot\ndisallow: /")
    page = Document("a.cz", "/", "kept", 1.0, 200, 500, 0.1, "", WALL + 2, links=["http://a.cz/b"])
    assert requests(said(keeper, 1.0)) == ["a.cz/"]
    keeper.is_closing = True
    keeper.answer("h", Reported(Report(batch, documents=[page])), 2.0)
    said(keeper, 2.0)
    keeper = start(100.0, agent=agent)
    keeper.join("h", {}, 100.0)
    keeper.answer("h", Ask(0, 0, 0.0), 100.0)
    keeper.tick(100.0)
    assert requests(said(keeper, 100.0)) == asked
    keeper = start(101.0, agent=agent)
    assert keeper.frontier.permits.rules("a.cz", "", 101.0) is None or agent != "foobot"


def test_an_address_is_not_left_while_a_file_is_fetched_that_nobody_remembers(start: Start) -> None:
    """A robots.txt led elsewhere; who waits for that file is not kept, but that it is under way is."""
    keeper = start(0.0)
    batch = begin(keeper, "http://a.cz/")
    learn(keeper, batch, 1.0, 301, target="http://a.cz/rules.txt")
    assert requests(said(keeper, 1.0)) == ["a.cz/rules.txt"]
    keeper = start(5.0)
    assert not keeper.frontier.is_answered(HERE)
    assert keeper.join("h", {batch: 2}, 6.0) == [batch]
    file = RobotsFile("a.cz", "/rules.txt", 200, "", 0.1)
    keeper.answer("h", Reported(Report(batch, robots=[file])), 7.0)
    assert requests(said(keeper, 7.0)) == []
    keeper.answer("h", Ask(0, 0, 0.0), 40.0)
    keeper.tick(40.0)
    assert requests(said(keeper, 40.0)) == ["a.cz/robots.txt"]
    keeper.tick(40.0 + 2 * PATIENCE)
    said(keeper, 80.0)
    assert keeper.frontier.domain("a.cz").errands == ["/robots.txt"]


@pytest.mark.parametrize("step", [-3600.0, 3600.0])
def test_setting_the_clock_lets_nobody_off_his_rest(start: Start, step: float) -> None:
    """While the machine is up there is a clock that nobody sets."""
    keeper = start(0.0)
    batch = begin(keeper, "http://a.cz/")
    learn(keeper, batch, 1.0, 503)
    said(keeper, 1.0)
    before = keeper.frontier.next_change()
    keeper = start(5.0, wall=WALL + step)
    assert keeper.frontier.next_change() == before
    keeper.frontier.pass_time(30.0)
    assert keeper.frontier.addresses.states[HERE] is State.RESTING


def asked_next(keeper: Keeper, now: float) -> float:
    """When the next request is dealt, if somebody asks all the time."""
    keeper.join("other", {}, now)
    keeper.answer("other", Ask(0, 0, 0.0), now)
    while True:
        keeper.answer("other", Ping(now), now)
        keeper.tick(now)
        if requests(said(keeper, now)):
            return now
        now += 1.0


@pytest.mark.parametrize("deaths", [1, 2])
@pytest.mark.parametrize(
    "rules, least",
    [
        (Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=1.0), 30.0),
        (Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=60.0), 60.0),
        (Rules(req_delay=90.0, max_hosts=2, max_reqs=5, general_pause=60.0), 90.0),
    ],
)
def test_whoever_rests_when_the_rules_change_rests_by_the_stricter(
    start: Start, rules: Rules, least: float, deaths: int
) -> None:
    """With a shorter pause a domain was asked at once, whose delay (of 20 seconds) had not passed."""
    keeper = start(0.0)
    batch = begin(keeper, "http://a.cz/")
    keeper.is_closing = True
    learn(keeper, batch, 1.0, text="user-agent: *\ncrawl-delay: 20")
    said(keeper, 1.0)
    assert keeper.frontier.addresses.states[HERE] is State.RESTING
    for death in range(deaths):
        keeper = start(3.0 + death, rules=rules)
        said(keeper, 3.0 + death)
    assert 1.0 + least <= asked_next(keeper, 6.0) <= 3.0 + least


def test_a_shorter_pause_is_the_only_one_when_the_longer_has_passed(start: Start) -> None:
    shorter = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=10.0)
    keeper = start(0.0)
    said(keeper, 0.0)
    keeper = start(1.0, rules=shorter)
    said(keeper, 1.0)
    said(keeper, 32.0)
    batch = begin(keeper, "http://a.cz/")
    keeper.is_closing = True
    learn(keeper, batch, 33.0)
    said(keeper, 33.0)
    assert asked_next(start(34.0, rules=shorter), 35.0) <= 45.0


@pytest.mark.parametrize("status", [200, 503])
def test_a_machine_that_begins_with_an_older_clock_believes_and_sleeps_no_longer_than_a_day(
    start: Start, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 9309 2.4. Without a battery its clock is years behind, and whoever slept would sleep for years."""
    keeper = start(5000.0)
    batch = begin(keeper, "http://a.cz/")
    keeper.is_closing = True
    learn(keeper, batch, 5001.0, status)
    said(keeper, 5001.0)
    monkeypatch.setattr(clock, "boot", lambda: 12345)
    keeper = start(7.0, wall=1000.0)  # since 1970
    said(keeper, 7.0)
    frontier, day = keeper.frontier, 24 * 3600.0
    assert (frontier.permits.rules("a.cz", "", 8.0) is not None) == (status == 200)
    assert frontier.permits.rules("a.cz", "", 8.0 + day) is None
    for now in (100.0, 8.0 + day):
        frontier.pass_time(now)
    assert frontier.addresses.states[HERE] is State.WAITING


def test_a_robots_txt_from_the_future_does_not_become_fresh_again_by_being_put_away(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 9309 2.4. Who knows many domains puts rules away and reads them again, all day long."""
    keeper = start(5000.0)
    learn(keeper, begin(keeper, "http://a.cz/"), 5001.0)
    said(keeper, 5001.0)
    monkeypatch.setattr(clock, "boot", lambda: 12345)
    keeper, day = start(7.0, wall=1000.0), 24 * 3600.0  # since 1970
    for now in (7.0, day / 2):
        said(keeper, now)
        keeper.frontier.permits.put_away("a.cz")
        assert keeper.frontier.permits.rules("a.cz", "", now) is not None
    assert keeper.frontier.permits.rules("a.cz", "", 8.0 + day) is None


def test_a_delay_of_more_than_a_day_is_kept_by_the_next_run(start: Start) -> None:
    """Rule 1: who slept for three days was asked again a day after the next start."""
    delay = 3 * 24 * 3600.0
    rules = Rules(req_delay=delay, max_hosts=2, max_reqs=5, general_pause=30.0)
    keeper = start(0.0, rules=rules)
    batch = begin(keeper, "http://a.cz/")
    keeper.is_closing = True
    learn(keeper, batch, 1.0)
    keeper.frontier.pass_time(40.0)  # its address has rested
    said(keeper, 40.0)
    frontier = start(50.0, rules=rules).frontier
    assert frontier.domain("a.cz").asleep_until == pytest.approx(1.0 + delay)
