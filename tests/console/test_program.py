"""The console: whatever is wrong with it is one line, and the exit code says whose fault it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from txtr.config.options import VERSION, Options
from txtr.console.program import run, run_service
from txtr.errors import TheirMistake, UserMistake
from txtr.launcher.command import TOOLS

ROOT = Path(__file__).parents[2]
LAUNCHER = "txtr.launcher.program"
ANSWERING = [  # they find something to say in any directory that has a status.json
    *[(module, option) for module in (LAUNCHER, *TOOLS.values()) for option in ("--help", "--version")],
    (LAUNCHER, "status"),
]
COMMANDS = [
    *ANSWERING,
    *[(LAUNCHER, name, *words) for name in TOOLS for words in ((), ("--help",))],
    ("txtr.report",),
    ("txtr.queue",),
    ("txtr.clean", "a.html"),
]


def typed(
    directory: Path, module: str, *words: str, to: str, unbuffered: str = ""
) -> "subprocess.CompletedProcess[str]":
    """What comes of a command whose standard output goes there."""
    shell = f'exec "$0" -P -m {module} "$@" {to}'
    return subprocess.run(
        ["sh", "-c", shell, sys.executable, *words],
        cwd=directory,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.web
@pytest.mark.parametrize("call", COMMANDS, ids=" ".join)
def test_a_closed_standard_output_is_named_in_one_line(tmp_path: Path, call: tuple[str, ...]) -> None:
    """Found by a new user: a trace, from every command."""
    ended = typed(tmp_path, *call, to=">&-")
    assert ended.stderr.endswith(": standard output: closed, expected somewhere to write to\n")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)


@pytest.mark.web
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("call", ANSWERING, ids=" ".join)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_standard_output_is_named_in_one_line(
    tmp_path: Path, call: tuple[str, ...], unbuffered: str
) -> None:
    """Found by a new user: a trace, or a bare error number."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "status.json").write_text("{}")
    ended = typed(tmp_path, *call, to="> /dev/full", unbuffered=unbuffered)
    assert ended.stderr.endswith(": standard output: No space left on device\n")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)


@pytest.mark.web
def test_a_closed_standard_error_does_not_change_the_output(tmp_path: Path) -> None:
    """print would write to the standard output instead."""
    ended = typed(tmp_path, "txtr.launcher.program", "status", to="2>&- > out")
    assert (ended.returncode, (tmp_path / "out").read_text()) == (2, "")


@pytest.mark.parametrize(
    ("trouble", "said", "code"),
    [
        (UserMistake("no such thing"), "tool: no such thing\n", 2),
        (TheirMistake("damaged"), "tool: damaged\n", 1),
        (FileNotFoundError(2, "No such file or directory", "a"), "tool: a: No such file or directory\n", 2),
        (PermissionError(1, "Operation not permitted"), "tool: Operation not permitted\n", 2),
        (KeyboardInterrupt(), "", 130),
        (SystemExit(0), "", 0),
    ],
)
def test_the_exit_code_says_who_can_mend_it(
    trouble: BaseException, said: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """2: the user; 1: somebody else; 130: he wished it so."""

    def work() -> int:
        raise trouble

    assert run("tool", work) == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("trouble", "said", "code"),
    [
        (UserMistake("no such thing"), "keeper: no such thing\n", 2),
        (TheirMistake("damaged"), "keeper: TheirMistake: damaged\n", 1),
        (FileNotFoundError(2, "No such file or directory", "a"), "keeper: a: No such file or directory\n", 2),
        (OSError(28, "No space left on device"), "keeper: No space left on device\n", 2),
        (KeyboardInterrupt(), "", 130),
    ],
)
def test_a_service_ends_like_a_command(
    trouble: BaseException, said: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it could not write need not be the standard output: it has logs and files."""

    def work(_: Options) -> int:
        raise trouble

    assert run_service("keeper", ["--config="], "", work) == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("asked", "said"), [("--help", "how to\n"), ("--version", f"TextTractor {VERSION}\n")]
)
def test_a_service_that_is_asked_for_help_does_nothing_else(
    asked: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also when another option is wrong."""
    assert run_service("keeper", ["--no-such", asked], "how to", lambda _: 1) == 0
    assert capsys.readouterr().out == said
