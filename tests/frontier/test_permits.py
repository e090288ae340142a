"""Permits: what each door's robots.txt allows, and how we come to know it."""

import pytest

from txtr.frontier import permits as permits_module
from txtr.frontier.permits import MOST_TRIES, Door, Learned, Permits, SendFor
from txtr.manners.robots import ALLOW_ALL, FRESH, MOST_HOPS
from txtr.model import RobotsFile
from txtr.store.values import decode, encode

NO = "User-agent: *\nDisallow: /private"


def file(
    domain: str, path: str = "/robots.txt", status: int = 200, text: str = "", target: str = ""
) -> RobotsFile:
    return RobotsFile(domain, path, status, text, 0.1, target)


def test_a_door_whose_file_was_never_seen_has_no_rules() -> None:
    """Spec 2: robots.txt is obeyed without exception, so it comes first."""
    permits = Permits("texttractor")
    assert permits.rules("a.cz", "", now=0) is None
    assert permits.ask("a.cz", "") == SendFor("a.cz", "/robots.txt")
    assert permits.door("a.cz", "").is_asked
    assert permits.rules("a.cz", "", now=0) is None


def test_each_door_has_a_file_of_its_own() -> None:
    """RFC 9309 2.3: rules hold for one scheme, host and port."""
    permits = Permits("texttractor")
    assert permits.ask("a.cz", "s") == SendFor("a.cz", "s/robots.txt")
    assert permits.ask("a.cz", "s:8443") == SendFor("a.cz", "s:8443/robots.txt")
    assert permits.arrived(file("a.cz", "s/robots.txt", text=NO), now=0) == [Learned("a.cz", "s", True)]
    rules = permits.rules("a.cz", "s", now=1)
    assert rules is not None
    assert not rules.may_fetch("/private/x")
    assert permits.rules("a.cz", "s:8443", now=1) is None


def test_rules_are_believed_for_a_day() -> None:
    """RFC 9309 2.4: not longer than 24 hours."""
    permits = Permits("texttractor")
    permits.ask("a.cz", "")
    permits.arrived(file("a.cz", text=NO), now=0)
    assert permits.rules("a.cz", "", FRESH - 1) is not None
    assert permits.rules("a.cz", "", FRESH) is None
    assert not permits.door("a.cz", "").is_asked  # so it will be


def test_it_shows_when_refreshed_rules_read_differently() -> None:
    """RFC 9309 2.4 and the issue: what is queued is checked again when the rules change."""
    permits = Permits("texttractor")
    for text, has_changed in ((NO, False), (NO + " # the same", False), ("User-agent: *\nAllow: /", True)):
        permits.ask("a.cz", "")
        assert permits.arrived(file("a.cz", text=text), now=0) == [Learned("a.cz", "", True, has_changed)]


@pytest.mark.parametrize("status,may", [(404, True), (403, True), (204, True)])
def test_a_file_that_is_not_there_forbids_nothing(status: int, may: bool) -> None:
    """RFC 9309 2.3.1.3: unavailable means allowed."""
    permits = Permits("texttractor")
    permits.ask("a.cz", "")
    assert permits.arrived(file("a.cz", status=status), now=0) == [Learned("a.cz", "", True)]
    rules = permits.rules("a.cz", "", now=1)
    assert rules is not None
    assert rules.may_fetch("/private/x") is may


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_file_that_cannot_be_reached_forbids_everything_for_a_day(status: int) -> None:
    """RFC 9309 2.3.1.4: unreachable means disallowed, after a few attempts."""
    permits = Permits("texttractor")
    for attempt in range(MOST_TRIES):
        permits.ask("a.cz", "")
        (learned,) = permits.arrived(file("a.cz", status=status), now=0)
        assert learned == Learned("a.cz", "", is_known=attempt == MOST_TRIES - 1)
    rules = permits.rules("a.cz", "", now=1)
    assert rules is not None
    assert not rules.may_fetch("/")
    permits.ask("a.cz", "")  # a day later
    assert permits.arrived(file("a.cz"), now=FRESH) == [Learned("a.cz", "", True, has_changed=True)]


def test_a_redirect_is_followed_to_another_domain() -> None:
    """RFC 9309 2.3.1.2: the rules at the end are those of the first."""
    permits = Permits("texttractor")
    permits.ask("a.cz", "")
    assert permits.arrived(file("a.cz", status=301, target="https://b.cz/x.txt"), now=0) == [
        SendFor("b.cz", "s/x.txt")
    ]
    assert permits.arrived(file("b.cz", "s/x.txt", text=NO), now=0) == [Learned("a.cz", "", True)]
    assert permits.rules("b.cz", "s", now=1) is None  # x.txt is not b.cz's own robots.txt


def test_a_file_that_many_wait_for_is_sent_for_once() -> None:
    """Spec 2: a hoster with ten thousand domains must not get ten thousand requests."""
    permits = Permits("texttractor")
    for name in ("a.cz", "b.cz"):
        permits.ask(name, "")
        steps = permits.arrived(file(name, status=301, target="http://c.cz/robots.txt"), now=0)
        assert steps == ([SendFor("c.cz", "/robots.txt")] if name == "a.cz" else [])
    assert permits.ask("c.cz", "") is None
    learned = permits.arrived(file("c.cz", text=NO), now=0)
    assert [step.domain for step in learned] == ["a.cz", "b.cz", "c.cz"]
    permits.ask("d.cz", "")
    assert permits.arrived(file("d.cz", status=301, target="http://c.cz/robots.txt"), now=0) == [
        Learned("d.cz", "", True)  # without asking c.cz again
    ]


