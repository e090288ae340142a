"""The crawl that runs here: found, shown and stopped."""

import os
import signal

import pytest
from fake_programs import port, until

pytestmark = pytest.mark.web


def test_status_and_stop_are_commands_too(crawl):
    crawl.run("2", port())
    code, out, _ = crawl.run("status")
    assert code == 0 and "documents  7" in out and "processes  3 running" in out
    code, out, _ = crawl.run("stop")
    assert code == 0 and out.endswith("stopped; starting it again goes on\n")
    assert not crawl.pids()
    assert "processes  none: stopped" in crawl.run("status")[1]


def test_a_queuekeeper_that_hangs_is_noticed(crawl):
    """It holds its lock and has a process: only the age of what it wrote tells."""
    crawl.run("2", port())
    assert "ATTENTION" not in crawl.run("status")[1]
    os.kill(crawl.pids()[0], signal.SIGSTOP)
    try:
        written = crawl.here / "state/status.json"
        os.utime(written, (0, written.stat().st_mtime - 70))
        assert "ATTENTION  the queuekeeper has written nothing for 1m1" in crawl.run("status")[1]
    finally:
        os.kill(crawl.pids()[0], signal.SIGCONT)


def test_a_dead_queuekeeper_is_called_dead(crawl):
    """Its last figures are no news, and more harvesters would wait in vain."""
    crawl.run("2", port(), "--contact=a@b.cz")
    os.kill(crawl.pids()[0], signal.SIGKILL)
    until(lambda: len(crawl.living()) == 2)
    code, out, _ = crawl.run("status")
    assert code == 1
    assert out.startswith("the queuekeeper is dead; its last figures, of 2026-11-16T01:00:03.127Z:\n")
    assert out.splitlines()[-1] == (
        "processes  2 still running without it: ended before the queue was ever saved;"
        " starting it again begins with the start list"
    )
    assert crawl.run("add", "1")[::2] == (
        2,
        "texttractor: the queuekeeper is dead; start it again with the same command as before\n",
    )
    (crawl.here / "state/frontier.sqlite").touch()
    code, out, _ = crawl.run("stop")
    assert code == 0 and "the queuekeeper is dead already" in out
    assert "the queuekeeper died; starting it again goes on where it was, nothing that it was told" in out
    assert not (crawl.here / "PID.txt").exists()


def test_a_queuekeeper_that_gave_up_is_quoted(crawl):
    """Found on a full disk: its file had an excellent message, and status did not show it."""
    crawl.fate("dies")
    (crawl.here / "state").mkdir()
    (crawl.here / "state/frontier.sqlite").touch()
    crawl.run("1", port(), "--contact=a@b.cz")
    until(lambda: len(crawl.living()) == 1)
    out = crawl.run("status")[1]
    assert "the queuekeeper gave up: something broke (see queuekeeper.out)" in out


def test_stop_removes_the_numbers_of_processes_that_are_no_more(crawl):
    (crawl.here / "PID.txt").write_text("999999\n")
    assert crawl.run("stop")[0] == 2
    assert not (crawl.here / "PID.txt").exists()


@pytest.mark.parametrize("words", [("add", "1"), ("remove", "1"), ("stop",)])
def test_where_no_crawl_is_running_every_command_says_so(crawl, words):
    """Found by a new user: "0 harvesters running in this directory, not 1"."""
    assert crawl.run(*words) == (2, "", "texttractor: no crawl is running in this directory\n")


def test_a_crawl_with_a_state_of_its_own_is_found_without_naming_it(crawl):
    """Found by a new user: status and stop looked at state/, and said that the queuekeeper was starting."""
    crawl.run("1", port(), "--state=s14")
    code, out, _ = crawl.run("status")
    assert code == 0 and "documents  7" in out and "processes  2 running" in out
    assert crawl.run("add", "2")[:2] == (0, "added 2 harvesters\n")
    assert crawl.run("remove", "1")[:2] == (0, "removed 1 harvester, 2 left\n")
    code, _, complaints = crawl.run("1", port())
    assert code == 2 and "a crawl is running in this directory" in complaints
    assert crawl.run("stop", "--state=s15")[::2] == (
        2,
        "texttractor: --state=s15: the crawl in this directory is on --state=s14\n",
    )
    code, out, _ = crawl.run("stop")
    assert code == 0 and out.endswith("stopped; starting it again goes on\n")
    assert not (crawl.here / "state").exists()


def test_the_state_of_another_crawl_is_not_judged_by_the_one_that_is_running(crawl):
    crawl.run("1", port())
    crawl.run("stop")
    crawl.run("1", port(), "--state=s14")
    assert "processes  none: stopped" in crawl.run("status", "--state=state")[1]
    assert "processes  2 running" in crawl.run("status", "--state=./s14")[1]


def test_stop_tells_what_becomes_of_documents_that_wait_for_the_segmenter(crawl):
    """They are lost to nobody, but asked for twice."""
    crawl.fate("waits")
    crawl.run("1", port())
    waiting = "waiting for the segmenter at a.cz:8418: 2 documents"
    assert f"judging    {waiting}\n" in crawl.run("status")[1]
    said = crawl.run("stop")[1]
    assert f"{waiting}; their pages go back to the queue, to be fetched again\n" in said
