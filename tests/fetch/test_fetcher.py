"""Fetching: one request, and what came of it."""

import asyncio
import gzip
import zlib

import brotli
import pytest
from backports import zstd
from servers import HTML, LIMITS, answer, closing, fetch, fetcher, server, trouble

from txtr import clock, eventloop
from txtr.fetch.guard import Limits
from txtr.fetch.outcome import Failed, Page, RedirectTo
from txtr.model import Purpose, Trouble

pytestmark = pytest.mark.web


def test_a_page_is_fetched_with_its_headers_and_times():
    """The issue: HTTP/1.1, User-Agent with contact, From."""
    head = b"Content-Type: text/html; charset=utf-8\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: b: nofollow\r\n"
    began = clock.now()
    (result,), log = fetch(lambda n: answer("čau".encode(), head), path="/a%7E?b=%C4|'")
    page = result.outcome
    assert page == Page(200, "text/html; charset=utf-8", page.headers, "čau".encode())
    assert page.headers["x-robots-tag"] == ["noindex", "b: nofollow"]
    assert began <= result.sent <= result.first_byte <= result.ended <= clock.now()
    assert result.took == result.first_byte - result.sent
    lines = log.requests[0].decode().split("\r\n")
    assert lines[0] == "GET /a%7E?b=%C4|' HTTP/1.1"
    sent = dict(line.split(": ", 1) for line in lines[1:] if line)
    assert sent == {
        "Host": f"a.test:{log.port}",
        "User-Agent": "texttractor/0 (+http://x/)",
        "From": "a@b.cz",
        "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
        "Accept-Encoding": "gzip, deflate, br, zstd",
    }


def test_a_request_lasts_until_its_body_has_come():
    """What the diary needs to say when a request was made: took= ends with the first byte."""

    async def slow(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n%sContent-Length: 4\r\n\r\na" % HTML)
        await asyncio.sleep(0.5)
        writer.write(b"hoj")

    (result,), _ = fetch(lambda n: slow)
    assert isinstance(result.outcome, Page)
    assert result.lasted == result.ended - result.sent >= 0.45 > result.took


def test_a_connection_is_kept_and_cookies_are_not():
    """Keep-alive; nobody should recognise the robot but by its name."""
    _, log = fetch(lambda n: answer(head=HTML + b"Set-Cookie: a=b\r\n"), times=3)
    assert (log.connections, len(log.requests)) == (1, 3)
    assert b"ookie" not in log.requests[-1]


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        (b"gzip", gzip.compress(b"text" * 1000)),
        (b"x-gzip", gzip.compress(b"text" * 1000)),
        (b"X-GZip", gzip.compress(b"text" * 1000)),
        (b"deflate", zlib.compress(b"text" * 1000)),
        (b"deflate", zlib.compress(b"text" * 1000)[2:-4]),  # raw, as some servers send it
        (b"br", brotli.compress(b"text" * 1000)),
        (b"br", brotli.compress(b"text" * 1000, lgwin=24)),  # unpacked in a thread
        (b"zstd", zstd.compress(b"text" * 1000)),
        (b"identity", b"text" * 1000),
    ],
)
def test_compressed_bodies_are_unpacked(coding, packed):
    """The issue: gzip, br, zstd, deflate."""
    head = HTML + b"Content-Encoding: %s\r\n" % coding
    (result,), _ = fetch(lambda n: answer(packed, head))
    assert result.outcome.body == b"text" * 1000


def test_a_redirect_is_told_and_not_followed():
    """The issue: a redirect is a link for the queue."""
    reply = answer(b"moved", b"Location: /b\r\n", b"302 Found")
    results, log = fetch(lambda n: reply, times=2)
    assert results[0].outcome == RedirectTo(f"http://a.test:{log.port}/b", 302)
    assert (log.connections, len(log.requests)) == (1, 2)


def test_a_missing_page_does_not_cost_the_connection():
    """A short body is read away; the next request needs no new connection."""
    results, log = fetch(lambda n: answer(b"x" * 900, status=b"404 Not Found"), times=2)
    assert results[0].outcome == Failed(Trouble.GONE, "status 404", None, 404)
    assert log.connections == 1


