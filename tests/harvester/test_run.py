"""The edge that runs the walk: what takes long keeps nobody else waiting."""

import asyncio
import threading
import time
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from txtr.fetch.outcome import Page
from txtr.harvester import run as sockets
from txtr.harvester.page import Processed
from txtr.harvester.run import LONG_BYTES, Run
from txtr.model import Document

PATIENCE = 5.0  # seconds until a test that waits in vain gives up
PARTS = """
    walk line fetcher names corpus aside rejected segmenter demands throttle known_links
    has_finished return_memory note
"""


class Busy:
    """Something that lasts until the event loop has had a turn."""

    def __init__(self, result):
        self.result = result
        self.turn = threading.Event()
        self.had_turn = False

    def __call__(self, *_):
        self.had_turn = self.turn.wait(PATIENCE)
        return self.result


def read(page, aside):
    """Read a page while the event loop waits for its turn; where its file lies."""

    async def run():
        parts = {part: Mock() for part in PARTS.split()}
        harvest = Run(**{**parts, "aside": aside}, agent="texttractor", text="main")
        for busy in (sockets.process, aside.keep):
            if isinstance(busy, Busy):
                asyncio.get_running_loop().call_later(0.01, busy.turn.set)
        dealt = SimpleNamespace(domain="a.cz", request=SimpleNamespace(path="http/x"))
        fetched = SimpleNamespace(outcome=page, took=0.1)
        return await harvest._read(dealt, "http://a.cz/x", fetched)

    return asyncio.run(run())[1]


def test_a_slow_disk_keeps_nobody_waiting_but_the_file_that_is_stored():
    """A file aside is synced when it is stored: a slow disk must not hold up pings, leases and requests."""
    keep = Busy("ab/ab.pdf")
    assert read(Page(200, "application/pdf", {}, b"%PDF-1.4"), Mock(keep=keep)) == "ab/ab.pdf"
    assert keep.had_turn


@pytest.mark.parametrize(
    ("content_type", "body"), [("application/pdf", b"%PDF-1.4"), ("text/html", b"x" * (LONG_BYTES + 1))]
)
def test_what_may_take_long_is_not_read_in_the_event_loop(content_type, body, monkeypatch):
    """A long page, and any file that is no page: an archive is longer than it looks."""
    process = Busy(SimpleNamespace(document=SimpleNamespace(fate="empty")))
    monkeypatch.setattr(sockets, "process", process)
    assert read(Page(200, content_type, {}, body), Mock()) == ""
    assert process.had_turn


def test_nothing_is_awaited_between_the_verdict_and_the_keeping():
    """Whoever is given up then is searched for what was claimed: what is not there others keep, too."""

    async def run():
        verdict, kept = asyncio.get_running_loop().create_future(), []
        corpus = Mock(record=lambda about, text: text, keep=kept.append)
        line = Mock(claim=lambda *_: verdict, is_up=False)
        parts = {part: Mock() for part in PARTS.split()}
        harvest = Run(**{**parts, "corpus": corpus, "line": line}, agent="texttractor", text="main")
        keeping = asyncio.create_task(harvest._keep(LONG, "http://a.cz/x", ""))
        await asyncio.sleep(0.1)  # its record is made
        harvest.reader.submit(time.sleep, 0.5)  # the reader has other things to do
        verdict.set_result(SimpleNamespace(is_ours=True, first=""))
        await asyncio.sleep(0.05)
        in_time = list(kept)
        await keeping
        return in_time

    assert asyncio.run(run()) == [LONG.text]


LONG = Processed(
    Document("a.cz", "http/x", "kept", 1.0, 200, LONG_BYTES + 1, 0.1), b"x" * (LONG_BYTES + 1), "d", {}
)


def harvest(waiting, is_short=False, connections=64, most=500):
    """One with so many downloads that wait for memory."""
    parts = {part: Mock() for part in PARTS.split()}
    parts["fetcher"] = SimpleNamespace(waiting=waiting, is_short=is_short)
    parts["throttle"] = SimpleNamespace(connections=connections, most=most)
    parts["segmenter"] = SimpleNamespace(room=lambda under_way: 1000)
    made = Run(**parts, agent="texttractor", text="main")
    made.fetching = dict.fromkeys(range(waiting), 1)
    return made


@pytest.mark.parametrize(
    ("waiting", "is_short", "room"),
    [(0, False, 64), (100, False, 64), (250, False, 64), (251, False, 0), (3, True, 0)],
)
def test_requests_are_begun_while_only_large_downloads_wait_for_memory(waiting, is_short, room):
    """Four of them had kept a harvester from fetching anything."""

    async def run():
        return harvest(waiting, is_short)._room()

    assert asyncio.run(run()) == room


def test_there_are_never_more_connections_than_the_user_allows():
    async def run():
        return harvest(20, most=30)._room(), harvest(15, most=30)._room()

    assert asyncio.run(run()) == (0, 15)


def test_a_long_wait_for_memory_is_logged_once_a_minute():
    """A line of the log, for who wonders why large pages come late."""

    async def run():
        short = harvest(7)
        for _ in range(10):
            short._note_waiting()
        return short.note.call_args_list

    (said,) = asyncio.run(run())
    assert (said.args[0].what, said.args[0].facts["waiting"]) == ("short-of-memory", 7)
