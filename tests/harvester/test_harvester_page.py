"""The page: what becomes of a text depends on how it was judged."""

import pytest

from txtr.corpus.record import digest
from txtr.fetch.outcome import Page
from txtr.harvester.page import Demands, apply_judgement, process
from txtr.segment.usability import Judgement, judge

TEXT = "První věta.\nDruhá věta.\nTřetí věta."


def processed(
    html="<html lang=cs-CZ><title>T</title><p>První věta.<p>Druhá věta.<p>Třetí věta.", headers=None
):
    page = Page(200, "text/html; charset=utf-8", headers or {}, html.encode())
    return process("example.cz", "/a", page, took=0.1, fetched=0.0, agent="texttractor")


def fate(usability, **demands):
    return apply_judgement(processed(), Judgement(usability), Demands(**demands)).document.fate


@pytest.mark.parametrize(
    ("usability", "least", "expected"),
    [
        (0.0, 0.0, "rejected"),
        (0.001, 0.0, "kept"),
        (0.29, 0.3, "rejected"),
        (0.3, 0.3, "kept"),
        (1, 1, "kept"),
    ],
)
def test_min_usability_decides_what_enters_the_corpus(usability, least, expected):
    """Issue: --min-usability; a useless text never enters."""
    assert fate(usability, min_usability=least) == expected


def test_the_segmenter_is_asked_about_the_cleaned_text():
    asked = processed().question
    assert (asked.url, asked.text, asked.title, asked.language) == ("http://example.cz/a", TEXT, "T", "cs-CZ")


def test_a_page_without_text_needs_no_judge():
    assert processed("<html><img src=a.png>").question is None
    assert processed("<html><img src=a.png>").document.fate == "empty"


def test_the_judgement_is_in_the_record_and_in_the_report():
    """A usability from 0 to 1 with the reasons in the log and the record."""
    page = apply_judgement(processed(), Judgement(0.25, ("short",), "cs"), Demands())
    assert page.metadata["usability"] == 0.25 and page.metadata["reasons"] == ["short"]
    assert page.metadata["language"] == "cs" and page.metadata["declared_language"] == "cs-CZ"
    assert (page.document.usability, page.document.language) == (0.25, "cs")
    assert page.document.text_bytes == len(TEXT.encode())


def test_a_language_that_is_not_known_is_the_one_that_the_page_declares():
    """Found by a new user: the record said cs, the log a dash, the report unknown."""
    page = apply_judgement(processed(), Judgement(0.25), Demands())
    assert page.metadata["language"] == page.document.language == "cs"
    assert page.metadata["declared_language"] == "cs-CZ"


def test_noindex_pages_are_judged_but_stored_nowhere():
    """Their usability steers their links."""
    page = processed(headers={"x-robots-tag": ["noindex"]})
    assert apply_judgement(page, Judgement(0.0), Demands()).document.fate == "noindex"
    assert apply_judgement(page, Judgement(0.7), Demands()).document.usability == 0.7


def test_only_good_paragraphs_are_kept_if_that_is_asked_for():
    judgement = Judgement(0.5, kept=(0, 2, 99))
    assert apply_judgement(processed(), judgement, Demands()).text == TEXT.encode()
    page = apply_judgement(processed(), judgement, Demands(paragraphs=True))
    assert page.text == "První věta.\nTřetí věta.".encode() and page.digest == digest(page.text)
    assert page.document.text_bytes == len(page.text)
    assert page.metadata["paragraphs"] == [1, 1]


PARAGRAPHS = "<p>První věta. Druhá věta. Třetí věta.<p>Erster Satz. Zweiter Satz. Dritter Satz."


@pytest.mark.parametrize(
    ("good", "kept"),
    [((0, 1), [3]), ((0, 1, 2, 3), [3]), ((0, 1, 3, 4), [3, 3]), ((3, 4, 5), [3]), ((0, 3), [3, 3])],
)
def test_a_paragraph_is_kept_or_cut_as_a_whole(good, kept):
    """Found by a new user: half of a foreign paragraph stayed. Where none is good, all stay."""
    page = apply_judgement(processed(PARAGRAPHS), Judgement(0.5, kept=good), Demands(paragraphs=True))
    assert page.metadata["paragraphs"] == kept and len(page.text.split(b"\n")) == sum(kept)
    assert page.metadata.get("cut") == (2 - len(kept) or None)


CZECH = "V sobotu se na návsi sešlo přes padesát lidí, kteří slavili výročí obce. Hrála hudba. Děti běhaly."
GERMAN = "Der Zug kam spät. Alle warteten. Es regnete sehr stark. Niemand hatte einen Schirm. Wir lachten."


def test_short_sentences_of_a_foreign_paragraph_are_not_lost_among_ours():
    """Found by a new user. Sentences of a few words are told by their paragraph."""
    page = processed(f"<article><p>{CZECH}</p><p>{GERMAN}</p><p>{CZECH.replace('sobotu', 'pátek')}</p>")
    asked = page.question
    judgement = judge(asked.text, frozenset({"cs"}), asked.paragraphs)
    cut = apply_judgement(page, judgement, Demands(paragraphs=True))
    text = cut.text.decode()
    assert text.split("\n")[3].startswith("V pátek") and "Zug" not in text and "Wir" not in text
    assert (cut.metadata["paragraphs"], cut.metadata["cut"]) == ([3, 3], 1)
    assert "mixed" in cut.metadata["reasons"], "what is said of the page is said of the whole page"


@pytest.mark.parametrize("kept", [None, (), (7, 8)])
def test_paragraph_numbers_that_fit_no_line_change_nothing(kept):
    assert (
        apply_judgement(processed(), Judgement(0.5, kept=kept), Demands(paragraphs=True)).text
        == TEXT.encode()
    )


def test_what_is_rejected_is_kept_whole():
    assert (
        apply_judgement(processed(), Judgement(0.0, kept=(0,)), Demands(paragraphs=True)).text
        == TEXT.encode()
    )


def test_files_that_are_not_html_are_not_judged():
    page = Page(200, "application/pdf", {}, b"%PDF-1.4")
    assert process("example.cz", "/a.pdf", page, 0.1, 0.0, "texttractor").question is None
