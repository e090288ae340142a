"""The consistency check: finds what is wrong, in a state that somebody or something has tampered with."""

import random
import sqlite3
from contextlib import closing

import msgspec
import pytest

from tests.queue.states import closed, everything, links, opened
from tests.world import World, site
from txtr.admin.answers import verdict
from txtr.config.places import DATABASE_FILE
from txtr.frontier.records import Found, Record
from txtr.queue.program import main
from txtr.store.keys import digest, first_key, last_key
from txtr.store.leaf import decode_leaf, encode_leaf
from txtr.store.packs import pack, unpack
from txtr.store.seen import Seen
from txtr.store.values import Backlog

A = 1  # the number of a.cz


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    everything(tmp_path / "state")
    return tmp_path / "state"


def faults(capsys, *argv):
    """Exit code, and what was found wrong."""
    code = main(["verify", *argv])
    return code, capsys.readouterr().out


def tamper(state, *statements):
    with closing(sqlite3.connect(state / DATABASE_FILE, isolation_level=None)) as connection:
        for statement, *given in statements:
            if callable(statement):
                statement(connection, *given)
            else:
                connection.execute(statement, given)


def stand(connection, path, standing):
    """Let a link of a.cz stand otherwise; None: as if it had never been seen."""
    seen = Seen(connection)
    if standing is None:
        seen.remove(first_key(A), [digest(path)])
    else:
        seen.set(first_key(A), digest(path), standing)
    seen.flush()


def end_early(connection):
    """Let the last leaf of a.cz end where its last link is."""
    key, data = connection.execute(
        "SELECT key, links FROM seen WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1",
        (first_key(A), last_key(A)),
    ).fetchone()
    leaf = decode_leaf(key - first_key(A), data)
    leaf.end = max(its_digest for its_digest, _ in leaf) + 1
    connection.execute("UPDATE seen SET links = ? WHERE key = ?", (encode_leaf(leaf), key))


def first_pack_of(state):
    with closing(sqlite3.connect(state / DATABASE_FILE)) as connection:
        number, data = connection.execute(
            "SELECT number, requests FROM packs ORDER BY number LIMIT 1"
        ).fetchone()
    return number, data


def test_a_sound_state_has_no_faults(state, capsys):
    assert faults(capsys) == (0, "everything is as it should be\n")


KEPT = first_key(A) + digest("/")
BACKLOG = Backlog([""], {"": [5, 0, 0]})

TAMPERINGS = {
    "more counted": [
        ("UPDATE totals SET number = number + 3 WHERE name = 'queued'",),
        "in all 201 are counted as queued, 198 are",
    ],
    "fewer counted": [
        ("UPDATE domains SET queued = 3 WHERE id = 1",),
        "a.cz: 197 requests are counted (in all 3), 197 are there",
    ],
    "backlog": [
        ("UPDATE domains SET backlog = ? WHERE id = 1", msgspec.msgpack.encode(BACKLOG)),
        "a.cz: 5 requests are counted (in all 197), 197 are there",
    ],
    "fates": [("UPDATE totals SET number = 9 WHERE name = 'kept'",), "in all 9 are counted as kept, 1 are"],
    "lost link": [
        (stand, "/lost", 0),
        "a.cz: 1 links are to be fetched, but are in no pack and no batch",
    ],
    "no standing": [
        (stand, "/150", None),
        "a.cz: /150 is queued, but was never seen",
    ],
    "lease without standing": [
        (stand, "/2", None),
        "a.cz: /2 is leased, but was never seen",
    ],
    "early end": [(end_early,), "a.cz: how its links stand cannot be read: there is nothing behind"],
    "no series": [("DELETE FROM addresses",), "a.cz: 1 requests are leased, but no series is running"],
    "no document": [
        ("DELETE FROM documents WHERE key = ?", KEPT),
        "a.cz: 1 links are settled, but have no document",
    ],
    "other fate": [
        ("UPDATE documents SET fate = 2 WHERE key = ?", KEPT),
        "a.cz: 1 documents are not settled, or with another fate",
    ],
    "settled and queued": [
        (stand, "/150", 256),
        "a.cz: /150 is queued, but also leased, settled or queued elsewhere",
    ],
    "other path": [
        ("UPDATE documents SET path = '/other' WHERE key = ?", KEPT),
        "a.cz: 1 documents are in the wrong place",
    ],
    "no domain": [("DELETE FROM domains WHERE id = 2",), "1 rows of the table seen belong to no domain"],
    "no domain at the end": [
        ("INSERT INTO seen SELECT ?, links FROM seen LIMIT 1", first_key(999)),
        "1 rows of the table seen belong to no domain",
    ],
    "door": [("INSERT INTO doors VALUES (77, '', x'00')",), "1 doors belong to no domain"],
    "torn pack": [
        ("UPDATE packs SET requests = x'1234'",),
        "cannot be read, or is not as large as it should be",
    ],
    "torn lease": [("UPDATE leases SET requests = x'1234'",), "a.cz: leases cannot be read"],
    "torn domain": [("UPDATE domains SET about = x'ff'",), "a.cz: what is known of it cannot be read"],
    "torn backlog": [("UPDATE domains SET backlog = x'ff'",), "a.cz: what is queued for it cannot be read"],
    "torn door": [("UPDATE doors SET about = x'ff'",), "a.cz: the rules of door '' cannot be read"],
    "torn series": [("UPDATE addresses SET series = x'ff'",), "its series cannot be read"],
    "half an address": [("UPDATE addresses SET series = NULL, since = NULL",), "neither resting nor active"],
}


