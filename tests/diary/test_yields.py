"""The harvest: counted as documents arrive, bounded, and the same after a restart."""

from itertools import pairwise

import msgspec
import pytest

from txtr.diary import yields
from txtr.diary.yields import (
    FIRST_INTERVAL,
    MOST_DOMAINS,
    MOST_LANGUAGES,
    MOST_POINTS,
    OTHER,
    Key,
    Row,
    Yield,
    Yields,
    abandoned_lines,
    read,
    written,
)
from txtr.errors import TheirMistake
from txtr.model import Document, Figures


def document(
    fate: str = "kept", language: str = "cs", domain: str = "a.cz", size_bytes: int = 1000
) -> Document:
    return Document(domain, "/", fate, 1.0, 200, size_bytes, 0.1, language=language, text_bytes=100)


def test_text_that_was_kept_is_compared_with_what_was_downloaded() -> None:
    """The yield, in all and per language; files put aside are not in it."""
    gathered = Yields()
    for fate, language in (
        ("kept", "cs"),
        ("rejected", "en"),
        ("duplicate", "cs"),
        ("empty", ""),
        ("aside", ""),
    ):
        gathered.take(document(fate, language), Figures(1), 0)
    known = gathered.sum_up(abandoned=2, now=10)
    assert known.total == Figures(4, 1, 4000, 100)
    assert known.total.share() == 0.025
    assert known.languages["cs"] == Figures(2, 1, 2000, 100)
    assert known.languages["unknown"] == Figures(1, 0, 1000, 0)
    assert known.abandoned == 2
    assert known.fates == {"kept": 1, "rejected": 1, "duplicate": 1, "empty": 1}


def test_of_the_domains_those_are_remembered_that_cost_most() -> None:
    """However many there are; and a small one that grows gets in."""
    gathered = Yields()
    for number in range(5 * MOST_DOMAINS):
        gathered.take(document(domain=f"{number}.cz"), Figures(1, 1, 1000 + number, 100), 0)
    gathered.take(document(domain="0.cz"), Figures(2, 2, 10**6, 200), 0)
    known = gathered.sum_up(0, 0)
    assert len(known.domains) == MOST_DOMAINS
    assert len(gathered.known.domains) <= 2 * MOST_DOMAINS
    assert known.domains["0.cz"].raw_bytes == 10**6
    assert f"{5 * MOST_DOMAINS - 1}.cz" in known.domains
    assert known.domain_count == 5 * MOST_DOMAINS


def test_a_segmenter_that_invents_languages_fills_no_memory() -> None:
    """Others are counted together."""
    gathered = Yields()
    for number in range(3 * MOST_LANGUAGES):
        gathered.take(document(language=f"x{number}"), Figures(1), 0)
    assert len(gathered.known.languages) == MOST_LANGUAGES + 1
    assert gathered.known.languages[OTHER].documents == 2 * MOST_LANGUAGES


def test_a_long_crawl_is_as_many_points_as_a_short_one() -> None:
    """At most a thousand, evenly spread, the first and the last among them."""
    gathered = Yields(epoch=1e9)
    for second in range(20_000):
        gathered.take(document(), Figures(1), float(second))
    points = gathered.sum_up(0, 20_000).points
    assert MOST_POINTS / 3 < len(points) <= MOST_POINTS
    gaps = {round(after.time - before.time) for before, after in pairwise(points[:-1])}
    assert len(gaps) == 1
    assert (points[0].time, points[-1].time) == (1e9, 1e9 + 20_000)
    assert gathered.known.interval > FIRST_INTERVAL


def test_an_earlier_run_is_gone_on_with() -> None:
    """The file is read back as it was written."""
    gathered = Yields()
    gathered.take(document(), Figures(1, 1, 1000, 100), 5)
    known = gathered.sum_up(0, 6)
    assert read(written(known), "x") == known
    later = Yields(earlier=read(written(known), "x"))
    later.take(document(), Figures(2, 2, 2000, 200), 7)
    assert later.known.total == Figures(2, 2, 2000, 200)
    assert later.known.domain_count == 1


def kept_in_books(gathered: Yields, books: dict[Key, Row]) -> None:
    rows, gone = gathered.changes()
    books.update({row[:2]: row for row in rows})
    for key in gone:
        del books[key]


