"""Trials: a domain whose yield stays hopeless is abandoned, and can be brought back."""

import pytest

from txtr.frontier.domains import ENOUGH_DOCUMENTS, FAIR_BYTES, FAIR_DOCUMENTS, Trial, least_yield
from txtr.frontier.frontier import Frontier
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import Document, Link, Resolution, RobotsFile, Unvisited

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=1000, general_pause=30.0)
HERE = "192.0.2.1"
PAGES = 200
RAW = FAIR_BYTES // FAIR_DOCUMENTS + 1


def page(number: int, text_bytes: int = 0, size_bytes: int = RAW, fate: str = "rejected") -> Document:
    usability = 1.0 if fate == "kept" else 0.0
    return Document("a.cz", f"/{number}", fate, usability, 200, size_bytes, 0.1, text_bytes=text_bytes)


def frontier(is_judging: bool = True) -> Frontier:
    """One domain with many pages, all of them in a running series but the last hundred."""
    front = Frontier(RULES, Gate(".*", "^$", 0), "texttractor", is_judging=is_judging)
    front.admit([Link("a.cz", f"/{number}", 0) for number in range(PAGES // 2)], 0)
    for name in front.new_domains(10, batch=1):
        front.resolved(Resolution(name, [HERE]), 0)
    list(front.visits(1, 10, 0))
    front.robots(RobotsFile("a.cz", "/robots.txt", 200, "", 0.1), 1, 0)
    front.top_up(HERE, 0)
    front.admit([Link("a.cz", f"/{number}", 0) for number in range(PAGES // 2, PAGES)], 0)
    return front


def abandoned() -> Frontier:
    front = frontier()
    for number in range(FAIR_DOCUMENTS):
        assert front.fetched(page(number), 1, 0)
    return front


def test_the_bar_rises_with_the_number_of_documents() -> None:
    """Field notes: clean/raw < k (log10(documents) - 1), k between .002 and .01."""
    assert [round(least_yield(number), 4) for number in (10, 100, 1000, 10000)] == [0.0, 0.005, 0.01, 0.015]


@pytest.mark.parametrize(
    "documents,raw_bytes,kept_bytes,is_lost",
    [
        (FAIR_DOCUMENTS, FAIR_BYTES, 0, True),
        (FAIR_DOCUMENTS - 1, FAIR_BYTES, 0, False),
        (ENOUGH_DOCUMENTS - 1, FAIR_BYTES - 1, 0, False),
        (ENOUGH_DOCUMENTS, 5_000, 0, True),
        (ENOUGH_DOCUMENTS, 5_000, 20, False),
        (FAIR_DOCUMENTS, 1_000_000, 1_600, False),
        (FAIR_DOCUMENTS, 1_000_000, 1_400, True),
        (1000, 10_000_000, 99_000, True),
        (1000, 10_000_000, 101_000, False),
    ],
)
def test_a_trial_is_fair_before_it_is_lost(
    documents: int, raw_bytes: int, kept_bytes: int, is_lost: bool
) -> None:
    """At least twenty documents and 256 kB, or fifty documents however small."""
    trial = Trial(documents, 0, 0.0, raw_bytes, kept_bytes)
    assert trial.is_lost() is is_lost


def test_a_domain_of_small_foreign_pages_is_not_fetched_whole() -> None:
    """Found by a new user: 1199 small pages were abandoned only after 851."""
    front = frontier()
    for number in range(PAGES // 2):
        front.fetched(page(number, size_bytes=1000), 1, 0)
    assert front.abandoned["a.cz"].documents == ENOUGH_DOCUMENTS


def test_files_that_nobody_has_read_yet_say_nothing() -> None:
    """A domain full of PDF has its texts in them."""
    trial = Trial()
    trial.add(page(0, size_bytes=10**9, fate="aside"), 1.0)
    assert trial == Trial()


def test_only_text_that_was_kept_counts_as_yield() -> None:
    """The same page under a thousand addresses is no harvest."""
    trial = Trial()
    for fate in ("kept", "duplicate", "rejected", "noindex", "empty"):
        trial.add(page(0, 100, 1000, fate), 1.0)
    assert (trial.documents, trial.kept, trial.raw_bytes, trial.kept_bytes) == (5, 1, 5000, 100)


def test_a_hopeless_domain_is_abandoned_after_a_fair_trial() -> None:
    """Reported in the log; what is queued is parked, links are refused with a reason."""
    front = abandoned()
    (event,) = [event for event in front.events if event.what == "abandoned"]
    assert event.whom == "a.cz"
    assert (event.facts["documents"], event.facts["parked"]) == (FAIR_DOCUMENTS, PAGES // 2)
    assert front.links.queued_count == 0
    assert front.admit([Link("a.cz", "/new", 0), Link("b.cz", "/", 0)], 0) == 1
    assert [event.facts["reason"] for event in front.events if event.what == "refused"] == ["abandoned"]


def test_the_crawl_ends_when_the_last_domain_is_abandoned() -> None:
    """What is leased still comes, or does not."""
    front = abandoned()
    left = list(front.links.leased("a.cz"))
    front.unvisited(Unvisited("a.cz", left[:3]), 1, 0)
    assert front.fetched(page(int(left[3][1:])), 1, 0)
    front.give_up(1, 0)
    assert front.is_finished()


def test_without_a_judge_nobody_is_on_trial() -> None:
    """--segmenter=none."""
    front = frontier(is_judging=False)
    for number in range(PAGES // 2):
        front.fetched(page(number), 1, 0)
    assert not front.abandoned


def test_a_domain_with_a_decent_yield_stays() -> None:
    """However many pages it has."""
    front = frontier()
    for number in range(PAGES // 2):
        front.fetched(page(number, RAW // 50, RAW, "kept"), 1, 0)
    assert not front.abandoned


def test_an_abandoned_domain_can_be_brought_back() -> None:
    """With something to begin with, and a new trial; others stay where they are."""
    front = abandoned()
    front.give_up(1, 0)
    assert front.trials.bring_back("^$", 0) == []
    assert front.trials.bring_back(r"a\.", 0) == ["a.cz"]
    assert front.links.backlog("a.cz") == PAGES - FAIR_DOCUMENTS
    assert front.domains.domains["a.cz"].trial == Trial()
    front.pass_time(31)
    assert [visit.domain for visit in front.visits(2, 10, 31)] == ["a.cz"]
