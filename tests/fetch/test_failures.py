"""Troubles: what a server that misbehaves is taken for."""

import asyncio
import gc
import gzip
import os
import tracemalloc
from itertools import islice

import pytest
from servers import HTML, QUICK, answer, closing, fetcher, half, server, silent, trouble

from txtr import clock
from txtr.fetch import budget
from txtr.fetch import fetcher as sockets
from txtr.fetch.guard import Limits
from txtr.fetch.outcome import Failed
from txtr.model import Trouble

pytestmark = pytest.mark.web

CHUNKED = b"HTTP/1.1 200 OK\r\n" + HTML + b"Transfer-Encoding: chunked\r\n\r\n"
GZIPPED = HTML + b"Content-Encoding: gzip\r\n"


def test_a_port_where_nobody_listens_cannot_be_connected_to():
    """CONNECT: refused."""

    async def run():
        async with server(lambda n: answer()) as log:
            pass
        async with fetcher() as robot:
            return await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")

    assert asyncio.run(run()).outcome.trouble is Trouble.CONNECT


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("garbage", os.urandom(32) + b"\n\n" + bytes(range(256)) * 40),
        ("HTTP/0.9", b"<html><body>ahoj</body></html>\r\n\r\n"),
        ("another protocol", b"220 mail.test ESMTP\r\n"),
        ("a status that is none", b"HTTP/1.1 abc OK\r\n\r\n"),
        ("a header line without end", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000),
        ("headers without end", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000),
        ("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
        ("a length that is no number", b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nabcd"),
        ("chunks without sizes, at once with the head", CHUNKED + b"xyz\r\nabc\r\n0\r\n\r\n"),
        ("bad gzip", answer(b"this is no gzip" * 100, GZIPPED)),
        ("short and no gzip", answer(b"\n\n", GZIPPED)),
        ("no deflate", answer(b"\x1f\x8b\x07", GZIPPED)),
        ("cut off", answer(gzip.compress(b"text")[:-12], GZIPPED)),
        ("an unknown coding", answer(b"xyz", HTML + b"Content-Encoding: snappy\r\n")),
    ],
)
def test_an_answer_that_makes_no_sense_is_not_http(name, reply):
    """NOT_HTTP: it would make no more sense the next time."""
    assert trouble(lambda n: reply) is Trouble.NOT_HTTP


