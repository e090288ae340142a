"""The seen on disk: how every link stands, whatever was asked, changed and forgotten before."""

import random
import sqlite3
from unittest.mock import patch

import pytest

from txtr.errors import Damaged
from txtr.native.library import library
from txtr.store import native_shelves
from txtr.store.keys import DIGEST_BITS, UNKNOWN, digest, first_key
from txtr.store.leaf import MOST_LINKS, Leaf, decode_leaf, encode_leaf
from txtr.store.seen import SCHEMA, Seen
from txtr.store.shelves import ELSEWHERE, Shelves

ALL = 1 << DIGEST_BITS


@pytest.fixture(autouse=True)
def _every_engine() -> None:
    """Only the one on disk has leaves."""


@pytest.fixture(autouse=True, params=["swift", "plain"])
def _both_shelves(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether there is a compiler or not."""
    if request.param == "plain":
        monkeypatch.setattr(native_shelves, "make_shelves", lambda: None)
    elif library() is None:
        pytest.skip("there is no C compiler")


@pytest.fixture
def connection() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(SCHEMA)
    return connection


@pytest.mark.parametrize("domains", [[1], [1, 2, 3]])
@pytest.mark.parametrize("most_leaves", [0, 5, 1000])
def test_what_was_set_is_found_however_many_there_are(
    connection: sqlite3.Connection, domains: list[int], most_leaves: int
) -> None:
    """Random histories are compared with a slow, obvious model: a dict."""
    chance = random.Random(most_leaves)
    seen, model = Seen(connection), dict[tuple[int, int], int]()
    seen.most_leaves = most_leaves
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
    seen.set_some(first, [number * 7919 % ALL for number in range(2000)], 1)
    seen.flush()
    rows = connection.execute("SELECT key, links FROM seen ORDER BY key").fetchall()
    leaves = [decode_leaf(key - first, data) for key, data in rows]
    assert len(leaves) > 2000 // MOST_LINKS
    assert [leaf.begin for leaf in leaves] == [0, *(leaf.end for leaf in leaves[:-1])]
    assert leaves[-1].end == ALL
    assert max(len(leaf.numbers) for leaf in leaves) <= MOST_LINKS


def test_a_damaged_leaf_is_told(connection: sqlite3.Connection) -> None:
    """Corrupt file: a clear message."""
    connection.execute("INSERT INTO seen VALUES (?, ?)", (first_key(1), b"12345"))
    with pytest.raises(Damaged, match="how links stand cannot be read"):
        Seen(connection).get(first_key(1), 5)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (encode_leaf(Leaf(0, 5, [])), "there is a gap"),
        (encode_leaf(Leaf(0, 0, [])), "there is a gap"),
        (encode_leaf(Leaf(0, ALL + 1, [])), "not in order"),
        (encode_leaf(Leaf(0, ALL, [9 << 26, 8 << 26])), "not in order"),
        (encode_leaf(Leaf(0, 8, [9 << 26])), "not in order"),
        ("text", "cannot be read"),
        (7, "cannot be read"),
        (b"", "cannot be read"),
    ],
)
def test_a_leaf_that_cannot_be_is_told(connection: sqlite3.Connection, row: object, told: str) -> None:
    """Nobody looks for ever for what is in no leaf, or takes what was met for new."""
    connection.execute("INSERT INTO seen VALUES (?, ?)", (first_key(1), row))
    with pytest.raises(Damaged, match=told):
        Seen(connection).get(first_key(1), 5)


def test_a_leaf_that_is_missing_is_told(connection: sqlite3.Connection) -> None:
    """Others of the domain are there."""
    connection.execute("INSERT INTO seen VALUES (?, ?)", (first_key(1) + 9, encode_leaf(Leaf(9, ALL, []))))
    with pytest.raises(Damaged, match="there is a gap"):
        Seen(connection).get(first_key(1), 5)


def test_a_leaf_that_two_groups_of_a_page_need_is_read_once(connection: sqlite3.Connection) -> None:
    """Links behind two doors of one domain."""
    seen = Seen(connection)
    with patch.object(seen.shelves, "put", wraps=seen.shelves.put) as put:
        seen.meet([first_key(1), first_key(2), first_key(1)], [["/a"], ["/a"], ["s/a"]])
    assert put.call_count == 2


def test_leaves_are_read_once_each_however_many_are_asked_for(connection: sqlite3.Connection) -> None:
    """A page of 20,000 links into a large domain took a minute: all were asked again after every leaf."""
    seen, first = Seen(connection), first_key(1)
    digests = random.Random(2).sample(range(ALL), 5000)
    seen.set_some(first, digests, 7)
    seen.flush()
    for ask in (
        lambda cold: cold.get_some(first, digests),
        lambda cold: cold.set_some(first, digests, 8),
        lambda cold: cold.remove(first, digests),
    ):
        cold = Seen(connection)
        with patch.object(cold.shelves, "stand", wraps=cold.shelves.stand) as stand:
            ask(cold)
        assert sum(len(call.args[1]) for call in stand.call_args_list) <= 2 * len(digests)


def test_what_nobody_has_asked_for_lately_is_forgotten_first(
    connection: sqlite3.Connection,
) -> None:
    """Pages of the same domains come one after the other: to forget all was to read them again."""
    seen = Seen(connection)
    seen.most_leaves = 4
    for asked in ([1, 2, 3], [1, 4, 5]):
        for domain in asked:
            seen.get(first_key(domain), 0)
        seen.flush()
    assert [domain for domain in range(1, 6) if is_in_memory(seen, domain)] == [1, 4, 5]


def test_no_more_leaves_stay_than_there_is_room_for(
    connection: sqlite3.Connection,
) -> None:
    """Memory does not grow with the links, not even of a domain that is asked for all the time."""
    seen = Seen(connection)
    seen.most_leaves = 4
    seen.set_some(first_key(1), range(0, ALL, ALL // 1000), 0)
    seen.flush()
    assert not is_in_memory(seen, 1)


def is_in_memory(seen: Seen, domain: int) -> bool:
    return seen.shelves.stand(first_key(domain), [0]) != [ELSEWHERE]


def test_paths_are_met_by_their_digests(connection: sqlite3.Connection) -> None:
    """Of whatever length and script; also those that no URL has, with line ends and halves of characters."""
    seen, first = Seen(connection), first_key(3)
    paths = ["/", "", "s:8080/ž", "/\ud800", *("/" + "a" * length for length in (126, 127, 128, 255, 5000))]
    for some in (paths, [*paths, "/two\nlines"], [], ["/\n"]):
        digests, standings = seen.meet([first], [some])
        assert digests == [digest(path) for path in some]
        assert standings == [UNKNOWN for _ in some]
    seen.set_some(first, [digest(path) for path in paths[:2]], 9)
    assert seen.meet([first], [paths])[1] == [9, 9, *(UNKNOWN for _ in paths[2:])]


def test_paths_of_several_domains_are_met_at_once(connection: sqlite3.Connection) -> None:
    """Those of a page; whatever is on disk, in memory, or still to be set."""
    for told in (["/a", "/b"], ["/a", "/b\n"]):
        seen = Seen(connection)
        seen.set_some(first_key(1), [digest("/a")], 7)
        seen.flush()
        seen.set_later(first_key(2), digest("/a"), 8)
        firsts = [first_key(domain) for domain in (3, 1, 2, 1)]
        digests, standings = seen.meet(firsts, [told, ["/a"], told, []])
        assert digests == [digest(path) for path in (*told, "/a", *told)]
        assert standings == [UNKNOWN, UNKNOWN, 7, 8, UNKNOWN]


def test_many_paths_are_met_at_once(connection: sqlite3.Connection) -> None:
    """More than most pages have."""
    seen, first = Seen(connection), first_key(3)
    paths = [f"/{number}" for number in range(20_000)]
    digests, standings = seen.meet([first], [paths])
    assert set(standings) == {UNKNOWN}
    seen.set_some(first, digests, 5)
    assert seen.meet([first], [paths]) == (digests, [5 for _ in paths])


def test_both_shelves_write_the_same() -> None:
    """Random histories beside each other: answers, rows and who is forgotten."""
    made = native_shelves.make_shelves()
    if made is None:
        pytest.skip("there is no C compiler")
    chance, plain = random.Random(5), Shelves()
    for shelves in (plain, made):
        for domain in range(1, 40):
            assert shelves.put(first_key(domain), 0, encode_leaf(Leaf(0, ALL, []))) == ALL
    for _ in range(3000):
        first, digests = first_key(chance.randrange(1, 60)), chance.sample(range(0, ALL, ALL // 300), 20)
        what, standing = chance.random(), chance.randrange(1 << 26)
        if what < 0.5:
            assert made.set_some(first, digests, standing) == plain.set_some(first, digests, standing)
        elif what < 0.7:
            assert made.remove_some(first, digests) == plain.remove_some(first, digests)
        elif what < 0.98:
            assert made.stand(first, digests) == plain.stand(first, digests)
        else:
            rows = plain.write_changed()
            assert made.write_changed() == rows
            most = chance.choice([10, 100, 1000])
            plain.tidy(most)
            made.tidy(most)
