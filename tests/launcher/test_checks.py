"""The checks before a start: what cannot work is refused, what may disappoint is a warning."""

import socket

import pytest
from fake_programs import port

from tests.little import fill, little_disk

pytestmark = pytest.mark.web


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
    """Refused with a clear message instead of corrupting anything."""
    crawl.run("1", port())
    before = crawl.pids()
    code, out, complaints = crawl.run("1", port())
    assert (code, out) == (2, "")
    assert complaints == (
        f"texttractor: a crawl is running in this directory (processes {before[0]} {before[1]}), with another"
        " --port; stop it with sh texttractor.sh stop, or kill `cat PID.txt`\n"
    )
    assert crawl.living() == before == crawl.pids()


def test_who_wants_more_harvesters_is_told_how(crawl):
    """Found by a new user: only to stop it was offered."""
    same = port()
    crawl.run("1", same)
    code, _, complaints = crawl.run("1", same)
    assert code == 2
    assert "; more harvesters: sh texttractor.sh add N; stop it with" in complaints


def test_a_second_run_on_the_same_state_is_refused_even_without_pid_txt(crawl):
    crawl.run("1", port())
    hidden = crawl.here / "hidden"
    (crawl.here / "PID.txt").rename(hidden)
    code, _, complaints = crawl.run("1", port(), "--contact=a@b.cz")
    hidden.rename(crawl.here / "PID.txt")
    assert (code, complaints) == (2, "texttractor: --state=state: another crawl is using it\n")


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
    assert (code, complaints) == (
        0,
        "texttractor: --urls=urls.txt: rubbish is no URL of http or https; left out\n",
    )


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


@pytest.mark.parametrize("name", ["PID.txt", "queuekeeper.out", "harvester-01.out"])
def test_a_directory_in_the_way_of_our_files_is_named(crawl, name):
    (crawl.here / name).mkdir()
    code, out, complaints = crawl.run("1", port(), "--contact=a@b.cz")
    assert (code, out, complaints) == (2, "", f"texttractor: {name}: Is a directory\n")
    assert not (crawl.here / "state").exists()


@pytest.mark.parametrize(
    ("mode", "content", "is_weak"), [(0o600, "dubový list", False), (0o644, "dub", True)]
)
def test_a_secret_that_is_none_is_a_warning(crawl, mode, content, is_weak):
    """Readable for others, or soon guessed."""
    path = crawl.here / "secret.txt"
    path.write_text(content)
    path.chmod(mode)
    code, _, complaints = crawl.run("1", port(), "--secret-file=secret.txt", "--contact=a@b.cz")
    assert code == 0
    warned = [line for line in complaints.splitlines() if "WARNING: --secret-file=secret.txt: " in line]
    assert len(warned) == (2 if is_weak else 0)
    assert ("chmod 600 secret.txt" in complaints) == is_weak
