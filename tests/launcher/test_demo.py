"""The demonstration: a web and a directory of its own."""

import signal
import time
from pathlib import Path

import pytest
from fake_programs import is_running, read, until

pytestmark = pytest.mark.web


def test_the_demonstration_has_a_web_and_a_directory_of_its_own(crawl):
    """Issue: --demo starts a bundled miniature web, crawls it, and shows what arrived."""
    demo_run = crawl.here / "demo-run"
    crawl.fate("finishes")
    for number in (["2"], []):  # fresh each time
        code, out, complaints = crawl.run(*number, "--demo", "--target=texts")
        assert (code, complaints) == (0, "")
    assert "crawling the miniature web with 4 harvesters" in out
    assert "documents arrived" in out and "texts: demo-run/texts" in out
    assert "'--allow-private=yes'" in read(demo_run / "harvester-02.out")
    assert "127." in read(demo_run / "hosts.txt")
    assert not list(crawl.here.glob("*.out"))


def test_the_demonstration_wants_no_start_list(crawl):
    """Found by a new user: it was taken, nothing arrived, and nothing was said."""
    code, out, complaints = crawl.run("1", "--demo", "--urls=mine.txt")
    assert (code, out) == (2, "")
    assert complaints.startswith("texttractor: --urls=mine.txt: --demo crawls a web of its own")


def test_the_demonstration_leaves_a_directory_alone_that_is_not_its_own(crawl):
    (crawl.here / "demo-run").mkdir()
    (crawl.here / "demo-run/thesis.txt").touch()
    code, _, complaints = crawl.run("2", "--demo")
    assert code == 2 and "holds files that no demonstration has left" in complaints
    assert (crawl.here / "demo-run/thesis.txt").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", [0.0, 0.02, 0.3])
def test_a_demonstration_that_is_interrupted_takes_everything_along(crawl, number, moment):
    """Found by a queuekeeper that stayed: we were interrupted when it had no command line yet."""
    script = crawl.start("2", "--demo")
    until(lambda: "ready" in read(crawl.here / "demo-run/demo-web.out"))
    time.sleep(moment)
    script.send_signal(number)
    out, _ = script.communicate(timeout=20)
    assert script.returncode == 130
    assert "the next demo begins afresh" in out or moment < 0.3  # else perhaps it had not begun
    assert not processes_in(crawl.here / "demo-run")


def processes_in(directory):
    workplaces = (path.parent for path in Path("/proc").glob("[0-9]*/cwd"))
    return [place.name for place in workplaces if works_in(place, directory)]


def works_in(place, directory):
    try:
        return (place / "cwd").readlink() == directory and is_running(int(place.name))
    except OSError:
        return False
