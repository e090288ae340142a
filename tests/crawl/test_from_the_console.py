"""The start script with the real programs, as a person uses it: start, look, stop, start again."""

import os
import re
import shutil
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from tests.crawl.evidence import fetched_amiss, stumbles, texts_amiss, trespasses
from tests.village.auditor import Rules, audit, read_access_log
from tests.village.run import CONTACT, ROOT, Outcome, as_argument, free_port, served
from tests.village.village import big

pytestmark = pytest.mark.web

RULES = Rules(req_delay=0.1, max_hosts=3, max_reqs=20, general_pause=1.0)
DEMO_RULES = Rules(req_delay=0.2, max_hosts=3, max_reqs=20, general_pause=1.0)
QUICK = 10.0  # seconds in which a console is returned, machine busy or not
A_MINUTE = 60.0  # the demonstration's time, as the tutorial says


class Console:
    """A directory in which texttractor.sh is called; whatever is left running there is ended."""

    def __init__(self, directory):
        self.directory = directory
        self.seen = set()  # numbers of all processes that were ever started here

    def __enter__(self):
        self.directory.mkdir(exist_ok=True)
        self.call("--version")  # whatever has to be set up on this machine is set up now
        return self

    def __exit__(self, *_):
        for pid in self.living(self.seen | set(self.pids())):
            os.kill(pid, signal.SIGKILL)

    def call(self, *words):
        """Exit code, output, complaints."""
        done = subprocess.run(
            ["sh", str(ROOT / "texttractor.sh"), *words],
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=2 * A_MINUTE,
        )
        self.seen |= set(self.pids())
        return done.returncode, done.stdout, done.stderr

    def pids(self):
        path = self.directory / "PID.txt"
        return [int(word) for word in path.read_text().split()] if path.exists() else []

    def living(self, pids):
        return [pid for pid in pids if works_in(pid, self.directory)]

    def wait_for(self, has_come, timeout):
        deadline = time.monotonic() + timeout
        while not has_come():
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.05)

    def said(self):
        return "\n".join(path.read_text()[-1000:] for path in self.directory.glob("*.out"))


def works_in(pid, directory):
    """Is it a running process of this directory, and not one that has got its number since?"""
    try:
        is_dead = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        return not is_dead and Path(f"/proc/{pid}/cwd").resolve() == directory.resolve()
    except OSError:
        return False


def small(port):
    return big(port, hosts=40, addresses=15, pages=30, seed=7)


def test_a_crawl_is_started_stopped_and_started_again(tmp_path):
    """Detaches, PID.txt, a second start is refused, stopping loses nothing, then it finishes."""
    with served(small, tmp_path / "access.log") as web, Console(tmp_path / "crawl") as console:
        (console.directory / "my-hosts").write_text(web.hosts_file())
        (console.directory / "my-urls").write_text(web.start_list())
        options = RULES._asdict() | {"hosts": "my-hosts", "urls": "my-urls", "allow_private": True}
        options |= {"contact": CONTACT, "port": free_port(), "target": "texts"}
        start = ["3", *(as_argument(name, value) for name, value in options.items())]

        begun = time.monotonic()
        code, out, complaints = console.call(*start)
        assert (code, complaints) == (0, "") and time.monotonic() - begun < QUICK
        assert out.startswith("started the queuekeeper and 3 harvesters\n")
        assert len(console.living(console.pids())) == 4

        code, _, complaints = console.call(*start)
        assert code == 2 and "a crawl is running in this directory" in complaints
        assert len(console.living(console.pids())) == 4

        console.wait_for(lambda: len(read_access_log(tmp_path / "access.log")) > 100, 30)
        code, out, complaints = console.call("stop")
        assert (code, complaints) == (0, "") and "stopped; starting it again goes on" in out
        assert not console.living(console.seen) and not console.pids()
        seen = len(read_access_log(tmp_path / "access.log"))

        assert console.call(*start)[0] == 0
        console.wait_for(lambda: not console.living(console.seen), 90)
        assert "processes  none: finished" in console.call("status", "--urls=my-urls")[1]

        entries = read_access_log(tmp_path / "access.log")
        outcome = Outcome(web, console.directory, {}, entries, 0.0, options)
    assert stumbles(outcome.directory) == {}
    assert 100 < seen < len(entries)
    assert outcome.violations() == trespasses(outcome) == []
    assert fetched_amiss(outcome) == texts_amiss(outcome) == {}


