"""The start of a crawl: whoever of it still runs is not started a second time."""

import ast
import os
import signal

import pytest
from fake_programs import is_running, port, read, until

from txtr.config.layers import load
from txtr.config.options import Options
from txtr.launcher import start

pytestmark = pytest.mark.web


def test_a_finished_crawl_that_is_started_again_says_that_nothing_was_left_to_do(crawl):
    """Found by a new user: it was started, said the script, and nothing happened."""
    crawl.fate("finishes")
    given = ("1", port(), "--contact=a@b.cz")
    assert crawl.run(*given, "--follow")[1].startswith("started the queuekeeper and 1 harvester\n")
    code, out, _ = crawl.run(*given)
    assert code == 0 and out.startswith("nothing was left to do: this crawl had finished")
    crawl.fate("serves")
    assert crawl.run(*given)[1].startswith("started the queuekeeper and 1 harvester\n")


def test_the_same_command_starts_only_what_is_dead(crawl):
    """The harvesters that live are not started again, and nobody says that they were."""
    command = ("2", port(), "--contact=a@b.cz")
    crawl.run(*command)
    keeper, *harvesters = crawl.pids()
    os.kill(keeper, signal.SIGKILL)
    until(lambda: len(crawl.living()) == 2)
    code, out, _ = crawl.run("3", *command[1:])
    assert code == 0
    assert out.splitlines()[:2] == [
        "2 harvesters of the interrupted crawl go on",
        "started the queuekeeper and 1 more harvester",
    ]
    assert set(harvesters) < set(crawl.living()) and len(crawl.living()) == 4


@pytest.mark.parametrize(
    "more, survive", [([], True), (["--agent=foobot"], False), (["--state=other"], False)]
)
def test_harvesters_of_a_killed_queuekeeper_go_on_unless_the_options_have_changed(crawl, more, survive):
    """They would have called at another port for ever, or have said that they are another robot."""
    given = ["2", port(), "--contact=a@b.cz"]
    crawl.run(*given)
    keeper, *harvesters = crawl.pids()
    os.kill(keeper, signal.SIGKILL)
    until(lambda: not is_running(keeper))
    (crawl.here / "joined").unlink()
    code, out, _ = crawl.run(*given, *more)
    assert code == 0
    assert ("2 harvesters of the interrupted crawl go on" in out) == survive
    assert [is_running(pid) for pid in harvesters] == [survive, survive]
    assert len(crawl.living()) == 3


def test_whoever_interrupts_a_start_is_told_that_nothing_runs(tmp_path, monkeypatch, capsys):
    """Found by a new user: after Ctrl-C there was not a word, and --follow says that the crawl goes on."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(start, "_check", lambda *_: None)
    monkeypatch.setattr(start, "launch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start.start(Options(), 1, tmp_path)
    assert "nothing runs" in capsys.readouterr().out


def test_what_is_too_long_for_a_command_line_is_handed_over_in_a_file(crawl):
    """Of 128 KiB, no process could be started: Argument list too long."""
    long = "|".join(f"server{number}\\.cz$" for number in range(20_000))
    (crawl.here / "config.txt").write_text(f"exclude: '{long}'\nmax-reqs: 7\n")
    assert len(long) > 300_000
    code, _, complaints = crawl.run("1", port(), "--contact=a@b.cz")
    assert (code, complaints) == (0, "")
    crawl.run("add", "1")
    assert len(crawl.living()) == 3
    for name in ("harvester-01", "harvester-02"):
        words = ast.literal_eval(read(crawl.here / f"{name}.out").splitlines()[0])
        given = load(words, lambda path: (crawl.here / path).read_text())
        assert (given.exclude, given.max_reqs, given.instance) == (long, 7, name)
    assert crawl.run("1")[2].startswith("texttractor: a crawl is running in this directory")
    crawl.run("stop")
    assert crawl.run("1", port(), "--contact=a@b.cz", "--exclude=^$")[0] == 0
    assert not (crawl.here / "state" / "options.txt").exists()


def test_a_list_of_servers_is_named_by_whoever_needs_it(crawl):
    (crawl.here / "blocked.txt").write_text("a\\.cz$\n*.cz\n")
    code, _, complaints = crawl.run("1", "--exclude=@blocked.txt")
    wrong = "--exclude=@blocked.txt: line 2: bad regular expression: nothing to repeat at position 0"
    assert (code, complaints) == (2, f"texttractor: {wrong}\n")


@pytest.mark.parametrize("turn", range(10))
@pytest.mark.parametrize("second", ["another state", "the same state"])
def test_of_two_starts_in_the_same_moment_one_is_refused(crawl, turn, second):
    """With another --state and --port both ran, and PID.txt named only one of them."""
    states = ("state", "other") if second == "another state" else ("state", "state")
    scripts = [crawl.start("1", port(), f"--state={state}", "--contact=a@b.cz") for state in states]
    ends = [(script.communicate(timeout=60), script.returncode) for script in scripts]
    (complaint,) = [complaint for (_, complaint), code in ends if code]
    assert sorted(code for _, code in ends) == [0, 2]
    keeper, harvester = crawl.living()
    assert complaint.startswith(f"texttractor: a crawl is running in this directory (processes {keeper}")
    assert "; stop it with sh texttractor.sh stop" in complaint
    assert ("with another --state" in complaint) == (second == "another state")
    assert crawl.processes() == sorted([keeper, harvester])
    assert crawl.run("stop")[0] == 0
    assert not crawl.processes()
