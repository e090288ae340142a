"""The frontier: the only door. What it does with odd, late and hostile answers."""

from collections import Counter

import pytest
from msgspec.structs import replace

from txtr.frontier.addresses import State
from txtr.frontier.dealing import REFUSALS_AT_ONCE
from txtr.frontier.domains import RESOLVED_FOR
from txtr.frontier.frontier import Frontier
from txtr.frontier.ranks import DOUBTFUL, PROMISING
from txtr.frontier.records import Record
from txtr.frontier.ring import MOST_GAPS
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import (
    Document,
    Failure,
    Link,
    Purpose,
    Redirect,
    Resolution,
    RobotsFile,
    Trouble,
    Unvisited,
    Visit,
)
from txtr.urls import join, split

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
HERE = "192.0.2.1"
PAUSED = RULES.general_pause + 1  # seconds, after which whoever rested waits


def frontier(depth: int = 0, exclude: str = "^$", rules: Rules = RULES) -> Frontier:
    return Frontier(rules, Gate(".*", exclude, depth), "texttractor")


def admit(front: Frontier, *urls: str, now: float = 0.0) -> int:
    return front.admit([Link(*split(url), depth=0) for url in urls], now)


def settle(front: Frontier, now: float = 0.0, address: str = HERE) -> None:
    """All new domains turn out to be at this address."""
    for name in front.new_domains(10_000, batch=99):
        front.resolved(Resolution(name, [address]), now)


def deal(front: Frontier, batch: int, now: float) -> list[Visit]:
    front.pass_time(now)
    return list(front.visits(batch, 1000, now))


def learn(
    front: Frontier, domain: str, batch: int = 1, now: float = 0.0, text: str = "", door: str = ""
) -> None:
    front.robots(RobotsFile(domain, f"{door}/robots.txt", 200, text, 0.1), batch, now)


def known(*urls: str, text: str = "", rules: Rules = RULES) -> Frontier:
    """A frontier in which batch 1 has just asked for the robots.txt of these URLs' domains."""
    front = frontier(rules=rules)
    admit(front, *urls)
    settle(front)
    for visit in deal(front, batch=1, now=0):
        learn(front, visit.domain, text=text)
    return front


def paths(visits: list[Visit]) -> list[str]:
    return [request.path for visit in visits for request in visit.requests]


def document(url: str, *links: str, usability: float = 1.0, took: float = 0.1) -> Document:
    return Document(*split(url), "kept", usability, 200, 100, took, links=list(links))


def test_robots_comes_before_the_first_page() -> None:
    """Spec 2: a robots.txt request is a request like any other."""
    front = frontier()
    admit(front, "http://a.cz/x")
    settle(front)
    (visit,) = deal(front, batch=1, now=0)
    assert [(request.path, request.purpose) for request in visit.requests] == [
        ("/robots.txt", Purpose.ROBOTS)
    ]
    learn(front, "a.cz")
    assert paths(front.top_up(HERE, 1)) == ["/x"]


def test_robots_counts_towards_the_quota() -> None:
    """Spec 2: max-reqs is for all requests of a series."""
    front = known(*(f"http://a.cz/{number}" for number in range(10)))
    assert len(paths(front.top_up(HERE, 0))) == RULES.max_reqs - 1
    assert front.top_up(HERE, 0) == []


def test_links_are_checked_when_they_enter() -> None:
    """Spec 5: not downloaded, not queued."""
    front = known("http://a.cz/")
    front.top_up(HERE, 0)
    assert admit(front, "http://a.cz/", "http://a.cz/x", "http://a.cz/x") == 1
    front.fetched(document("http://a.cz/"), 1, 0)
    assert admit(front, "http://a.cz/", "http://a.cz/x") == 0


def test_links_are_checked_once_more_when_they_go_out() -> None:
    """Spec 5: in between, the rules may have become known."""
    front = frontier()
    admit(front, "http://a.cz/private", "http://a.cz/public")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz", text="User-agent: *\nDisallow: /private")
    assert paths(front.top_up(HERE, 0)) == ["/public"]
    assert "disallowed" in [event.what for event in front.events]
    assert admit(front, "http://a.cz/private") == 0


def test_a_thousand_disallowed_requests_do_not_hold_up_the_first_allowed() -> None:
    """REFUSALS_AT_ONCE bounds the work of one answer, and nothing is lost by it."""
    urls = [f"http://a.cz/no/{number}" for number in range(3 * REFUSALS_AT_ONCE)]
    front = frontier()
    admit(front, *urls, "http://a.cz/yes")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz", text="User-agent: *\nDisallow: /no")
    front.close(HERE, 0)
    assert paths(deal(front, batch=2, now=31)) == ["/yes"]
    assert (front.links.queued_count, front.links.leased_count) == (0, 1)


