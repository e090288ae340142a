"""Domains with nothing to do are put away, and come back as they were. Only the disk remembers them."""

from copy import deepcopy
from pathlib import Path

import pytest

from tests.frontier.test_frontier import RULES, admit, deal, document, learn, paths, settle
from txtr.frontier import state
from txtr.frontier.frontier import Frontier
from txtr.gate import Gate
from txtr.model import Document, Failure, Trouble
from txtr.store import domains as homes_on_disk
from txtr.store import store
from txtr.store.store import Store
from txtr.urls import split

PRIVATE = "User-agent: *\nCrawl-delay: 2.5\nDisallow: /private"


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk forgets."""


@pytest.fixture(autouse=True)
def _nobody_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MOST_IDLE", 0)
    monkeypatch.setattr(state, "MOST_AT_HAND", 0)
    monkeypatch.setattr(homes_on_disk, "MOST_LOOKED_AT", 0)


class Kept:
    """A frontier and its store."""

    def __init__(self, directory: Path, is_judging: bool = True) -> None:
        self.store = Store(directory)
        gate = Gate(".*", "^$", 0)
        self.front = Frontier(
            RULES, gate, "texttractor", is_judging=is_judging, links=self.store.links, archive=self.store
        )
        self.front.epoch = 1e9
        self.store.begin(self.front, 0)

    def keep(self, now: float) -> None:
        self.store.write(self.front, now)
        self.store.commit()
        self.front.put_away(now)

    def again(self) -> "Kept":
        """After a restart."""
        self.store.close()
        return Kept(self.store.path.parent)

    def crawl(self, *urls: str, text: str = "", now: float = 0.0, address: str = "192.0.2.1") -> None:
        """One series, from the links to the pause; every document takes longer than the one before."""
        admit(self.front, *urls, now=now)
        settle(self.front, now, address)
        deal(self.front, batch=1, now=now)
        for url in urls:
            learn(self.front, split(url)[0], now=now, text=text)
        dealt = self.front.top_up(address, now)
        for visit in dealt:
            for took, path in enumerate(paths([visit]), 1):
                page = Document(visit.domain, path, "kept", 0.5, 200, 1000, float(took), text_bytes=9)
                self.front.fetched(page, 1, now)
        self.front.close(address, now)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_an_idle_domain_is_put_away_and_comes_back_as_it_was(kept: Kept) -> None:
    """Idle domains cost (almost) nothing. Their manners, troubles and trial are not lost."""
    kept.crawl("http://a.cz/1", "http://a.cz/2", text=PRIVATE)
    before = deepcopy(kept.front.domains.domains["a.cz"])
    before.troubles = kept.front.domains.domains["a.cz"].troubles = 2
    rules = deepcopy(kept.front.permits.doors["a.cz"])
    kept.keep(now=1)
    assert len(kept.front.domains) == 0
    assert not kept.front.permits.is_at_hand("a.cz")
    assert kept.front.known("a.cz") == before
    assert dict(kept.front.permits.doors_of("a.cz")) == rules
    assert kept.front.permits.crawl_delay("a.cz") == 2.5


def test_whoever_comes_back_is_dealt_by_the_rules_we_know(kept: Kept) -> None:
    """RFC 9309 2.4: within a day robots.txt is not fetched again, and it binds all the same."""
    kept.crawl("http://a.cz/1", text=PRIVATE)
    kept.keep(now=1)
    kept.front.pass_time(100)
    kept.keep(now=100)
    assert len(kept.front.addresses.states) == 0
    assert admit(kept.front, "http://a.cz/1", "http://a.cz/private", "http://a.cz/public", now=100) == 2
    assert paths(deal(kept.front, batch=2, now=100)) == ["/public"]


def test_memory_does_not_grow_with_the_domains_we_are_done_with(kept: Kept) -> None:
    """Memory grows with domains and addresses that are in use."""
    front, links = kept.front, kept.store.links
    for number in range(60):
        url = f"http://a{number}.cz/"
        kept.crawl(url, now=100 * number, address=f"192.0.2.{number}")
        front.admit([], now=100 * number)
        kept.keep(now=100 * number)
        assert front.known(f"a{number // 2}.cz") is not None
        front.pass_time(100 * number + 99)
        kept.keep(now=100 * number + 99)
        in_use = (front.domains.domains, front.addresses.states, front.addresses.rings)
        known = (front.permits.doors, front.permits.crawl_delays, links.homes, links.backlogs.numbers)
        assert [len(some) for some in (*in_use, *known)] == [0] * 7
    assert kept.store.links.fates["kept"] == 60


def test_links_to_domains_that_we_are_done_with_leave_nothing_behind(kept: Kept) -> None:
    """Most links of a page are known: to look them up takes no memory for long."""
    for number in range(5):
        kept.crawl(f"http://a{number}.cz/", now=100 * number, address=f"192.0.2.{number}")
    kept.front.pass_time(1000)
    kept.keep(now=1000)
    admit(kept.front, *(f"http://a{number}.cz/" for number in range(5)), now=1000)
    assert len(kept.store.links.homes) == 5
    kept.keep(now=1001)
    assert len(kept.store.links.homes) == 0


def test_whoever_is_busy_stays(kept: Kept) -> None:
    """Queued, being resolved, in a series, or asleep: all that is somebody's business."""
    admit(kept.front, "http://queued.cz/", "http://active.cz/", "http://asleep.cz/")
    settle(kept.front)
    admit(kept.front, "http://new.cz/")
    assert len(deal(kept.front, batch=1, now=0)) == RULES.max_hosts
    kept.front.failed(Failure("queued.cz", "/robots.txt", Trouble.TIMED_OUT), 1, 0)
    kept.keep(now=0)
    assert len(kept.front.domains) == 4
    assert kept.front.permits.is_at_hand("active.cz")  # its robots.txt was sent for


