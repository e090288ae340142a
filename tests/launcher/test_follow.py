"""Staying attached to a crawl: looking on until it ends, or until Ctrl-C."""

import signal
import time

import pytest
from fake_programs import port, until

pytestmark = pytest.mark.web


def test_follow_stays_until_the_crawl_has_finished(crawl):
    """Issue: --follow stays attached until the crawl ends, exit code 0 when it finished."""
    crawl.fate("finishes")
    code, out, complaints = crawl.run("2", port(), "--follow", "--contact=a@b.cz")
    assert (code, complaints) == (0, "")
    assert "7 documents" in out and out.splitlines()[-1] == "finished"
    assert not (crawl.here / "PID.txt").exists()


def test_a_crawl_that_has_left_requests_alone_says_so_at_its_end(crawl):
    """Found by a new user: "finished", and nothing was fetched."""
    crawl.fate("parks")
    for words in (("1", port(), "--follow", "--contact=a@b.cz"), ("status",)):
        assert "finished\n3 requests are parked: " in crawl.run(*words)[1]


def test_follow_tells_when_a_process_died(crawl):
    crawl.fate("dies")
    code, out, complaints = crawl.run("2", port(), "--follow", "--contact=a@b.cz")
    assert code == 1
    assert "queuekeeper died (exit code 1): something broke (see queuekeeper.out)" in complaints
    assert "the queuekeeper gave up: something broke (see queuekeeper.out)" in out
    assert not crawl.living()


def test_control_c_detaches_and_the_crawl_goes_on(crawl):
    """Ctrl-C detaches or stops as it says."""
    script = crawl.start("2", port(), "--follow", "--contact=a@b.cz")
    until(lambda: len(crawl.living()) == 3 and (crawl.here / "state/launch.json").exists())
    first = script.stdout.readline()
    for _ in range(5):
        script.stdout.readline()  # the announcement, then progress
    script.send_signal(signal.SIGINT)
    out, _ = script.communicate(timeout=10)
    assert first == "started the queuekeeper and 2 harvesters\n"
    assert "detached: the crawl goes on" in out and "kill `cat PID.txt`" in out
    assert script.returncode == 0
    assert len(crawl.living()) == 3


@pytest.mark.parametrize("words", [("follow",), ("status", "--follow")])
def test_one_can_look_in_on_a_running_crawl(crawl, words):
    crawl.run("2", port(), "--contact=a@b.cz")
    script = crawl.start(*words)
    assert "7 documents" in script.stdout.readline()
    script.send_signal(signal.SIGINT)
    assert "detached: the crawl goes on" in script.communicate(timeout=10)[0]
    assert script.returncode == 0 and len(crawl.living()) == 3


def test_whoever_looks_on_sees_the_end(crawl):
    crawl.run("1", port(), "--contact=a@b.cz")
    script = crawl.start("follow")
    script.stdout.readline()
    crawl.run("stop")
    out, _ = script.communicate(timeout=10)
    assert script.returncode == 1 and out.endswith("stopped; starting it again goes on\n")


def test_a_crawl_can_be_watched_from_another_directory(crawl):
    """Found by a new user: no process was running, said status, and follow ended at once."""
    (crawl.here / "other").mkdir()
    crawl.run("1", port(), "--contact=a@b.cz")
    code, out, _ = crawl.run("status", "--state=../state", directory="other")
    assert code == 0
    assert out.splitlines()[-1] == "processes  running, but PID.txt of this directory names none"
    said = crawl.run("stop", "--state=../state", directory="other")[2]
    assert said == (
        "texttractor: no crawl is running in this directory;"
        " the one on --state=../state was not started here\n"
    )
    script = crawl.start("follow", "--state=../state", directory="other")
    script.stdout.readline()
    time.sleep(1)
    assert script.poll() is None
    crawl.run("stop")
    out, _ = script.communicate(timeout=10)
    assert script.returncode == 1 and out.endswith("stopped; starting it again goes on\n")