def test_depth_and_usability_come_from_the_parent() -> None:
    """Spec 4: clicks from a start page; each queued link remembers its parent's usability."""
    front = known("http://a.cz/")
    front.top_up(HERE, 0)
    front.fetched(document("http://a.cz/", "http://a.cz/x", usability=0.25), 1, 0)
    record = front.links.take("a.cz", "/x")
    assert record is not None
    assert (record.depth, record.usability) == (1, 0.25)


def test_what_a_link_says_of_its_language_counts_for_more_than_its_parent() -> None:
    """Hreflang and anchor text; a start page in a foreign language leads to the Czech one."""
    front = Frontier(RULES, Gate(".*", "^$", 0), "texttractor", ["cs"])
    admit(front, "http://a.cz/")
    settle(front)
    deal(front, batch=1, now=0)
    learn(front, "a.cz")
    front.top_up(HERE, 0)
    links = [f"http://a.cz/{number}" for number in range(4)]
    hints = {links[1]: "en", links[2]: "cs-CZ", links[3]: "klingon"}
    front.fetched(Document("a.cz", "/", "rejected", 0.0, 200, 100, 0.1, links=links, hints=hints), 1, 0)
    assert front.links.lease("a.cz", "", 9, worst=PROMISING) == ["/2"]
    assert front.links.lease("a.cz", "", 9, worst=DOUBTFUL) == []
    assert front.links.backlog("a.cz") == 3


def test_a_pages_links_reach_their_domains_and_doors_in_whatever_order_they_stand() -> None:
    """Spec 5: every link is queued under its domain; nonsense among them spoils nothing."""
    front = known("http://a.cz/")
    front.top_up(HERE, 0)
    found = (
        "http://a.cz/1",
        "http://a.cz.evil.cz/1",
        "nonsense",
        "https://a.cz/1",
        "http://a.cz:81/1",
        "http://b.cz/1",
        "https://x",
        "http://a.cz/2",
    )
    front.fetched(document("http://a.cz/", *found), 1, 0)
    assert sorted(front.links.doors("a.cz")) == ["", ":81", "s"]
    assert front.links.lease("a.cz", "", 9) == ["/1", "/2"]
    assert [front.links.backlog(name) for name in ("a.cz", "a.cz.evil.cz", "b.cz")] == [2, 1, 1]
    assert front.links.queued_count == 4


@pytest.mark.parametrize("first,second,links", [(0.0, 0.0, 0), (0.0, 0.5, 1), (0.5, 0.0, 1)])
def test_links_end_at_the_second_useless_document_in_a_row(first: float, second: float, links: int) -> None:
    """Spec 4: links are not followed from the second consecutive document with zero usability."""
    front = known("http://a.cz/")
    front.top_up(HERE, 0)
    front.fetched(document("http://a.cz/", "http://a.cz/1", usability=first), 1, 0)
    front.top_up(HERE, 0)
    front.fetched(document("http://a.cz/1", "http://a.cz/2", usability=second), 1, 0)
    assert front.links.queued_count == links


def test_both_addresses_of_a_redirect_are_dealt_with() -> None:
    """Spec 5: with redirects both addresses count as downloaded."""
    front = known("http://a.cz/old")
    front.top_up(HERE, 0)
    front.redirected(Redirect("a.cz", "/old", "http://a.cz/new", 301, 0.1), 1, 0)
    assert paths(front.top_up(HERE, 0)) == ["/new"]
    front.fetched(document("http://a.cz/new"), 1, 0)
    assert admit(front, "http://a.cz/old", "http://a.cz/new") == 0


def test_an_endless_chain_of_redirects_ends() -> None:
    """A hop costs no depth, so hops are counted."""
    front = known("http://a.cz/0", rules=Rules(req_delay=0, max_hosts=1, max_reqs=99, general_pause=0))
    hops = 0
    while requests := paths(front.top_up(HERE, 0)):
        hops += 1
        front.redirected(Redirect("a.cz", requests[0], f"http://a.cz/{hops}", 302, 0.1), 1, 0)
    assert hops == 11
    assert front.close(HERE, 0) is None
    assert front.is_finished()


# --- answers that are odd, late or hostile


@pytest.mark.parametrize("target", ["", "garbage", "http://", "://", "http:///x", "ftp://x"])
def test_a_redirect_to_nowhere_harms_nobody(target: str) -> None:
    """Spec 6: whatever a harvester reports, the queuekeeper goes on."""
    front = known("http://a.cz/")
    front.top_up(HERE, 0)
    front.redirected(Redirect("a.cz", "/", target, 301, 0.1), 1, 0)
    assert "" not in front.domains.domains
    assert front.links.knows("a.cz", "/")


@pytest.mark.parametrize("target", ["", "garbage", "http:///robots.txt"])
def test_a_robots_redirect_to_nowhere_harms_nobody(target: str) -> None:
    """RFC 9309: whatever the file holds, reading it never fails."""
    front = frontier()
    admit(front, "http://a.cz/")
    settle(front)
    deal(front, batch=1, now=0)
    front.robots(RobotsFile("a.cz", "/robots.txt", 301, "", 0.1, target), 1, 0)
    assert "" not in front.domains.domains
    assert front.is_answered(HERE)


