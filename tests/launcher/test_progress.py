"""Live progress: documents, pages/s, queue, harvesters, addresses per state, failures."""

from txtr.launcher import progress

STATUS = {
    "time": 1.0,
    "documents": 1204,
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
    """Issue: documents, pages/s, queue, harvesters, addresses per state, failures."""
    assert progress.block(STATUS, elapsed=245) == [
        "documents  1 204   5.7 pages/s   after 4m05s",
        "requests   1 311 fetched   21 failed   310 refused",
        "queue      8 901 waiting   40 in batches   3 new domains of 45",
        "harvesters 12",
        "addresses  10 waiting   4 active   3 resting   20 processed",
    ]


def test_the_line_shows_the_same_shorter():
    assert progress.line(STATUS, elapsed=245) == (
        "4m05s: 1 204 documents, 5.7 pages/s, 8 901 queued, 21 failed, 12 harvesters,"
        " addresses: 10 waiting   4 active   3 resting   20 processed"
    )


def test_a_strange_status_stops_nobody():
    assert (
        progress.block({"addresses": 7, "documents": None}, elapsed=None)[0] == "documents  0   0.0 pages/s"
    )
    assert not progress.has_finished({})
    assert not progress.has_harvesters({"harvesters": "none"})
