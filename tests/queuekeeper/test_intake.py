"""A report is taken in by portions, so that nobody waits for a page that is full of links."""

from hypothesis import given
from hypothesis import strategies as st

from tests.queuekeeper.test_keeper_talk import keeper, resolve, robots
from txtr.frontier.records import Record
from txtr.model import Document, Failure, Report, RobotsFile, Trouble, Unvisited
from txtr.queuekeeper.intake import ANSWER, FIRST_EFFORT, MOST_EFFORT, SERVER, LinksAhead, Pace, portions_of
from txtr.queuekeeper.keeper import Keeper
from txtr.wire.messages import Reported

RECORD = Record(0, 1.0)


def page(path: str, links: list[str]) -> Document:
    return Document("a.example", path, "kept", 1.0, 200, 1000, 0.1, links=links)


def servers(number: int, begin: int = 0) -> list[str]:
    return [f"http://{n}.example/" for n in range(begin, begin + number)]


def test_a_report_of_usual_size_is_one_portion():
    report = Report(
        1, [page("/", servers(40))], robots=[RobotsFile("a.example", "/robots.txt", 200, "", 0.1)]
    )
    assert list(portions_of(report, lambda _: RECORD, Pace())) == [report]


def test_a_page_with_twenty_thousand_servers_comes_in_portions_of_bounded_effort():
    """To take it in took 0.8 seconds in one go, and with others like it 6.8."""
    links = servers(20_000)
    portions = list(portions_of(Report(1, [page("/", links)]), lambda _: RECORD, Pace()))
    found = [
        some.document.links if isinstance(some, LinksAhead) else some.documents[0].links for some in portions
    ]
    assert [link for some in found for link in some] == links
    assert max(map(len, found)) * SERVER <= FIRST_EFFORT
    assert isinstance(portions[-1], Report) and len(portions) > 20


def test_a_report_of_many_pages_comes_in_portions():
    """Each of them is short, and all together are not."""
    pages = [page(f"/{n}", servers(10, 10 * n)) for n in range(60)]
    portions = list(portions_of(Report(1, pages), lambda _: RECORD, Pace()))
    assert [document for portion in portions for document in portion.documents] == pages
    assert all(len(portion.documents) * (ANSWER + 10 * SERVER) <= FIRST_EFFORT for portion in portions)


def test_portions_grow_while_they_are_quick_and_shrink_when_links_cost_more_than_usual():
    """Paths of forty segments took a quarter of a second, servers that are looked for in long lists more."""
    pace, found = Pace(), list[int]()
    for some in portions_of(Report(1, [page("/", servers(20_000))]), lambda _: RECORD, pace):
        links = (some.document if isinstance(some, LinksAhead) else some.documents[0]).links
        found.append(len(links))
        pace.lasted((0.00001 if len(found) < 20 else 0.01) * len(links))
    assert found[0] * SERVER <= FIRST_EFFORT and max(found) * SERVER <= MOST_EFFORT
    assert max(found) > 2 * found[0] and found[-2] <= 4


def test_a_page_whose_request_is_not_leased_any_more_comes_whole():
    """Nobody knows then how deep its links are, until it is taken in itself."""
    report = Report(1, [page("/", servers(20_000))])
    (portion,) = portions_of(report, lambda _: None, Pace())
    assert portion == report


@given(
    st.lists(st.integers(0, 1500), max_size=8),
    st.integers(0, 100),
    st.integers(0, 300_000),
    st.lists(st.floats(0, 1), max_size=20),
)
def test_the_portions_bring_what_the_report_brings(numbers, failures, letters, lasts):
    """Every answer once, each link once, in their order; however long the portions take."""
    pace = Pace()
    report = Report(
        7,
        [page(f"/{n}", servers(number)) for n, number in enumerate(numbers)],
        failures=[Failure("b.example", f"/{n}", Trouble.GONE, "", 0.1) for n in range(failures)],
        robots=[RobotsFile("b.example", "/robots.txt", 200, "x" * letters, 0.1)],
        unvisited=[Unvisited("c.example", ["/1", "/2"])],
    )
    brought, links = Report(7), {document.path: [] for document in report.documents}
    for portion in portions_of(report, lambda _: RECORD, pace):
        pace.lasted(lasts.pop() if lasts else 0.01)
        if isinstance(portion, LinksAhead):
            links[portion.document.path] += portion.document.links
            continue
        assert portion.batch == 7
        for answer in portion.answers():
            brought.add(answer)
            if isinstance(answer, Document):
                links[answer.path] += answer.links
    assert [document.path for document in brought.documents] == [d.path for d in report.documents]
    assert links == {document.path: document.links for document in report.documents}
    assert (brought.failures, brought.robots) == (report.failures, report.robots)
    assert brought.unvisited == report.unvisited


def with_a_page_out() -> Keeper:
    """The front page of a.example is with a harvester."""
    kept = keeper("http://a.example/")
    kept.join("h1", {}, 0.0)
    resolve(kept)
    kept.answer("h1", Reported(Report(kept.last_number, robots=[robots("a.example")])), 1.0)
    assert kept.frontier.links.leased("a.example").keys() == {"/"}
    return kept


def test_all_links_of_a_page_taken_in_by_portions_are_queued_and_the_page_is_settled_once():
    kept = with_a_page_out()
    report = Report(kept.last_number, [page("/", servers(3000))])
    for portion in kept.portions(Reported(report), Pace()):
        assert not kept.frontier.links.knows("a.example", "/")  # not before its last portion
        kept.answer("h1", portion, 2.0)
    assert kept.frontier.links.knows("a.example", "/")
    assert kept.frontier.links.queued_count == 3000
    assert kept.frontier.links.fates["kept"] == 1


def test_a_page_of_which_only_some_links_came_in_is_fetched_again():
    """A crash between two portions loses no link: the page is still a request."""
    kept = with_a_page_out()
    report = Report(kept.last_number, [page("/", servers(3000))])
    first, *_ = kept.portions(Reported(report), Pace())
    kept.answer("h1", first, 2.0)
    kept.frontier.give_up(kept.last_number, 3.0)
    assert not kept.frontier.links.knows("a.example", "/")
    assert kept.frontier.links.best("a.example") is not None