def test_answers_about_what_nobody_asked_for_change_nothing() -> None:
    """Spec 6: a stranger's or a confused harvester's report is no harm."""
    front = known("http://a.cz/")
    before = (front.links.queued_count, front.addresses.counts(), front.links.fates.total())
    front.fetched(document("http://nobody.cz/", "http://spam.cz/"), 1, 0)
    front.fetched(document("http://a.cz/other", "http://spam.cz/"), 1, 0)
    front.redirected(Redirect("nobody.cz", "/", "http://spam.cz/", 301, 0.1), 1, 0)
    front.failed(Failure("nobody.cz", "/", Trouble.CONNECT), 1, 0)
    front.failed(Failure("a.cz", "/other", Trouble.CONNECT), 1, 0)
    front.robots(RobotsFile("nobody.cz", "/robots.txt", 200, "", 0.1), 1, 0)
    front.unvisited(Unvisited("nobody.cz", ["/", "/robots.txt"]), 1, 0)
    front.unvisited(Unvisited("a.cz", ["/other", ""]), 1, 0)
    front.resolved(Resolution("nobody.cz", ["192.0.2.9"]), 0)
    assert (front.links.queued_count, front.addresses.counts(), front.links.fates.total()) == before


def test_a_name_without_any_address_is_trouble() -> None:
    """A resolution with an empty list crashed the queuekeeper."""
    front = frontier()
    admit(front, "http://a.cz/")
    for name in front.new_domains(10, batch=1):
        front.resolved(Resolution(name, []), 0)
    domain = front.domains.domains["a.cz"]
    assert domain.asleep_until > 0
    front.pass_time(domain.asleep_until)
    assert front.new_domains(10, batch=2) == ["a.cz"]


def test_a_name_that_nobody_resolved_is_asked_again() -> None:
    """A batch of names that was answered in part left the crawl without an end."""
    front = frontier()
    admit(front, "http://a.cz/", "http://b.cz/")
    front.new_domains(10, batch=1)
    front.resolved(Resolution("a.cz", [HERE]), 0)
    front.ask_again(batch=1)
    assert front.new_domains(10, batch=2) == ["b.cz"]


def given_up_and_dealt_again() -> Frontier:
    """Batch 1 had /x and was given up; batch 2 has it now."""
    front = known("http://a.cz/x")
    assert paths(front.top_up(HERE, 0)) == ["/x"]
    front.give_up(1, now=0)
    assert paths(deal(front, batch=2, now=31)) == ["/x"]
    return front


def test_a_late_document_is_welcome_but_ends_no_other_series() -> None:
    """Another harvester is fetching that page: its address may not rest before it has ended."""
    front = given_up_and_dealt_again()
    front.fetched(document("http://a.cz/x", "http://a.cz/y"), 1, 32)
    assert front.links.knows("a.cz", "/x")
    assert not front.is_answered(HERE)
    front.fetched(document("http://a.cz/x", "http://a.cz/z"), 2, 33)
    assert front.is_answered(HERE)
    assert front.links.lease("a.cz", "", 9) == ["/y"]
    assert front.links.queued_count == 0


def test_a_late_failure_says_nothing_about_the_attempt_under_way() -> None:
    """Nor do late requests come back that somebody else has now."""
    front = given_up_and_dealt_again()
    front.failed(Failure("a.cz", "/x", Trouble.CONNECT), 1, 32)
    front.unvisited(Unvisited("a.cz", ["/x"]), 1, 32)
    assert not front.is_answered(HERE)
    assert front.links.leased("a.cz")["/x"].tries == 0


@pytest.mark.parametrize("trouble", [Trouble.SERVER_ERROR, Trouble.GONE])
def test_a_page_that_failed_here_and_arrives_late_from_there_is_a_document(trouble: Trouble) -> None:
    """Closing the series crashed: the page to repeat was no longer there."""
    front = given_up_and_dealt_again()
    front.failed(Failure("a.cz", "/x", trouble), 2, 32)
    front.fetched(document("http://a.cz/x"), 1, 33)
    front.close(HERE, 34)
    assert front.is_finished()


def test_a_page_that_arrived_late_and_fails_here_stays_a_document() -> None:
    """The other order of the same."""
    front = given_up_and_dealt_again()
    front.fetched(document("http://a.cz/x"), 1, 32)
    front.failed(Failure("a.cz", "/x", Trouble.SERVER_ERROR), 2, 33)
    front.close(HERE, 34)
    assert front.is_finished()
    assert front.links.fates == {"kept": 1}


def test_a_page_that_arrived_late_does_not_come_back() -> None:
    """The harvester that has it now dies."""
    front = given_up_and_dealt_again()
    front.fetched(document("http://a.cz/x"), 1, 32)
    front.give_up(2, now=33)
    assert front.is_finished()


