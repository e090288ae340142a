"""The segmenter in a running crawl: it may be killed, restarted, and talk nonsense; nothing is lost.

The segmenters are real programs at a socket, which write down what they were asked and what they answered.
"""

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.crawl.evidence import failures, fetched_amiss, records, texts_amiss
from tests.village.run import Crawl, crawl, free_port
from tests.village.village import big
from txtr.corpus.record import read_records
from txtr.demo.sites import build

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.05, "max_hosts": 5, "max_reqs": 50, "general_pause": 0.3}
AWAY = 4.0  # seconds that the segmenter is dead
A_MINUTE = 60.0  # seconds
LONG_AWAY = float(os.environ.get("TXTR_TEST_AWAY", "12"))  # with a minute or more, all time-outs are as usual

RECORDING = """
import asyncio, sys, time
from txtr.segment import protocol
from txtr.segment.usability import judge

path, place, manners = sys.argv[1:]
record = open(path, "a", buffering=1)

async def converse(reader, writer):
    frames, is_greeted = protocol.Frames(protocol.MOST_QUESTION_BYTES), False
    while data := await reader.read(65536):
        for value in frames.feed(data):
            if not is_greeted:
                is_greeted = True
                writer.write(protocol.encode_greeting())
                continue
            number, question = protocol.read_question(value)
            record.write(f"asked {question.url}\\n")
            if manners == "slow":
                await asyncio.sleep(0.02)
            if manners == "garbage":
                usability = ["x" * 1000, None, 1e308][number % 3]
                writer.write(protocol.encode_frame({"id": number, "usability": usability}))
                continue
            writer.write(protocol.encode_answer(number, judge(question.text)))
            await writer.drain()
            record.write(f"answered {question.url}\\n")

async def main():
    host, port = place.split(":")
    await (await asyncio.start_server(converse, host, int(port))).serve_forever()

asyncio.run(main())
"""


class Recording:
    """A segmenter of its own process."""

    def __init__(self, directory, manners="quick"):
        self.record = directory / "record.txt"
        self.place = f"127.0.0.1:{free_port()}"
        self.manners = manners
        self.start()

    def start(self):
        self.program = subprocess.Popen(
            [sys.executable, "-c", RECORDING, str(self.record), self.place, self.manners],
            cwd=Path(__file__).parents[2],
        )

    def kill(self):
        self.program.kill()
        self.program.wait()

    def wait_for(self, answers):
        end = time.monotonic() + 60
        while self.counted("answered").total() < answers:
            assert time.monotonic() < end, f"no {answers} answers"
            time.sleep(0.02)

    def counted(self, word):
        lines = self.record.read_text().splitlines() if self.record.exists() else []
        return Counter(line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} "))


@pytest.fixture
def recording(tmp_path):
    started = []

    def start(manners="quick"):
        started.append(Recording(tmp_path, manners))
        return started[-1]

    yield start
    for segmenter in started:
        segmenter.kill()


def village(port):
    return big(port, hosts=40, addresses=20, pages=20, seed=5)


def open_village(port):
    """Every page is on the start list, so that nothing has to be judged before there is work."""
    closed = village(port)
    return replace(closed, seeds=tuple(sorted(closed.must_fetch)))


def diary(outcome):
    return "".join(path.read_text() for path in sorted((outcome.directory / "log").glob("harvester*.log")))


def words(outcome, what):
    return [line for line in diary(outcome).splitlines() if line.split()[2] == what]


def test_a_segmenter_killed_in_the_middle_of_a_crawl_loses_nothing(recording, tmp_path):
    """No document is lost, none judged twice."""
    segmenter = recording("slow")

    def kill_and_restart(running):
        for answers in (30, 100):
            segmenter.wait_for(answers)
            segmenter.kill()
            time.sleep(AWAY)
            segmenter.start()

    options = OPTIONS | {"segmenter": segmenter.place}
    outcome = crawl(village, tmp_path / "crawl", 2, options, timeout=150, during=kill_and_restart)
    assert failures(outcome) == {}
    assert fetched_amiss(outcome) == {} and texts_amiss(outcome) == {}
    answered = segmenter.counted("answered")
    kept = {record["url"] for record in records(outcome)}
    assert kept <= answered.keys(), "everything was judged by the segmenter, nothing by the stand-in"
    # An answer that was written when the segmenter died may not have arrived, and is asked for again.
    assert answered.total() - len(answered) <= 4
    assert len(words(outcome, "segmenter-away")) == 2 * 2, "once per outage and harvester"
    assert len(words(outcome, "segmenter-up")) == 3 * 2
    assert not words(outcome, "segmenter-amiss")


SHORT = """
import txtr.harvester.run as harvester, txtr.queuekeeper.supervision as overdue, txtr.segment.judges as line
overdue.SILENCE, harvester.SWEEP_EVERY = 6.0, 0.6
line.Remote.__init__.__defaults__ = (0.5,)  # what is silence
"""