def test_a_busy_server_says_for_how_long():
    """Retry-After."""
    reply = answer(b"", b"Retry-After: 90\r\n", b"503 Busy")
    (result,), _ = fetch(lambda n: reply)
    assert result.outcome == Failed(Trouble.BUSY, "status 503", 90.0, 503)


@pytest.mark.parametrize("host", ["a.test", "127.0.0.1"])
def test_an_address_that_is_not_public_is_refused_before_connecting(host):
    """The issue: refused unless --allow-private is given."""

    async def run():
        async with server(lambda n: answer()) as log, fetcher(allow_private=False) as robot:
            result = await robot.fetch(f"http://{host}:{log.port}/", "127.0.0.1")
            return result, log

    result, log = asyncio.run(run())
    assert result.outcome.trouble is Trouble.GUARDED
    assert result.sent is None
    assert log.connections == 0


@pytest.mark.parametrize("address", ["0.0.0.0", "nonsense", "", "224.0.0.1"])
def test_what_is_no_machine_is_refused_always(address):
    """And never raises."""
    assert _fetch_at("http://a.test:8080/", address).outcome.trouble is Trouble.GUARDED


@pytest.mark.parametrize("port", [22, 25, 6667])
def test_a_page_cannot_make_us_talk_to_another_service(port):
    """WHATWG Fetch: the ports that browsers block. Nothing is sent there."""
    result = _fetch_at(f"http://a.test:{port}/HELO", "127.0.0.1")
    assert result.outcome.trouble is Trouble.GUARDED
    assert result.sent is None


def test_a_url_that_spells_out_another_address_is_refused():
    """http://127.0.0.2/ at 127.0.0.1 would be fetched from whichever the library prefers."""
    assert _fetch_at("http://127.0.0.2:8080/", "127.0.0.1").outcome.trouble is Trouble.GUARDED


def _fetch_at(url, address):
    async def run():
        async with fetcher() as robot:
            return await robot.fetch(url, address)

    return asyncio.run(run())


async def _endless(writer, piece=b"x" * 10_000):
    while True:
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await writer.drain()
        await asyncio.sleep(0)


