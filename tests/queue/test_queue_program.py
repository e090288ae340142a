"""python -m txtr.queue on a state that no queuekeeper is at work on."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.queue.states import BATCH, EPOCH, HERE, closed, links, opened
from txtr.admin.answers import UNREACHABLE
from txtr.admin.crawl import Crawl
from txtr.admin.stopped import verification
from txtr.config.places import DATABASE_FILE
from txtr.frontier.records import Record
from txtr.model import Document, Figures, Resolution, RobotsFile, Trouble
from txtr.queue.program import main
from txtr.store.inspection import Inspection
from txtr.store.lock import hold_lock
from txtr.store.store import Store


@pytest.fixture
def asked(capsys):
    """What the program answers: exit code, lines, complaints."""

    def ask(*argv):
        code = main([str(argument) for argument in argv])
        said = capsys.readouterr()
        return code, said.out, said.err

    return ask


def told(asked, *argv):
    """The answer as JSON."""
    code, out, err = asked(*argv, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_totals_say_how_many_are_in_which_state(state, asked):
    known = told(asked)
    assert {name: known[name] for name in ("queued", "parked", "in_batches")} == {
        "queued": 198,
        "parked": 2,
        "in_batches": 1,
    }
    assert known["settled"] == {"kept": 1, "redirect": 1, "failed": 1, "disallowed": 1}
    assert (known["domains"], known["domains_blocked"], known["addresses_active"]) == (3, 1, 2)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", known["last_written"])
    code, out, _ = asked()
    assert code == 0
    assert "queued                 198\n" in out


@pytest.mark.parametrize(
    "argv", [["totals", "--json"], ["verify"], ["export"], ["url", "a.cz"]], ids=" ".join
)
def test_who_looks_in_leaves_no_trace(state, asked, argv):
    """Found by a new user: an ended crawl was last written whenever somebody looked."""
    os.utime(state / DATABASE_FILE, (EPOCH, EPOCH))
    before = {path.name: path.stat().st_mtime for path in state.iterdir()}
    for _ in range(2):
        asked(*argv)
        assert {path.name: path.stat().st_mtime for path in state.iterdir()} == before
    (state / f"{DATABASE_FILE}-wal").touch()  # by one who looks in at the same time
    assert json.loads(asked("totals", "--json")[1])["last_written"] == "2027-01-15T08:00:00Z"


def test_a_batch_whose_harvester_is_gone_is_a_batch(state, asked):
    """Found by a new user: after a crash, a restart and an early stop, requests were in no batches."""
    with contextlib.closing(sqlite3.connect(state / DATABASE_FILE, isolation_level=None)) as connection:
        connection.execute("DELETE FROM batches")  # as when its harvester has come back without it
    known = told(asked)
    assert (known["in_batches"], known["addresses_active"], known["batches"]) == (1, 2, 2)


def test_who_looks_in_leaves_a_log_where_it_is(state, asked):
    """It belongs to whoever was killed, and he will work it in."""
    here = state.with_name("crashed")
    with contextlib.closing(Store(state)) as store:
        store.links.enqueue("d.cz", ["/1"], Record(0, 1.0))
        store.links.flush()
        store.commit()
        shutil.copytree(state, here)
    before = {
        path.name: path.read_bytes()
        for path in here.glob(f"{DATABASE_FILE}*")
        if path.suffix != ".sqlite-shm"
    }
    code, said, _ = asked("--state=crashed", "url", "d.cz/1")
    assert (code, "queued" in said) == (0, True)
    assert {name: (here / name).read_bytes() for name in before} == before


def test_domains_are_listed_with_the_longest_queue_first(state, asked):
    code, out, _ = asked("domains")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["domain", "a.cz", "b.cz", "c.cz"]
    _, out, _ = asked("domains", "^[bc]", "--limit=1")
    assert [line.split()[0] for line in out.splitlines()] == ["domain", "b.cz", "(1"]
    assert "blocked" in out


def test_a_pattern_that_no_domain_matches_is_named(state, asked):
    """Instead of a heading with nothing below; a program gets no lines."""
    assert asked("domains", "nikdo") == (0, "", "queue: 'nikdo': no domain matches\n")
    assert asked("domains", "nikdo", "--json") == (0, "", "")


def test_a_domain_is_shown_in_detail(state, asked):
    known = told(asked, "domain", "HTTP://A.cz/")
    assert known["settled"] == {"kept": 1, "redirect": 1, "failed": 1, "disallowed": 1}
    assert known["address"] == HERE
    assert known["by_door"] == {"http://a.cz/": "197 promising"}
    assert told(asked, "domain", "nikdo.cz")["state"] == ["never seen"]


@pytest.mark.parametrize(
    "url, expected",
    [
        ("http://nikdo.cz/", {"state": "never seen", "domain": "never seen"}),
        ("http://a.cz/nikdy", {"state": "never seen"}),
        (
            "a.cz/150",
            {"state": "queued", "source": "http://a.cz/", "depth": 1, "since": "2027-01-15T08:00:03Z"},
        ),
        ("http://a.cz/2", {"state": "in a batch", "batch": BATCH + 1, "harvester": "harvester-03"}),
        ("HTTP://a.cz:80/#top", {"state": "settled", "fate": "kept", "fetched": "2027-01-15T08:00:03Z"}),
        ("http://a.cz/0", {"state": "settled", "fate": "failed", "reason": "gone", "source": "http://a.cz/"}),
        ("http://a.cz/1", {"state": "settled", "fate": "redirect", "reason": "http://a.cz/2"}),
        (
            "http://a.cz/tajne/x",
            {"fate": "disallowed", "reason": "robots /tajne", "robots": "robots.txt: /tajne"},
        ),
        ("http://b.cz/1", {"state": "parked", "source": "start list or add", "domain": ["blocked"]}),
        ("http://a.cz/tajne/y", {"state": "never seen", "robots": "robots.txt: /tajne"}),
    ],
)
def test_what_is_known_of_a_url_is_said(state, asked, url, expected):
    """Queued since when, from where, why refused, when fetched."""
    known = told(asked, "url", url)
    assert {name: known.get(name) for name in expected} == expected


def test_a_duplicate_names_the_page_whose_text_is_kept(state, asked):
    """Found by a new user: a duplicate, but of what?"""
    store, frontier = opened(state)
    twin = Document("a.cz", "/2", "duplicate", 0.8, 200, 5000, 0.1, first="http://c.cz/první")
    assert frontier.fetched(twin, BATCH + 1, 3)
    closed(store, frontier)
    known = told(asked, "url", "http://a.cz/2")
    assert (known["fate"], known["reason"]) == ("duplicate", "http://c.cz/první")


def test_a_title_cannot_break_a_line(state, asked):
    _, out, _ = asked("url", "http://a.cz/")
    assert "title      Titul?na řádku" in out.splitlines()


def test_the_documents_list_is_exported(state, asked):
    code, out, _ = asked("export")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {(row["url"], row["fate"]) for row in rows} == {
        ("http://a.cz/", "kept"),
        ("http://a.cz/0", "failed"),
        ("http://a.cz/1", "redirect"),
        ("http://a.cz/tajne/x", "disallowed"),
    }
    assert {row["fate"]: row["usability"] for row in rows} == {
        "kept": 0.8,
        "failed": None,
        "redirect": None,
        "disallowed": None,
    }
    _, out, _ = asked("export", "--format=csv", "--fate=kept,failed")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["url"]: row["title"] for row in rows} == {
        "http://a.cz/": "Titul\nna řádku",
        "http://a.cz/0": "",
    }
    assert " ".join(rows[0]) == "url fate reason depth usability fetched modified valid_until title source"


def test_links_are_added_from_arguments_files_and_the_standard_input(state, asked, monkeypatch, tmp_path):
    assert (
        asked("add", "HTTP://d.cz", "http://a.cz/")[1]
        == "http://d.cz/: queued, 1 request\nhttp://a.cz/: known already\n"
    )
    (tmp_path / "more.txt").write_text("e.cz/1 e.cz/2 # e.cz/3\nhttp://b.cz/3\n")
    code, out, err = asked("add", "--file=more.txt")
    assert (code, out, err) == (0, "http://b.cz/3: left out: blocked\n", "2 queued, 1 left out: blocked\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("f.cz\n::::\n"))
    code, _, err = asked("add", "-")
    assert code == 1
    assert "queue: standard input, line 2: '::::' is no URL; left out\n" in err
    assert told(asked)["queued"] == 198 + 1 + 2 + 1


def test_a_word_that_is_no_url_is_named_with_its_place_and_its_consequence(state, asked, tmp_path):
    """On the command line it refuses everything, as nothing is queued yet; in a file only itself."""
    code, out, err = asked("add", "g.cz", "nonsense")
    assert (code, out) == (2, "")
    assert err == "queue: 'nonsense': expected an http or https URL; nothing was queued\n"
    assert told(asked)["queued"] == 198
    (tmp_path / "more.txt").write_text("# more\ng.cz\n\nh.cz nonsense\n")
    code, _, err = asked("add", "--file=more.txt")
    assert (code, err) == (1, "queue: more.txt, line 4: 'nonsense' is no URL; left out\n2 queued\n")


def test_orders_last(state, asked):
    """Add links, drop or block a domain. Whoever opens the state next finds it done."""
    assert asked("block", "a.cz")[1] == "a.cz: blocked, 197 requests\n"
    assert asked("unblock", "b.cz")[1] == "b.cz: unblocked, 2 requests\n"
    assert asked("drop", "a.cz")[1] == "a.cz: dropped, 197 requests\n"
    store, frontier = opened(state)
    assert frontier.gate.blocked == {"a.cz"}
    assert frontier.admit(links("http://a.cz/novy"), 0) == 0
    assert (frontier.links.queued_count, frontier.links.parked_count) == (3, 0)
    store.close()
    assert asked("verify")[0] == 0


def test_what_is_queued_in_a_stopped_crawl_is_what_its_status_says(state, asked):
    """Found by a new user: links were added to a finished crawl, and `status` said that none was queued."""
    status = state / "status.json"
    status.write_text(json.dumps({"documents": 5, "queued": 0, "parked": 0, "finished": True}))
    asked("add", "http://new.cz/")
    known = json.loads(status.read_text())
    assert (known["documents"], known["finished"]) == (5, False)
    assert known["queued"] == told(asked)["queued"] > 0
    assert known["parked"] == told(asked)["parked"]
    for nonsense in ("", "[]", "{}"):
        status.write_text(nonsense)
        assert asked("add", "http://newer.cz/")[0] == 0
        assert status.read_text() == nonsense


def test_a_domain_that_was_never_seen_is_blocked_and_said_to_be_new(state, asked):
    """It may be a typing error; undone, it leaves nothing behind."""
    assert asked("block", "a.zc")[1] == "a.zc: blocked (never seen)\n"
    assert told(asked, "domain", "a.zc")["state"] == ["never seen", "blocked"]
    assert asked("unblock", "a.zc")[1] == "a.zc: unblocked\n"
    assert told(asked, "domain", "a.zc")["state"] == ["never seen"]
    assert told(asked)["domains"] == 3


def test_what_failed_is_tried_again(state, asked):
    assert asked("retry")[1] == "a.cz: tried again, 1 request\nb.cz: blocked\n"
    assert told(asked, "url", "http://a.cz/0")["state"] == "queued"
    assert asked("verify")[0] == 0


def test_a_name_that_leads_nowhere_says_why_it_is_parked(state, asked):
    """Found by a new user: "not resolved" of an address that he had to allow."""
    store, frontier = opened(state)
    frontier.admit(links("http://127.0.0.1/a"), 1)
    for name in frontier.new_domains(10, batch=9):
        frontier.resolved(Resolution(name, [], Trouble.GUARDED), 1)
    closed(store, frontier)
    known = told(asked, "url", "http://127.0.0.1/a")
    assert known["state"] == "parked"
    assert UNREACHABLE in known["domain"]


def test_abandoned_domains_are_brought_back(state, asked):
    store, frontier = opened(state)
    frontier.abandoned["a.cz"] = Figures(20, 0, 1000, 0)
    frontier.touched_trials.add("a.cz")
    frontier.links.park("a.cz")
    closed(store, frontier)
    assert told(asked)["domains_abandoned"] == 1
    assert asked("bring-back", "a")[1] == "a.cz: brought back, 197 requests\n"
    assert told(asked)["domains_abandoned"] == 0


@pytest.mark.parametrize(
    "argv, said",
    [
        (["drop", "nikdo.cz"], "nikdo.cz: never seen"),
        (["unblock", "a.cz"], "a.cz: not blocked"),
        (["block", "b.cz"], "b.cz: blocked already"),
        (["add", "a.cz"], "http://a.cz/: known already"),
        (["bring-back", "nikdo"], "'nikdo': no abandoned domain matches"),
        (["retry", "^c"], "'^c': nothing has failed or is parked"),
    ],
)
def test_nothing_to_do_is_no_mistake(state, asked, argv, said):
    """Everything is as the user wants it; the exit code is the same for every order."""
    code, out, err = asked(*argv)
    assert code == 0
    assert said in out + err


def test_an_order_leaves_everybody_resting(state, asked):
    """Politeness is part of the state, whoever opens it."""
    before = sqlite3.connect(state / DATABASE_FILE).execute("SELECT * FROM addresses").fetchall()
    asked("add", "http://a.cz/novy")
    asked("block", "c.cz")
    assert sqlite3.connect(state / DATABASE_FILE).execute("SELECT * FROM addresses").fetchall() == before


def test_compacting_keeps_everything(state, asked):
    asked("drop", "a.cz")
    before = told(asked), asked("export")[1]
    code, out, _ = asked("compact")
    assert code == 0
    assert "before" in out
    after = told(asked), asked("export")[1]
    of_the_file = {"bytes_on_disk": 0, "last_written": ""}
    assert after[0] | of_the_file == before[0] | of_the_file
    assert after[1] == before[1]
    assert asked("verify")[0] == 0
    assert sorted(path.name for path in state.iterdir()) == [DATABASE_FILE, "lock"]


def faults(state):
    with verification(state, is_repairing=False, stop="") as check:
        return list(check.faults())


def test_compacting_while_somebody_reads_damages_nothing(state, asked, tmp_path):
    """The old database's log outlived it, and was worked into the new one."""
    store = Store(state)
    store.links.drop("a.cz", 1000)
    store.links.flush()
    store.commit()
    killed = shutil.copytree(state, tmp_path / "killed")
    store.close()
    with contextlib.closing(Inspection(killed)) as reader:
        reader.connection.execute("BEGIN")
        reader.totals()
        code, _, err = asked(f"--state={killed}", "compact")
        assert (code, "another program" in err) == (2, True)
    assert faults(killed) == []
    assert asked(f"--state={killed}", "compact")[0] == 0
    assert faults(killed) == []


