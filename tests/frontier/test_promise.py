"""The promise of a link: what we expect, from its parent, its domain and its URL."""

import pytest

from txtr.frontier.promise import CODES, Cues, expect_usability
from txtr.frontier.ranks import DOUBTFUL, HOPELESS, PROMISING, rank


def test_of_an_unknown_domain_only_the_parent_speaks() -> None:
    """Spec 4: English pages mostly link to English pages."""
    assert expect_usability(0.7, 0, 0.0, None) == pytest.approx(0.7)
    assert rank(expect_usability(0.0, 0, 0.0, None)) == HOPELESS


def test_a_long_history_counts_for_more_than_the_parent_but_does_not_silence_it() -> None:
    """Large domains are of several languages: there the parent knows better."""
    assert rank(expect_usability(1.0, 1000, 0.0, None)) == DOUBTFUL
    assert rank(expect_usability(0.0, 1000, 1000.0, None)) == PROMISING
    assert rank(expect_usability(0.0, 1000, 400.0, None)) == DOUBTFUL
    assert rank(expect_usability(1.0, 1000, 300.0, None)) == PROMISING


def test_a_url_of_the_wanted_language_is_promising_even_on_a_useless_page() -> None:
    """That is how a foreign front page leads to its Czech part."""
    assert rank(expect_usability(0.0, 1, 0.0, True)) == PROMISING
    assert rank(expect_usability(1.0, 0, 0.0, False)) == DOUBTFUL


@pytest.mark.parametrize(
    "domain,path,expected",
    [
        ("a.org", "/cs/index.html", True),
        ("a.org", "/cz/", True),
        ("a.org", "s/cs", True),
        ("a.org", "s:8443/cs-CZ/x", True),
        ("a.org", "/shop/cs/x", True),
        ("a.org", "/cs.html", True),
        ("a.org", "/en/", False),
        ("a.org", "/en_US/x", False),
        ("a.org", "/x?lang=en", False),
        ("a.org", "/en/x?hl=cs", True),
        ("a.org", "/x?a=b&language=cs_CZ", True),
        ("a.org", "/x?lang=it", False),
        ("cs.a.org", "/x", True),
        ("de.a.org", "/x", False),
        ("a.org", "/", None),
        ("a.org", "/it/servery", None),  # a department, not Italian
        ("a.org", "/a/b/en/x", None),
        ("a.org", "/english/x", None),
        ("a.org", "/end", None),
        ("de.com", "/x", None),
        ("a.org", "/x?lang=czech", None),
        ("a.org", "", None),
    ],
)
def test_urls_name_their_language(domain: str, path: str, expected: bool | None) -> None:
    """E.g. /en/, lang=, and hosts such as en.example.org."""
    assert Cues(["cs"]).cue(domain, path) is expected


def test_when_any_language_will_do_urls_say_nothing() -> None:
    """--language is empty by default."""
    assert Cues([]).cue("a.org", "/en/") is None


def test_a_code_with_two_meanings_is_read_kindly() -> None:
    """/uk/ is Ukrainian or British."""
    assert Cues(["en"]).cue("a.org", "/uk/") is True
    assert Cues(["uk"]).cue("a.org", "/uk/") is True
    assert Cues(["cs"]).cue("a.org", "/uk/") is False


def test_the_table_of_codes_is_well_formed() -> None:
    """languages.txt: codes of two or three lower-case letters."""
    assert len(CODES) > 80
    for code, languages in CODES.items():
        assert all(2 <= len(word) <= 3 and word.isalpha() and word.islower() for word in (code, *languages))
