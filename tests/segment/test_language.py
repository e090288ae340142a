"""Language: neighbours are told apart, and nothing harms the library."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.segment.texts import prose
from txtr.errors import UserMistake
from txtr.segment.language import KNOWN, MEANT, canonical, identify, parse_wanted
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
    """Precision and recall of at least 0.99 on pages of 200 characters."""
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


@pytest.mark.parametrize("option", ["cs", "cs-CZ", "CS", "cs_cz"])
def test_a_wanted_language_may_be_written_as_the_web_does(option):
    assert parse_wanted(option) == CZECH


@pytest.mark.parametrize(
    ("option", "hint"),
    [("cz", "did you mean cs?"), ("sk,deu", "did you mean de?"), ("xq", "docs/segmenter.md lists the codes")],
)
def test_whoever_names_a_language_that_is_none_is_helped(option, hint):
    """Found by a new user: --language=cz."""
    with pytest.raises(UserMistake, match=r"no language .* is known to the judge") as mistake:
        parse_wanted(option)
    assert str(mistake.value).endswith(hint)


def test_what_people_mean_is_known_and_what_they_write_is_not():
    assert KNOWN.issuperset(MEANT.values()) and KNOWN.isdisjoint(MEANT)


def test_the_manual_lists_the_known_languages():
    manual = (Path(__file__).parents[2] / "docs/segmenter.md").read_text("utf-8")
    assert f"\n{', '.join(sorted(KNOWN))}.\n" in manual


def test_the_languages_of_the_neighbourhood_are_known():
    assert {"cs", "sk", "pl", "sl", "hr", "en", "de", "hu", "he", "zh"} <= KNOWN


@given(some.text())
def test_no_text_harms_the_library(text):
    """The library refuses some characters; we do not."""
    assert isinstance(identify(text), str)