@pytest.mark.parametrize(
    "argv, culprit",
    [
        (["frobnicate"], "frobnicate"),
        (["url", "ftp://a.cz/"], "ftp://a.cz/"),
        (["url", "nonsense"], "'nonsense': expected an http"),
        (["url", "mailto:a@b"], "'mailto:a@b': expected an http"),
        (["domain", "a.cz/x"], "a.cz/x"),
        (["block"], "DOMAIN"),
        (["domains", "("], "'('"),
        (["domains", "--limit=0"], "'0'"),
        (["domains", "--limit=10000000000"], "'10000000000': expected a number, 1 to 1000000000"),
        ([f"--port={'9' * 5000}", "add", "http://a.cz/"], "expected a port, 1 to 65535"),
        (["--port=000000001234567", "add", "http://a.cz/"], "expected a port, 1 to 65535"),
        (["export", "--fate=kept,liked"], "liked"),
        (["export", "--format=xml"], "xml"),
        (["add"], "what is to be added"),
        (["add", "::::"], "::::"),
        (["add", "--file=nowhere.txt"], "nowhere.txt"),
        (["--port=0", "add", "a.cz"], "'0'"),
        (["--state=nowhere"], "nowhere"),
        ([f"--state={'x' * 256}"], "--state=xxx"),
        (["--state=a\x1bb"], "--state=a?b: holds a control character"),
        (["domains", f"--secret-file={'x/' * 2048}"], "a path has at most 4095 bytes"),
        (["--config=nowhere"], "nowhere"),
        (["verify", "--frob"], "--frob"),
    ],
)
def test_bad_input_names_the_culprit(state, asked, argv, culprit):
    code, out, err = asked(*argv)
    assert (code, out) == (2, "")
    assert culprit in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "command", ["totals", "domains", "url", "add", "block", "export", "verify", "compact"]
)
def test_every_command_explains_itself(command, capsys):
    assert main([command, "--help"]) == 0
    assert "--state" in capsys.readouterr().out


