"""Fetching, against raw servers on loopback, each with one misbehaviour.

certificate.pem is a self-signed certificate for good.test with its key; it is worth nothing elsewhere.
"""

import asyncio
import gc
import gzip
import os
import ssl
import subprocess
import sys
import tracemalloc
import zlib
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path

import brotli
import pytest
from backports import zstd

from txtr import clock
from txtr.fetch.guard import Limits
from txtr.fetch.outcome import Failed, Page, RedirectTo
from txtr.fetch.sockets import PIECE, Fetcher
from txtr.model import Purpose, Trouble

pytestmark = pytest.mark.web

CERTIFICATE = Path(__file__).with_name("certificate.pem")
LIMITS = Limits(connect=2, read=2, total=5, max_size_bytes=100_000)
HTML = b"Content-Type: text/html\r\n"


def answer(body=b"ahoj", head=HTML, status=b"200 OK"):
    return b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s" % (status, head, len(body), body)


class Log:
    """What the server saw."""

    def __init__(self):
        self.requests, self.connections, self.open = [], 0, 0


@asynccontextmanager
async def server(script, address="127.0.0.1", port=0, tls=None):
    """A server that answers its n-th request with script(n): bytes, or a coroutine given the writer.

    An empty answer closes the connection.
    """
    log = Log()

    async def connected(reader, writer):
        log.connections += 1
        log.open += 1
        try:
            while True:
                log.requests.append(await reader.readuntil(b"\r\n\r\n"))
                reply = script(len(log.requests))
                if asyncio.iscoroutinefunction(reply):
                    await reply(writer)
                    break
                if not reply:
                    break
                writer.write(reply)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client went, or the test is over
        finally:
            log.open -= 1
            writer.close()

    listening = await asyncio.start_server(connected, address, port, ssl=tls)
    log.port = listening.sockets[0].getsockname()[1]
    try:
        yield log
    finally:
        listening.close()


def fetcher(**changes):
    given = {"allow_private": True, "is_wanted": lambda kind: kind == "text/html", "limits": LIMITS}
    return Fetcher(agent="texttractor/0 (+http://x/)", contact="a@b.cz", **(given | changes))


def fetch(script, *, times=1, path="/", purpose=Purpose.PAGE, pause=0.0, scheme="http", tls=None, **changes):
    """Fetch from a server with this script; the last result, all of them, and the server's log."""

    async def run():
        async with server(script, tls=tls) as log, fetcher(**changes) as robot:
            results = []
            for _ in range(times):
                url = f"{scheme}://a.test:{log.port}{path}"
                results.append(await robot.fetch(url, "127.0.0.1", purpose))
                await asyncio.sleep(pause)
            return results, log

    return asyncio.run(run())


def trouble(script, **changes):
    """The trouble of one request, which was indeed one request."""
    (result,), log = fetch(script, **changes)
    assert isinstance(result.outcome, Failed), result
    assert len(log.requests) <= 1
    return result.outcome.trouble


# --- what is well-behaved -----------------------------------------------------------------


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


# --- one call, one request ----------------------------------------------------------------


def test_a_request_that_dies_on_a_kept_connection_is_not_sent_again():
    """Every request counts for the manners; aiohttp would send it twice by itself."""
    results, log = fetch(lambda n: answer() if n == 1 else b"", times=2)
    assert isinstance(results[0].outcome, Page)
    assert results[1].outcome.trouble is Trouble.DROPPED
    assert results[1].outcome.detail.endswith("(on a kept connection)")
    assert (log.connections, len(log.requests)) == (1, 2)


