"""The two programs by hand, from whatever Python and shell a user comes with."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.web


@pytest.mark.parametrize("program", ["queuekeeper", "harvester"])
def test_a_python_without_our_packages_is_told_which_one_has_them(program):
    """-S: without site-packages, as any Python is that knows nothing of .venv."""
    call = [sys.executable, "-S", f"{program}.py", "--port=9"]
    ended = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1
    assert ended.stderr.endswith(
        f"; use .venv/bin/python {program}.py ... (sh texttractor.sh --version makes the .venv)\n"
    )


@pytest.mark.parametrize("program", ["queuekeeper", "harvester"])
def test_help_may_be_cut_short(program):
    """.venv/bin/python harvester.py --help | head -2"""
    call = [sys.executable, ROOT / f"{program}.py", "--help"]
    started = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    started.stdout.close()
    assert started.stderr.read() == b""
    started.wait(10)
    started.stderr.close()
