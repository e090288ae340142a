"""docs/segmenter.md: the segmenters it shows are complete, and really run."""

import asyncio
import re
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from tests.village.run import free_port
from txtr.config.options import FIELDS
from txtr.segment import protocol, spool
from txtr.segment.judges import Place, Remote, explain_absence
from txtr.segment.protocol import Question
from txtr.segmenter.program import USUAL_PLACE, main

MANUAL = (Path(__file__).parents[2] / "docs/segmenter.md").read_text("utf-8")
INTERPRETERS = {"python": sys.executable, "node": shutil.which("node")}


def example(name):
    return re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", MANUAL, re.S)[1]


def interpreter(name):
    """The program that runs it; a missing one is no silent success."""
    if INTERPRETERS[name] is None:
        warnings.warn(f"{name} IS MISSING: the segmenter of docs/segmenter.md was not run", stacklevel=2)
        pytest.skip(f"{name} is not installed")
    return INTERPRETERS[name]


async def ask(port, questions):
    """The judgements, and what else the client noted."""
    events = []

    async def stand_in(question):
        raise AssertionError(f"{protocol} was not answered")

    client = Remote(Place(host="127.0.0.1", port=port), "harvester-07", ["cs"], stand_in, events.append)
    holding = asyncio.create_task(client.hold())
    try:
        return await asyncio.wait_for(asyncio.gather(*map(client.judge, questions)), 20), events
    finally:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)


@pytest.mark.parametrize("name", INTERPRETERS)
def test_a_segmenter_of_the_manual_has_thirty_lines(name):
    """A complete segmenter in thirty lines of Python, and one in another language."""
    assert len(example(name).strip().splitlines()) <= 30


@pytest.mark.web
@pytest.mark.parametrize("name", INTERPRETERS)
def test_a_segmenter_of_the_manual_judges(name, tmp_path):
    """A test really runs them. Two harvesters at once, texts of all sizes."""
    script, port = tmp_path / "segmenter", free_port()
    script.write_text(example(name), "utf-8")
    program = subprocess.Popen([interpreter(name), str(script), str(port)], stderr=subprocess.PIPE, text=True)
    texts = ["Věta.", "nadpis", "Věta.\nnadpis", "Žluťoučký kůň.\n" * 20_000 + "Konec.", *["Věta."] * 500]

    async def both():
        questions = [Question(f"http://example.cz/{number}", text) for number, text in enumerate(texts)]
        answers = await asyncio.gather(ask(port, questions), ask(port, questions))
        assert await explain_absence(Place(host="127.0.0.1", port=port)) == ""  # somebody who only looks in
        return answers

    try:
        for judgements, events in asyncio.run(both()):
            assert [judged.usability for judged in judgements[:3]] == [1.0, 0.0, pytest.approx(5 / 11)]
            assert {judged.usability for judged in judgements[3:]} == {1.0}
            assert [event.what for event in events if event.what == "segmenter-amiss"] == []
    finally:
        program.terminate()
        said = program.communicate(timeout=10)[1]
    assert said == "", "no trace"


def test_the_manual_tells_the_limits_as_they_are():
    for said in (
        f"The protocol, version {protocol.VERSION}",
        f"at most {protocol.MOST_QUESTION_BYTES >> 20} MiB",
        f"at most {protocol.MOST_ANSWER_BYTES >> 10} KiB",
        f"up to {spool.WINDOW} questions",
        f"up to {spool.MOST_QUESTIONS} or {spool.MOST_BYTES >> 20} MiB",
        f"no answer at all for {spool.SILENCE:g} seconds",
        f"After {spool.SILENCE * spool.TRIES:g} seconds it is given up",
    ):
        assert said in MANUAL, said


@pytest.mark.web
def test_the_shipped_segmenter_serves_many_harvesters(tmp_path):
    """Python -m txtr.segmenter; garbage from one harvester does not disturb the others."""
    port = free_port()
    command = [sys.executable, "-m", "txtr.segmenter", "--config=", f"--segmenter=127.0.0.1:{port}"]
    command += [f"--log-path={tmp_path}/{{instance}}.log"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert program.stdout.readline() == f"segmenter: listening at 127.0.0.1:{port}\n"
    czech = "Vítejte na stránkách naší obce, která leží na úpatí hor a má bohatou historii."
    questions = [
        Question("u", text)
        for text in (czech, "Welcome to the pages of our little village at the foot of the mountains.") * 50
    ]

    async def three():
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        return await asyncio.gather(*(ask(port, questions) for _ in range(3)))

    try:
        for judgements, _ in asyncio.run(three()):
            assert [judged.usability > 0 for judged in judgements] == [True, False] * 50
            assert judgements[1].reasons == ("language=en",)
    finally:
        program.terminate()
        said = program.communicate(timeout=10)[0]
    assert program.returncode == 0 and "% judged 300   useless 150" in said
    assert " stranger " in (tmp_path / "segmenter.log").read_text()


@pytest.mark.web
@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("--language=xq", "segmenter: --language=xq: no language xq is known to the judge"),
        (
            "--segmenter=none",
            "segmenter: --segmenter=none: expected a place to listen at, HOST:PORT or a path",
        ),
        ("--segmenter=/no/such/place", "segmenter: --segmenter=/no/such/place: cannot listen there:"),
    ],
)
def test_a_segmenter_that_cannot_start_says_why_in_one_line(argument, complaint, tmp_path):
    command = [sys.executable, "-m", "txtr.segmenter", "--config=", argument]
    command += [f"--log-path={tmp_path}/{{instance}}.log"]
    began = time.monotonic()
    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, cwd=Path(__file__).parents[2])
    assert ended.returncode == 2 and ended.stderr.startswith(complaint), time.monotonic() - began
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.web
def test_the_socket_file_goes_with_the_segmenter(tmp_path):
    """Found by a new user: it stayed after a clean end."""
    command = [sys.executable, "-m", "txtr.segmenter", "--config=", f"--segmenter={tmp_path}/s.sock"]
    command += [f"--log-path={tmp_path}/{{instance}}.log"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert program.stdout.readline() == f"segmenter: listening at {tmp_path}/s.sock\n"
    assert program.stdout.readline() == f"segmenter: log in {tmp_path}/segmenter.log\n"
    assert (tmp_path / "s.sock").is_socket()
    program.terminate()
    program.communicate(timeout=10)
    assert program.returncode == 0 and not (tmp_path / "s.sock").exists()


def test_help_tells_what_matters_to_the_segmenter(capsys):
    """Found by a new user: every option of the crawl, and another default than the true one."""
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    assert f"[{USUAL_PLACE}]" in said and len(said.splitlines()) < 15
    assert set(re.findall(r"--([a-z-]+)", said)) <= FIELDS.keys()