def test_a_segmenter_that_is_away_for_longer_than_anybody_waits_loses_nothing(
    recording, tmp_path, monkeypatch
):
    """Killing the segmenter for a minute. All time-outs a tenth or less, and it is away for all."""
    if LONG_AWAY < A_MINUTE:
        (tmp_path / "sitecustomize.py").write_text(SHORT)
        monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(__file__).parents[2]}")
    segmenter = recording("slow")

    def kill_and_restart(running):
        segmenter.wait_for(40)
        segmenter.kill()
        time.sleep(LONG_AWAY)
        segmenter.start()

    options = OPTIONS | {"segmenter": segmenter.place}
    outcome = crawl(village, tmp_path / "crawl", 2, options, timeout=240, during=kill_and_restart)
    assert failures(outcome) == {}
    assert fetched_amiss(outcome) == {}, "each page was asked for once"
    assert texts_amiss(outcome) == {}, "each text is in the corpus once"
    judged = ("kept", "rejected", "duplicate", "noindex")
    found = Counter(line.split()[3] for what in judged for line in words(outcome, what))
    assert set(found.values()) == {1}
    answered = segmenter.counted("answered")
    assert answered.keys() == found.keys(), "nothing by the stand-in"
    assert answered.total() - len(answered) <= 2, "one that was on its way when it died, per harvester"
    assert not words(outcome, "segmenter-amiss")
    assert all("away=" in line for line in words(outcome, "segmenter-up"))


def test_each_document_is_judged_once_by_one_segmenter_for_all_harvesters(recording, tmp_path):
    segmenter = recording()
    outcome = crawl(village, tmp_path / "crawl", 3, OPTIONS | {"segmenter": segmenter.place}, timeout=150)
    assert failures(outcome) == {} and texts_amiss(outcome) == {}
    assert set(segmenter.counted("asked").values()) == {1}


def test_a_crawl_survives_a_segmenter_that_talks_nonsense(recording, tmp_path):
    """Garbage from the segmenter is survived with a clear log line."""
    segmenter = recording("garbage")
    outcome = crawl(village, tmp_path / "crawl", 2, OPTIONS | {"segmenter": segmenter.place}, timeout=150)
    assert failures(outcome) == {} and texts_amiss(outcome) == {}
    amiss = words(outcome, "segmenter-amiss")
    assert len(amiss) == segmenter.counted("asked").total()
    assert all("is no number from 0 to 1" in line and "instead=built-in" in line for line in amiss)


def test_a_harvester_waits_while_too_much_is_spooled(recording, tmp_path, monkeypatch):
    """Spool within a bound, slow down, go on. The fetching stops, and goes on when there is room."""
    segmenter = recording()
    segmenter.kill()
    limits = "from txtr.segment import judges, spool; spool.MOST_QUESTIONS = judges.MOST_QUESTIONS = 20"
    (tmp_path / "sitecustomize.py").write_text(limits)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(__file__).parents[2]}")
    seen = {}

    def look_and_start(running):
        running.wait_until(lambda entries: pages(entries) >= 15)
        time.sleep(2)
        seen["pages"] = pages(running.entries())
        segmenter.start()

    options = OPTIONS | {"segmenter": segmenter.place}
    outcome = crawl(open_village, tmp_path / "crawl", 1, options, timeout=150, during=look_and_start)
    assert seen["pages"] <= 20 < len(outcome.web.seeds)
    assert failures(outcome) == {} and texts_amiss(outcome) == {}
    assert words(outcome, "segmenter-behind")


def pages(entries):
    return sum(entry.status == 200 and not entry.is_robots for entry in entries)


@pytest.fixture(scope="module")
def czech(tmp_path_factory):
    """The demonstration's web, with only Czech wanted."""
    wishes = {"language": "cs", "rejected_target": "rejected", "paragraphs": True}
    return crawl(build, tmp_path_factory.mktemp("demo"), 2, OPTIONS | wishes, timeout=150)


def kept_in(outcome, directory):
    for path in sorted((outcome.directory / directory).glob("*.txt")):
        yield from read_records(path.open(encoding="utf-8"))


def test_only_the_wanted_language_enters_the_corpus(czech):
    """Language identification; a text in another language is rejected, and kept if that is wanted."""
    assert failures(czech) == {}
    kept, rejected = list(kept_in(czech, "corpus")), list(kept_in(czech, "rejected"))
    assert {about["language"] for about, _ in kept} == {"cs"} and len(kept) > 50
    assert {about["language"] for about, _ in rejected} >= {"sk", "en"}
    assert "cs" not in {about["language"] for about, _ in rejected}
    assert all(about["usability"] > 0 for about, _ in kept)
    assert all(about["usability"] == 0 and about["reasons"] for about, _ in rejected)


def test_what_was_rejected_is_in_the_log_and_counted(czech):
    rejected = words(czech, "rejected")
    assert len(rejected) == len(list(kept_in(czech, "rejected")))
    assert all("usability=0 " in line and " reasons=language=" in line for line in rejected)
    assert any(line.startswith("%") and " rejected " in line for line in czech.output().splitlines())


def test_a_language_that_nobody_knows_is_refused_by_name(tmp_path):
    with Crawl(build, tmp_path, {"language": "xq"}) as running:
        running.add_harvester()
        outcome = running.finish(20)
    assert outcome.codes == {"harvester-1": 2}
    assert "--language=xq: no language xq is known to the judge" in outcome.output()


def test_a_crawl_stopped_while_the_segmenter_is_away_goes_on_later(recording, tmp_path):
    """What waits to be judged when a harvester is told to end goes back to the queue."""
    segmenter = recording()
    segmenter.kill()
    with Crawl(open_village, tmp_path / "crawl", OPTIONS | {"segmenter": segmenter.place}) as running:
        running.start_queuekeeper()
        harvester = running.add_harvester()
        running.wait_until(lambda entries: pages(entries) >= 15)
        for name in (harvester, "queuekeeper"):
            running.terminate(name)
            assert running.programs[name].wait(20) == 0
        segmenter.start()
        running.start_queuekeeper()
        running.add_harvester(harvester)
        outcome = running.finish(150)
    assert failures(outcome) == {} and texts_amiss(outcome) == {}
    assert max(segmenter.counted("asked").values()) == 1