@pytest.mark.parametrize(
    "script, program",
    [("/my tt/texttractor.sh", "sh '/my tt/texttractor.sh' queue"), (None, "python -m txtr.queue")],
)
def test_help_and_errors_say_what_the_user_typed(capsys, monkeypatch, asked, script, program):
    """From a crawl's directory python -m finds no module."""
    if script:
        monkeypatch.setenv("TXTR_SCRIPT", script)
    else:
        monkeypatch.delenv("TXTR_SCRIPT", raising=False)
    assert asked("block")[2].endswith(f"see {program} block --help\n")
    assert main(["--help"]) == 0
    assert f"  {program} block example.cz " in capsys.readouterr().out


def test_while_somebody_else_changes_the_state_it_can_be_looked_at(state, asked):
    with hold_lock(state):
        assert told(asked)["queued"] == 198
        code, _, err = asked("--port=1", "add", "a.cz/x")
        assert code == 2
        assert "no queuekeeper at 127.0.0.1:1" in err


@pytest.mark.parametrize("argv", [["compact"], ["verify", "--repair"]], ids=" ".join)
def test_what_wants_the_crawl_stopped_says_so_and_how(state, asked, monkeypatch, argv):
    monkeypatch.setenv("TXTR_SCRIPT", "../texttractor.sh")
    with hold_lock(state):
        (state / "running").touch()
        assert asked(*argv) == (
            2,
            "",
            "queue: --state=state: a crawl is running; stop it first: sh ../texttractor.sh stop\n",
        )
        (state / "running").unlink()
        assert "another order is being carried out" in asked(*argv)[2]
    assert asked(*argv)[0] == 0


