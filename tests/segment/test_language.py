"""Language: neighbours are told apart, and nothing harms the library."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.segment.texts import prose
from txtr.segment.language import KNOWN, canonical, identify
from txtr.segment.usability import judge

NEIGHBOURS = Path(__file__).parents[2] / "bench/neighbours.txt"
CZECH = frozenset({"cs"})


def neighbours():
    """(language, page of three sentences) as we wrote them."""
    for part in NEIGHBOURS.read_text("utf-8").split("# ")[1:]:
        language, *lines = filter(None, part.splitlines())
        for first in range(len(lines) - 2):
            yield language, "\n".join(lines[first : first + 3])


def test_czech_is_told_from_its_neighbours():
    """Issue: precision and recall of at least 0.99 on pages of 200 characters."""
    pages = [*neighbours()]
    for language in ("cs", "sk", "en"):
        for number in range(50):
            pages.append((language, prose(language, f"{number}")))
    taken = [language for language, page in pages if judge(page, CZECH).usability > 0]
    assert taken.count("cs") / len(taken) >= 0.99
    assert taken.count("cs") / sum(language == "cs" for language, _ in pages) >= 0.99


@pytest.mark.parametrize(
    ("passage", "language"),
    [
        ("Žluťoučký kůň úpěl ďábelské ódy a nikdo mu nerozuměl.", "cs"),
        ("Nikdo mi to nevěřil,\x00 ale\x07 byla to pravda, kterou potvrdil i soused.", "cs"),
        ("ברוכים הבאים לאתר האינטרנט שלנו, כאן תמצאו את כל החדשות", "he"),
        ("", ""),
        ("12 34 56", ""),
        ("\ud800 \udfff", ""),
    ],
)
def test_a_passage_is_identified_or_not_at_all(passage, language):
    assert identify(passage) == language


@pytest.mark.parametrize(
    ("written", "code"), [("cs-CZ", "cs"), ("EN_us", "en"), (" nb ", "no"), ("iw", "he"), ("", "")]
)
def test_one_language_has_one_code(written, code):
    assert canonical(written) == code


def test_the_languages_of_the_neighbourhood_are_known():
    assert {"cs", "sk", "pl", "sl", "hr", "en", "de", "hu", "he", "zh"} <= KNOWN


@given(some.text())
def test_no_text_harms_the_library(text):
    """The library refuses some characters; we do not."""
    assert isinstance(identify(text), str)
