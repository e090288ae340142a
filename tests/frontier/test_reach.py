"""Whatever is queued can still be reached, whatever has happened: restarts, orders, domains put away.

A random history asks after every step: is each domain that has something to do in its address's ring, or
asleep until a date that `pass_time` looks at, or parked for a reason that may end? Then it is crawled to its
end.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.frontier.test_frontier import HERE, RULES, admit, deal, learn, paths, settle
from txtr.frontier import state
from txtr.frontier.addresses import State
from txtr.frontier.domains import Domain
from txtr.frontier.frontier import Frontier
from txtr.frontier.orders import VERBS, Task
from txtr.gate import Gate
from txtr.model import (
    Document,
    Failure,
    Link,
    Purpose,
    Redirect,
    Request,
    Resolution,
    RobotsFile,
    Trouble,
    Unvisited,
    Visit,
)
from txtr.store import domains as homes_on_disk
from txtr.store.store import Store
from txtr.urls import join, split

NAMES = [f"{letter}.cz" for letter in "abcdefgh"]
ADDRESSES = [f"192.0.2.{number}" for number in range(4)]
DOORS = ("", "s", ":81")
TEXTS = ("", "User-agent: *\nDisallow: /1", "User-agent: *\nCrawl-delay: 100", "User-agent: *\nDisallow: /")
ALL, SOME = (".*", "^$"), ("[a-f]", "a")  # include and exclude
STEPS = 400
MOST_ROUNDS = 6000  # to the end of a history


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk forgets, and is started again."""


@pytest.fixture(autouse=True)
def _hurried_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("txtr.store.store.SYNCHRONOUS", "OFF")


