"""Whose a text is, on disk: the claims of corpus/duplicates.py, with numbers instead of URLs."""

from pathlib import Path

import pytest

from txtr.corpus.duplicates import Claims
from txtr.frontier.records import Entry, Record
from txtr.store.migrations import VERSION
from txtr.store.owners import Owners, _number
from txtr.store.store import Store

ONE, TWO = "http://a.cz/1", "https://b.cz:8443/2"


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk needs them."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def claims(store: Store) -> Claims:
    return Claims(Owners(store.links))


def lease(store: Store, domain: str, path: str) -> None:
    store.links.enqueue(domain, [path], Record(0, 1.0))
    store.links.lease(domain, path.partition("/")[0], 1)


def test_a_text_belongs_to_the_first_who_claims_it(store: Store) -> None:
    """While its page is in a batch, and when it is settled; after a restart too."""
    lease(store, "a.cz", "/1")
    assert claims(store).claim(ONE, "text") is None
    assert claims(store).claim(ONE, "text") is None
    assert claims(store).claim(TWO, "text") == ONE
    store.links.take("a.cz", "/1")
    store.links.settle("a.cz", "/1", Entry("kept", 0))
    assert claims(store).claim(TWO, "text") == ONE


@pytest.mark.parametrize("is_clean", [False, True])
def test_what_an_older_robot_believed_of_addresses_keeps_nobody_out(tmp_path: Path, is_clean: bool) -> None:
    """It had a table of canonical addresses, and perhaps died before the last rows were in it."""
    store = Store(tmp_path)
    store.connection.execute("CREATE TABLE own_addresses (key INTEGER PRIMARY KEY, link INTEGER NOT NULL)")
    store.connection.execute("PRAGMA user_version = 3")
    lease(store, "a.cz", "/1")
    lease(store, "b.cz", "s:8443/2")
    assert claims(store).claim(TWO, "lies") is None
    store.links.take("b.cz", "s:8443/2")
    store.links.settle("b.cz", "s:8443/2", Entry("kept", 0))
    store.put_down(0.0)
    row = (_number(ONE), Owners(store.links)._link(TWO))
    store.links.others.write("own_addresses", "INSERT OR REPLACE INTO own_addresses VALUES (?, ?)", {0: row})
    store.put_down(1.0)  # into the journal
    store.close() if is_clean else store.connection.close()  # who is killed works nothing in
    store = Store(tmp_path)
    assert store.connection.execute("SELECT * FROM own_addresses").fetchall() == [row]
    assert store.connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert claims(store).claim(ONE, "lies") == TWO
    assert claims(store).claim(ONE, "truth") is None


def test_who_did_not_bring_the_text_after_all_does_not_own_it(store: Store) -> None:
    """Its harvester died, and the request is queued again: somebody else may be faster."""
    lease(store, "a.cz", "/1")
    claims(store).claim(ONE, "text")
    store.links.give_back("a.cz", "/1")
    lease(store, "b.cz", "s:8443/2")
    assert claims(store).claim(TWO, "text") is None
    store.links.lease("a.cz", "", 1)
    assert claims(store).claim(ONE, "text") == TWO
