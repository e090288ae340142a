"""The start script: all or nothing, and only one crawl in a directory."""

import json
import os
import signal
import socket
import time
from pathlib import Path

import pytest
from fake_programs import is_running, until

from tests.little import fill, little_disk

pytestmark = pytest.mark.web


def port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return f"--port={door.getsockname()[1]}"


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


def test_what_the_user_is_told_to_type_works_where_he_is(crawl, monkeypatch):
    """Called by another path, the script is named by that path, quoted where a shell needs it."""
    monkeypatch.setenv("TXTR_SCRIPT", "/opt/our robot/texttractor.sh")
    called = "sh '/opt/our robot/texttractor.sh'"
    assert f"  watch it      {called} status " in crawl.run("1", port(), "--contact=a@b.cz")[1]
    assert crawl.run("--help")[1].startswith(f"usage: {called} N [options]")
    assert f"usage: {called} add N" in crawl.run("add")[2]


def test_kill_cat_pid_txt_ends_everything(crawl):
    """Spec 8: the process numbers in PID.txt are for kill."""
    crawl.run("2", port())
    os.system(f"cd '{crawl.here}' && kill `cat PID.txt`")
    until(lambda: not crawl.living())
    assert "% stopped" in (crawl.here / "queuekeeper.out").read_text()


def test_a_missing_contact_is_a_prominent_warning(crawl):
    code, _, complaints = crawl.run("1", port())
    assert code == 0
    assert "WARNING: no --contact is given" in complaints and "@" in complaints


def test_a_segmenter_that_is_not_there_yet_is_a_warning(crawl):
    """Nothing would be kept, and nobody would know why without reading the logs."""
    code, _, complaints = crawl.run("1", port(), "--contact=a@b.cz", "--segmenter=./segmenter.sock")
    assert code == 0
    assert complaints == (
        "WARNING: --segmenter=./segmenter.sock: No such file or directory."
        " Documents wait until a segmenter is there.\n"
    )