@pytest.fixture(params=(0, 2, 10_000))
def _most_idle(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many stay in memory who have nothing to do."""
    monkeypatch.setattr(state, "MOST_IDLE", request.param)
    monkeypatch.setattr(state, "MOST_AT_HAND", request.param)
    monkeypatch.setattr(homes_on_disk, "MOST_LOOKED_AT", request.param)


class Run:
    """A frontier on disk from its start until it is stopped, or killed."""

    def __init__(self, directory: Path, limits: tuple[str, str] = ALL, now: float = 0.0) -> None:
        directory.mkdir(exist_ok=True)
        self.directory = directory
        self.store = Store(directory)
        self.front = Frontier(
            RULES, Gate(*limits, 0), "texttractor", links=self.store.links, archive=self.store
        )
        self.front.epoch = 1e9
        self.store.begin(self.front, now)
        while self.store.take_up(self.front, now):
            pass

    def keep(self, now: float, is_urgent: bool = True) -> None:
        self.store.note(self.front, now)
        if self.store.put_down(now, is_urgent):
            self.front.put_away(now)

    def again(self, limits: tuple[str, str] = ALL, now: float = 0.0) -> "Run":
        self.keep(now)
        self.store.close()
        return Run(self.directory, limits, now)

    def after_a_crash(self, limits: tuple[str, str], now: float) -> "Run":
        """What is put down is all that is left."""
        self.keep(now, is_urgent=False)
        copy = self.directory.with_name(f"{self.directory.name}-")
        shutil.copytree(self.directory, copy)
        self.end()
        return Run(copy, limits, now)

    def end(self) -> None:
        self.store.journal.close()
        self.store.connection.close()


@contextmanager
def running(directory: Path) -> Iterator[Frontier]:
    """A state in which a.cz takes part in series 1, with one page under way."""
    first = Run(directory)
    admit(first.front, "http://a.cz/1")
    settle(first.front)
    deal(first.front, batch=1, now=0)
    learn(first.front, "a.cz")
    assert paths(first.front.top_up(HERE, 0)) == ["/1"]
    yield first.front
    first.keep(0)
    first.store.close()


def test_links_to_a_domain_that_was_excluded_once_are_dealt(tmp_path: Path) -> None:
    """Its last page was under way then: nothing was queued, and nobody let it in again in the next run."""
    with running(tmp_path):
        pass
    second = Run(tmp_path, SOME)
    second.front.fetched(Document("a.cz", "/1", "kept", 1.0, 200, 100, 0.1), 1, 1)
    second.front.close(HERE, 1)
    second.keep(1)
    third = second.again(now=100)
    assert admit(third.front, "http://a.cz/2", now=100) == 1
    assert not third.front.is_finished()
    assert paths(deal(third.front, batch=2, now=100)) == ["/2"]


def test_a_series_goes_on_although_somebody_in_it_is_excluded_now(tmp_path: Path) -> None:
    """Whoever takes part is looked at when the others are asked for more."""
    with running(tmp_path) as front:
        admit(front, "http://b.cz/1")
        settle(front)
        front.top_up(HERE, 0)
    second = Run(tmp_path, SOME)
    learn(second.front, "b.cz")
    assert paths(second.front.top_up(HERE, 1)) == ["/1"]


def test_a_robots_file_that_is_under_way_is_not_asked_for_again_after_a_crash(tmp_path: Path) -> None:
    """Two answers could not be told apart: the series would end while one of them is under way."""
    sent_elsewhere = RobotsFile("b.cz", "/robots.txt", 301, "", 0.1, "http://a.cz/of-b/robots.txt")
    with running(tmp_path) as front:
        admit(front, "http://b.cz/1")
        settle(front)
        front.top_up(HERE, 0)
        front.robots(sent_elsewhere, 1, 0)
        assert paths(front.top_up(HERE, 0)) == ["/of-b/robots.txt"]
    second = Run(tmp_path)
    assert second.front.top_up(HERE, 1) == []
    admit(second.front, "https://a.cz/2", now=1)
    assert paths(second.front.top_up(HERE, 1)) == ["s/robots.txt"]
    second.front.robots(RobotsFile("a.cz", "s/robots.txt", 301, "", 0.1, sent_elsewhere.target), 1, 1)
    assert second.front.top_up(HERE, 1) == []
    second.front.robots(RobotsFile("a.cz", "/of-b/robots.txt", 200, "", 0.1), 1, 1)
    assert paths(second.front.top_up(HERE, 1)) == ["s/2"]


def test_a_robots_file_that_nobody_remembers_is_not_asked_for_again(tmp_path: Path) -> None:
    """It was under way before the crash, and comes back unvisited."""
    with running(tmp_path) as front:
        admit(front, "http://b.cz/1")
        settle(front)
        front.top_up(HERE, 0)
        front.robots(RobotsFile("b.cz", "/robots.txt", 301, "", 0.1, "http://a.cz/x/robots.txt"), 1, 0)
        front.top_up(HERE, 0)
    second = Run(tmp_path)
    second.front.unvisited(Unvisited("a.cz", ["/x/robots.txt"]), 1, 1)
    assert second.front.known("a.cz") is not None
    assert second.front.domain("a.cz").errands == []
    assert second.front.permits.waiting.keys() == set()


def test_a_domain_that_sleeps_longer_than_its_door_is_dealt_when_it_wakes(tmp_path: Path) -> None:
    """Its door wakes it in vain, so it is idle by name; it has work, and is not put away."""
    run = Run(tmp_path)
    admit(run.front, "http://a.cz/1")
    settle(run.front)
    domain = run.front.domain("a.cz")
    run.front.put_door_to_sleep(domain, "", 100)
    run.front.domains.put_to_sleep(domain, 200)
    run.front.refresh(domain, 0)
    run.front.pass_time(150)
    assert "a.cz" in run.front.idle
    assert run.front.has_work(domain, 150)
    run.keep(150)
    assert paths(deal(run.front, batch=1, now=200)) == ["/robots.txt"]


class History:
    """Whatever can happen. Everything is drawn from one seed."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.random = Random(seed)
        self.now = 1000.0
        self.run = Run(directory / "state", now=self.now)
        self.batch = 0
        self.out: list[tuple[int, Visit]] = []  # with harvesters
        self.names: dict[int, list[str]] = {}  # being resolved
        self.is_well = False  # from now on everybody answers

    @property
    def front(self) -> Frontier:
        return self.run.front

    def step(self) -> None:
        steps = {
            self.find: 3.0,
            self.hand_names: 3.0,
            self.resolve: 3.0,
            self.deal: 5.0,
            self.answer: 12.0,
            self.top_up: 3.0,
            self.give_up: 0.3,
            self.order: 0.6,
            self.abandon: 0.1,
            self.look_ahead: 4.0,
            self.wait: 5.0,
            self.keep: 6.0,
            self.restart: 0.3,
        }
        self.random.choices(list(steps), list(steps.values()))[0]()
        self.front.pass_time(self.now)
        self.front.events.clear()

    # --- links and names

    def url(self) -> str:
        behind = self.random.choices(DOORS, (10, 2, 1))[0]
        return join(self.random.choice(NAMES), f"{behind}/{self.random.randrange(60)}")

    def find(self) -> None:
        usability, depth = self.random.choice((1.0, 1.0, 0.3, 0.0)), self.random.randrange(4)
        number = self.random.randrange(1, 6)
        self.front.admit([Link(*split(self.url()), depth, usability) for _ in range(number)], self.now)

    def hand_names(self) -> None:
        self.batch += 1
        names = self.front.new_domains(self.random.randrange(1, 5), self.batch)
        if names:
            self.names[self.batch] = names

    def resolve(self) -> None:
        if not self.names:
            return
        batch = self.random.choice(list(self.names))
        for name in self.names.pop(batch):
            at_home, anywhere = ADDRESSES[NAMES.index(name) % 4], self.random.choice(ADDRESSES)
            outcomes = (
                Resolution(name, [at_home]),
                Resolution(name, [anywhere]),
                Resolution(name, trouble=Trouble.DNS),
                Resolution(name, trouble=Trouble.NO_SUCH_DOMAIN),
                None,
            )
            outcome = self.random.choices(outcomes, (1, 0, 0, 0, 0) if self.is_well else (20, 5, 2, 1, 1))[0]
            if outcome is not None:
                self.front.resolved(outcome, self.now)
        self.front.ask_again(batch)

    # --- requests and answers

    def deal(self) -> None:
        self.batch += 1
        most, drawn = self.random.randrange(1, 4), self.random.randrange(1, 6)
        visits = islice(self.front.visits(self.batch, most, self.now), drawn)
        self.out += [(self.batch, visit) for visit in visits]

    def answer(self) -> None:
        if not self.out:
            return
        batch, visit = self.out.pop(self.random.randrange(len(self.out)))
        is_bad = not self.is_well and self.random.random() < 0.2
        for request in visit.requests:
            if request.purpose is Purpose.ROBOTS:
                self._answer_robots(batch, visit.domain, request)
            else:
                self._answer_page(batch, visit.domain, request, is_bad)
        self._go_on(visit.address, batch)

    def _answer_robots(self, batch: int, domain: str, request: Request) -> None:
        path, front, now = request.path, self.front, self.now
        elsewhere = join(
            self.random.choice(NAMES),
            self.random.choice(DOORS) + self.random.choice(("", "/x")) + "/robots.txt",
        )
        wait = self.random.choice((None, 500.0, 1e6))
        match self.random.choices(range(6), (1, 0, 0, 0, 0, 0) if self.is_well else (10, 3, 2, 4, 2, 1))[0]:
            case 0:
                front.robots(RobotsFile(domain, path, 200, self.random.choice(TEXTS), 0.1), batch, now)
            case 1:
                front.robots(RobotsFile(domain, path, 404, "", 0.1), batch, now)
            case 2:
                front.robots(RobotsFile(domain, path, 503, "", 0.1, retry_after=wait), batch, now)
            case 3:
                front.robots(RobotsFile(domain, path, 301, "", 0.1, elsewhere), batch, now)
            case 4:
                trouble = self.random.choice((Trouble.CONNECT, Trouble.TIMED_OUT, Trouble.NOT_HTTP))
                front.failed(Failure(domain, path, trouble), batch, now)
            case _:
                front.unvisited(Unvisited(domain, [path]), batch, now)

    def _answer_page(self, batch: int, domain: str, request: Request, is_bad: bool) -> None:
        path, front, now = request.path, self.front, self.now
        odds = (1, 0, 0, 0) if self.is_well else (0, 0, 5, 1) if is_bad else (10, 1, 2, 1)
        match self.random.choices(range(4), odds)[0]:
            case 0:
                links = [] if self.is_well else [self.url() for _ in range(self.random.randrange(3))]
                usability, size = self.random.choice((1.0, 0.3, 0.0)), self.random.choice((100, 10_000_000))
                fate, took = "kept" if usability else "rejected", self.random.choice((0.1, 5.0))
                page = Document(domain, path, fate, usability, 200, size, took, links=links, text_bytes=10)
                front.fetched(page, batch, now)
            case 1:
                front.redirected(Redirect(domain, path, self.url(), 301, 0.1), batch, now)
            case 2:
                wait = self.random.choice((None, None, 100.0, 1e6))
                trouble = self.random.choice(list(Trouble))
                front.failed(Failure(domain, path, trouble, retry_after=wait), batch, now)
            case _:
                front.unvisited(Unvisited(domain, [path]), batch, now)

    def _go_on(self, address: str, batch: int) -> None:
        series = self.front.series.get(address)
        if series is None or series.batch != batch:
            return
        if self.random.random() < 0.9:
            self.out += [(batch, visit) for visit in self.front.top_up(address, self.now)]
        if self.front.is_answered(address):
            self.front.close(address, self.now)

    def top_up(self) -> None:
        for address, series in list(self.front.series.items()):
            self._go_on(address, series.batch)

    def give_up(self) -> None:
        """A harvester has died; what it has done may still be told."""
        if self.front.series:
            gone = self.random.choice([series.batch for series in self.front.series.values()])
            self.front.give_up(gone, self.now)
            if self.random.random() < 0.5:
                self.out = [(batch, visit) for batch, visit in self.out if batch != gone]

    def give_all_up(self) -> None:
        for batch in {series.batch for series in self.front.series.values()} | self.names.keys():
            self.front.give_up(batch, self.now)
        self.out.clear()
        self.names.clear()

    # --- the user, the disk, and time

    def order(self) -> None:
        verb = self.random.choice([verb for verb in VERBS if verb != "add"])
        task = Task(self.front, verb, [self.random.choice(NAMES)])
        while not task.is_done:
            task.go_on(self.now)

    def abandon(self) -> None:
        domain = self.front.known(self.random.choice(NAMES))
        if domain is not None and domain.trial.documents and domain.name not in self.front.abandoned:
            self.front.trials._abandon(domain, self.now)

    def look_ahead(self) -> None:
        self.front.look_ahead(self.now)

    def keep(self) -> None:
        self.run.keep(self.now, is_urgent=self.random.random() < 0.5)

    def restart(self) -> None:
        limits = self.random.choice((ALL, SOME))
        restart = self.random.choice((self.run.again, self.run.after_a_crash))
        self.run = restart(limits, self.now)
        self.names.clear()
        if self.random.random() < 0.5:
            self.give_all_up()

    def wait(self) -> None:
        self.now += self.random.choices((0.1, 1, 31, 3601, 90_000, 250_000), (10, 10, 40, 4, 2, 1))[0]

    def finish(self) -> None:
        """The world is well, and nothing more is found."""
        self.is_well = True
        self.give_all_up()
        for _ in range(MOST_ROUNDS):
            if self.front.is_finished():
                return
            self.hand_names()
            while self.names:
                self.resolve()
            self.deal()
            while self.out:
                self.answer()
            self.top_up()
            if not self.front.series:
                self.now = max(self.now + 1, self.front.next_change() or 0)
            self.front.pass_time(self.now)
        pytest.fail(f"{self.front.links.queued_count} requests are queued for ever")


class Unreached:
    """What is queued and cannot be reached, domain by domain."""

    def __init__(self, run: Run, now: float) -> None:
        self.front, self.now = run.front, now
        self.backlogs, self.homes = run.store.links.backlogs, run.store.links.homes
        self.wakes: dict[str, float] = {}  # domain -> when it will be looked at for the last time
        for moment, name in self.front.domains.sleepers:
            self.wakes[name] = max(moment, self.wakes.get(name, moment))

    def complaints(self) -> list[str]:
        met = [name for name in NAMES if self.homes.known_number(name) is not None]
        return [*self._files(), *(f"{name}: {why}" for name in met for why in self._domain(name))]

    def _files(self) -> Iterator[str]:
        """Each robots.txt that somebody waits for is queued once, or under way once."""
        queued = [
            (name, path) for name, domain in self.front.domains.domains.items() for path in domain.errands
        ]
        out = [place for series in self.front.series.values() for place in series.errands]
        files = sorted([*queued, *out])
        yield from (f"{file} is fetched twice" for file in set(files) if files.count(file) > 1)
        yield from (
            f"{file} is fetched by nobody" for file in self.front.permits.waiting if file not in files
        )

    def _domain(self, name: str) -> Iterator[str]:
        is_at_home, doors = name in self.homes, self.front.links.doors(name)
        domain = self.front.domains.get(name)
        if domain is None:
            if doors:
                yield f"put away, and something is queued behind {doors}"
            yield from self._parked(name, Domain(name))
        else:
            yield from self._parked(name, domain)
            yield from self._at_work(domain)
            yield from (why for behind in doors for why in self._door(name, behind))
            yield from self._leased(name)
        if not is_at_home and domain is None:
            self.homes.forget(name)  # it was only looked at

    def _parked(self, name: str, domain: Domain) -> Iterator[str]:
        """For a reason that ends with an order, or by itself."""
        numbers = self.backlogs.numbers.get(name, {})
        is_closed = name in self.front.abandoned or bool(self.front.gate.domain_refusal(name))
        if is_closed and self.front.links.doors(name):
            yield "not parked"
        if name in self.backlogs.parked_domains and numbers and not is_closed and not self._ends(domain):
            yield "parked for nothing"
        for behind in self.backlogs.parked_doors.get(name, set()) & numbers.keys():
            door = self.front.permits.known(name, behind)
            if door is None or not door.given_up_until or self.wakes.get(name, 0.0) < door.given_up_until:
                yield f"parked behind {behind!r} for nothing"

    def _ends(self, domain: Domain) -> bool:
        return 0.0 < domain.given_up_until <= self.wakes.get(domain.name, 0.0)

    def _at_work(self, domain: Domain) -> Iterator[str]:
        front, name = self.front, domain.name
        is_asleep = domain.asleep_until > self.now
        rings = [address for address, ring in front.addresses.rings.items() if name in ring]
        if is_asleep and self.wakes.get(name, 0.0) < domain.asleep_until:
            yield "sleeps for ever"
        if domain.is_resolving and name not in front.domains.new and name not in front.asked_domains:
            yield "is resolved by nobody"
        if domain.is_resolving or is_asleep:
            if rings:
                yield f"may be dealt at {rings}"
        elif front.has_work(domain, self.now):
            if rings != [domain.address]:
                yield f"is at {domain.address}, and in the rings of {rings}"
            elif front.addresses.states[domain.address] is State.PROCESSED:
                yield "its address is processed"
            if name in front.idle:
                yield "may be put away"

    def _door(self, name: str, behind: str) -> Iterator[str]:
        door = self.front.permits.known(name, behind)
        if door is None:
            return
        if door.asleep_until > self.now and self.wakes.get(name, 0.0) < door.asleep_until:
            yield f"sleeps for ever behind {behind!r}"
        if door.is_asked and not any(
            (name, behind) in doors for doors in self.front.permits.waiting.values()
        ):
            yield f"waits for a robots.txt behind {behind!r}, which nobody knows"

    def _leased(self, name: str) -> Iterator[str]:
        series = self.front.series.values()
        held = {path for one in series for path in one.pages.get(name, ())}
        held |= {path for one in series for whose, path in one.repeats if whose == name}
        if lost := self.front.links.leased(name).keys() - held:
            yield f"{lost} leased by nobody"


@pytest.mark.usefixtures("_most_idle")
@pytest.mark.parametrize("seed", range(10))
def test_in_no_history_is_anything_out_of_reach(seed: int, tmp_path: Path) -> None:
    """What counts 1: nothing is lost, and the crawl comes to its end."""
    history = History(tmp_path, seed)
    for step in range(STEPS):
        history.step()
        assert Unreached(history.run, history.now).complaints() == [], f"after step {step}"
    history.finish()
    assert Unreached(history.run, history.now).complaints() == []
    history.run.end()