def test_nobody_waits_for_a_domain_whose_last_request_turned_out_late_to_be_a_redirect() -> None:
    """Spec 6: what a batch that was given up has brought is settled, wherever its request is by now."""
    front = known("http://a.cz/x")
    front.top_up(HERE, 0)
    front.give_up(1, 0)
    front.pass_time(PAUSED)
    front.redirected(Redirect("a.cz", "/x", "http://b.cz/", 301, 0.1), 1, PAUSED)
    assert not front.addresses.rings[HERE]


def test_a_report_heard_twice_counts_once() -> None:
    """Spec 6: results are said again when a line was cut."""
    front = known("http://a.cz/x", "http://a.cz/y")
    front.top_up(HERE, 0)
    for _ in range(2):
        front.failed(Failure("a.cz", "/x", Trouble.SERVER_ERROR), 1, 0)
        front.fetched(document("http://a.cz/y", "http://a.cz/z"), 1, 0)
    assert front.links.leased("a.cz")["/x"].tries == 1
    front.close(HERE, 0)
    assert front.links.queued_count == 2


# --- domains in trouble


def test_a_domain_that_was_given_up_holds_nobody_up_and_loses_nothing() -> None:
    """What is queued for it, and what is found meanwhile, is tried again after a day."""
    front = known(*(f"http://a.cz/{number}" for number in range(3)))
    dealt = paths(front.top_up(HERE, 0))
    front.permits.door("a.cz", "").troubles = 2
    front.failed(Failure("a.cz", dealt[0], Trouble.CONNECT), 1, 0)
    front.unvisited(Unvisited("a.cz", dealt[1:]), 1, 0)
    front.close(HERE, 0)
    assert admit(front, "http://a.cz/new", now=1) == 1
    assert front.is_finished()
    assert front.links.parked_count == 4
    front.pass_time(25 * 3600)
    assert not front.is_finished()
    assert front.links.queued_count == 4


def test_a_robots_errand_of_a_domain_that_was_given_up_is_answered_for() -> None:
    """Others waited for that file, and the crawl had no end."""
    front = known(
        "http://a.cz/", "http://b.cz/", rules=Rules(req_delay=2, max_hosts=3, max_reqs=5, general_pause=30)
    )
    admit(front, "https://a.cz/")
    assert "s/robots.txt" in paths(front.top_up(HERE, 0))
    domain = front.domains.domains["a.cz"]
    domain.troubles = 5
    front.failed(Failure("a.cz", "/", Trouble.BUSY), 1, 0)
    front.unvisited(Unvisited("a.cz", ["s/robots.txt"]), 1, 0)
    assert not domain.errands
    assert not front.permits.waiting


def test_a_few_pages_that_stall_do_not_condemn_their_server() -> None:
    """Three pages in a row that timed out made the robot drop all others of the domain."""
    many = Rules(req_delay=2.0, max_hosts=2, max_reqs=50, general_pause=30.0)
    front = known(*(f"http://a.cz/stall{number}" for number in range(4)), "http://a.cz/fine", rules=many)
    dealt = paths(front.top_up(HERE, 0))
    now = 0.0
    for batch in range(1, 5):
        front.failed(Failure("a.cz", dealt[0], Trouble.TIMED_OUT), batch, now)
        front.unvisited(Unvisited("a.cz", dealt[1:]), batch, now)
        front.close(HERE, now)
        now = front.permits.door("a.cz", "").asleep_until + 1
        assert deal(front, batch + 1, now) == []  # it may have moved
        settle(front, now)
        dealt = paths(deal(front, batch + 1, now))
    assert dealt[0] == "/fine"


@pytest.mark.parametrize("wish", [float("nan"), float("-inf"), -5.0, 0.0, None])
def test_a_senseless_retry_after_is_no_excuse(wish: float | None) -> None:
    """Spec 2: the domain is left alone for at least our own time."""
    front = known("http://a.cz/x")
    front.top_up(HERE, 0)
    front.failed(Failure("a.cz", "/x", Trouble.BUSY, retry_after=wish), 1, 0)
    assert front.domains.domains["a.cz"].asleep_until == 2 * RULES.general_pause


def test_a_busy_robots_file_is_asked_for_again_when_the_server_says() -> None:
    """Spec 2, beyond: Retry-After holds for robots.txt too."""
    front = frontier()
    admit(front, "http://a.cz/x")
    settle(front)
    deal(front, batch=1, now=0)
    front.robots(RobotsFile("a.cz", "/robots.txt", 503, "", 0.1, retry_after=500.0), 1, 0)
    front.close(HERE, 0)
    assert deal(front, batch=2, now=499) == []
    assert paths(deal(front, batch=3, now=501)) == ["/robots.txt"]


def test_a_crawl_delay_is_kept_even_when_nothing_was_queued_meanwhile() -> None:
    """It was forgotten with the last request behind that door."""
    front = known("http://a.cz/x", text="User-agent: *\nCrawl-delay: 100")
    front.top_up(HERE, 0)
    front.fetched(document("http://a.cz/x"), 1, 0)
    front.close(HERE, 0)
    admit(front, "http://a.cz/y", "https://a.cz/y", now=1)
    assert deal(front, batch=2, now=99) == []
    (visit,) = deal(front, batch=3, now=100)
    assert visit.delay == 100