def test_a_door_that_sleeps_is_not_forgotten(kept: Kept) -> None:
    """Nobody would wake it up."""
    kept.crawl("http://a.cz/1")
    domain = kept.front.domain("a.cz")
    kept.front.put_door_to_sleep(domain, "s", 500.0)
    kept.keep(now=1)
    assert kept.front.domains.next_wake() == 500.0
    again = kept.again()
    assert again.front.known("a.cz") is not None
    assert again.front.permits.door("a.cz", "s").asleep_until > 400.0
    assert again.front.domains.next_wake() == 500.0


def test_what_is_parked_stays_parked(tmp_path: Path) -> None:
    """An abandoned domain is idle, whatever is queued for it; and can be brought back."""
    kept = Kept(tmp_path)
    kept.crawl("http://a.cz/1")
    admit(kept.front, "http://a.cz/2", "http://a.cz/3", now=1)
    kept.front.trials._abandon(kept.front.domain("a.cz"), 1)
    kept.keep(now=1)
    assert "a.cz" not in kept.store.links.homes
    assert (kept.store.links.queued_count, kept.store.links.parked_count) == (0, 2)
    assert kept.store.links.is_parked("a.cz")
    kept.front.trials.bring_back("a", 2)
    assert (kept.store.links.queued_count, kept.store.links.parked_count) == (2, 0)


def test_whatever_happens_to_a_domain_is_written_down(kept: Kept) -> None:
    """Politeness state is part of the state."""
    front = kept.front
    kept.crawl("http://a.cz/1", "http://b.cz/1", text=PRIVATE)
    admit(front, "http://a.cz/2", "http://b.cz/2", now=50)
    deal(front, batch=2, now=50)
    front.failed(Failure("a.cz", "/2", Trouble.BUSY, retry_after=900.0), 2, 50)
    front.fetched(document("http://b.cz/2", took=9.0), 2, 50)
    front.close("192.0.2.1", 60)
    before = {name: (front.domain(name), front.permits.doors_of(name)) for name in ("a.cz", "b.cz")}
    kept.keep(now=60)
    again = kept.again()
    for name, (domain, doors) in before.items():
        assert again.front.known(name) == domain
        assert again.front.permits.doors_of(name) == doors


def test_a_start_looks_at_a_few_domains_at_a_time_however_many_have_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them were passed in one go until enough were found: 0.2 s for each million, if all is cached."""
    monkeypatch.setattr(store, "ROWS_AT_ONCE", 10, raising=False)
    kept = Kept(tmp_path)
    kept.crawl(*(f"http://d{number}.cz/" for number in range(RULES.max_hosts)))
    for number in range(30):
        kept.store.links.homes.move_in(f"idle{number}.cz")
    admit(kept.front, "http://late.cz/")
    kept.keep(0)
    kept = kept.again()
    portions = 1
    while kept.store.take_up(kept.front, 0):
        portions += 1
    assert portions == 4
    assert "late.cz" in kept.front.domains.new