def test_a_circle_of_redirects_counts_as_no_file() -> None:
    """RFC 9309 2.3.1.2: unavailable; and no file is asked for twice on the way."""
    permits = Permits("texttractor")
    permits.ask("a.cz", "")
    assert permits.arrived(file("a.cz", status=302, target="http://b.cz/robots.txt"), now=0) == [
        SendFor("b.cz", "/robots.txt")
    ]
    assert permits.arrived(file("b.cz", status=302, target="http://a.cz/robots.txt"), now=0) == [
        Learned("a.cz", "", True)
    ]
    assert not permits.waiting


def test_a_long_way_of_redirects_counts_as_no_file() -> None:
    """RFC 9309 2.3.1.2: after five hops the file may be taken for unavailable."""
    permits = Permits("texttractor")
    permits.ask("0.cz", "")
    for hop in range(MOST_HOPS):
        target = f"http://{hop + 1}.cz/robots.txt"
        assert permits.arrived(file(f"{hop}.cz", status=302, target=target), now=0) == [
            SendFor(f"{hop + 1}.cz", "/robots.txt")
        ]
    last = file(f"{MOST_HOPS}.cz", status=302, target="http://far.cz/robots.txt")
    assert permits.arrived(last, now=0) == [Learned("0.cz", "", True)]
    assert not permits.waiting


def test_a_file_nobody_asked_for_teaches_nothing() -> None:
    """Spec 6: a late or repeated report harms nobody."""
    permits = Permits("texttractor")
    assert permits.arrived(file("a.cz", text=NO), now=0) == []
    assert permits.unreachable("a.cz", "/robots.txt", now=0) == []
    assert permits.rules("a.cz", "", now=0) is None


def test_the_longest_crawl_delay_of_all_doors_counts() -> None:
    """The issue: http and https, and all ports, of one domain are one domain for manners."""
    permits = Permits("texttractor")
    for path, seconds in (("/robots.txt", 5), ("s/robots.txt", 20)):
        permits.ask("a.cz", path.removesuffix("/robots.txt"))
        permits.arrived(file("a.cz", path, text=f"User-agent: *\nCrawl-delay: {seconds}"), now=0)
    assert permits.crawl_delay("a.cz") == 20
    permits.ask("a.cz", "s")
    permits.arrived(file("a.cz", "s/robots.txt"), now=FRESH)
    assert permits.crawl_delay("a.cz") == 5
    assert permits.crawl_delay("b.cz") is None


@pytest.mark.parametrize("target", ["http://a.cz/", "http://victim.cz/private/delete?id=7"])
def test_a_redirect_to_a_page_is_no_robots_file(target: str) -> None:
    """Found by review: pages were fetched in its place, forbidden ones and some twice."""
    permits = Permits("texttractor")
    permits.ask("a.cz", "")
    (learned,) = permits.arrived(RobotsFile("a.cz", "/robots.txt", 302, "", 0.1, target), 0.0)
    assert isinstance(learned, Learned) and learned.is_known
    assert permits.rules("a.cz", "", 1.0) is ALLOW_ALL


def test_the_bytes_of_rules_are_counted() -> None:
    """Whatever comes and goes."""
    permits = Permits("texttractor")
    for name in ("a.cz", "b.cz"):
        permits.ask(name, "")
        permits.arrived(file(name, text=NO), now=0)
    both = permits.size_bytes
    permits.ask("a.cz", "")
    permits.arrived(file("a.cz", text=NO + "\nDisallow: /x"), now=1)
    assert permits.size_bytes > both > 0
    for name in ("a.cz", "b.cz"):
        permits.put_away(name)
    assert permits.size_bytes == 0


def learned_long_rules(permits: Permits, name: str) -> None:
    rules = "".join(f"Disallow: /{name}/{number}\n" for number in range(1000))
    permits.ask(name, "")
    permits.arrived(file(name, text=f"User-agent: *\nCrawl-delay: 7\n{rules}"), now=0)


def test_rules_that_are_too_large_together_are_put_away_though_they_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Found by an attack: two thousand subdomains with 11 MB of rules each would have taken 22 GB."""
    monkeypatch.setattr(permits_module, "MOST_BYTES", 50_000)
    permits = Permits("texttractor")
    for number in range(10):
        learned_long_rules(permits, f"{number}.cz")
    permits.tidy(100, now=1, is_needed=lambda name: True)
    assert 0 < permits.size_bytes <= 50_000
    assert permits.is_at_hand("9.cz") and not permits.is_at_hand("0.cz")


def test_of_a_door_that_sleeps_too_large_rules_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays at hand and is asked for its file when it wakes up; its delay is remembered."""
    monkeypatch.setattr(permits_module, "MOST_BYTES", 10_000)
    permits = Permits("texttractor")
    learned_long_rules(permits, "a.cz")
    permits.door("a.cz", "").asleep_until = 100.0
    permits.tidy(100, now=1, is_needed=lambda name: True)
    assert permits.size_bytes < 100 and permits.is_at_hand("a.cz")
    assert permits.rules("a.cz", "", now=1) is None
    assert permits.crawl_delay("a.cz") == 7
    assert permits.door("a.cz", "").rules.crawl_delay == 7


def test_rules_of_an_earlier_version_are_asked_for_anew() -> None:
    """A state in which rules were objects goes on; nothing is allowed or forbidden by what it says."""
    earlier = {"rules": {"plain": {}, "wild": []}, "expires": 2e9, "status": 200, "troubles": 2}
    door = decode(encode(earlier), Door)
    assert (door.fresh(now=0), door.status, door.troubles) == (None, 200, 2)
    door.rules, door.expires = ALLOW_ALL, 2e9
    assert decode(encode(door), Door) == door