def test_what_is_in_the_books_is_the_harvest() -> None:
    """A crash made the report contradict itself: its totals were older than its domains."""
    gathered, books = Yields(), dict[Key, Row]()
    for number in range(3 * MOST_DOMAINS):
        fate, language = ("kept", "cs") if number % 3 else ("rejected", "de")
        gathered.take(document(fate, language, f"{number}.cz"), Figures(1, 1, 1000 + number, 100), 0)
        if number % 50 == 0:
            kept_in_books(gathered, books)
    kept_in_books(gathered, books)
    assert gathered.changes() == ([], [])
    later = Yields()
    later.go_on(books.values())
    assert len(books) <= 2 * MOST_DOMAINS + 6
    points, interval = gathered.known.points, gathered.known.interval
    assert msgspec.structs.replace(later.known, points=points, interval=interval) == gathered.known


def test_of_the_file_only_the_points_are_believed_that_the_books_know() -> None:
    """The file may be newer than the last commit, or seconds older."""
    gathered, books = Yields(), dict[Key, Row]()
    gathered.take(document(), Figures(1, 1, 1000, 100), 5)
    kept_in_books(gathered, books)
    gathered.take(document(), Figures(2, 2, 2000, 200), 7)
    later = Yields()
    later.go_on(books.values())
    later.recall(gathered.sum_up(0, 8))
    assert later.known.total.documents == 1
    assert [point.time for point in later.known.points] == [5.0]


def test_a_harvest_that_is_only_in_a_file_enters_the_books() -> None:
    """States of earlier versions have no such table."""
    gathered, books, later = Yields(), dict[Key, Row](), Yields()
    gathered.take(document(), Figures(1, 1, 1000, 100), 5)
    later.recall(gathered.sum_up(0, 8))
    kept_in_books(later, books)
    again = Yields()
    again.go_on(books.values())
    assert (again.known.total, again.known.domains) == (gathered.known.total, gathered.known.domains)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"\xff", b'{"version": 99}', b'{"time": 1e300}', b'{"time": -1}', b'{"total": 3}'],
)
def test_a_damaged_file_is_named(data: bytes) -> None:
    """Style 5: in one line, with its path."""
    with pytest.raises(TheirMistake, match=r"state/yield\.json") as mistake:
        read(data, "state/yield.json")
    assert "\n" not in str(mistake.value)


def test_the_summary_says_what_was_yielded() -> None:
    """In the % lines."""
    gathered = Yields()
    for _ in range(12):
        gathered.take(document(size_bytes=1_000_000), Figures(12, 12, 12_000_000, 1200), 0)
    gathered.take(document("rejected", "en"), Figures(12, 12, 12_000_000, 1200), 0)
    assert yields.lines(gathered.sum_up(1, 0)) == [
        "% yield 0.01 %   text 1.2 kB of 12.0 MB   kept 12 of 13   domains 0   abandoned 1",
        "% fates   kept 12   rejected 1",
        "% languages   cs kept 12 of 12   en kept 0 of 1",
        "% most-text   a.cz 1.2 kB",
    ]
    assert yields.lines(Yield()) == []


@pytest.mark.parametrize(
    "name,shown",
    [
        ("xn--hky-ela4t.priklad.cz", "háčky.priklad.cz"),
        ("example.cz", "example.cz"),
        ("xn--\xff.cz", "xn--\xff.cz"),
        ("xn--99999999999.cz", "xn--99999999999.cz"),
    ],
)
def test_a_domain_is_shown_as_people_write_it(name: str, shown: str) -> None:
    """Found by a new user: xn-- in the report."""
    assert yields.readable(name) == shown


def test_abandoned_domains_are_listed_with_their_figures() -> None:
    """Listed in a file."""
    *advice, line = abandoned_lines({"a.cz": Figures(20, 1, 300_000, 300)}, "state/bring-back.txt")
    assert line == "a.cz documents=20 kept=1 raw_bytes=300000 kept_bytes=300 yield=0.00100"
    assert all(said.startswith("# ") for said in advice)
    assert "abandoned after a fair trial" in advice[0]
    assert "state/bring-back.txt" in advice[1] and "--bring-back" in advice[2]
    assert abandoned_lines({}, "state/bring-back.txt") == []


@pytest.mark.parametrize(
    "number,shown", [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1.3e9, "1.3 GB"), (5e15, "5000.0 TB")]
)
def test_sizes_are_readable(number: float, shown: str) -> None:
    """Decimal units."""
    assert yields.size(number) == shown