def test_excluded_servers_are_not_even_asked_for_somebody_elses_robots() -> None:
    """Spec 4: excluded servers are never contacted."""
    front = frontier(exclude="evil")
    admit(front, "http://a.cz/")
    settle(front)
    deal(front, batch=1, now=0)
    front.robots(RobotsFile("a.cz", "/robots.txt", 301, "", 0.1, "http://evil.com/robots.txt"), 1, 0)
    assert "evil.com" not in front.domains.domains
    assert front.permits.door("a.cz", "").asleep_until > 1.0


# --- addresses


def test_a_domain_stays_at_one_of_its_addresses() -> None:
    """The issue: pinned to one of them while it is known."""
    front = known("http://a.cz/x")
    front.give_up(1, 0)
    now = RESOLVED_FOR + 1
    assert deal(front, batch=2, now=now) == []  # believed no longer
    (name,) = front.new_domains(10, batch=3)
    front.resolved(Resolution(name, ["192.0.2.7", HERE]), now)
    assert [visit.address for visit in deal(front, batch=4, now=now)] == [HERE]


def test_a_domain_moves_when_dns_says_so() -> None:
    """The issue: and moves when DNS says so."""
    front = known("http://a.cz/x")
    front.give_up(1, 0)
    now = RESOLVED_FOR + 1
    deal(front, batch=2, now=now)
    for name in front.new_domains(10, batch=3):
        front.resolved(Resolution(name, ["2001:db8::1"]), now)
    assert [visit.address for visit in deal(front, batch=4, now=now)] == ["2001:db8::1"]
    assert front.addresses.states[HERE] is State.PROCESSED


def test_an_address_takes_part_in_one_batch_at_a_time() -> None:
    """Spec 5: at most one batch at a time."""
    front = known("http://a.cz/x")
    admit(front, "http://b.cz/")
    settle(front)
    assert deal(front, batch=2, now=0) == []


def test_an_address_rests_even_if_nothing_is_queued_for_it() -> None:
    """Spec 5: every address passes through the rest area."""
    front = known("http://a.cz/x")
    front.top_up(HERE, 0)
    front.fetched(document("http://a.cz/x"), 1, 0)
    front.close(HERE, 0)
    admit(front, "http://a.cz/y", now=1)
    assert deal(front, batch=2, now=29.9) == []
    assert paths(deal(front, batch=3, now=30.1)) == ["/y"]


def test_thousands_of_domains_on_one_address_cost_little_each() -> None:
    """Spec 2: a hoster with ten thousand domains; each answer takes the same short time."""
    front = frontier()
    admit(front, *(f"http://d{number}.cz/" for number in range(5000)))
    settle(front)
    visits = deal(front, batch=1, now=0)
    assert len(visits) == RULES.max_hosts
    for visit in visits:
        learn(front, visit.domain)
    assert len(paths(front.top_up(HERE, 0))) == RULES.max_hosts


def test_thousands_of_names_of_one_address_that_expire_together_cost_little_each() -> None:
    """Whoever looked for the next passed all that were sent away before: 0.8 s for 30,000."""
    front = frontier()
    admit(front, *(f"http://d{number}.cz/" for number in range(5000)))
    settle(front)
    ring = front.addresses.rings[HERE]
    assert deal(front, batch=1, now=RESOLVED_FOR + 1) == []
    assert len(front.domains.new) == 5000
    assert ring.gaps <= MOST_GAPS


def test_a_late_document_leaves_no_work_behind_that_is_not_there() -> None:
    """Its request was queued again when its batch was given up, and has left the queue with it."""
    front = known("http://a.cz/x")
    front.top_up(HERE, 0)
    front.give_up(1, 1)
    assert front.fetched(document("http://a.cz/x"), 1, 2)
    assert list(front.addresses.rings[HERE]) == []
    front.pass_time(100)
    assert front.addresses.states[HERE] is State.PROCESSED


def test_thousands_of_ports_of_one_domain_cost_little_each() -> None:
    """A page can name every port of a server; admitting them took the square of their number."""
    front = frontier()
    assert admit(front, *(f"http://a.cz:{port}/" for port in range(2000, 12000))) == 10_000
    settle(front)
    assert len(paths(deal(front, batch=1, now=0))) == RULES.max_reqs


class Compared(str):
    """A path that counts how often it is compared with another."""

    __slots__ = ()
    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)


def test_thousands_of_traps_on_one_page_cost_little_each() -> None:
    """Each was looked for among all of them: 32,000 held everybody up for nine seconds."""
    front = frontier()
    traps = [Link("a.cz", Compared(f"/a/a/a/a/a/a/{number}"), 1) for number in range(2000)]
    Compared.times = 0
    assert front.admit([*traps, Link("a.cz", "/b", 1)], 0) == 1
    assert front.refused == len(traps)
    assert Compared.times < 10 * len(traps)


