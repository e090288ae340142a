"""The seen on disk: how every link stands, whatever was asked, changed and forgotten before."""

import random
import sqlite3

import pytest

from txtr.errors import Damaged
from txtr.frontier.links.keys import DIGEST_BITS, first_key
from txtr.frontier.links.seen import disk
from txtr.frontier.links.seen.disk import SCHEMA, Seen
from txtr.frontier.links.seen.leaf import MOST, read

ALL = 1 << DIGEST_BITS


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk has leaves."""


@pytest.fixture
def connection() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(SCHEMA)
    return connection


@pytest.mark.parametrize("domains", [[1], [1, 2, 3]])
@pytest.mark.parametrize("most_leaves", [0, 5, 1000])
def test_what_was_set_is_found_however_many_there_are(
    connection: sqlite3.Connection, domains: list[int], most_leaves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 5: random histories are compared with a slow, obvious model: a dict."""
    monkeypatch.setattr(disk, "MOST_LEAVES", most_leaves)
    chance = random.Random(most_leaves)
    seen, model = Seen(connection), dict[tuple[int, int], int]()
    digests = [chance.choice([0, ALL - 1, chance.randrange(ALL)]) for _ in range(1500)]
    for step in range(4000):
        domain, digest = chance.choice(domains), chance.choice(digests)
        if chance.random() < 0.7:
            model[domain, digest] = standing = chance.randrange(1 << 21)
            seen.set(first_key(domain), digest, standing)
        else:
            model.pop((domain, digest), None)
            seen.remove(first_key(domain), [digest])
        if step % 100 == 0:
            seen.flush()
    seen.flush()
    for again in (seen, Seen(connection)):
        for domain in domains:
            expected = {digest: stands for (name, digest), stands in model.items() if name == domain}
            assert again.get_some(first_key(domain), digests) == expected


def test_the_leaves_of_a_domain_lie_end_to_end(connection: sqlite3.Connection) -> None:
    """Every digest has its place in exactly one of them, and none is too full."""
    seen, first = Seen(connection), first_key(7)
    seen.set_some(first, (number * 7919 % ALL for number in range(2000)), 1)
    seen.flush()
    rows = connection.execute("SELECT key, links FROM seen ORDER BY key").fetchall()
    leaves = [read(key - first, data) for key, data in rows]
    assert len(leaves) > 2000 // MOST
    assert [leaf.begin for leaf in leaves] == [0, *(leaf.end for leaf in leaves[:-1])]
    assert leaves[-1].end == ALL
    assert max(len(leaf.numbers) for leaf in leaves) <= MOST


def test_a_damaged_leaf_is_told(connection: sqlite3.Connection) -> None:
    """Issue 5, corrupt file: a clear message."""
    connection.execute("INSERT INTO seen VALUES (?, ?)", (first_key(1), b"12345"))
    with pytest.raises(Damaged, match="how links stand cannot be read"):
        Seen(connection).get(first_key(1), 5)


def test_what_nobody_has_asked_for_lately_is_forgotten_first(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of the same domains come one after the other: to forget all was to read them again."""
    monkeypatch.setattr(disk, "MOST_LEAVES", 4)
    seen = Seen(connection)
    for asked in ([1, 2, 3], [1, 4, 5]):
        for domain in asked:
            seen.get(first_key(domain), 0)
        seen.flush()
    assert set(seen.shelves) | set(seen.older) == {first_key(domain) for domain in (1, 4, 5)}


def test_no_more_leaves_stay_than_there_is_room_for(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 5: memory does not grow with the links, not even of a domain that is asked for all the time."""
    monkeypatch.setattr(disk, "MOST_LEAVES", 4)
    seen = Seen(connection)
    seen.set_some(first_key(1), range(0, ALL, ALL // 1000), 0)
    seen.flush()
    assert not seen.shelves
    assert not seen.older
