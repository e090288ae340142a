"""Whose a text is, on disk: the claims of corpus/duplicates.py, with numbers instead of URLs."""

from pathlib import Path

import pytest

from txtr.corpus.duplicates import Claims
from txtr.frontier.disk import Store
from txtr.frontier.links.record import Entry, Record
from txtr.frontier.owners.disk import OWN_ADDRESSES, TEXTS, Owners

ONE, TWO, OWN = "http://a.cz/1", "https://b.cz:8443/2", "http://a.cz/own"


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk needs them."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def claims(store: Store) -> Claims:
    return Claims(Owners(store.links, TEXTS), Owners(store.links, OWN_ADDRESSES))


def lease(store: Store, domain: str, path: str) -> None:
    store.links.enqueue(domain, [path], Record(0, 1.0))
    store.links.lease(domain, path.partition("/")[0], 1)


def test_a_text_belongs_to_the_first_who_claims_it(store: Store) -> None:
    """While its page is in a batch, and when it is settled; after a restart too."""
    lease(store, "a.cz", "/1")
    assert claims(store).claim(ONE, ONE, "text") is None
    assert claims(store).claim(ONE, ONE, "text") is None
    assert claims(store).claim(TWO, TWO, "text") == ONE
    store.links.take("a.cz", "/1")
    store.links.settle("a.cz", "/1", Entry("kept", 0))
    assert claims(store).claim(TWO, TWO, "text") == ONE


def test_an_address_of_its_own_is_claimed_as_well(store: Store) -> None:
    """The same document under two addresses is kept once."""
    lease(store, "b.cz", "s:8443/2")
    assert claims(store).claim(TWO, OWN, "text") is None
    assert claims(store).claim(OWN, OWN, "another text") == TWO


def test_who_did_not_bring_the_text_after_all_does_not_own_it(store: Store) -> None:
    """Its harvester died, and the request is queued again: somebody else may be faster."""
    lease(store, "a.cz", "/1")
    claims(store).claim(ONE, ONE, "text")
    store.links.give_back("a.cz", "/1")
    lease(store, "b.cz", "s:8443/2")
    assert claims(store).claim(TWO, TWO, "text") is None
    store.links.lease("a.cz", "", 1)
    assert claims(store).claim(ONE, ONE, "text") == TWO