async def _reset(writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 1000\r\n\r\nabc")
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.transport.abort()


async def _no_size(writer):
    for piece in (CHUNKED, b"3\r\nabc\r\n", b"xyz\r\nabc\r\n0\r\n\r\n"):
        writer.write(piece)
        await asyncio.sleep(0.05)
    await asyncio.sleep(9)


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("nothing at all", closing(b"")),
        ("half a status line", closing(b"HTTP/1.1 2")),
        ("half a head", closing(b"HTTP/1.1 200 OK\r\nContent-")),
        ("less than was announced", closing(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 9\r\n\r\nabc")),
        ("chunks without an end", closing(CHUNKED + b"3\r\nabc\r\n")),
        ("a chunk cut short", closing(CHUNKED + b"ff\r\nabc")),
        ("a chunk without a size", lambda n: _no_size),
        ("a connection reset", lambda n: _reset),
    ],
)
def test_an_answer_that_ends_too_early_was_dropped(name, script):
    """DROPPED: half a document is none, and may heal."""
    assert trouble(script) is Trouble.DROPPED


@pytest.mark.parametrize("sent", [b"HTTP/1.1 200 OK\r\nX: y", b"HTTP/1.1 200 OK\r\nX: y\r\n"])
def test_the_log_says_of_a_dropped_connection_that_it_was(sent):
    """And does not quote the library's objects."""

    async def run():
        async with server(closing(sent)) as log, fetcher() as robot:
            return await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")

    assert asyncio.run(run()).outcome.detail == "Server disconnected in its answer"


async def _trickle(writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 1000\r\n\r\n")
    for _ in range(100):
        writer.write(b"x")
        await asyncio.sleep(0.1)


async def _trickling_head(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nX: ")
    for _ in range(100):
        writer.write(b"x")
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("script", [silent, half, _trickle, _trickling_head])
def test_no_server_may_take_more_time_than_it_is_given(script):
    """The issue: connect, read and total time limits."""
    began = clock.now()
    assert trouble(lambda n: script, limits=QUICK) is Trouble.TIMED_OUT
    assert clock.now() - began < 1.5


def test_the_log_names_the_limit_that_a_slow_answer_has_exceeded():
    """Who reads TimeoutError() knows nothing."""

    async def run():
        async with server(lambda n: _trickle) as log, fetcher(limits=QUICK) as robot:
            return await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")

    assert asyncio.run(run()).outcome.detail == "--total-timeout"


def test_a_server_that_speaks_no_tls_is_tls_trouble():
    """And one that stalls in the handshake runs out of time to connect."""

    async def run(greet):
        async def connected(reader, writer):
            await greet(writer)
            writer.close()

        listening = await asyncio.start_server(connected, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        async with listening, fetcher(limits=QUICK) as robot:
            return (await robot.fetch(f"https://a.test:{port}/", "127.0.0.1")).outcome.trouble

    async def speak(writer):
        writer.write(answer())
        await asyncio.sleep(0.1)

    assert asyncio.run(run(speak)) is Trouble.TLS
    assert asyncio.run(run(silent)) is Trouble.TIMED_OUT


def test_a_server_that_loses_patience_while_we_wait_has_not_dropped_us():
    """Who is cut off because we did not read is tried again; the server is not to blame."""
    limits = Limits(connect=2, read=5, total=5, max_size_bytes=700_000, held_bytes=2_200_000)

    async def run():
        is_waiting = asyncio.Event()

        async def impatient(writer):
            writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 700000\r\n\r\n" + b"x" * 699_000)
            await writer.drain()
            await is_waiting.wait()

        script = [answer(b"x" * 700_000), answer(b"x" * 700_000), impatient]
        async with server(lambda n: script[n - 1]) as log, fetcher(limits=limits) as robot:
            url = f"http://a.test:{log.port}/"
            arrived = [await robot.fetch(url, "127.0.0.1") for _ in range(2)]
            coming = asyncio.create_task(robot.fetch(url, "127.0.0.1"))
            while not robot.waiting:  # noqa: ASYNC110 - nobody tells the test
                await asyncio.sleep(0)
            is_waiting.set()
            await asyncio.sleep(0.1)
            robot.give_back(arrived[0].number)
            return (await coming).outcome.trouble

    assert asyncio.run(run()) is Trouble.KEPT_WAITING


def test_who_waits_for_memory_does_not_wait_for_who_brings_nothing(monkeypatch):
    """Four long bodies without an end kept all others waiting for two minutes at a time."""
    monkeypatch.setattr(budget, "PERIOD", 0.4)
    monkeypatch.setattr(sockets, "LOOK_EVERY", 0.1)
    limits = Limits(connect=2, read=9, total=9, max_size_bytes=4_000_000, held_bytes=16_000_000)
    long = answer(gzip.compress(bytes(3_900_000)), GZIPPED)

    async def endless(writer):
        writer.write(long[:-20])
        await asyncio.sleep(9)

    async def run():
        async with (
            server(lambda n: endless) as log,
            server(lambda n: long) as honest,
            fetcher(limits=limits) as robot,
        ):
            urls = [f"http://a{n}.test:{log.port}/" for n in range(6)]
            stalled = [asyncio.create_task(robot.fetch(url, "127.0.0.1")) for url in urls]
            while not robot.waiting:  # noqa: ASYNC110 - nobody tells the test
                await asyncio.sleep(0.01)
            short = await robot.fetch(f"http://a.test:{honest.port}/", "127.0.0.1")
            results = [await result for result in islice(asyncio.as_completed(stalled), 5)]
            return short, results, [task for task in stalled if not task.done()]

    began = clock.now()
    page, results, left = asyncio.run(run())
    assert len(page.outcome.body) == 3_900_000
    assert {result.outcome.trouble for result in results} == {Trouble.STALLED}
    assert {result.outcome.detail for result in results} == {"too little came while others waited for memory"}
    assert len(left) == 1, "nobody waits for what the last one holds: it has its usual time"
    assert clock.now() - began < 8


async def _cut(writer):
    """Most of a long page, and then no more."""
    writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 4000000\r\n\r\n" + b"x" * 3_000_000)
    await writer.drain()


async def _stall(writer):
    await _cut(writer)
    await asyncio.sleep(9)


@pytest.mark.parametrize("script", [_cut, _stall])
def test_a_download_that_fails_is_out_of_memory_at_once(script):
    """What was given back to the budget must not wait for the garbage collector."""
    limits = Limits(connect=2, read=0.3, total=5, max_size_bytes=5_000_000)

    async def run():
        async with server(lambda n: script) as log, fetcher(limits=limits) as robot:
            await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")  # what is made once is made
            tracemalloc.start()
            before, _ = tracemalloc.get_traced_memory()
            results = [await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1") for _ in range(3)]
            after, _ = tracemalloc.get_traced_memory()
            return results, robot.received_bytes, after - before

    gc.collect()
    gc.disable()
    try:
        results, received_bytes, left_bytes = asyncio.run(run())
    finally:
        tracemalloc.stop()
        gc.enable()
    assert all(isinstance(result.outcome, Failed) for result in results)
    assert received_bytes > 4 * 2_000_000
    assert left_bytes < 1_000_000