# --- an earlier run


def test_a_smaller_depth_holds_for_what_an_earlier_run_queued() -> None:
    """Spec 4: certain is only that nothing deeper is downloaded."""
    front = known("http://a.cz/")
    front.admit([Link("a.cz", "/deep", 9)], 0)
    front.gate.depth = 3
    assert paths(front.top_up(HERE, 0)) == ["/"]
    assert front.links.queued_count == 0


def test_excluded_now_is_not_asked_for_although_it_was_queued() -> None:
    """Spec 4: excluded servers are never contacted; nothing is lost if they are not excluded later."""
    front = frontier(exclude="a.cz")
    front.links.enqueue("a.cz", ["/"], Record(0, 1.0))
    front.go_on_at("a.cz", 0)
    assert front.is_finished()
    front.gate = Gate(".*", "^$", 0)
    front.go_on_at("a.cz", 0)
    assert not front.is_finished()


def test_every_url_of_an_event_can_be_read() -> None:
    """Spec 8: records answer an administrator's complaint."""
    front = known("http://a.cz/x")
    assert join("a.cz", "/robots.txt") in [event.whom for event in front.events]


def test_a_closed_port_says_nothing_of_the_others() -> None:
    """Found by review: three links to closed ports made the robot drop a whole living domain."""
    front = known(*(f"http://a.cz/{number}" for number in range(3)))
    admit(front, "http://a.cz:81/")
    front.permits.door("a.cz", ":81").troubles = 2
    assert ":81/robots.txt" in paths(front.top_up(HERE, 0))
    front.failed(Failure("a.cz", ":81/robots.txt", Trouble.CONNECT), 1, 0)
    assert front.links.is_parked("a.cz", ":81")
    assert admit(front, "http://a.cz/other", now=1) == 1
    assert "" in front.links.doors("a.cz")


def test_when_nobody_answers_it_is_our_own_line() -> None:
    """Found by review: an outage of our network emptied the queue."""
    front = frontier()
    names = [f"{number}.cz" for number in range(20)]
    for name in names:
        admit(front, f"http://{name}/")
    now = 0.0
    for batch in range(1, 6):
        for name in front.new_domains(1000, batch):
            front.resolved(Resolution(name, trouble=Trouble.DNS), now)
        now += 24 * 3600
        front.pass_time(now)
    assert front.links.queued_count >= 12  # who failed before we could know is given up as usual


def test_a_page_without_text_is_as_useful_as_the_one_before() -> None:
    """Found by review: a frameset and its menu of images counted as two useless pages."""
    front = known("http://a.cz/x")
    front.top_up(HERE, 0)
    links = ["http://a.cz/menu"]
    front.fetched(Document("a.cz", "/x", "empty", 0.0, 200, 10, 0.1, links=links), 1, 0)
    front.top_up(HERE, 0)
    front.fetched(Document("a.cz", "/menu", "empty", 0.0, 200, 10, 0.1, links=["http://a.cz/text"]), 1, 0)
    assert front.links.queued_count == 1


def test_a_domain_that_a_useful_page_links_to_is_resolved_before_one_that_a_useless_page_links_to() -> None:
    """Better domains first; and it moves up when a better link is found."""
    front = frontier()
    front.admit([Link("poor.cz", "/", 1, usability=0.0), Link("later.cz", "/", 1, usability=0.0)], 0)
    front.admit([Link("good.cz", "/", 1, usability=0.9), Link("later.cz", "/2", 1, usability=0.9)], 0)
    assert front.new_domains(10, batch=1) == ["good.cz", "later.cz", "poor.cz"]


def front_pages(front: Frontier, pages: dict[str, int]) -> None:
    """Batch 1 brings the front pages of these domains, with links to so many other pages each."""
    front.top_up(HERE, 0)
    for name, number in pages.items():
        links = [f"http://{name}/{page}" for page in range(number)]
        front.fetched(document(f"http://{name}/", *links), 1, 0)


def test_a_series_ends_early_for_a_domain_that_may_be_the_largest() -> None:
    """Spec 2 costs a general pause per series: who needs many series had better begin soon."""
    front = known("http://a.cz/", "http://b.cz/", "http://c.cz/")
    front_pages(front, {"a.cz": 2, "b.cz": 0})
    assert front.top_up(HERE, 0) == []
    assert front.is_answered(HERE)
    front.close(HERE, 0)
    assert [visit.domain for visit in deal(front, batch=2, now=31)] == ["c.cz", "a.cz"]


def test_a_series_does_not_end_before_everybody_in_it_is_known() -> None:
    """A domain whose first page is under way may be the largest itself."""
    front = known("http://a.cz/", "http://b.cz/", "http://c.cz/")
    front_pages(front, {"a.cz": 2})
    assert not front.is_answered(HERE)
    front.fetched(document("http://b.cz/", *(f"http://b.cz/{page}" for page in range(50))), 1, 0)
    assert paths(front.top_up(HERE, 0)) == ["/0", "/0"]