@pytest.mark.parametrize(
    ("segmenter", "said"),
    [
        ("none", "WARNING: --language=cs: with --segmenter=none nobody judges; all texts are kept.\n"),
        (
            "./segmenter.sock",
            "WARNING: --language=cs is only told to the segmenter at ./segmenter.sock, which decides alone"
            " what is kept.\n",
        ),
        ("built-in", ""),
    ],
)
def test_a_language_that_only_a_segmenter_can_care_for_is_a_warning(crawl, segmenter, said):
    """Found by a new user: texts in all languages arrived, and nothing was said."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(crawl.here / "segmenter.sock"))
        door.listen()
        options = (f"--segmenter={segmenter}", "--language=cs", "--contact=a@b.cz")
        code, _, complaints = crawl.run("1", port(), *options)
    assert (code, complaints) == (0, said)


@pytest.mark.parametrize(
    ("path", "complaint"),
    [("./urls.txt", "that is no socket"), ("no/such/socket", "there is no directory no/such")],
)
def test_a_path_that_no_segmenter_can_be_at_is_refused(crawl, path, complaint):
    code, out, complaints = crawl.run("1", port(), f"--segmenter={path}")
    assert (code, out) == (2, "")
    assert complaints == f"texttractor: --segmenter={path}: {complaint}\n"


def test_a_second_run_in_the_same_directory_is_refused(crawl):
    """Issue: refused with a clear message instead of corrupting anything."""
    crawl.run("1", port())
    before = crawl.pids()
    code, out, complaints = crawl.run("1", port())
    assert (code, out) == (2, "")
    assert complaints == (
        f"texttractor: a crawl is running in this directory (processes {before[0]} {before[1]});"
        " stop it with sh texttractor.sh stop, or kill `cat PID.txt`\n"
    )
    assert crawl.living() == before == crawl.pids()


def test_a_second_run_on_the_same_state_is_refused_even_without_pid_txt(crawl):
    crawl.run("1", port())
    hidden = crawl.here / "hidden"
    (crawl.here / "PID.txt").rename(hidden)
    code, _, complaints = crawl.run("1", port(), "--contact=a@b.cz")
    hidden.rename(crawl.here / "PID.txt")
    assert (code, complaints) == (2, "texttractor: --state=state: another crawl is using it\n")


def test_an_old_pid_txt_whose_numbers_are_others_does_not_matter(crawl):
    (crawl.here / "PID.txt").write_text(f"{os.getpid()}\n1\n999999\n")
    code, _, _ = crawl.run("1", port())
    assert code == 0 and len(crawl.living()) == 2
    assert is_running(os.getpid())


@pytest.mark.parametrize(
    "words, complaint",
    [
        ((), "how many harvesters? usage: sh texttractor.sh N [options]; see --help"),
        (("2", "--req-dely=3"), "unknown option --req-dely; did you mean --req-delay?"),
        (
            ("2", "--include=("),
            "--include=(: bad regular expression: missing ), unterminated subpattern at position 0;"
            " a regular expression, e.g. '\\.cz$'",
        ),
        (("2", "--urls=missing.txt"), "--urls=missing.txt: No such file or directory"),
        (("2", "--urls=empty.txt"), "--urls=empty.txt: the file is empty"),
        (("2", "--urls=comment.txt"), "--urls=comment.txt: the start list holds no URL"),
        (("2", "--urls=."), "--urls=.: Is a directory"),
        (("2", "--target=empty.txt"), "--target=empty.txt: Not a directory"),
        (("2", "--target=empty.txt/x/y"), "--target=empty.txt/x/y: cannot be created: Not a directory"),
        (
            ("2", "--rejected-target=empty.txt/x"),
            "--rejected-target=empty.txt/x: cannot be created: Not a directory",
        ),
        (("2", "--state=/proc/x"), "--state=/proc/x: cannot be created: No such file or directory"),
        (("2", "--disallowed-target=."), "--disallowed-target=.: Is a directory"),
        (
            ("2", "--log-path=empty.txt/{instance}"),
            "--log-path=empty.txt/{instance}: cannot be created: Not a directory",
        ),
        (
            ("2", "--hosts=bad-hosts"),
            "--hosts=bad-hosts: line 2: expected an IP address and names, found 'www.priklad.cz'",
        ),
        (("2", "--hosts=missing"), "--hosts=missing: No such file or directory"),
        (("2", "--secret-file=missing"), "--secret-file=missing: No such file or directory"),
        (("2", "--config=missing"), "--config=missing: no such file"),
        (
            ("2", "--language=cz"),
            "--language=cz: no language cz is known to the judge; did you mean cs?",
        ),
        (("-1",), "'-1': expected a number of harvesters, 1 to 1000"),
        (("statsu",), "'statsu' is no command; did you mean status?"),
        (("stop",), "no crawl is running in this directory"),
        (("add", "2"), "no crawl is running in this directory"),
        (("status",), "--state=state: no crawl has left a status there"),
        (("follow",), "--state=state: no crawl has left a status there"),
    ],
)
def test_what_cannot_work_is_named_in_one_line_and_nothing_starts(crawl, words, complaint):
    """Issue: one clear line that names the culprit, exit code 2, nothing started."""
    (crawl.here / "empty.txt").touch()
    (crawl.here / "comment.txt").write_text("# nothing here\n")
    (crawl.here / "bad-hosts").write_text("127.0.0.1 a.cz\nwww.priklad.cz\n")
    before = set(crawl.here.iterdir())
    code, out, complaints = crawl.run(*words)
    assert (code, out, complaints) == (2, "", f"texttractor: {complaint}\n")
    assert set(crawl.here.iterdir()) == before


def test_a_port_in_use_is_named(crawl):
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        number = door.getsockname()[1]
        code, _, complaints = crawl.run("2", f"--port={number}")
    assert (code, complaints) == (
        2,
        f"texttractor: --port={number}: Address already in use (another crawl? choose --port=N)\n",
    )
    assert not crawl.pids()


def test_a_word_of_the_start_list_that_is_no_url_is_left_out_by_name(crawl):
    (crawl.here / "urls.txt").write_text("http://example.cz/ rubbish")
    code, _, complaints = crawl.run("1", port(), "--contact=a@b.cz")
    assert (code, complaints) == (0, "texttractor: --urls=urls.txt: rubbish is no URL; left out\n")


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


@pytest.mark.parametrize("option", ["--state", "--target", "--log-path"])
def test_a_full_disk_is_named_before_anything_starts(crawl, option):
    """Found by a new user: 'it said nothing', or an error without a file."""
    with little_disk(crawl.here / "little", "1m") as disk:
        fill(disk / "ballast")
        where = disk / "x/{instance}.log" if option == "--log-path" else disk / "x"
        code, _, complaints = crawl.run("1", port(), "--contact=a@b.cz", f"{option}={where}")
        assert code == 2
        assert complaints == (
            f"texttractor: {option}={where}: the disk is full (No space left on device);"
            " make room, and the same command goes on\n"
        )
        assert not crawl.pids()


def test_a_harvester_that_cannot_start_stops_the_others(crawl):
    (crawl.programs / "unlucky").write_text("harvester-02")
    code, _, complaints = crawl.run("2", port(), "--contact=a@b.cz")
    assert (code, complaints) == (
        2,
        "texttractor: harvester-02 cannot start: no luck (see harvester-02.out)\n",
    )
    assert not (crawl.here / "PID.txt").exists()


def test_follow_stays_until_the_crawl_has_finished(crawl):
    """Issue: --follow stays attached until the crawl ends, exit code 0 when it finished."""
    crawl.fate("finishes")
    code, out, complaints = crawl.run("2", port(), "--follow", "--contact=a@b.cz")
    assert (code, complaints) == (0, "")
    assert "7 documents" in out and out.splitlines()[-1] == "finished"
    assert not (crawl.here / "PID.txt").exists()


def test_a_finished_crawl_that_is_started_again_says_that_nothing_was_left_to_do(crawl):
    """Found by a new user: it was started, said the script, and nothing happened."""
    crawl.fate("finishes")
    given = ("1", port(), "--contact=a@b.cz")
    assert crawl.run(*given, "--follow")[1].startswith("started the queuekeeper and 1 harvester\n")
    code, out, _ = crawl.run(*given)
    assert code == 0 and out.startswith("nothing was left to do: this crawl had finished")
    crawl.fate("serves")
    assert crawl.run(*given)[1].startswith("started the queuekeeper and 1 harvester\n")


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
    assert "ended before the queue was ever saved" in out
    assert not crawl.living()


def test_control_c_detaches_and_the_crawl_goes_on(crawl):
    """Issue: Ctrl-C detaches or stops as it says."""
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


def test_harvesters_that_have_all_ended_are_missed_and_started_again(crawl):
    """Found on a full disk: the queuekeeper stayed, nobody said why, the same command was refused."""
    command = ("2", port(), "--contact=a@b.cz")
    crawl.run(*command)
    keeper = crawl.pids()[0]
    (crawl.here / "full").touch()
    until(lambda: crawl.living() == [keeper])
    until(lambda: "harvesters 0\n" in crawl.run("status")[1])
    said = "ATTENTION  all harvesters have ended: cannot write corpus/a.txt: No space left on device (see"
    *_, attention, hint = crawl.run("status")[1].splitlines()
    assert attention.startswith(f"{said} harvester-0")
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


def test_stop_removes_the_numbers_of_processes_that_are_no_more(crawl):
    (crawl.here / "PID.txt").write_text("999999\n")
    assert crawl.run("stop")[0] == 2
    assert not (crawl.here / "PID.txt").exists()


@pytest.mark.parametrize("name", ["PID.txt", "queuekeeper.out", "harvester-01.out"])
def test_a_directory_in_the_way_of_our_files_is_named(crawl, name):
    (crawl.here / name).mkdir()
    code, out, complaints = crawl.run("1", port(), "--contact=a@b.cz")
    assert (code, out, complaints) == (2, "", f"texttractor: {name}: Is a directory\n")
    assert not (crawl.here / "state").exists()


def test_a_harvester_that_cannot_be_added_leaves_the_crawl_as_it_was(crawl):
    crawl.run("1", port(), "--contact=a@b.cz")
    before = crawl.pids()
    (crawl.here / "harvester-03.out").mkdir()
    assert crawl.run("add", "2")[::2] == (2, "texttractor: harvester-03.out: Is a directory\n")
    assert "ATTENTION" not in crawl.run("status")[1]
    assert crawl.pids() == crawl.living() == before


@pytest.mark.parametrize("words", [("--help",), ("-h",)])
def test_a_reader_who_has_seen_enough_is_no_trouble(crawl, words):
    """sh texttractor.sh --help | head -2"""
    script = crawl.start(*words)
    script.stdout.close()
    assert script.stderr.read() == "" and script.wait(10) == 0
    script.stdout = None


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
    """Issue 6: adding and removing is one command; the last that came go first."""
    crawl.run("3", port(), "--contact=a@b.cz")
    before = crawl.pids()
    assert crawl.run("remove", "2")[:2] == (0, "removed 2 harvesters, 1 left\n")
    assert crawl.pids() == crawl.living() == before[:2]
    code, _, said = crawl.run("remove", "2")
    assert (code, said) == (2, "texttractor: 1 harvester running in this directory, not 2\n")
    assert crawl.run("add", "1")[:2] == (0, "added 1 harvester\n")
    assert len(crawl.living()) == 3


@pytest.mark.parametrize("words", [("add", "1"), ("remove", "1"), ("stop",)])
def test_where_no_crawl_is_running_every_command_says_so(crawl, words):
    """Found by a new user: "0 harvesters running in this directory, not 1"."""
    assert crawl.run(*words) == (2, "", "texttractor: no crawl is running in this directory\n")


def test_status_and_stop_are_commands_too(crawl):
    crawl.run("2", port())
    code, out, _ = crawl.run("status")
    assert code == 0 and "documents  7" in out and "processes  3 running" in out
    code, out, _ = crawl.run("stop")
    assert code == 0 and out.endswith("stopped; starting it again goes on\n")
    assert not crawl.pids()
    assert "processes  none: stopped" in crawl.run("status")[1]


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


def test_stop_tells_what_becomes_of_documents_that_wait_for_the_segmenter(crawl):
    """They are lost to nobody, but asked for twice."""
    crawl.fate("waits")
    crawl.run("1", port())
    waiting = "waiting for the segmenter at a.cz:8418: 2 documents"
    assert f"judging    {waiting}\n" in crawl.run("status")[1]
    said = crawl.run("stop")[1]
    assert f"{waiting}; their pages go back to the queue, to be fetched again\n" in said


def test_help_and_version_need_no_number(crawl):
    code, out, _ = crawl.run("--help")
    assert code == 0 and "--req-delay=S" in out and out.startswith("usage: sh texttractor.sh N")
    code, out, _ = crawl.run("--version")
    assert code == 0 and out.startswith("texttractor 0.")


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
    script.communicate(timeout=20)
    assert script.returncode == 130
    assert not processes_in(crawl.here / "demo-run")


def processes_in(directory):
    workplaces = (path.parent for path in Path("/proc").glob("[0-9]*/cwd"))
    return [place.name for place in workplaces if works_in(place, directory)]


def works_in(place, directory):
    try:
        return (place / "cwd").readlink() == directory and is_running(int(place.name))
    except OSError:
        return False


def read(path):
    return path.read_text("utf-8") if path.exists() else ""


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
