"""Duplicates: a text is kept once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.corpus.duplicates import Claims


def test_the_first_claim_of_a_text_wins() -> None:
    """What it must show: each page's text once."""
    claims = Claims()
    assert claims.claim("http://a.cz/1", "http://a.cz/1", "text") is None
    assert claims.claim("http://a.cz/2", "http://a.cz/2", "text") == "http://a.cz/1"
    assert claims.claim("http://a.cz/3", "http://a.cz/3", "other") is None


def test_the_canonical_link_counts_as_the_documents_address() -> None:
    """The issue: the canonical link counts as the document's address for duplicates."""
    claims = Claims()
    assert claims.claim("http://a.cz/?print", "http://a.cz/", "text to print") is None
    assert claims.claim("http://a.cz/", "http://a.cz/", "text") == "http://a.cz/?print"


def test_a_page_that_is_fetched_again_finds_its_own_claim() -> None:
    """Spec 6: its harvester died before it could report."""
    claims = Claims()
    for _ in range(2):
        assert claims.claim("http://a.cz/", "http://a.cz/", "text") is None
    assert claims.claim("http://a.cz/", "http://a.cz/", "text of today") is None


def test_a_refused_claim_leaves_no_trace() -> None:
    """Else a duplicate's canonical address would be taken for good."""
    claims = Claims()
    claims.claim("http://a.cz/1", "http://a.cz/1", "text")
    claims.claim("http://a.cz/2", "http://a.cz/own", "text")
    assert claims.claim("http://a.cz/own", "http://a.cz/own", "another text") is None


def test_a_text_that_was_written_but_not_reported_is_not_kept_again() -> None:
    """Its harvester died between the two, and the page was fetched again."""
    claims = Claims()
    claims.claim("http://a.cz/", "http://a.cz/", "text")
    claims.found("http://a.cz/", "text")
    assert claims.claim("http://a.cz/", "http://a.cz/", "text") == "http://a.cz/"


some = st.sampled_from("abc")


@settings(max_examples=50)
@given(st.lists(st.tuples(some, some, some), max_size=20))
def test_no_text_and_no_address_is_ever_kept_for_two(history: list[tuple[str, str, str]]) -> None:
    """Whatever is claimed by whom in which order."""
    claims, kept = Claims(), []
    for url, address, digest in history:
        if claims.claim(url, address, digest) is None:
            kept.append((url, address, digest))
    for field in (1, 2):
        owners: dict[str, set[str]] = {}
        for claim in kept:
            owners.setdefault(claim[field], set()).add(claim[0])
        assert all(len(urls) == 1 for urls in owners.values())