def test_while_others_wait_nobody_is_a_column_ahead_of_a_new_domain() -> None:
    """Otherwise a look at those who are new takes three columns, where two show how large they are."""
    front = known("http://a.cz/", "http://b.cz/", "http://c.cz/")
    front_pages(front, {"a.cz": 2})
    assert front.top_up(HERE, 0) == []
    front.failed(Failure("b.cz", "/", Trouble.GONE), 1, 0)
    admit(front, "http://b.cz/1", "http://b.cz/2")
    assert paths(front.top_up(HERE, 0)) == ["/0", "/1"]  # that one had its chance, and is waited for no more
    front.fetched(document("http://a.cz/0"), 1, 0)
    assert paths(front.top_up(HERE, 0)) == ["/1"]


def test_a_series_that_ends_early_ends_with_a_whole_column() -> None:
    """Found in crawls of the bench: two of three domains were asked 19 times where the third was 20 times."""
    front = known("http://a.cz/", "http://b.cz/", "http://c.cz/")
    front_pages(front, {"a.cz": 2, "b.cz": 0})
    front.series[HERE].left["b.cz"] -= 1  # asked once more than the other
    assert paths(front.top_up(HERE, 0)) == ["/0"]
    front.fetched(document("http://a.cz/0"), 1, 0)
    assert front.top_up(HERE, 0) == []


def test_requests_are_dealt_one_by_one_while_others_wait() -> None:
    """What is dealt has to be made before a series can end early; alone, everything is dealt at once."""
    crowded = known("http://a.cz/", "http://b.cz/", "http://c.cz/")
    front_pages(crowded, {"a.cz": 50, "b.cz": 50})
    assert paths(crowded.top_up(HERE, 0)) == ["/0", "/0"]
    assert crowded.top_up(HERE, 0) == []
    alone = known("http://a.cz/", "http://b.cz/")
    front_pages(alone, {"a.cz": 50, "b.cz": 50})
    assert len(paths(alone.top_up(HERE, 0))) == 2 * (RULES.max_reqs - 2)


def answer_all(front: Frontier, visits: list[Visit], batch: int, now: float) -> set[str]:
    """Let a series run to its end, pages without links; the domains that took part."""
    taking_part: set[str] = set()
    while visits:
        for visit in visits:
            taking_part.add(visit.domain)
            for request in visit.requests:
                front.fetched(document(join(visit.domain, request.path)), batch, now)
        visits = front.top_up(HERE, now)
    front.close(HERE, now)
    return taking_part


def test_a_new_domain_takes_part_before_one_with_a_long_backlog() -> None:
    """Only its first page shows how many it has."""
    front = known("http://a.cz/", "http://b.cz/")
    front_pages(front, {"a.cz": 50, "b.cz": 50})
    admit(front, "http://c.cz/", "http://d.cz/")
    settle(front)
    answer_all(front, front.top_up(HERE, 0), batch=1, now=0)
    assert {visit.domain for visit in deal(front, batch=2, now=31)} == {"c.cz", "d.cz"}


def test_the_smallest_domain_has_its_turns() -> None:
    """Those with the longest backlogs come first, but nobody starves."""
    front = known("http://a.cz/", "http://b.cz/", "http://c.cz/")
    front_pages(front, {"a.cz": 200, "b.cz": 200})
    front.close(HERE, 0)
    for visit in deal(front, batch=2, now=31):
        learn(front, visit.domain, batch=2, now=31)
    front.top_up(HERE, 31)
    front.fetched(document("http://c.cz/", *(f"http://c.cz/{page}" for page in range(20))), 2, 31)
    front.close(HERE, 31)
    begun = [
        answer_all(front, deal(front, batch, 31.0 * batch), batch, 31.0 * batch) for batch in range(3, 13)
    ]
    assert sum("c.cz" in taking_part for taking_part in begun) == 4


def test_a_domain_that_the_whole_address_would_wait_for_keeps_its_place() -> None:
    """Otherwise new ones have all places, and a general pause is lost."""
    front = known("http://a.cz/", "http://b.cz/")
    front_pages(front, {"a.cz": 50, "b.cz": 0})
    admit(front, "http://c.cz/", "http://d.cz/")
    settle(front)
    answer_all(front, front.top_up(HERE, 0), batch=1, now=0)
    begun = [visit.domain for visit in deal(front, batch=2, now=31)]
    assert begun == ["c.cz", "a.cz"]  # who waits longest, and then he
    assert len(begun) == RULES.max_hosts


