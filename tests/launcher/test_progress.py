"""Live progress: documents, pages/s, queue, harvesters, addresses per state, failures."""

import pytest

from txtr.launcher import progress
from txtr.launcher.progress import Remains

STATUS = {
    "time": 1.0,
    "documents": 1204,
    "rejected": 77,
    "fetched": 1311,
    "failed": 21,
    "queued": 8901,
    "active_requests": 40,
    "harvesters": 12,
    "addresses": {"waiting": 10, "active": 4, "resting": 3, "processed": 20},
    "domains": 45,
    "new_domains": 3,
    "refused": 310,
    "pages_per_second": 5.74,
    "finished": False,
}


def test_the_block_shows_what_was_asked_for():
    """Documents, pages/s, queue, harvesters, addresses per state, failures."""
    assert progress.block(STATUS, elapsed=245) == [
        "documents  1 204 kept   77 rejected   5.7 pages/s   after 4m05s",
        "links      1 311 fetched   21 failed   310 left out",
        "queue      8 901 waiting   40 in batches",
        "domains    45 found   3 still to be looked up",
        "harvesters 12",
        "servers    10 waiting   4 active   3 resting   20 processed",
    ]


def test_the_line_shows_the_same_shorter():
    assert progress.line(STATUS, elapsed=245) == (
        "4m05s: 1 204 documents, 5.7 pages/s, 8 901 queued, 21 failed, 12 harvesters,"
        " servers: 10 waiting   4 active   3 resting   20 processed"
    )


def test_an_absent_segmenter_is_seen():
    """Found by a new user: 0 documents for ever, and only the harvester's log knew why."""
    waiting = STATUS | {"unjudged": 1017, "segmenter": "127.0.0.1:8418", "harvesters": 1}
    said = "waiting for the segmenter at 127.0.0.1:8418: 1 017 documents"
    assert progress.block(waiting)[-1] == f"judging    {said}"
    assert progress.line(waiting, elapsed=1).endswith(f"20 processed; {said}")
    assert ", 1 harvester, " in progress.line(waiting, elapsed=1)


def test_downloads_that_wait_for_memory_are_seen():
    """And those that were broken off for them."""
    said = "memory     2 downloads waiting for it, 1 download broken off as too slow"
    assert progress.block(STATUS | {"waiting_for_memory": 2, "stalled": 1})[-1] == said
    assert not any("memory" in line for line in progress.block(STATUS))


def test_the_block_fits_into_a_terminal():
    """A paragraph of one line was broken where the terminal ended, and repainted wrongly."""
    many = {"waiting": 123_456, "active": 123_456, "resting": 123_456, "processed": 123_456}
    large = {name: 12_345_678 for name, value in STATUS.items() if isinstance(value, int)}
    crawl = STATUS | large | {"addresses": many, "parked": 1_234_567, "awaited_batches": 1234, "age": 12345}
    crawl |= {"waiting_for_memory": 123, "stalled": 123, "finished": False}
    shown = progress.report(crawl, 17, True, Remains(is_saved=True, was_ended=False))
    assert max(map(len, [*shown, *progress.block(crawl, elapsed=1e6)])) <= 80


def test_batches_of_harvesters_that_are_gone_are_seen():
    """Found by a new user: after kill -9 nothing moved for a quarter of a minute, and nobody said why."""
    said = "batches    3 of lost harvesters: awaited for a while, then given to others"
    assert said in progress.block(STATUS | {"awaited_batches": 3})


def test_old_figures_of_a_queuekeeper_that_hangs_are_not_shown_as_if_they_were_new():
    """One that was stopped for a minute and a half went on "fetching" 70.8 pages per second."""
    why = "the queuekeeper has written nothing for 1m10s: is it stopped, or its disk full or slow?"
    left = Remains(is_saved=True, was_ended=False)
    assert f"ATTENTION  {why}" in " ".join(
        map(str.strip, progress.report(STATUS | {"age": 70.2}, 3, True, left))
    )
    assert progress.silence(STATUS | {"age": 3.0}) == ""
    assert progress.silence(STATUS | {"age": 70.2, "finished": True}) == ""
    assert not any("ATTENTION" in said for said in progress.report(STATUS | {"age": 70.2}, 3, False, left))


def test_requests_that_are_parked_are_seen():
    """Found by a new user: 0 documents, 0 failed, finished, and not a word about his start list."""
    parked = STATUS | {"parked": 1002}
    assert "8 901 waiting   40 in batches   1 002 parked" in progress.block(parked)[2]
    assert " 8 901 queued, 1 002 parked, 21 failed," in progress.line(parked, elapsed=1)


def test_one_domain_is_no_more_than_one():
    """Found by a new user: 1 domains, and 1 documents."""
    single = STATUS | {"domains": 1, "documents": 1}
    assert "domains    1 found   3 still" in progress.block(single)[3]
    assert ": 1 document, " in progress.line(single, elapsed=1)


def test_a_strange_status_stops_nobody():
    strange = {"addresses": 7, "documents": None, "rejected": "x"}
    assert progress.block(strange, elapsed=None)[0] == "documents  0 kept   0 rejected   0.0 pages/s"
    assert not progress.has_finished({})
    assert progress.harvesters({"harvesters": "none"}) == 0


@pytest.mark.parametrize(
    "status, remains, said",
    [
        ({"finished": True}, Remains(True, was_ended=True), "finished"),
        ({}, Remains(True, was_ended=True), "stopped; starting it again goes on"),
        (
            {},
            Remains(True, was_ended=False),
            "the queuekeeper died; starting it again goes on where it was, nothing that it was told is lost",
        ),
        (
            {},
            Remains(True, was_ended=False, reason="the disk is full (see queuekeeper.out)"),
            "the queuekeeper gave up: the disk is full (see queuekeeper.out)",
        ),
        (
            {},
            Remains(False, was_ended=False, reason="state/frontier.sqlite is missing (see queuekeeper.out)"),
            "the queuekeeper gave up: state/frontier.sqlite is missing (see queuekeeper.out)",
        ),
        *(
            (
                status,
                Remains(False, was_ended=True, reason="--state=state: lock was removed"),
                "the queuekeeper gave up: --state=state: lock was removed",
            )
            for status in ({}, {"finished": True})
        ),
        (
            {},
            Remains(False, was_ended=False),
            "ended before the queue was ever saved; starting it again begins with the start list",
        ),
    ],
)
def test_what_the_next_start_would_do_is_told_truly(status, remains, said):
    """All that was committed is there after a crash; one before the first commit leaves nothing."""
    assert progress.ending(status, remains) == said


def test_the_figures_of_a_dead_queuekeeper_are_not_shown_as_if_it_lived():
    dead = progress.report(STATUS, 2, is_kept=False, remains=Remains(True, was_ended=False))
    assert dead[0] == "the queuekeeper is dead; its last figures, of 1.0:"
    assert dead[-1].startswith("processes  2 still running without it: the queuekeeper died;")
    alive = progress.report(STATUS, 3, is_kept=True, remains=Remains(False, was_ended=False))
    assert alive == [*progress.block(STATUS), "processes  3 running"]
