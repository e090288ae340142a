"""The staff: a running crawl gets more harvesters, or fewer, and those that it lacks."""

import json
import os
import signal

import pytest
from fake_programs import is_running, port, read, until

pytestmark = pytest.mark.web


def test_harvesters_that_have_all_ended_are_missed_and_started_again(crawl):
    """Found on a full disk: the queuekeeper stayed, nobody said why, the same command was refused."""
    command = ("2", port(), "--contact=a@b.cz")
    crawl.run(*command)
    keeper = crawl.pids()[0]
    (crawl.here / "full").touch()
    until(lambda: crawl.living() == [keeper])
    until(lambda: "harvesters 0\n" in crawl.run("status")[1])
    said = "ATTENTION all harvesters have ended: cannot write corpus/a.txt: No space left on device (see"
    *lines, hint = crawl.run("status")[1].splitlines()
    attention = " ".join(" ".join(lines).split())  # in lines of 80 columns
    assert f"{said} harvester-0" in attention
    assert hint == "           the same command as before starts them again"
    (crawl.here / "full").unlink()
    assert crawl.run("2", command[1], "--depth=7")[0] == 2  # another command, another crawl
    code, out, _ = crawl.run(*command)
    assert code == 0
    assert out.splitlines()[:2] == [
        "the queuekeeper of the crawl in this directory goes on",
        "started 2 harvesters",
    ]
    assert crawl.living()[0] == keeper and len(crawl.living()) == 3
    assert "ATTENTION" not in crawl.run("status")[1]


def test_one_harvester_that_was_killed_is_missed_and_started_again(crawl):
    """Found by a new user: the same command was refused, and status said nothing."""
    command = ("3", port(), "--contact=a@b.cz")
    crawl.run(*command)
    assert "ATTENTION" not in crawl.run("status")[1]
    keeper, first, second, third = crawl.pids()
    os.kill(second, signal.SIGKILL)
    until(lambda: not is_running(second))
    assert crawl.run("status")[1].splitlines()[-2:] == [
        "ATTENTION  1 of 3 harvesters is missing",
        "           sh texttractor.sh add 1 starts as many again",
    ]
    code, out, _ = crawl.run(*command)
    assert code == 0
    assert out.splitlines()[:2] == [
        "the queuekeeper and 2 harvesters of the crawl in this directory go on",
        "started 1 more harvester",
    ]
    assert crawl.pids()[:3] == [keeper, first, third] and len(crawl.pids()) == len(crawl.living()) == 4
    assert "'--instance=harvester-02'" in read(crawl.here / "harvester-02.out")
    assert "ATTENTION" not in crawl.run("status")[1]
    code, _, complaints = crawl.run(*command)
    assert code == 2 and "a crawl is running in this directory" in complaints


def test_whoever_was_removed_is_not_missed_and_whoever_was_added_is(crawl):
    """The user has said how many he wants, though not in one command."""
    crawl.run("2", port(), "--contact=a@b.cz")
    crawl.run("remove", "1")
    assert "ATTENTION" not in crawl.run("status")[1]
    crawl.run("add", "2")
    assert "ATTENTION" not in crawl.run("status")[1]
    last = crawl.pids()[-1]
    os.kill(last, signal.SIGKILL)
    until(lambda: not is_running(last))
    assert "ATTENTION  1 of 3 harvesters is missing\n" in crawl.run("status")[1]
    crawl.run("add", "1")
    assert "ATTENTION" not in crawl.run("status")[1]


def test_a_harvester_that_cannot_be_added_leaves_the_crawl_as_it_was(crawl):
    crawl.run("1", port(), "--contact=a@b.cz")
    before = crawl.pids()
    (crawl.here / "harvester-03.out").mkdir()
    assert crawl.run("add", "2")[::2] == (2, "texttractor: harvester-03.out: Is a directory\n")
    assert "ATTENTION" not in crawl.run("status")[1]
    assert crawl.pids() == crawl.living() == before


def test_harvesters_can_be_added_with_the_same_options(crawl):
    """Spec 6: harvesters can be added at any time."""
    crawl.run("1", port(), "--depth=9")
    code, out, _ = crawl.run("add", "2")
    assert (code, out) == (0, "added 2 harvesters\n")
    assert len(crawl.living()) == 4
    assert "'--depth=9'" in (crawl.here / "harvester-03.out").read_text()
    assert json.loads((crawl.here / "state/launch.json").read_text())["harvesters"] == 3