def test_a_small_domain_has_its_turn_although_its_address_is_forgotten_before() -> None:
    """Ranks: nobody is never served. Five series take longer than an address is believed."""
    rules = Rules(req_delay=30.0, max_hosts=2, max_reqs=20, general_pause=120.0)
    front = frontier(rules=rules)
    small = [f"small-{number}.cz" for number in range(12)]
    admit(front, *(f"http://large-{number % 3}.cz/{number}" for number in range(3000)))
    admit(front, *(f"http://{name}/{number}" for name in small for number in range(3)))
    settle(front)
    series: Counter[str] = Counter()
    now = 0.0
    for batch in range(1, 90):
        served: set[str] = set()
        while not (visits := deal(front, batch, now)):
            now += 1
            settle(front, now)
        while visits:
            served.update(visit.domain for visit in visits)
            for visit in visits:
                _answer(front, visit, batch, now)
            now += rules.req_delay * max(len(visit.requests) for visit in visits)
            settle(front, now)
            visits = front.top_up(HERE, now)
        series.update(served)
        front.close(HERE, now)
    assert min(series[name] for name in small) > 1


def _answer(front: Frontier, visit: Visit, batch: int, now: float) -> None:
    """Every page leads to two others."""
    for request in visit.requests:
        if request.purpose is Purpose.ROBOTS:
            learn(front, visit.domain, batch, now)
        else:
            url = join(visit.domain, request.path)
            found = document(url, f"{url}a", f"{url}b")
            front.fetched(replace(found, text_bytes=found.size_bytes), batch, now)


def test_a_path_that_grows_for_ever_is_refused_and_the_reason_kept() -> None:
    """Otherwise a relative link that should have been absolute fills the queue."""
    front = known("http://a.cz/")
    front_pages(front, {"a.cz": 0})
    grown = "http://a.cz/" + "x/y/" * 3
    admit(front, grown, "http://a.cz/x/y/")
    assert front.links.backlog("a.cz") == 1
    assert front.links.knows("a.cz", split(grown)[1])
    assert front.refused == 1


def test_a_domain_moves_up_when_something_queued_promises_more() -> None:
    """A better page leads to what was hopeless: its domain was held back until something else happened."""
    front = frontier()
    front.admit([Link("a.cz", "/", 1, 0.0)], 0)
    settle(front)
    before = front.addresses.rings[HERE].rank("a.cz")
    front.admit([Link("a.cz", "/", 1, 1.0)], 0)
    assert front.addresses.rings[HERE].rank("a.cz") == front.rank(front.domain("a.cz")) < before


def test_a_server_that_asks_us_to_wait_is_left_alone_although_only_others_wait_for_its_file() -> None:
    """Spec 2: Retry-After holds. The file was another's robots.txt, and only the other was looked at."""
    front = known("http://b.cz/1")
    admit(front, "http://a.cz/")
    settle(front)
    assert paths(front.top_up(HERE, 0)) == ["/1", "/robots.txt"]
    target = "http://b.cz/of-a/robots.txt"
    front.robots(RobotsFile("a.cz", "/robots.txt", 301, "", 0.1, target), 1, 0)
    assert paths(front.top_up(HERE, 0)) == ["/of-a/robots.txt"]
    admit(front, "http://b.cz/2")
    front.robots(RobotsFile("b.cz", "/of-a/robots.txt", 503, "", 0.1, retry_after=900.0), 1, 0)
    assert front.top_up(HERE, 0) == []
    front.close(HERE, 0)
    assert "b.cz" not in [visit.domain for visit in deal(front, batch=2, now=899)]


def test_a_robots_file_is_asked_for_once_in_a_series() -> None:
    """Its answer may be said again after the line was cut: it is nobody else's, and the series goes on."""
    front = frontier()
    admit(front, "http://a.cz/", "http://b.cz/")
    settle(front)
    assert paths(deal(front, batch=1, now=0)) == ["/robots.txt", "/robots.txt"]
    first = RobotsFile("b.cz", "/robots.txt", 301, "", 0.1, "http://elsewhere.cz/robots.txt")
    front.robots(first, 1, 0)
    front.robots(RobotsFile("a.cz", "/robots.txt", 301, "", 0.1, "http://b.cz/robots.txt"), 1, 0)
    assert front.top_up(HERE, 0) == []
    assert front.is_answered(HERE)
    front.close(HERE, 0)
    (visit,) = deal(front, batch=2, now=PAUSED)
    assert (visit.domain, paths([visit])) == ("b.cz", ["/robots.txt"])
    front.robots(first, 1, PAUSED)
    assert not front.is_answered(HERE)


def test_a_page_that_was_handed_back_is_not_dealt_again_in_the_same_series() -> None:
    """That it was may be said again after the line was cut: the page would be taken from who fetches it."""
    front = known("http://a.cz/1", "http://a.cz/2")
    assert paths(front.top_up(HERE, 0)) == ["/1", "/2"]
    front.failed(Failure("a.cz", "/1", Trouble.DROPPED), 1, 0)
    front.unvisited(Unvisited("a.cz", ["/2"]), 1, 0)
    assert front.top_up(HERE, 0) == []
    assert front.is_answered(HERE)
    front.close(HERE, 0)
    assert paths(deal(front, batch=2, now=PAUSED)) == ["/2", "/1"]