def test_a_request_that_dies_on_a_new_connection_is_not_sent_again():
    """The same, without a past."""
    assert trouble(lambda n: b"") is Trouble.DROPPED


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_a_kept_connection_that_the_server_has_closed_is_not_used(pause):
    """It is found out before anything is written: no failure, no second request."""

    async def answer_and_close(writer):
        writer.write(answer())

    async def run():
        async with server(lambda n: answer_and_close) as log, fetcher() as robot:
            results = []
            for _ in range(5):
                results.append(await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1"))
                await asyncio.sleep(0)  # let the server close, not the robot see it
                await asyncio.sleep(pause)
            return results, log

    results, log = asyncio.run(run())
    assert all(isinstance(result.outcome, Page) for result in results)
    assert (log.connections, len(log.requests)) == (5, 5)


def test_an_answer_nobody_asked_for_is_not_taken_for_the_next():
    """Two answers to one request must not shift all later ones by one."""

    async def two(writer):
        writer.write(answer(b"one"))
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.write(answer(b"poison"))
        await asyncio.sleep(0.2)

    results, _ = fetch(lambda n: two if n == 1 else answer(b"two"), times=2, pause=0.1)
    assert [result.outcome.body for result in results] == [b"one", b"two"]


# --- the address and nothing else ---------------------------------------------------------


def test_a_connection_is_never_used_for_another_address():
    """A domain that moves takes no connection along."""

    async def run():
        async with (
            server(lambda n: answer(b"old")) as old,
            server(lambda n: answer(b"new"), "127.0.0.2", old.port) as new,
            fetcher() as robot,
        ):
            url = f"http://a.test:{old.port}/"
            bodies = []
            for address in ("127.0.0.1", "127.0.0.2", "127.0.0.2", "127.0.0.1"):
                bodies.append((await robot.fetch(url, address)).outcome.body)
            return bodies, old.connections, new.connections

    assert asyncio.run(run()) == ([b"old", b"new", b"new", b"old"], 2, 1)


def test_two_domains_of_one_address_share_no_connection():
    """Each is a server of its own, whatever machine it is on."""

    async def run():
        async with server(lambda n: answer()) as log, fetcher() as robot:
            for domain in ("a.test", "b.test"):
                await robot.fetch(f"http://{domain}:{log.port}/", "127.0.0.1")
            return log.connections

    assert asyncio.run(run()) == 2


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


def test_a_port_where_nobody_listens_cannot_be_connected_to():
    """CONNECT: refused."""

    async def run():
        async with server(lambda n: answer()) as log:
            pass
        async with fetcher() as robot:
            return await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")

    assert asyncio.run(run()).outcome.trouble is Trouble.CONNECT


def test_ipv6_is_an_address_as_well():
    """By name and by number."""

    async def run():
        async with server(lambda n: answer(), "::1") as log, fetcher() as robot:
            for host in ("a.test", "[::1]"):
                result = await robot.fetch(f"http://{host}:{log.port}/", "::1")
                assert isinstance(result.outcome, Page), result
            return log.requests

    try:
        requests = asyncio.run(run())
    except OSError:
        pytest.skip("no IPv6 on this machine")
    assert b"Host: [::1]" in requests[1]


def _fetch_at(url, address):
    async def run():
        async with fetcher() as robot:
            return await robot.fetch(url, address)

    return asyncio.run(run())


# --- bodies that are not wanted, or too large ---------------------------------------------


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


# --- what makes no sense ------------------------------------------------------------------

CHUNKED = b"HTTP/1.1 200 OK\r\n" + HTML + b"Transfer-Encoding: chunked\r\n\r\n"
GZIPPED = HTML + b"Content-Encoding: gzip\r\n"


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
        ("an unknown coding", answer(b"xyz", HTML + b"Content-Encoding: snappy\r\n")),
    ],
)
def test_an_answer_that_makes_no_sense_is_not_http(name, reply):
    """NOT_HTTP: it would make no more sense the next time."""
    assert trouble(lambda n: reply) is Trouble.NOT_HTTP


def closing(reply):
    async def script(writer):
        writer.write(reply)

    return lambda n: script


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


def test_a_body_without_length_ends_with_the_connection():
    """HTTP/1.0 is still met."""
    (result,), _ = fetch(closing(b"HTTP/1.0 200 OK\r\n" + HTML + b"\r\nahoj"))
    assert result.outcome.body == b"ahoj"


# --- time limits --------------------------------------------------------------------------

QUICK = Limits(connect=0.3, read=0.3, total=0.8, max_size_bytes=100_000)


async def _silent(writer):
    await asyncio.sleep(5)