@pytest.mark.parametrize("tampering, expected", TAMPERINGS.values(), ids=TAMPERINGS.keys())
def test_every_tampering_is_found(state, capsys, tampering, expected):
    """Verify (consistency check)."""
    tamper(state, tampering)
    code, said = faults(capsys)
    assert code == 1
    assert expected in said


def test_a_request_that_is_queued_twice_is_found(state, capsys):
    number, data = first_pack_of(state)
    *others, (record, paths) = unpack(data)
    again = [*others, (record, [*paths[:-1], paths[10]])]
    tamper(state, ("UPDATE packs SET requests = ? WHERE number = ?", pack(again), number))
    code, said = faults(capsys)
    assert code == 1
    assert "1 links are to be fetched, but are in no pack and no batch" in said
    assert "1 links are queued twice" in said


@pytest.mark.parametrize("which", ["more counted", "fewer counted", "backlog", "fates", "lost link"])
def test_what_can_be_counted_is_repaired(state, capsys, which):
    tamper(state, TAMPERINGS[which][0])
    code, said = faults(capsys, "--repair")
    assert code == 1
    assert "repaired" in said
    assert faults(capsys) == (0, "everything is as it should be\n")


def test_a_damaged_file_is_named(state, capsys):
    """SQLite's own check: pages overwritten in the middle."""
    with (state / DATABASE_FILE).open("r+b") as file:
        file.seek(3 * 4096)
        file.write(random.Random(1).randbytes(3 * 4096))
    code, said = faults(capsys)
    assert code in (1, 2)
    assert code == 2 or DATABASE_FILE in said


def test_old_requests_that_lie_about_are_no_fault(tmp_path, monkeypatch, capsys):
    """A link that moved to a better rank, or was settled while it was queued, stays in its pack."""
    monkeypatch.chdir(tmp_path)
    store, frontier = opened(tmp_path / "state")
    frontier.admit(links("http://a.cz/1", "http://a.cz/2", "http://a.cz/3"), 0)
    poor = Record(1, 0.1, promise=0.2)
    ((new, _),) = store.links.meet([Found("a.cz", ["/4", "/5"], poor)])
    store.links.enqueue("a.cz", new, poor)
    store.write(frontier, 1)
    store.commit()
    store.links.meet([Found("a.cz", ["/4"], Record(0, 1.0))])
    closed(store, frontier)
    assert faults(capsys) == (0, "everything is as it should be\n")


@pytest.mark.parametrize("seed", range(4))
def test_a_crawl_leaves_a_sound_state_at_every_moment(tmp_path, monkeypatch, capsys, seed):
    """Whatever happens between two commits happens wholly or not at all."""
    monkeypatch.chdir(tmp_path)
    store, frontier = opened(tmp_path / "state")
    monkeypatch.setattr("tests.world.Frontier", lambda *given, **named: frontier)
    servers = {f"{name}.cz": site(f"{name}.cz", 12, f"192.0.2.{name % 3}") for name in range(6)}
    running = World(servers, rules=frontier.rules, seed=seed)
    running.start(*(f"http://{name}/" for name in servers))
    chance = random.Random(seed)

    def look() -> None:
        store.write(frontier, running.now)
        store.commit()
        assert faults(capsys) == (0, "everything is as it should be\n"), running.now
        running.at(chance.random() * 200, look)

    running.at(0.5, look)
    running.run()


@pytest.mark.parametrize(
    "count, countable, is_repaired, expected",
    [
        (0, 0, False, "everything is as it should be"),
        (1, 0, False, "1 fault; --repair cannot help: restore a copy of the state, or move it away"),
        (1, 1, False, "1 fault; --repair can help"),
        (3, 2, False, "3 faults; --repair mends 2 of them, the rest needs a copy of the state"),
        (3, 2, True, "3 faults, 2 repaired, the rest needs a copy of the state"),
        (2, 2, True, "2 faults, 2 repaired"),
    ],
)
def test_a_check_ends_with_what_can_be_done(count, countable, is_repaired, expected):
    assert verdict(count, countable, is_repaired) == expected


def test_a_cure_that_cannot_help_is_not_offered(state, capsys):
    """Found by a new user: a damaged file, and the advice to count anew."""
    size = (state / DATABASE_FILE).stat().st_size
    with (state / DATABASE_FILE).open("r+b") as file:
        file.seek(size // 8192 // 2 * 8192)
        file.write(b"\xff" * (size - file.tell()))
    assert main(["verify"]) in (1, 2)
    said = capsys.readouterr().err
    assert "--repair can help" not in said
    assert "restore a copy" in said


def test_counts_are_offered_to_be_counted_anew(state, capsys):
    tamper(state, ("UPDATE totals SET number = 5 WHERE name = 'parked'",))
    assert main(["verify"]) == 1
    assert capsys.readouterr().err == "1 fault; --repair can help\n"
    assert main(["verify", "--repair"]) == 1
    assert capsys.readouterr().err == "1 fault, 1 repaired\n"
    assert main(["verify"]) == 0
