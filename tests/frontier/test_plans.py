"""Plans are made ahead and change nothing: what is dealt is what would be dealt without them."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.frontier.test_frontier import RULES, admit, deal, document, learn, paths, settle
from txtr.frontier import permits
from txtr.frontier.domains import RESOLVED_FOR
from txtr.frontier.frontier import Frontier
from txtr.frontier.orders import VERBS, Task
from txtr.frontier.ranks import PROMISING
from txtr.frontier.records import Record
from txtr.frontier.waiting import Waiting
from txtr.gate import Gate
from txtr.manners.robots import FRESH
from txtr.model import Failure, Link, Purpose, Redirect, Resolution, RobotsFile, Trouble, Unvisited, Visit
from txtr.store.store import Store
from txtr.urls import join, split

PAUSE = RULES.general_pause + 1
NAMES = [f"{letter}.cz" for letter in "abcdefgh"]
TEXTS = (
    "",
    "",
    "",
    "User-agent: *\nDisallow: /1",
    "User-agent: *\nCrawl-delay: 7",
    "User-agent: *\nDisallow: /",
)


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only on disk is there anything to be read ahead."""


def on_disk(directory: Path, depth: int = 0) -> Frontier:
    store = Store(directory)
    front = Frontier(RULES, Gate(".*", "^$", depth), "texttractor", links=store.links, archive=store)
    store.begin(front, 0)
    return front


def keep(front: Frontier, now: float) -> None:
    """What the queuekeeper does after every answer, and once a second."""
    store = front.archive
    assert isinstance(store, Store)
    store.write(front, now)
    store.commit()
    front.put_away(now)


@pytest.fixture
def waiting(tmp_path: Path) -> Frontier:
    """A frontier with two pages of a domain that waits, and whose robots.txt is known; it is planned for."""
    front = on_disk(tmp_path)
    admit(front, "http://a.cz/1")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz")
    front.close("192.0.2.1", 0)
    admit(front, "http://a.cz/2")
    keep(front, 0)
    front.pass_time(PAUSE)
    front.look_ahead(PAUSE)
    return front


def has_plan(front: Frontier, address: str = "192.0.2.1") -> bool:
    return front.plans.plans.get(address) is not None


def test_a_planned_series_is_dealt_as_planned(waiting: Frontier) -> None:
    """What has to be read is read before a harvester asks."""
    assert has_plan(waiting)
    assert waiting.links.leased_count == 0
    assert paths(deal(waiting, batch=2, now=PAUSE)) == ["/1", "/2"]
    assert waiting.links.leased_count == 2
    assert waiting.series["192.0.2.1"].pages == {"a.cz": {"/1", "/2"}}
    assert waiting.series["192.0.2.1"].batch == 2


def test_a_blocked_domain_is_not_visited_although_it_was_planned(waiting: Frontier) -> None:
    """What the user orders holds from that moment."""
    Task(waiting, "block", ["a.cz"]).go_on(PAUSE)
    assert deal(waiting, batch=2, now=PAUSE) == []


def test_a_plan_ends_with_the_rules_it_was_checked_against(waiting: Frontier) -> None:
    """RFC 9309 2.4: a robots.txt is not used for longer than a day."""
    waiting.resolved(Resolution("a.cz", ["192.0.2.1"]), PAUSE)
    waiting.domain("a.cz").believed_until = 2 * FRESH
    waiting.plans.plans.clear()
    waiting.look_ahead(PAUSE)
    assert has_plan(waiting)
    (visit,) = deal(waiting, batch=2, now=FRESH + 1)
    assert [request.purpose for request in visit.requests] == [Purpose.ROBOTS]