async def _half(writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 1000\r\n\r\nabc")
    await asyncio.sleep(5)


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


@pytest.mark.parametrize("script", [_silent, _half, _trickle, _trickling_head])
def test_no_server_may_take_more_time_than_it_is_given(script):
    """The issue: connect, read and total time limits."""
    began = clock.now()
    assert trouble(lambda n: script, limits=QUICK) is Trouble.TIMED_OUT
    assert clock.now() - began < 1.5


def test_a_slow_body_of_an_error_does_not_hold_us_up():
    """The status says all; the rest is read only if it comes at once."""

    async def slow(writer):
        writer.write(b"HTTP/1.1 404 Gone\r\nContent-Length: 10\r\n\r\nx")
        await asyncio.sleep(5)

    began = clock.now()
    assert trouble(lambda n: slow) is Trouble.GONE
    assert clock.now() - began < 1.5


# --- TLS ----------------------------------------------------------------------------------


def _tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_a_certificate_nobody_vouches_for_is_refused_by_default():
    """The issue: certificates checked by default."""
    script = lambda n: answer()  # noqa: E731
    assert trouble(script, scheme="https", tls=_tls()) is Trouble.TLS
    (result, again), log = fetch(script, times=2, scheme="https", tls=_tls(), check_certificates=False)
    assert isinstance(result.outcome, Page)
    assert isinstance(again.outcome, Page)
    assert log.connections == 1


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
    assert asyncio.run(run(_silent)) is Trouble.TIMED_OUT


def test_a_valid_certificate_must_be_for_the_domain():
    """In a process of its own: the library reads the trusted certificates when it is loaded."""
    program = f"""
import asyncio, sys
sys.path[:0] = {[str(Path(__file__).parent), *sys.path]!r}
from test_fetch_sockets import _tls, answer, fetcher, server
async def run():
    async with server(lambda n: answer(), tls=_tls()) as log, fetcher() as robot:
        for domain in ("good.test", "www.good.test", "bad.test", "127.0.0.1"):
            result = await robot.fetch(f"https://{{domain}}:{{log.port}}/", "127.0.0.1")
            print(getattr(result.outcome, "trouble", "page"))
asyncio.run(run())
"""
    trusted = {**os.environ, "SSL_CERT_FILE": str(CERTIFICATE)}
    run = subprocess.run([sys.executable, "-c", program], env=trusted, capture_output=True, text=True)
    assert run.stdout.split() == ["page", "page", "tls", "tls"], run.stderr


# --- nothing is left behind ---------------------------------------------------------------


@pytest.mark.parametrize("script", [_silent, _half])
def test_cancelling_a_fetch_closes_its_connection(script):
    """A harvester that is stopped leaves no connections."""

    async def run():
        async with server(lambda n: script) as log, fetcher() as robot:
            task = asyncio.create_task(robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1"))
            await asyncio.sleep(0.1)
            assert log.open == 1
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0.05)
            assert not robot._session.connector._acquired
            return len(asyncio.all_tasks()) - 1  # all but this one: the server's own

    assert asyncio.run(run()) <= 1


def test_connections_in_use_and_kept_are_both_bounded():
    """--connections: file handles are finite."""
    limits = Limits(connections=3)

    async def run():
        seen = []
        async with server(lambda n: answer()) as log, fetcher(limits=limits) as robot:

            async def one(number):
                result = await robot.fetch(f"http://a{number}.test:{log.port}/", "127.0.0.1")
                seen.append(log.open)
                return result

            results = await asyncio.gather(*map(one, range(20)))
            await asyncio.sleep(0.05)
            return results, seen, log.open

    results, seen, left = asyncio.run(run())
    assert all(isinstance(result.outcome, Page) for result in results)
    assert max(seen) <= 6
    assert left <= 3


# --- what we hold -------------------------------------------------------------------------


def test_downloads_wait_for_each_other_when_too_much_is_held():
    """Issue 6: memory stays bounded. Who waits is not timed out: the server is not slow."""
    limits = Limits(connect=2, read=30, total=0.5, max_size_bytes=500_000, held_bytes=1_200_000)

    async def run():
        async with server(lambda n: answer(b"x" * 500_000)) as log, fetcher(limits=limits) as robot:
            urls = [f"http://{name}.test:{log.port}/" for name in "abcde"]
            waiting = {asyncio.create_task(robot.fetch(url, "127.0.0.1")) for url in urls}
            results, moments, held = [], [], []
            while waiting:
                await asyncio.sleep(0.3)  # we take our time to read
                held.append(robot._budget.used_bytes)
                moments.append(robot.is_short)
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
    assert max(held) <= 1_200_000
    assert len(held) > 2, "it took longer than the time limit of one request"
    assert max(result.ended - result.first_byte for result in results) > limits.total
    assert max(result.body for result in results) < limits.total, "the wait is not the server's"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_download_that_waits_is_not_read_ahead(scheme):
    """Issue 6: what five hundred connections read while they wait is in memory, too."""
    limits = Limits(connect=2, read=30, total=5, max_size_bytes=2_000_000, held_bytes=4_500_000)
    tls = _tls() if scheme == "https" else None

    async def run():
        page = answer(b"x" * 2_000_000)
        async with (
            server(lambda n: page, tls=tls) as log,
            fetcher(limits=limits, check_certificates=False) as robot,
        ):
            urls = [f"{scheme}://{name}.test:{log.port}/" for name in "abcdef"]
            arriving = asyncio.as_completed([robot.fetch(url, "127.0.0.1") for url in urls])
            results = [await next(arriving)]  # there is no room for a second, and they wait
            await asyncio.sleep(0.2)  # for what would be read ahead
            ahead = [_read_ahead(protocol) for protocol in robot._session.connector._acquired]
            for result in results:
                robot.give_back(result.number)
                results += [await coming for coming in islice(arriving, 1)]
            return ahead, results

    ahead, results = asyncio.run(run())
    assert len(ahead) == 5
    assert max(ahead) <= 3 * PIECE
    assert [len(result.outcome.body) for result in results] == [2_000_000] * 6


def _read_ahead(protocol):
    """Bytes that a connection holds: for the reader of the body, and of TLS."""
    of_tls = getattr(protocol.transport, "get_read_buffer_size", lambda: 0)()
    return protocol._payload._size + of_tls


def test_a_server_that_loses_patience_while_we_wait_has_not_dropped_us():
    """Issue 6: who is cut off because we did not read is tried again; the server is not to blame."""
    limits = Limits(connect=2, read=5, total=5, max_size_bytes=400_000, held_bytes=800_000)

    async def run():
        is_waiting = asyncio.Event()

        async def impatient(writer):
            writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 400000\r\n\r\n" + b"x" * 399_000)
            await writer.drain()
            await is_waiting.wait()

        script = [answer(b"x" * 400_000), answer(b"x" * 400_000), impatient]
        async with server(lambda n: script[n - 1]) as log, fetcher(limits=limits) as robot:
            url = f"http://a.test:{log.port}/"
            arrived = [await robot.fetch(url, "127.0.0.1") for _ in range(2)]
            coming = asyncio.create_task(robot.fetch(url, "127.0.0.1"))
            while not robot.is_short:  # noqa: ASYNC110 - nobody tells the test
                await asyncio.sleep(0)
            is_waiting.set()
            await asyncio.sleep(0.1)
            robot.give_back(arrived[0].number)
            return (await coming).outcome.trouble

    assert asyncio.run(run()) is Trouble.KEPT_WAITING


def test_a_download_that_fails_leaves_its_share_to_others():
    """Whatever came of it."""
    limits = Limits(connect=2, read=1, total=2, max_size_bytes=100_000, held_bytes=200_000)

    async def run():
        async with server(lambda n: answer(b"x" * 300_000, HTML)) as log, fetcher(limits=limits) as robot:
            for _ in range(3):
                await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")
            return len(robot._budget)

    assert asyncio.run(run()) == 0


async def _cut(writer):
    """Most of a long page, and then no more."""
    writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 4000000\r\n\r\n" + b"x" * 3_000_000)
    await writer.drain()


async def _stall(writer):
    await _cut(writer)
    await asyncio.sleep(9)


@pytest.mark.parametrize("script", [_cut, _stall])
def test_a_download_that_fails_is_out_of_memory_at_once(script):
    """Issue 6: what was given back to the budget must not wait for the garbage collector."""
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
