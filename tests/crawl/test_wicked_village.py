"""The wicked village: hosts that stall, drop, trickle, lie and bomb; the robot gets through unharmed."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from tests.crawl.evidence import between, failures, fetched_amiss, records, texts_amiss, trespasses
from tests.village.run import crawl
from tests.village.village import CLOSED, WICKED, document, wicked
from txtr.demo.web import Answer, Host, gather, page, plain

pytestmark = pytest.mark.web

OPTIONS = {
    "req_delay": 0.1,
    "max_hosts": 3,
    "max_reqs": 20,
    "general_pause": 0.5,
    "connect_timeout": 1,
    "read_timeout": 1,
    "total_timeout": 3,
    "max_size": 1,
}
PATIENCE = 3  # seconds that the busy hosts ask for: longer than the robot's own 2 general pauses
BUSY = {"slow-down": 429, "maintenance": 503}
BUSY_ROBOTS = "robots-busy"
# Answered with status 200, yet never whole: a second attempt at these is a remedy, no double fetch.
NEVER_WHOLE = {"/stall", "/drop", "/trickle", "/headers", "/garbage", "/liar-long"}


def wicked_and_busy(port):
    """The wicked village, and hosts that ask for patience."""
    village = wicked(port)
    return replace(
        village,
        hosts=gather([*village.hosts.values(), *busy_hosts()]),
        seeds=village.seeds + tuple(f"http://{name}.{WICKED}:{port}/" for name in [*BUSY, BUSY_ROBOTS]),
        kept=village.kept | {f"značka-{name}-konec" for name in [*BUSY, BUSY_ROBOTS]},
    )


def busy_hosts():
    """Each asks for patience the first time: two by their page, one by its robots.txt."""
    for number, (name, status) in enumerate(BUSY.items()):
        busy = Answer(status, {"Retry-After": str(PATIENCE)})
        front = replace(text(name), first_times=(busy,))
        yield Host(f"{name}.{WICKED}", f"127.78.2.{number}", {"/": front})
    busy = Answer(429, {"Retry-After": str(PATIENCE)})
    yield Host(
        f"{BUSY_ROBOTS}.{WICKED}",
        "127.78.2.9",
        {"/": text(BUSY_ROBOTS)},
        replace(plain("User-agent: *\nDisallow: /private\n"), first_times=(busy,)),
    )


def text(name):
    return page(document(f"značka-{name}-konec", []))


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return crawl(wicked_and_busy, tmp_path_factory.mktemp("wicked"), 3, OPTIONS, timeout=90)


def test_the_crawl_ends_by_itself_and_well(outcome):
    """Nothing hangs, nobody crashes."""
    assert failures(outcome) == {}


def test_no_rule_is_broken_in_the_wicked_village(outcome):
    """Wickedness excuses nothing."""
    broken = [v for v in outcome.violations() if v.rule != "double-fetch" or is_of_a_whole_page(v)]
    assert broken == []


def is_of_a_whole_page(violation):
    return violation.evidence.split()[0] not in NEVER_WHOLE


def test_what_cannot_be_fetched_is_tried_a_few_times_at_most(outcome):
    """Retries with remedies; three attempts are the most for any of these troubles."""
    asked = Counter(entry.path for entry in outcome.entries if entry.path in NEVER_WHOLE)
    assert max(asked.values()) <= 3


def test_the_good_pages_of_wicked_hosts_are_fetched_and_kept(outcome):
    """A trap at one path must not cost a host its other pages."""
    assert fetched_amiss(outcome) == {}
    assert texts_amiss(outcome) == {}
    assert len(list(records(outcome))) >= len(outcome.web.kept)


def test_what_a_wicked_host_forbids_is_not_fetched(outcome):
    assert trespasses(outcome) == []


@pytest.mark.parametrize("name", CLOSED)
def test_a_host_whose_robots_txt_cannot_be_read_is_asked_for_nothing_else(outcome, name):
    """RFC 9309, 2.3.1.4: unreachable means disallowed."""
    asked = {entry.path for entry in outcome.entries if entry.host == f"{name}.{WICKED}"}
    assert asked == {"/robots.txt"}


@pytest.mark.parametrize("name", [*BUSY, BUSY_ROBOTS])
def test_retry_after_is_respected_by_all_requests_to_the_host(outcome, name):
    """Spec 2: Retry-After, 429 and 503 slow the domain down."""
    waits = [
        second.start - first.end
        for first, second in between(outcome.entries, f"{name}.{WICKED}")
        if first.status in (429, 503)
    ]
    assert len(waits) == 1 and waits[0] >= PATIENCE


def test_the_diary_says_when_a_request_was_made_that_never_came_to_an_end(outcome):
    """It is the answer to a complaint: the line is written at the end, and said no more than took=0.004."""
    diaries = outcome.directory.glob("log/harvester*.log")
    lines = [line for diary in diaries for line in diary.read_text("utf-8").splitlines()]
    trickles = [line.split() for line in lines if re.search(r" failed http://[^ ]*/trickle ", line)]
    assert trickles
    for words in trickles:
        (lasted,) = [word.partition("=")[2] for word in words if word.startswith("lasted=")]
        assert float(lasted) >= 0.9 * OPTIONS["read_timeout"]


def test_a_page_that_fails_at_first_is_tried_again_and_kept(outcome):
    """Retries with remedies per kind of trouble."""
    tries = [entry.status for entry in sorted(outcome.entries) if entry.path == "/flaky"]
    assert tries == [500, 500, 200]