def endless(head, piece=b"x" * 10_000):
    async def script(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n" + head + b"Transfer-Encoding: chunked\r\n\r\n")
        await _endless(writer, piece)

    return lambda n: script


def test_an_unwanted_type_closes_the_connection_unread():
    """The issue: content-type check before the body is read."""
    (result,), log = fetch(endless(b"Content-Type: video/mp4\r\n"), pause=0.05)
    assert result.outcome == Failed(Trouble.UNWANTED, "video/mp4")
    assert log.open == 0


def test_a_body_that_does_not_end_is_given_up_at_the_size_limit():
    """--max-size counts what really comes."""
    (result,), log = fetch(endless(HTML), pause=0.05)
    assert result.outcome.trouble is Trouble.TOO_LARGE
    assert log.open == 0


def test_an_announced_size_is_refused_unread():
    """--max-size, by Content-Length."""
    reply = b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 100001\r\n\r\n"
    assert trouble(lambda n: reply) is Trouble.TOO_LARGE


@pytest.mark.parametrize(
    ("coding", "bomb"),
    [
        (b"gzip", gzip.compress(bytes(50_000_000))),
        (b"x-gzip", gzip.compress(bytes(50_000_000))),
        (b"deflate", zlib.compress(bytes(50_000_000))),
        (b"br", brotli.compress(bytes(50_000_000), quality=1)),
        (b"zstd", zstd.compress(bytes(50_000_000))),
    ],
)
def test_a_bomb_is_given_up_before_it_is_unpacked(coding, bomb):
    """--max-size counts decompressed bytes."""
    assert len(bomb) < LIMITS.max_size_bytes
    reply = answer(bomb, HTML + b"Content-Encoding: %s\r\n" % coding)
    assert trouble(lambda n: reply) is Trouble.TOO_LARGE


def test_a_body_that_becomes_nothing_is_given_up_at_the_size_limit():
    """--max-size counts what comes, too: such a body would be read until the time is up."""
    skipped = b"\x50\x2a\x4d\x18\xff\xff\xff\xff" + b"x" * 60_000  # a frame of 4 GiB that is no text
    assert trouble(endless(HTML + b"Content-Encoding: zstd\r\n", skipped)) is Trouble.TOO_LARGE


def test_a_page_of_just_the_limit_is_kept():
    """The limit itself is not too large."""
    (result,), _ = fetch(lambda n: answer(b"x" * 100_000))
    assert len(result.outcome.body) == 100_000


def test_robots_txt_is_cut_not_refused():
    """RFC 9309 2.5: 500 KiB count, whatever the type."""
    (result,), _ = fetch(endless(b"Content-Type: video/mp4\r\n", b"#" * 60_000), purpose=Purpose.ROBOTS)
    assert len(result.outcome.body) == 500 * 1024
    assert result.outcome.truncated
    (result,), _ = fetch(lambda n: answer(b"x" * 200_000, b""), purpose=Purpose.ROBOTS)
    assert len(result.outcome.body) == 200_000
    assert not result.outcome.truncated


def test_a_body_without_length_ends_with_the_connection():
    """HTTP/1.0 is still met."""
    (result,), _ = fetch(closing(b"HTTP/1.0 200 OK\r\n" + HTML + b"\r\nahoj"))
    assert result.outcome.body == b"ahoj"


def test_a_slow_body_of_an_error_does_not_hold_us_up():
    """The status says all; the rest is read only if it comes at once."""

    async def slow(writer):
        writer.write(b"HTTP/1.1 404 Gone\r\nContent-Length: 10\r\n\r\nx")
        await asyncio.sleep(5)

    began = clock.now()
    assert trouble(lambda n: slow) is Trouble.GONE
    assert clock.now() - began < 1.5


def test_downloads_wait_for_each_other_when_too_much_is_held():
    """Memory stays bounded. Who waits is not timed out: the server is not slow."""
    limits = Limits(connect=2, read=30, total=0.5, max_size_bytes=500_000, held_bytes=1_700_000)

    async def run():
        async with server(lambda n: answer(b"x" * 500_000)) as log, fetcher(limits=limits) as robot:
            urls = [f"http://{name}.test:{log.port}/" for name in "abcde"]
            waiting = {asyncio.create_task(robot.fetch(url, "127.0.0.1")) for url in urls}
            results, moments, held = [], [], []
            while waiting:
                await asyncio.sleep(0.3)  # we take our time to read
                held.append(robot._budget.used_bytes)
                moments.append(robot.waiting > 0)
                arrived = {task for task in waiting if task.done()}
                waiting -= arrived
                for task in list(arrived)[:1]:
                    results.append(task.result())
                    robot.give_back(task.result().number)
                waiting |= set(list(arrived)[1:])
            return results, moments, held

    results, was_short, held = asyncio.run(run())
    assert [len(result.outcome.body) for result in results] == [500_000] * 5
    assert was_short[0] and not was_short[-1]
    assert max(held) <= 1_700_000
    assert len(held) > 2, "it took longer than the time limit of one request"
    assert max(result.ended - result.first_byte for result in results) > limits.total
    assert max(result.body for result in results) < limits.total, "the wait is not the server's"


def test_what_unpacks_a_page_is_held_as_well_as_the_page():
    """Memory stays bounded. Four hundred pages packed with zstd took 100 MB beside the budget."""
    begun = answer(zstd.compress(b"Slova. " * 1000), HTML + b"Content-Encoding: zstd\r\n")[:-10]

    async def stall(writer):
        writer.write(begun)
        await asyncio.sleep(5)

    async def run():
        async with server(lambda n: stall) as log, fetcher() as robot:
            urls = [f"http://a{number}.test:{log.port}/" for number in range(10)]
            tasks = [asyncio.create_task(robot.fetch(url, "127.0.0.1")) for url in urls]
            while log.connections < len(urls):  # noqa: ASYNC110 - nobody tells the test
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            held = robot._budget.used_bytes
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return held, robot._budget.used_bytes

    held, left = asyncio.run(run())
    assert held >= 10 * 256 * 1024
    assert left == 0


def test_no_piece_is_made_before_the_budget_has_what_its_unpacker_holds():
    """However much is packed into one read: for 1,482 bytes of zstd that made 9 MB, 320 KB were asked for."""
    bomb = answer(zstd.compress(bytes(9_000_000)), HTML + b"Content-Encoding: zstd\r\n")
    held, made = [], []

    async def run():
        async with server(lambda n: bomb) as log, fetcher(limits=Limits()) as robot:
            following = robot._next

            async def noted(unpack, pieces):
                own_bytes = robot._budget.coming[1].own_bytes
                piece = await following(unpack, pieces)
                made.append(len(piece or b""))
                held.append((own_bytes, unpack.holds(sum(made))))
                return piece

            robot._next = noted
            result = await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")
            return result.outcome.body

    assert asyncio.run(run()) == bytes(9_000_000)
    assert held[-1][1] > 8 << 20
    assert all(own_bytes >= holds for own_bytes, holds in held)


def test_a_download_that_fails_leaves_its_share_to_others():
    """Whatever came of it."""
    limits = Limits(connect=2, read=1, total=2, max_size_bytes=100_000, held_bytes=200_000)

    async def run():
        async with server(lambda n: answer(b"x" * 300_000, HTML)) as log, fetcher(limits=limits) as robot:
            for _ in range(3):
                await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")
            return len(robot._budget)

    assert asyncio.run(run()) == 0


def test_windows_of_brotli_are_held_as_well_as_pages():
    """A few bytes took 8 to 10 MB beside the budget, and their unpacking two seconds in one go."""
    packer = brotli.Compressor(lgwin=24)
    begun = packer.process(b"x" * 8_000_000) + packer.flush()

    async def stall(writer):
        writer.write(answer(begun + b".", HTML + b"Content-Encoding: br\r\n")[:-1])
        await asyncio.sleep(5)

    async def run(watch):
        limits = Limits(connect=2, read=5, total=5)
        async with server(lambda n: stall) as log, fetcher(limits=limits) as robot:
            watch.forget()
            urls = [f"http://a{number}.test:{log.port}/" for number in range(40)]
            tasks = [asyncio.create_task(robot.fetch(url, "127.0.0.1")) for url in urls]
            while log.connections < len(urls):  # noqa: ASYNC110 - nobody tells the test
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
            budget, pages_bytes = robot._budget, robot.received_bytes
            held = budget.used_bytes
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return held, pages_bytes, budget.limit_bytes, budget.used_bytes, watch.longest

    held, pages_bytes, most, left, longest = eventloop.run(run)
    assert 1.5 * pages_bytes <= held <= most
    assert left == 0
    assert longest < 0.25


class _Noted(eventloop.Portions):
    """Notes how much was done in every step."""

    def __init__(self, most):
        super().__init__(most)
        self.steps = []

    def _begin(self):
        self.steps.append(self.spent)
        super()._begin()


def test_many_packed_pages_at_once_are_unpacked_in_portions():
    """Whatever comes in one step: others are listened to between."""
    text = b"".join(b"%d " % n for n in range(17_000))
    packed = answer(gzip.compress(text), HTML + b"Content-Encoding: gzip\r\n")

    async def run():
        async with server(lambda n: packed) as log, fetcher() as robot:
            robot._unpacking = _Noted(0.001)
            urls = [f"http://a{number}.test:{log.port}/" for number in range(60)]
            results = await asyncio.gather(*(robot.fetch(url, "127.0.0.1") for url in urls))
            return [result.outcome.body for result in results], robot._unpacking.steps

    bodies, steps = asyncio.run(run())
    assert bodies == [text] * 60
    assert sum(steps) > 3 * 0.001
    assert max(steps) < 0.02
