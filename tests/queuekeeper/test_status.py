"""The status: the queuekeeper's state in a few numbers."""

import json
from pathlib import Path

from txtr.corpus.duplicates import Claims
from txtr.frontier.frontier import Frontier
from txtr.frontier.records import Entry
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import Link
from txtr.queuekeeper.books import Books
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.status import sum_up
from txtr.wire.messages import UNJUDGED, WAITING_FOR_MEMORY, Leaving, Ping


def keeper() -> Keeper:
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
    kept = Keeper(Frontier(rules, Gate(".*", "^$", 0), "texttractor"), Claims(), most_rows=100)
    kept.frontier.admit([Link("a.cz", "/", 0)], 0)
    return kept


def test_the_status_says_how_far_the_crawl_is() -> None:
    """The issue: documents, pages/s, queue, harvesters, addresses per state, failures."""
    kept = keeper()
    for name in ("h1", "h2"):
        kept.join(name, {}, 0)
        kept.answer(name, Ping(0.0, {"documents": 3}), 0)
    for number, fate in enumerate(["kept", "kept", "failed", "kept", "kept", "failed"]):
        kept.frontier.links.settle("b.cz", f"/{number}", Entry(fate, 0))
    kept.disconnect("h2", 1)
    found = sum_up(kept, "2026-11-16T01:00:03.127Z", 1.234, is_finished=False)
    assert found["documents"] == 4
    assert (found["fetched"], found["failed"], found["queued"], found["harvesters"]) == (4, 2, 1, 1)
    assert found["addresses"] == {"waiting": 0, "active": 0, "resting": 0, "processed": 0}
    assert found["new_domains"] == 1
    assert found["pages_per_second"] == 1.23


def test_what_was_fetched_before_we_listened_is_no_speed() -> None:
    """Found after killing the queuekeeper: 81 pages per second, where the rules allow 16."""
    kept = keeper()
    kept.join("h1", {}, 0)
    kept.answer("h1", Ping(0.0, {"documents": 800}), 0)
    assert kept.witnessed == 0
    kept.answer("h1", Ping(1.0, {"documents": 816}), 1)
    kept.answer("h1", Ping(2.0, {"documents": 3}), 2)
    assert kept.witnessed == 16


def test_batches_of_those_who_are_not_here_are_counted() -> None:
    """They are awaited for a while, and meanwhile nothing may happen at their addresses."""
    kept = keeper()
    kept.join("h1", {}, 0)
    kept.harvesters["h1"].batches[1] = {"192.0.2.1"}
    assert sum_up(kept, "", 0.0, is_finished=False)["awaited_batches"] == 0
    kept.disconnect("h1", 1)
    assert sum_up(kept, "", 0.0, is_finished=False)["awaited_batches"] == 1


def test_refused_links_are_counted_over_all_starts(tmp_path: Path) -> None:
    """As documents and failures are: numbers in one line are of one time."""
    for before in (0, 2):
        books = Books(tmp_path)
        kept = keeper()
        books.open(kept, 0)
        assert sum_up(kept, "", 0.0, is_finished=False)["refused"] == before
        kept.frontier.refused += 2
        books.keep(kept, 0)
        books.close()


def test_domains_that_have_nothing_to_do_any_more_count_after_a_restart(tmp_path: Path) -> None:
    """Found by a new user: after a stop and a start there were fewer domains than before."""
    for _ in range(2):
        books = Books(tmp_path)
        rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
        store = books.store
        front = Frontier(rules, Gate(".*", "^$", 0), "texttractor", links=store.links, archive=store)
        kept = Keeper(front, books.claims, most_rows=100)
        books.open(kept, 0)
        front.links.settle("a.cz", "/", Entry("kept", 0))
        front.links.settle("b.cz", "/", Entry("kept", 0))
        books.keep(kept, 0)
        assert sum_up(kept, "", 0.0, is_finished=False)["domains"] == 2
        books.close()


def test_what_waits_for_memory_is_a_number_of_the_moment() -> None:
    """What was broken off for it is one of this run."""
    kept = keeper()
    for name in ("h1", "h2"):
        kept.join(name, {}, 0)
        kept.answer(name, Ping(0.0, {WAITING_FOR_MEMORY: 3, "stalled": 2}), 0)
    kept.answer("h1", Ping(1.0, {WAITING_FOR_MEMORY: 1, "stalled": 4}), 1)
    found = sum_up(kept, "", 0.0, is_finished=False)
    assert (found["waiting_for_memory"], found["stalled"]) == (4, 6)
    kept.answer("h1", Leaving(), 2)
    found = sum_up(kept, "", 0.0, is_finished=False)
    assert (found["waiting_for_memory"], found["stalled"]) == (3, 6)


def test_what_waits_for_the_segmenter_is_a_number_of_the_moment() -> None:
    """It is forgotten when the harvester leaves: its documents are back in the queue then."""
    kept = keeper()
    for name in ("h1", "h2"):
        kept.join(name, {}, 0)
        kept.answer(name, Ping(0.0, {UNJUDGED: 3, "kept": 1}), 0)
    kept.answer("h1", Ping(1.0, {UNJUDGED: 5, "kept": 1}), 1)
    found = sum_up(kept, "", 0.0, is_finished=False, segmenter="./s.sock")
    assert (found["unjudged"], found["segmenter"]) == (8, "./s.sock")
    kept.answer("h1", Leaving(), 2)
    assert kept.unjudged() == 3 and kept.counts() == {"kept": 2.0}


def test_senseless_counts_do_not_spoil_it() -> None:
    """A harvester that reported NaN ended the queuekeeper: NaN is no whole number, and no JSON."""
    kept = keeper()
    kept.join("h1", {}, 0)
    senseless = {
        "kept": float("nan"),
        "documents": float("inf"),
        "failed": -1.0,
        "bytes": 1e308,
        "names": 7.0,
    }
    kept.answer("h1", Ping(0.0, senseless), 0)
    found = sum_up(kept, "", 0.0, is_finished=True)
    assert json.loads(json.dumps(found, allow_nan=False))["documents"] == 0
    assert kept.counts() == {"names": 7.0}


def test_what_a_harvester_did_counts_after_it_has_left() -> None:
    """Spec 8: the summary is of the whole crawl."""
    kept = keeper()
    kept.join("h1", {}, 0)
    kept.answer("h1", Ping(0.0, {"kept": 5.0}), 0)
    kept.tick(1000)
    assert not kept.harvesters
    assert kept.counts() == {"kept": 5.0}
