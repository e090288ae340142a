"""The walk: a harvester's way through its batches."""

import msgspec
import pytest

from txtr.harvester.columns import Columns, DealtRequest
from txtr.harvester.walk import FULL, NO_ROOM, Walk
from txtr.model import (
    Answer,
    Batch,
    Document,
    Failure,
    Redirect,
    Report,
    Request,
    RobotsFile,
    Trouble,
    Unvisited,
    Visit,
)
from txtr.wire.frames import MOST_BYTES
from txtr.wire.lease import LEASE
from txtr.wire.messages import Ask, Reported


def visit(domain: str, *paths: str) -> Visit:
    return Visit(domain, "192.0.2.1", 2.0, [Request(path) for path in paths])


def walk(*rows: list[Visit]) -> Walk:
    begun = Walk(Columns())
    begun.extend_lease(0)
    begun.deal(Batch(7, list(rows)), now=0)
    return begun


def document(path: str, links: list[str] | None = None) -> Document:
    return Document("a.cz", path, "kept", 1.0, 200, 100, 0.1, links=links or [])


def paths(queue: list[DealtRequest]) -> list[str]:
    return [dealt.request.path for dealt in queue]


def test_without_a_lease_nothing_is_due() -> None:
    """Spec 6: a harvester that is cut off endangers nothing."""
    begun = walk([visit("a.cz", "/")])
    assert begun.due(LEASE, most=10) == []
    begun.extend_lease(LEASE)
    assert paths(begun.due(LEASE, most=10)) == ["/"]


def test_a_walk_that_never_had_a_lease_waits_for_one() -> None:
    """Before the first pong."""
    begun = Walk(Columns())
    begun.deal(Batch(1, [[visit("a.cz", "/")]]), now=0)
    assert begun.due(0.0, most=10) == []
    assert begun.next_due() == 0.0


def test_answers_are_laid_into_the_report_of_their_batch() -> None:
    """Spec 6: lists documents and failures; results stream back while the batch runs."""
    begun = walk()
    answers: list[Answer] = [
        document("/1"),
        Redirect("a.cz", "/2", "http://b.cz/", 301, 0.1),
        Failure("a.cz", "/3", Trouble.GONE),
        RobotsFile("a.cz", "/robots.txt", 200, "", 0.1),
        Unvisited("a.cz", ["/4"]),
    ]
    for answer in answers:
        begun.answer(7, answer)
    begun.answer(8, document("/5"))
    one, other = begun.take_reports(now=0)
    assert one == Report(7, *([answer] for answer in answers))
    assert (other.batch, other.documents) == (8, [document("/5")])
    assert begun.take_reports(now=0) == []


@pytest.mark.parametrize("trouble", [Trouble.BUSY, Trouble.CONNECT, Trouble.TIMED_OUT])
def test_a_domain_in_trouble_is_left_alone(trouble: Trouble) -> None:
    """Spec 2, beyond: not one more request to a server that says it is too many."""
    begun = walk([visit("a.cz", "/1", "/2", "/3")], [visit("b.cz", "/b")])
    dealt = next(dealt for dealt in begun.due(0, 10) if dealt.domain == "a.cz")
    begun.ended(dealt, trouble, None, 1)
    begun.answer(7, Failure("a.cz", "/1", trouble))
    (report,) = begun.take_reports(now=0)
    assert report.unvisited == [Unvisited("a.cz", ["/2", "/3"])]
    assert begun.due(9, 10) == []


@pytest.mark.parametrize("trouble", [Trouble.GONE, Trouble.SERVER_ERROR, Trouble.UNWANTED, None])
def test_a_broken_page_is_no_reason_to_leave_its_server(trouble: Trouble | None) -> None:
    """Spec 9: almost every tenth link is broken."""
    begun = walk([visit("a.cz", "/1", "/2")])
    (dealt,) = begun.due(0, 10)
    begun.ended(dealt, trouble, 0.5, 1)
    assert paths(begun.due(3, 10)) == ["/2"]


def test_who_leaves_hands_back_what_was_not_begun() -> None:
    """Spec 6: harvesters can be removed at any time; every request is reported exactly once."""
    begun = walk([visit("a.cz", "/1", "/2")], [visit("b.cz", "/3")])
    begun.due(0, most=1)
    begun.leave()
    begun.deal(Batch(8, [[visit("c.cz", "/4", "/5")]]), now=1)
    begun.top_up(7, [visit("d.cz", "/6")], now=1)
    handed = [
        path for report in begun.take_reports(now=0) for back in report.unvisited for path in back.paths
    ]
    assert len(handed) == 5
    assert len(begun.columns) == 1  # the one that is under way
    assert begun.next_due() is None or begun.due(9, 10) == []


