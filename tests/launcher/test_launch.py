"""The launch: all processes of a crawl, or none."""

import os

import pytest
from fake_programs import is_running, port, until

pytestmark = pytest.mark.web


def test_it_starts_everything_and_returns_the_console(crawl):
    """Spec 8: starts the queuekeeper and n harvesters, detaches, and returns the console."""
    code, out, complaints = crawl.run("3", port(), "--contact=a@b.cz", "--include=\\.cz$")
    assert (code, complaints) == (0, "")
    assert out.splitlines()[0] == "started the queuekeeper and 3 harvesters"
    assert len(crawl.living()) == 4
    assert {path.name for path in crawl.here.glob("*.out")} == {
        "queuekeeper.out",
        "harvester-01.out",
        "harvester-02.out",
        "harvester-03.out",
    }
    assert "'--include=\\\\.cz$'" in (crawl.here / "harvester-02.out").read_text()
    assert all(os.getsid(pid) == pid for pid in crawl.pids())  # survives log-out


def test_kill_cat_pid_txt_ends_everything(crawl):
    """Spec 8: the process numbers in PID.txt are for kill."""
    crawl.run("2", port())
    os.system(f"cd '{crawl.here}' && kill `cat PID.txt`")
    until(lambda: not crawl.living())
    assert "% stopped" in (crawl.here / "queuekeeper.out").read_text()


def test_an_old_pid_txt_whose_numbers_are_others_does_not_matter(crawl):
    (crawl.here / "PID.txt").write_text(f"{os.getpid()}\n1\n999999\n")
    code, _, _ = crawl.run("1", port())
    assert code == 0 and len(crawl.living()) == 2
    assert is_running(os.getpid())


def test_a_queuekeeper_that_cannot_start_tells_why_and_nothing_runs(crawl):
    crawl.fate("stillborn")
    code, _, complaints = crawl.run("3", port(), "--contact=a@b.cz")
    assert code == 2
    assert complaints == (
        "texttractor: the queuekeeper cannot start: --port=8417: the queue is damaged (see queuekeeper.out)\n"
    )
    assert not (crawl.here / "PID.txt").exists() and not list(crawl.here.glob("harvester*"))


def test_a_start_that_fails_leaves_the_status_of_the_last_run(crawl):
    """Found on a full disk: after it, status knew of no crawl at all."""
    crawl.run("1", port(), "--contact=a@b.cz")
    crawl.run("stop")
    before = crawl.run("status")[1]
    crawl.fate("stillborn")
    assert crawl.run("1", port(), "--contact=a@b.cz")[0] == 2
    assert "documents  7" in before and "documents  7" in crawl.run("status")[1]


def test_a_harvester_that_cannot_start_stops_the_others(crawl):
    (crawl.programs / "unlucky").write_text("harvester-02")
    code, _, complaints = crawl.run("2", port(), "--contact=a@b.cz")
    assert (code, complaints) == (
        2,
        "texttractor: harvester-02 cannot start: no luck (see harvester-02.out)\n",
    )
    assert not (crawl.here / "PID.txt").exists()