def test_a_plan_ends_when_the_rules_it_was_checked_against_are_forgotten(
    waiting: Frontier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is dealt behind a door whose robots.txt is not known."""
    rules = "".join(f"Disallow: /{number}/x\n" for number in range(100))
    waiting.permits.ask("a.cz", "")
    waiting.permits.arrived(RobotsFile("a.cz", "/robots.txt", 200, f"User-agent: *\n{rules}", 0.1), now=PAUSE)
    waiting.permits.door("a.cz", "s").asleep_until = 2 * FRESH  # its doors have to stay at hand
    waiting.plans.plans.clear()
    waiting.look_ahead(PAUSE)
    assert has_plan(waiting)
    monkeypatch.setattr(permits, "MOST_BYTES", 100)
    keep(waiting, PAUSE)
    assert waiting.permits.rules("a.cz", "", PAUSE) is None
    (visit,) = deal(waiting, batch=2, now=PAUSE)
    assert [request.purpose for request in visit.requests] == [Purpose.ROBOTS]


def test_a_plan_ends_when_the_address_is_not_believed_any_more(waiting: Frontier) -> None:
    """A domain may have moved: nobody is contacted at an address that is an hour old."""
    assert deal(waiting, batch=2, now=RESOLVED_FOR + 1) == []
    assert "a.cz" in waiting.domains.new


def test_what_arrives_after_the_plan_is_dealt_too(waiting: Frontier) -> None:
    """A plan that something has happened to is dropped."""
    admit(waiting, "http://a.cz/3", now=PAUSE)
    assert not has_plan(waiting)
    assert paths(deal(waiting, batch=2, now=PAUSE)) == ["/1", "/2", "/3"]


def test_a_request_that_was_settled_meanwhile_is_not_dealt(waiting: Frontier) -> None:
    """A late report brings what was planned."""
    waiting.fetched(document("http://a.cz/1"), batch=1, now=PAUSE)
    waiting.look_ahead(PAUSE)
    assert paths(deal(waiting, batch=2, now=PAUSE)) == ["/2"]


def test_what_is_too_deep_is_refused_and_not_planned(tmp_path: Path) -> None:
    """Spec 4: a smaller --depth holds for what an earlier run queued."""
    front = on_disk(tmp_path, depth=3)
    front.links.enqueue("a.cz", ["/1"], Record(4, 1.0))
    front.go_on_at("a.cz", 0)
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz")
    front.close("192.0.2.1", 0)
    keep(front, 0)
    front.pass_time(PAUSE)
    front.look_ahead(PAUSE)
    assert not has_plan(front)
    assert deal(front, batch=2, now=PAUSE) == []


def test_an_address_is_looked_at_once_while_it_waits(waiting: Frontier) -> None:
    """Where links arrive all the time, plans would be made and dropped all the time."""
    admit(waiting, "http://a.cz/3", now=PAUSE)
    assert not waiting.look_ahead(PAUSE)
    assert not has_plan(waiting)


def test_no_more_are_looked_at_than_come_soon() -> None:
    """Plans take memory, however many addresses wait; but those who come out of turn are among them."""
    waiting = Waiting(general_pause=30.0)
    for number in range(1000):
        waiting.put(f"fast-{number}", PROMISING, 0, 0.0)
        waiting.put(f"slow-{number}", PROMISING, 3, 0.0)
    soon = set(waiting.soon(100))
    dealt = []
    for _ in range(100):
        address = waiting.first(0.0, is_better_in_play=True)
        assert address is not None
        dealt.append(address)
        waiting.remove(address)
        waiting.count(is_sample=False, now=0.0)
    assert soon >= set(dealt)
    assert len(soon) <= 110


class History:
    """Whatever can happen, to two frontiers of which one plans. Everything is drawn from one seed."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.random = Random(seed)
        for name in ("planning", "plain"):
            (directory / name).mkdir(parents=True)
        self.planning, self.plain = on_disk(directory / "planning"), on_disk(directory / "plain")
        self.both = (self.planning, self.plain)
        self.now = 0.0
        self.batch = 0
        self.out: list[Visit] = []
        self.planned = 0  # series that were dealt as planned

    def step(self) -> None:
        step = self.random.choices(
            (self.find, self.resolve, self.deal, self.answer, self.end, self.order, self.keep, self.wait),
            (2, 2, 4, 8, 3, 0.1, 3, 4),
        )[0]
        step()
        if self.random.random() < 0.5:
            self.planning.look_ahead(self.now)

    def urls(self) -> list[str]:
        number = self.random.randrange(1, 20)
        return [self.url() for _ in range(number)]

    def url(self) -> str:
        door = self.random.choices(("", "s"), (10, 1))[0]
        return join(self.random.choice(NAMES), f"{door}/{self.random.randrange(5000)}")

    def find(self) -> None:
        usability, depth = self.random.choice((1.0, 1.0, 0.3, 0.1)), self.random.randrange(4)
        links = [Link(*split(url), depth, usability) for url in self.urls()]
        assert len({front.admit(links, self.now) for front in self.both}) == 1

    def resolve(self) -> None:
        for front in self.both:
            for name in front.new_domains(3, batch=99):
                front.resolved(Resolution(name, [f"192.0.2.{NAMES.index(name) % 4}"]), self.now)

    def deal(self) -> None:
        self.batch += 1
        most, drawn = self.random.randrange(1, 5), self.random.randrange(1, 8)
        before = [plan for plan in self.planning.plans.plans.values() if plan is not None]
        dealt = [list(islice(front.visits(self.batch, most, self.now), drawn)) for front in self.both]
        assert dealt[0] == dealt[1]
        self.out += dealt[0]
        begun = {id(series) for series in self.planning.series.values()}
        self.planned += sum(id(plan.series) in begun for plan in before)

    def answer(self) -> None:
        if not self.out:
            return
        visit = self.out.pop(self.random.randrange(len(self.out)))
        links, text = self.urls(), self.random.choice(TEXTS)
        known = ("document", "redirect", "failure", "unvisited")
        kinds = self.random.choices(known, (20, 1, 1, 2), k=len(visit.requests))
        for front in self.both:
            series = front.series.get(visit.address)
            batch = series.batch if series else 0
            for request, kind in zip(visit.requests, kinds, strict=True):
                if request.purpose is Purpose.ROBOTS:
                    front.robots(RobotsFile(visit.domain, request.path, 200, text, 0.1), batch, self.now)
                elif kind == "document":
                    url = join(visit.domain, request.path)
                    front.fetched(document(url, *links, usability=0.8), batch, self.now)
                elif kind == "redirect":
                    redirect = Redirect(visit.domain, request.path, links[0], 301, 0.1)
                    front.redirected(redirect, batch, self.now)
                elif kind == "failure":
                    failure = Failure(visit.domain, request.path, Trouble.TIMED_OUT)
                    front.failed(failure, batch, self.now)
                else:
                    front.unvisited(Unvisited(visit.domain, [request.path]), batch, self.now)

    def end(self) -> None:
        """Series that are answered end; others are topped up."""
        topped_up = []
        for front in self.both:
            addresses = sorted(front.series)
            topped_up.append([front.top_up(address, self.now) for address in addresses])
            for address in addresses:
                if front.is_answered(address):
                    front.close(address, self.now)
        assert topped_up[0] == topped_up[1]
        self.out += [visit for visits in topped_up[0] for visit in visits]

    def order(self) -> None:
        verb, name = self.random.choice([verb for verb in VERBS if verb != "add"]), self.random.choice(NAMES)
        assert len({str(Task(front, verb, [name]).go_on(self.now)) for front in self.both}) == 1

    def keep(self) -> None:
        for front in self.both:
            keep(front, self.now)

    def wait(self) -> None:
        self.now += self.random.choices((1, 10, PAUSE, RESOLVED_FOR), (5, 5, 40, 1))[0]
        for front in self.both:
            front.pass_time(self.now)


def test_no_history_makes_what_is_dealt_differ(tmp_path: Path) -> None:
    """A plan is carried out only where it says what would be decided without it."""
    planned = 0
    for seed in range(8):
        history = History(tmp_path / str(seed), seed)
        for _ in range(400):
            history.step()
        planned += history.planned
        totals = [
            (front.links.queued_count, front.links.leased_count, front.links.parked_count, front.links.fates)
            for front in history.both
        ]
        assert totals[0] == totals[1]
    assert planned > 10
