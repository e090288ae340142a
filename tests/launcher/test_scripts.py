"""The two programs by hand, from whatever Python and shell a user comes with."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_programs import until

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(path.stem for path in ROOT.glob("*.py"))
pytestmark = pytest.mark.web


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_python_without_our_packages_is_told_which_one_has_them(program):
    """-S: without site-packages, as any Python is that knows nothing of .venv."""
    call = [sys.executable, "-S", f"{program}.py", "--port=9"]
    ended = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1
    assert ended.stderr.endswith(
        f"; use .venv/bin/python {program}.py ... (sh texttractor.sh --version makes the .venv)\n"
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_may_be_cut_short(program):
    """.venv/bin/python harvester.py --help | head -2"""
    call = [sys.executable, ROOT / f"{program}.py", "--help"]
    started = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    started.stdout.close()
    assert started.stderr.read() == b""
    started.wait(10)
    started.stderr.close()


@pytest.mark.parametrize("is_ours", [True, False])
def test_the_queuekeeper_removes_a_pid_txt_of_its_own_at_its_end(tmp_path, is_ours):
    """Nobody is left to do it when a detached crawl ends, and the numbers will be others'."""
    (tmp_path / "urls.txt").write_text("http://example.cz/")
    with (tmp_path / "out").open("wb") as out:
        keeper = subprocess.Popen(
            [sys.executable, ROOT / "queuekeeper.py", "--config=", "--port=8497"],
            cwd=tmp_path,
            stdout=out,
            env={**os.environ, "TXTR_PID_FILE": str(tmp_path / "PID.txt")},
        )
    (tmp_path / "PID.txt").write_text(f"{keeper.pid if is_ours else 1}\n2\n")
    until(lambda: "listening" in (tmp_path / "out").read_text())
    keeper.terminate()
    assert keeper.wait(20) == 0
    assert (tmp_path / "PID.txt").exists() is not is_ours