def test_the_demonstration_shows_within_a_minute_what_arrived_and_where_it_lies(tmp_path):
    """Sh texttractor.sh 4 --demo."""
    with Console(tmp_path) as console:
        begun = time.monotonic()
        code, out, complaints = console.call("4", "--demo")
        assert (code, complaints) == (0, ""), out
        assert time.monotonic() - begun < A_MINUTE
        arrived = int(re.search(r"^(\d+) documents arrived", out, re.MULTILINE)[1])
        place = re.search(r"^texts: (\S+)", out, re.MULTILINE)[1]
        kept = "".join(path.read_text() for path in (tmp_path / place).iterdir()).count('{"url": ')
        assert arrived == kept > 300
        assert audit(read_access_log(tmp_path / "demo-run/access.log"), DEMO_RULES) == []
        assert not (tmp_path / "demo-run/PID.txt").exists()
        assert stumbles(tmp_path / "demo-run") == {}
        report = re.search(r"^yield: (.*)", out, re.MULTILINE)[1]
        shown = subprocess.run(report, shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert (shown.returncode, shown.stderr) == (0, ""), "it works as it is printed"
        assert f" {arrived} " in shown.stdout


def test_the_same_command_goes_on_when_only_the_queuekeeper_was_killed(tmp_path):
    """Its harvesters, which call for it, are not started a second time; nothing is fetched twice."""
    with served(small, tmp_path / "access.log") as web, Console(tmp_path / "crawl") as console:
        (console.directory / "my-hosts").write_text(web.hosts_file())
        (console.directory / "my-urls").write_text(web.start_list())
        options = RULES._asdict() | {"hosts": "my-hosts", "urls": "my-urls", "allow_private": True}
        options |= {"contact": CONTACT, "port": free_port()}
        call = ["3", *(as_argument(option, value) for option, value in options.items())]
        assert console.call(*call)[0] == 0
        before = console.pids()
        console.wait_for(lambda: len(read_access_log(tmp_path / "access.log")) > 100, A_MINUTE)
        os.kill(before[0], signal.SIGKILL)
        os.kill(before[1], signal.SIGKILL)
        code, said, complaints = console.call(*call)
        assert code == 0, complaints
        assert "2 harvesters of the interrupted crawl go on" in said
        assert sorted(before[2:]) == sorted(set(console.pids()) & set(before))
        assert len(console.pids()) == len(before)
        console.wait_for(lambda: not console.living(console.seen), A_MINUTE)
    entries = read_access_log(tmp_path / "access.log")
    outcome = Outcome(web, console.directory, {}, entries, 0.0, options)
    assert [violation for violation in outcome.violations() if violation.rule != "double-fetch"] == []
    assert sorted(web.must_fetch - outcome.fetched().keys()) == []


def test_the_tools_run_in_the_directory_of_the_caller(tmp_path):
    """Found by a new user: python -m txtr.clean needs another Python, and another directory."""
    (tmp_path / "page.html").write_text("<p>Ahoj. Jak se máš?</p>")
    with Console(tmp_path) as console:
        assert console.call("clean", "page.html") == (0, "Ahoj.\nJak se máš?\n", "")
        assert console.call("report")[0] == 2
        assert console.call("segmenter", "--help")[1].startswith("usage: sh texttractor.sh segmenter")


@pytest.fixture
def at_work(tmp_path):
    """A crawl that will not be done for long, its console, and the command that has started it."""
    with served(small, tmp_path / "access.log") as web, Console(tmp_path / "crawl") as console:
        (console.directory / "my-hosts").write_text(web.hosts_file())
        (console.directory / "my-urls").write_text(web.start_list())
        options = RULES._asdict() | {"req_delay": 1.0, "hosts": "my-hosts", "urls": "my-urls"}
        options |= {"allow_private": True, "contact": CONTACT, "port": free_port()}
        command = ["2", *(as_argument(name, value) for name, value in options.items())]
        code, _, complaints = console.call(*command)
        assert code == 0, complaints
        yield console, command


LOST = "was removed or replaced while the crawl was running: what the queue knew is lost"


@pytest.mark.parametrize("moment", ["later", "at once"])
def test_a_state_that_is_removed_under_a_running_crawl_ends_it_loudly(at_work, moment):
    """It went on for ever, into files without a name; `stop` said: stopped, code 0."""
    console, command = at_work
    shutil.rmtree(console.directory / "state")
    if moment == "later":
        console.wait_for(lambda: not console.living(console.seen), timeout=60)
        assert not (console.directory / "PID.txt").exists(), "its numbers will be other processes'"
    code, out, complaints = console.call("stop")
    assert code != 0 and "stopped" not in out and f"lock {LOST}" in complaints
    assert (
        f' error state reason="--state=state: lock {LOST}'
        in (console.directory / "log/queuekeeper.log").read_text()
    )
    assert not console.living(console.seen), "harvesters were sent home, too"
    code, out, complaints = console.call("status")
    assert code != 0 and f"lock {LOST}" in complaints
    assert not (console.directory / "state").exists(), "nothing is left that could pass for a queue"
    code, _, complaints = console.call(*command)
    assert code == 0, complaints


def test_status_says_at_once_that_the_state_was_removed(at_work):
    """It said that the queuekeeper is starting."""
    console, _ = at_work
    os.kill(console.pids()[0], signal.SIGSTOP)
    try:
        shutil.rmtree(console.directory / "state")
        code, out, _ = console.call("status")
    finally:
        os.kill(console.pids()[0], signal.SIGCONT)
    assert (code, out) == (
        1,
        "ATTENTION  --state=state: the state was removed while the crawl was running\n",
    )


def test_a_database_that_is_taken_away_alone_is_missed_also_by_the_next_start(at_work):
    """A state whose database was missing began afresh without a word."""
    console, command = at_work
    database = console.directory / "state/frontier.sqlite"
    database.rename(console.directory / "moved")
    console.wait_for(lambda: not console.living(console.seen), timeout=60)
    assert f"frontier.sqlite {LOST}" in console.call("status")[2] + console.call("status")[1]
    assert console.call("status")[0] == 1
    code, _, complaints = console.call(*command)
    assert code == 2 and "state/frontier.sqlite: is missing, and frontier.journal-" in complaints
    for path in (console.directory / "state").glob("frontier.*"):
        path.unlink()
    code, _, complaints = console.call(*command)
    assert code == 2 and "state/frontier.sqlite: is missing, and running, which tells of a" in complaints
    assert "restore a copy of the state, or move the whole directory away to start afresh" in complaints


@pytest.mark.parametrize(
    "where, size", [("command line", 65_536), ("config.txt", 300_000), ("list", 300_000)]
)
def test_long_lists_of_forbidden_servers_work(tmp_path, where, size):
    """With 65 KB no harvester could start, with 128 KB nothing could: Argument list too long."""
    web = partial(big, hosts=12, addresses=6, pages=4, seed=7)
    with served(web, tmp_path / "access.log") as web, Console(tmp_path / "crawl") as console:
        forbidden = sorted(web.hosts)[5]
        others = (f"server{number}\\.example$" for number in range(size // 20))
        lines = [*others, f"^{re.escape(forbidden)}$"]
        long = "|".join(lines)
        assert len(long) >= size
        if where == "config.txt":
            (console.directory / "config.txt").write_text(f"exclude: '{long}'\n")
        (console.directory / "list").write_text("\n".join(lines))
        (console.directory / "my-hosts").write_text(web.hosts_file())
        (console.directory / "my-urls").write_text(web.start_list())
        options = RULES._asdict() | {"hosts": "my-hosts", "urls": "my-urls", "allow_private": True}
        options |= {"contact": CONTACT, "port": free_port()}
        options |= {"exclude": long} if where == "command line" else {}
        options |= {"exclude": "@list"} if where == "list" else {}
        code, out, complaints = console.call("2", *(as_argument(*option) for option in options.items()))
        assert (code, complaints) == (0, ""), out
        console.wait_for(lambda: not console.living(console.seen), 60)
        asked = {entry.host for entry in read_access_log(tmp_path / "access.log")}
        assert asked and forbidden not in asked
        assert asked >= {host for host in web.hosts if f"//{host}:" in web.start_list()} - {forbidden}
        assert stumbles(console.directory) == {}
