"""The start script: every command line has its answer and its exit code."""

import pytest
from fake_programs import port

pytestmark = pytest.mark.web


def test_what_the_user_is_told_to_type_works_where_he_is(crawl, monkeypatch):
    """Called by another path, the script is named by that path, quoted where a shell needs it."""
    monkeypatch.setenv("TXTR_SCRIPT", "/opt/our robot/texttractor.sh")
    called = "sh '/opt/our robot/texttractor.sh'"
    assert f"  watch it      {called} status " in crawl.run("1", port(), "--contact=a@b.cz")[1]
    assert crawl.run("--help")[1].startswith(f"usage: {called} N [options]")
    assert f"usage: {called} add N" in crawl.run("add")[2]


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
    """One clear line that names the culprit, exit code 2, nothing started."""
    (crawl.here / "empty.txt").touch()
    (crawl.here / "comment.txt").write_text("# nothing here\n")
    (crawl.here / "bad-hosts").write_text("127.0.0.1 a.cz\nwww.priklad.cz\n")
    before = set(crawl.here.iterdir())
    code, out, complaints = crawl.run(*words)
    assert (code, out, complaints) == (2, "", f"texttractor: {complaint}\n")
    assert set(crawl.here.iterdir()) == before


IN_A_CIRCLE, NOWHERE = "Too many levels of symbolic links", "No such file or directory"


@pytest.mark.parametrize(
    "option, path, reason",
    [
        *(
            (option, "circle", f"cannot be written: {IN_A_CIRCLE}")
            for option in ("target", "non-html-target", "rejected-target", "state")
        ),
        ("disallowed-target", "circle", f"cannot be written: {IN_A_CIRCLE}"),
        ("abandoned-target", "circle", f"cannot be written: {IN_A_CIRCLE}"),
        *((option, "circle", IN_A_CIRCLE) for option in ("urls", "hosts", "secret-file", "config")),
        *(
            (option, "circle/x", f"cannot be created: {IN_A_CIRCLE}")
            for option in ("target", "state", "log-path", "disallowed-target", "abandoned-target")
        ),
        *(
            (option, "nowhere", f"cannot be written: {NOWHERE}")
            for option in ("target", "non-html-target", "rejected-target", "state", "disallowed-target")
        ),
        ("abandoned-target", "nowhere", f"cannot be written: {NOWHERE}"),
        ("log-path", "{instance}", f"cannot be written: {NOWHERE}"),
        ("target", "nowhere/x", f"cannot be created: {NOWHERE}"),
        ("urls", "nowhere", NOWHERE),
        *((option, "/proc/x/y", f"cannot be created: {NOWHERE}") for option in ("target", "log-path")),
        ("config", ".", "Is a directory"),
        ("secret-file", ".", "Is a directory"),
        ("hosts", ".", "Is a directory"),
        ("abandoned-target", ".", "Is a directory"),
    ],
)
def test_links_that_lead_nowhere_are_named_with_their_option(crawl, option, path, reason):
    """Some passed for files that are not there yet; the programs that were to make them said why not."""
    (crawl.here / "circle").symlink_to("circle")
    (crawl.here / "nowhere").symlink_to("missing/file")
    (crawl.here / "queuekeeper").symlink_to("nowhere")
    code, out, complaints = crawl.run("2", f"--{option}={path}")
    expected = f"--{option}={path}: {reason}"
    assert (code, out, complaints) == (2, "", f"texttractor: {expected}\n")


def test_a_link_to_a_file_that_is_not_there_yet_may_be_a_target(crawl):
    (crawl.here / "list").symlink_to("elsewhere.txt")
    assert crawl.run("1", port(), "--contact=a@b.cz", "--disallowed-target=list")[0] == 0


def test_status_and_stop_name_a_state_that_leads_in_a_circle(crawl):
    """Both ended in a trace while a crawl was running."""
    (crawl.here / "circle").symlink_to("circle")
    assert crawl.run("1", port(), "--contact=a@b.cz")[0] == 0
    code, _, complaints = crawl.run("status", "--state=circle")
    assert code == 2 and complaints == "texttractor: --state=circle: no crawl has left a status there\n"
    code, _, complaints = crawl.run("stop", "--state=circle")
    assert code == 2 and complaints.startswith("texttractor: --state=circle: the crawl in this directory is")


@pytest.mark.parametrize("words", [("--help",), ("-h",)])
def test_a_reader_who_has_seen_enough_is_no_trouble(crawl, words):
    """sh texttractor.sh --help | head -2"""
    script = crawl.start(*words)
    script.stdout.close()
    assert script.stderr.read() == "" and script.wait(10) == 0
    script.stdout = None


def test_help_and_version_need_no_number(crawl):
    code, out, _ = crawl.run("--help")
    assert code == 0 and "--req-delay=S" in out and out.startswith("usage: sh texttractor.sh N")
    code, out, _ = crawl.run("--version")
    assert code == 0 and out.startswith("texttractor 0.")
