"""Exchanges: a request on the wire, and the head of its answer."""

import asyncio

import pytest
from servers import HTML, answer, fetch, fetcher, server, trouble

from txtr.fetch.guard import Limits
from txtr.model import Trouble

pytestmark = pytest.mark.web

EARLY = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"


def test_what_comes_before_the_answer_is_not_taken_for_it():
    """RFC 9110, 15.2: interim answers may come first."""
    results, log = fetch(lambda n: EARLY + answer(), times=2)
    assert [result.outcome.body for result in results] == [b"ahoj"] * 2
    assert (log.connections, len(log.requests)) == (1, 2)


def test_a_server_that_only_ever_begins_is_left():
    results, log = fetch(lambda n: EARLY * 50 + answer(), times=2)
    assert [result.outcome.trouble for result in results] == [Trouble.DROPPED] * 2
    assert log.connections == 2


def test_a_server_that_wants_to_speak_something_else_is_left():
    """We have not asked for another protocol: what follows is no answer of HTTP."""
    head = b"Upgrade: chat\r\nConnection: Upgrade\r\n"
    results, log = fetch(lambda n: answer(b"", head, b"101 Switching Protocols"), times=2)
    assert [result.outcome.trouble for result in results] == [Trouble.NOT_HTTP] * 2
    assert log.connections == 2


@pytest.mark.parametrize("contact", ["a@b.cz\r\nX-Forged: yes", "a@b.cz\nX-Forged: yes"])
def test_no_header_of_ours_breaks_out_of_its_line(contact):
    async def run():
        async with server(lambda n: answer()) as log:
            robot = fetcher()
            robot._headers["From"] = contact
            async with robot:
                result = await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")
        return result.outcome, log

    outcome, log = asyncio.run(run())
    assert outcome.trouble is Trouble.UNREADABLE
    assert log.requests == []


def _head_of(size_bytes):
    """Headers of together about so many bytes, none of them too long itself."""
    each = 16_000
    return HTML + b"".join(b"X-%d: %s\r\n" % (n, b"x" * each) for n in range(size_bytes // each))


def _ever_more(beginning, more):
    """A server that sends this again and again; and how much of it was taken from it."""
    taken = []

    async def script(writer):
        writer.write(beginning)
        try:
            for _ in range(400):
                writer.write(more)
                await writer.drain()
                taken.append(len(more))
                await asyncio.sleep(0)
            await asyncio.sleep(9)
        except ConnectionError:
            pass

    return script, taken


CHUNKED = b"HTTP/1.1 200 OK\r\n" + HTML + b"Transfer-Encoding: chunked\r\n\r\n4\r\nahoj\r\n"
ENDLESS = {
    "a head": (b"HTTP/1.1 200 OK\r\n", b"X: %s\r\n" % (b"x" * 30_000)),
    "informational heads": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: %s\r\n\r\n" % (b"x" * 30_000)),
    "empty informational heads": (b"", b"HTTP/1.1 100 \r\n\r\n" * 2000),
    "trailers": (CHUNKED + b"0\r\n", b"X: %s\r\n" % (b"x" * 30_000)),
    "extensions of a chunk": (CHUNKED + b"4;", b"x" * 30_000),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_comes_beside_the_body_is_bounded_as_a_whole(name):
    """Each header and their number were bounded: together they took 16 MB of a harvester, uncounted."""
    script, taken = _ever_more(*ENDLESS[name])
    (result,), log = fetch(lambda n: script)
    assert result.outcome.trouble in (Trouble.NOT_HTTP, Trouble.DROPPED)
    assert "bytes" in result.outcome.detail or "informational" in result.outcome.detail
    assert log.open == 0
    assert sum(taken) < 400 * len(ENDLESS[name][1]) / 2  # the rest was never read


def test_a_head_as_long_as_browsers_take_is_read():
    results, log = fetch(lambda n: answer(head=_head_of(240_000)), times=2)
    assert [result.outcome.body for result in results] == [b"ahoj"] * 2
    assert log.connections == 2  # a kept connection would keep the head, too


def test_a_longer_head_is_no_answer_of_http():
    assert trouble(lambda n: answer(head=_head_of(290_000))) is Trouble.NOT_HTTP


def _stalls(begun):
    async def script(writer):
        writer.write(begun)
        await asyncio.sleep(5)

    return script


@pytest.mark.parametrize("is_whole", [False, True])
def test_many_long_heads_at_once_are_bounded_and_usual_ones_come(is_whole):
    """Five hundred servers that stalled in a head of 250 KB took 340 MB of a harvester, uncounted."""
    end = b"Content-Length: 4\r\n\r\na" if is_whole else b""
    begun = b"HTTP/1.1 200 OK\r\n" + _head_of(240_000) + end
    limits = Limits(connect=2, read=9, total=9, connections=60)

    async def run():
        async with (
            server(lambda n: _stalls(begun)) as log,
            server(lambda n: answer(head=_head_of(30_000))) as usual,
            fetcher(limits=limits) as robot,
        ):
            urls = [f"http://a{number}.test:{log.port}/" for number in range(50)]
            tasks = [asyncio.create_task(robot.fetch(url, "127.0.0.1")) for url in urls]
            most_bytes = 0
            while sum(task.done() for task in tasks) < 45:
                await asyncio.sleep(0.01)
                most_bytes = max(most_bytes, robot._heads.held_bytes)
            pages = [await robot.fetch(f"http://b.test:{usual.port}/", "127.0.0.1") for _ in range(5)]
            ended = [task.result().outcome for task in tasks if task.done()]
            connected = len(robot._connector._acquired)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return pages, ended, most_bytes, connected, robot._heads

    pages, ended, most_bytes, connected, heads = asyncio.run(run())
    assert [page.outcome.body for page in pages] == [b"ahoj"] * 5
    assert {outcome.trouble for outcome in ended} == {Trouble.STALLED}
    assert {outcome.detail for outcome in ended} == {
        "its head was the longest when all heads together were too long"
    }
    assert 0 < most_bytes <= heads.limit_bytes
    assert connected <= 5
    assert heads.held == {}


def test_trailers_of_a_page_are_no_trouble():
    """RFC 9112, 7.1.2: they are read and forgotten, and the connection is kept."""
    page = CHUNKED + b"0\r\nExpires: 0\r\nX: %s\r\n\r\n" % (b"x" * 10_000)
    results, log = fetch(lambda n: page, times=2)
    assert [result.outcome.body for result in results] == [b"ahoj"] * 2
    assert log.connections == 1


def test_many_small_chunks_with_much_beside_them_are_a_body():
    """What is beside the body is counted from where the body grew last."""
    chunks = b"1;%s\r\nx\r\n" % (b"y" * 1000) * 600
    (result,), _ = fetch(lambda n: CHUNKED + chunks + b"0\r\n\r\n")
    assert result.outcome.body == b"ahoj" + b"x" * 600


@pytest.mark.parametrize("more", [b"HTTP/1.1 204 \r\n\r\n" * 100, b"HTTP/1.1 200 OK\r\n\r\n"])
@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_who_goes_on_after_the_answer_is_not_listened_to(more, pause):
    """Answers that nobody had asked for were kept in memory as long as the connection was."""
    script, taken = _ever_more(b"", more)

    async def answer_and_go_on(writer):
        writer.write(answer())
        await asyncio.sleep(pause)
        await script(writer)

    async def run():
        async with server(lambda n: answer_and_go_on) as log, fetcher() as robot:
            result = await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")
            await asyncio.sleep(0.1 + pause)
            return result.outcome.body, log.open

    assert asyncio.run(run()) == (b"ahoj", 0)
    assert len(taken) < 400