def test_an_added_harvester_may_have_connections_of_its_own(crawl):
    """Found by a new user: what was given with add was ignored, and nothing said so."""
    crawl.run("1", port(), "--contact=a@b.cz", "--connections=9")
    more = ("--connections=7", "--log-level=debug", "--contact=a@b.cz")
    assert crawl.run("add", "1", *more)[:2] == (0, "added 1 harvester\n")
    said = read(crawl.here / "harvester-02.out")
    assert "'--connections=9', '--connections=7', '--log-level=DEBUG'" in said  # the later wins
    crawl.run("add", "1")
    assert "--connections=7" not in read(crawl.here / "harvester-03.out")


@pytest.mark.parametrize("option", ["--language=sk", "--instance=mine", "--port=1", "--follow"])
def test_an_option_that_all_harvesters_have_alike_is_refused_by_add(crawl, option):
    crawl.run("1", port(), "--contact=a@b.cz")
    code, out, complaints = crawl.run("add", "1", option)
    assert (code, out) == (2, "")
    assert complaints == (
        f"texttractor: {option}{'=yes' * (option == '--follow')}: all of one crawl have it alike;"
        " add takes --batch-count, --connections, --log-level\n"
    )
    assert len(crawl.living()) == 2


def test_harvesters_can_be_removed_while_the_crawl_runs(crawl):
    """Adding and removing is one command; the last that came go first."""
    crawl.run("3", port(), "--contact=a@b.cz")
    before = crawl.pids()
    assert crawl.run("remove", "2")[:2] == (0, "removed 2 harvesters, 1 left\n")
    assert crawl.pids() == crawl.living() == before[:2]
    code, _, said = crawl.run("remove", "2")
    assert (code, said) == (2, "texttractor: 1 harvester running in this directory, not 2\n")
    assert crawl.run("add", "1")[:2] == (0, "added 1 harvester\n")
    assert len(crawl.living()) == 3


def test_a_harvester_that_is_added_while_another_is_being_removed_is_not_forgotten(crawl):
    """To finish what it is fetching takes a harvester up to a minute; PID.txt must name all that run."""
    crawl.run("2", port(), "--contact=a@b.cz")
    keeper, first, last = crawl.pids()
    os.kill(last, signal.SIGSTOP)  # it does not hear that it is to end
    removing = crawl.start("remove", "1")
    until(lambda: '"wanted": 1' in read(crawl.here / "state" / "launch.json"))
    assert crawl.run("add", "1")[0] == 0
    added = crawl.pids()[-1]
    os.kill(last, signal.SIGCONT)
    assert removing.wait(timeout=60) == 0
    assert crawl.pids() == crawl.living() == [keeper, first, added]


def test_two_removals_in_the_same_moment_remove_two_harvesters(crawl):
    """Both chose the last one, which may take a minute to end, and each said that it was removed."""
    crawl.run("3", port(), "--contact=a@b.cz")
    keeper, first, _, last = crawl.pids()
    os.kill(last, signal.SIGSTOP)  # it does not hear that it is to end
    removing = crawl.start("remove", "1")
    until(lambda: '"wanted": 2' in read(crawl.here / "state" / "launch.json"))
    assert crawl.run("remove", "1")[:2] == (0, "removed 1 harvester, 1 left\n")
    code, _, said = crawl.run("remove", "2")
    assert (code, said) == (2, "texttractor: 1 harvester running in this directory, not 2\n")
    os.kill(last, signal.SIGCONT)
    assert removing.communicate(timeout=60)[0] == "removed 1 harvester, 2 left\n"
    assert crawl.pids() == crawl.living() == [keeper, first]
    assert "ATTENTION" not in crawl.run("status")[1]


def test_a_harvester_that_is_being_removed_is_not_missed_when_another_was_added_meanwhile(crawl):
    """It was counted among those that should be running."""
    crawl.run("2", port(), "--contact=a@b.cz")
    last = crawl.pids()[-1]
    os.kill(last, signal.SIGSTOP)
    removing = crawl.start("remove", "1")
    until(lambda: '"wanted": 1' in read(crawl.here / "state" / "launch.json"))
    assert crawl.run("add", "1")[0] == 0
    os.kill(last, signal.SIGCONT)
    assert removing.wait(timeout=60) == 0
    assert '"wanted": 2' in read(crawl.here / "state" / "launch.json")
    assert "ATTENTION" not in crawl.run("status")[1]


def test_two_additions_in_the_same_moment_get_harvesters_of_different_names(crawl):
    """Both took the next free number: two harvesters of one name, of which PID.txt knew one."""
    crawl.run("1", port(), "--contact=a@b.cz")
    scripts = [crawl.start("add", "2") for _ in range(3)]
    assert [(script.communicate(timeout=60)[1], script.returncode) for script in scripts] == [("", 0)] * 3
    names = sorted(path.name for path in crawl.here.glob("harvester-*.out"))
    assert names == [f"harvester-{number:02}.out" for number in range(1, 8)]
    assert len(crawl.living()) == 8