def test_a_report_is_never_too_long_for_a_frame() -> None:
    """The wire: frames have a size limit, and pages can have very many links."""
    begun = walk()
    links = [f"http://a.cz/{'x' * 1000}/{number}" for number in range(FULL // 1010)]
    for number in range(8):
        begun.answer(7, document(f"/{number}", links))
        begun.answer(7, RobotsFile("a.cz", "/robots.txt", 200, "ž" * 500_000, 0.1))
    reports = begun.take_reports(now=0)
    assert sum(len(report.documents) for report in reports) == 8
    assert all(len(msgspec.msgpack.encode(Reported(report))) < MOST_BYTES for report in reports)


def test_a_report_of_many_unvisited_paths_is_cut_as_well() -> None:
    """A batch of a thousand rows that is handed back at once."""
    begun = walk()
    for _ in range(4):
        begun.answer(7, Unvisited("a.cz", ["/" + "x" * 1999] * 2000))
    assert len(begun.take_reports(now=0)) > 1


def test_a_batch_is_held_until_its_last_answer_is_reported() -> None:
    """Found by review: pages that were being read belonged to no batch, and counting them failed."""
    held = Walk(Columns())
    held.extend_lease(0.0)
    held.deal(Batch(7, [[Visit("a.cz", "192.0.2.1", 1.0, [Request("/1"), Request("/2")])]]), 0.0)
    (first,) = held.due(0.0, 10)
    held.ended(first, None, 0.1, 0.1)
    (second,) = held.due(5.0, 10)
    held.ended(second, None, 5.1, 5.1)
    assert held.held() == {7: 2}  # both are read or judged now, none is answered
    for path in ("/1", "/2"):
        held.answer(7, Document("a.cz", path, "kept", 1.0, 200, 10, 0.1))
    assert held.held() == {}
    held.keep_only([])
    assert held.received == {}


def test_what_crosses_a_servers_wish_to_be_left_alone_goes_back() -> None:
    """A `More` that was sent before the queuekeeper had heard of a 429 is not fetched."""
    begun = walk([visit("a.cz", "/")])
    (dealt,) = begun.due(0.0, most=10)
    begun.ended(dealt, Trouble.BUSY, first_byte=0.1, ended=0.2)
    begun.answer(7, Failure("a.cz", "/", Trouble.BUSY, retry_after=60.0))
    begun.top_up(7, [visit("a.cz", "/crossed"), visit("b.cz", "/other")], now=0.3)
    assert paths(begun.due(9.0, most=10)) == ["/other"]
    (report,) = begun.take_reports(now=1.0)
    assert report.unvisited == [Unvisited("a.cz", ["/crossed"])]


def test_a_server_is_visited_again_when_the_queuekeeper_has_heard_of_its_trouble() -> None:
    """A ping that was said after the report has been answered: what is sent now is meant."""
    begun = walk([visit("a.cz", "/")])
    (dealt,) = begun.due(0.0, most=10)
    begun.ended(dealt, Trouble.BUSY, first_byte=0.1, ended=0.2)
    begun.answer(7, Failure("a.cz", "/", Trouble.BUSY, retry_after=1.0))
    begun.extend_lease(0.5)
    begun.take_reports(now=1.0)
    begun.extend_lease(1.0)
    assert "a.cz" in begun.left
    begun.extend_lease(1.1)
    begun.top_up(7, [visit("a.cz", "/meant")], now=4.0)
    assert paths(begun.due(4.0, most=10)) == ["/meant"]


def test_a_walk_of_so_many_batches_asks_for_no_more() -> None:
    """--batch-count: the question says how many batches are wanted, so that none comes in vain."""
    begun = Walk(Columns(), batch_count=2)
    begun.extend_lease(0)
    assert begun.question(0.0, 0.0, 0.0, 0.0) == Ask(0, 0, 0.0, batches=2)
    begun.deal(Batch(1, [[visit("a.cz", "/")]]), now=0)
    assert begun.question(0.0, 0.0, 0.0, 0.0) == Ask(1, 1, 0.0, batches=1)
    assert begun.question(0.0, 0.0, 0.0, 0.0) is None
    begun.deal(Batch(2, [[visit("b.cz", "/")]]), now=0)
    question = begun.question(0.0, 0.0, 0.0, 0.0)
    assert question is not None
    assert question.rows == NO_ROOM
    assert not begun.has_had_enough()
    for dealt in begun.due(0.0, most=10):
        begun.ended(dealt, None, first_byte=0.1, ended=0.1)
        begun.answer(dealt.batch, Unvisited(dealt.domain, [dealt.request.path]))
    assert begun.has_had_enough()


def test_a_domain_that_is_to_be_spared_is_asked_for_nothing_more() -> None:
    """What is under way ends; the rest is handed back, and others in the row go on."""
    begun = walk([visit("a.cz", "/1", "/2", "/3"), visit("b.cz", "/x")])
    (out,) = begun.due(0, most=10)
    begun.spare("a.cz")
    begun.spare("c.cz")  # not here
    begun.ended(out, None, 0.1, 0.2)
    begun.answer(7, document("/1"))
    assert paths(begun.due(5, most=10)) == ["/x"]
    (report,) = begun.take_reports(5)
    assert report.unvisited == [Unvisited("a.cz", ["/2", "/3"])]


def test_a_row_whose_only_domain_is_spared_before_it_began_is_over() -> None:
    begun = walk([visit("a.cz", "/1", "/2")])
    begun.spare("a.cz")
    assert len(begun.columns) == 0
    assert begun.held() == {}
    assert begun.due(0, most=10) == []


def test_a_row_that_is_slower_than_a_column_leaves_room_for_another() -> None:
    """With eight rows at servers that want a long delay a harvester asked for nothing more, and idled."""
    begun = Walk(Columns(), column=1.0)
    begun.extend_lease(0)
    begun.deal(Batch(1, [[visit("a.cz", "/1", "/2")]]), now=0)
    assert begun.question(0.01, 0.1, 0.2, 0.0) == Ask(1, 1, 0.01, 0, 0.1, 0.2)
    (dealt,) = begun.due(0.0, most=10)
    begun.ended(dealt, None, first_byte=0.5, ended=0.5)
    assert begun.question(0.01, 0.1, 0.2, 0.6) is None
    assert begun.question(0.01, 0.1, 0.2, 1.0) == Ask(1, 0, 0.01, 0, 0.1, 0.2)  # the next one is due at 2.5
    assert begun.question(0.01, 0.1, 0.2, 2.0) == Ask(1, 1, 0.01, 0, 0.1, 0.2)
