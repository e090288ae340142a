"""Duplicates: a text is kept once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.corpus.duplicates import Claims


def test_the_first_claim_of_a_text_wins() -> None:
    """What it must show: each page's text once."""
    claims = Claims()
    assert claims.claim("http://a.cz/1", "text") is None
    assert claims.claim("http://a.cz/2", "text") == "http://a.cz/1"
    assert claims.claim("http://a.cz/3", "other") is None


def test_a_page_that_is_fetched_again_finds_its_own_claim() -> None:
    """Spec 6: its harvester died before it could report."""
    claims = Claims()
    for _ in range(2):
        assert claims.claim("http://a.cz/", "text") is None
    assert claims.claim("http://a.cz/", "text of today") is None


def test_a_refused_claim_leaves_no_trace() -> None:
    """Who has another text of its own keeps that."""
    claims = Claims()
    claims.claim("http://a.cz/1", "text")
    claims.claim("http://a.cz/2", "text")
    assert claims.claim("http://a.cz/2", "another text") is None


def test_a_text_that_was_written_but_not_reported_is_not_kept_again() -> None:
    """Its harvester died between the two, and the page was fetched again."""
    claims = Claims()
    claims.claim("http://a.cz/", "text")
    claims.found("http://a.cz/", "text")
    assert claims.claim("http://a.cz/", "text") == "http://a.cz/"


some = st.sampled_from("abc")


@settings(max_examples=50)
@given(st.lists(st.tuples(some, some), max_size=20))
def test_each_text_is_kept_for_one_page_and_no_other_is_lost(history: list[tuple[str, str]]) -> None:
    """Whatever is claimed by whom in which order."""
    claims, owners = Claims(), {}
    for url, digest in history:
        first = claims.claim(url, digest)
        assert owners.setdefault(digest, url) == (first or url)
