"""Hostile callers at the segmenter's port: harvesters are answered, and neither memory nor logs grow."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.segmenter.test_manual import ask
from tests.village.hostile_callers import CALLERS, beset, few_files, most_memory
from tests.village.run import free_port
from txtr.segment.protocol import Question

pytestmark = pytest.mark.web

MOST_MEMORY = 350  # MB: twice the longest frame, that frame while it is read, and the program
MOST_LINES = 60  # of its log, in the seconds of a test
QUESTIONS = [Question("u", "Vítejte na stránkách naší obce, která leží na úpatí hor.")] * 20


@pytest.mark.parametrize("callers", CALLERS)
def test_harvesters_are_answered_beside_callers_that_are(callers, tmp_path):
    """Found by attack: 1,200 connections locked everybody out, eight frames without an end took 553 MB."""
    port = free_port()
    command = [sys.executable, "-m", "txtr.segmenter", "--config=", f"--segmenter=127.0.0.1:{port}"]
    command += [f"--log-path={tmp_path}/{{instance}}.log"]
    program = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=Path(__file__).parents[2]
    )
    few_files(program.pid)
    try:
        assert program.stdout.readline() == f"segmenter: listening at 127.0.0.1:{port}\n"
        with beset(callers, port):
            for _ in range(3):
                judgements, _ = asyncio.run(ask(port, QUESTIONS))
                assert all(judgement.usability > 0 for judgement in judgements)
            memory = most_memory(program.pid)
            program.terminate()
            said = program.communicate(timeout=10)[0]
    finally:
        program.kill()
        program.wait()
    assert program.returncode == 0
    assert "Traceback" not in said and len(said.splitlines()) < 10
    assert len((tmp_path / "segmenter.log").read_text().splitlines()) <= MOST_LINES
    assert memory <= MOST_MEMORY