def test_a_reader_who_has_seen_enough_ends_us_quietly(state):
    """export | head"""
    program = "import sys; from txtr.queue.program import main; sys.exit(main(['export']))"
    surroundings = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=state.parent,
        env=surroundings,
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


WILD = "\x1b[2J\x9b1m\x7f\u202efdp.exe"


@pytest.mark.parametrize(
    "argv",
    [
        ["export"],
        ["export", "--format=csv"],
        ["url", "http://a.cz/2"],
        ["url", "http://a.cz/2", "--json"],
        ["url", "http://a.cz/wild/x"],
        ["url", "http://a.cz/wild/x", "--json"],
        ["domain", "a.cz"],
        ["domain", "a.cz", "--json"],
        ["domains"],
        ["domains", "--json"],
        ["verify"],
    ],
)
def test_nothing_that_strangers_wrote_commands_a_terminal(state, asked, argv):
    """Titles, rules of robots.txt, and whose text is kept."""
    store, frontier = opened(state)
    twin = Document("a.cz", "/2", "duplicate", 0.8, 200, 5000, 0.1, f"={WILD}", first=f"http://c.cz/{WILD}")
    assert frontier.fetched(twin, BATCH + 1, 3)
    rules = f"user-agent: *\ndisallow: /wild*{WILD}\ndisallow: /wild"
    frontier.robots(RobotsFile("a.cz", "/robots.txt", 200, rules, 0.1), BATCH + 1, 4)
    closed(store, frontier)
    _, out, err = asked(*argv)
    assert out and not set(WILD[:1] + "\x9b\x7f\u202e") & set(out + err)
    assert ("'=" in out) == (argv == ["export", "--format=csv"])


def test_what_a_queuekeeper_says_of_an_order_commands_no_terminal(state, asked, monkeypatch):
    class Owner:
        def order(self, verb, names):
            yield [(WILD, WILD, 1), (WILD, f"queued{WILD}", 1)]

        def close(self):
            pass

    monkeypatch.setattr(Crawl, "_owner", lambda crawl: Owner())
    for more in ([], ["--json"]):
        _, out, err = asked("block", "a.cz", *more)
        assert out and err and not set("\x1b\x9b\x7f\u202e") & set(out + err)
