"""Connections: one call is one request, to the address given and nowhere else; and they are not many."""

import asyncio
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from servers import CERTIFICATE, answer, certified, fetch, fetcher, half, server, silent, trouble

from txtr.fetch.connections import PIECE_BYTES
from txtr.fetch.guard import Limits
from txtr.fetch.outcome import Page
from txtr.model import Trouble

pytestmark = pytest.mark.web


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


def test_a_certificate_nobody_vouches_for_is_refused_by_default():
    """The issue: certificates checked by default."""
    script = lambda n: answer()  # noqa: E731
    assert trouble(script, scheme="https", tls=certified()) is Trouble.TLS
    (result, again), log = fetch(script, times=2, scheme="https", tls=certified(), check_certificates=False)
    assert isinstance(result.outcome, Page)
    assert isinstance(again.outcome, Page)
    assert log.connections == 1


def test_a_valid_certificate_must_be_for_the_domain():
    """In a process of its own: the library reads the trusted certificates when it is loaded."""
    program = f"""
import asyncio, sys
sys.path[:0] = {[str(Path(__file__).parent), *sys.path]!r}
from servers import certified, answer, fetcher, server
async def run():
    async with server(lambda n: answer(), tls=certified()) as log, fetcher() as robot:
        for domain in ("good.test", "www.good.test", "bad.test", "127.0.0.1"):
            result = await robot.fetch(f"https://{{domain}}:{{log.port}}/", "127.0.0.1")
            print(getattr(result.outcome, "trouble", "page"))
asyncio.run(run())
"""
    trusted = {**os.environ, "SSL_CERT_FILE": str(CERTIFICATE)}
    run = subprocess.run([sys.executable, "-c", program], env=trusted, capture_output=True, text=True)
    assert run.stdout.split() == ["page", "page", "tls", "tls"], run.stderr


@pytest.mark.parametrize("script", [silent, half])
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
            assert not robot._connector._acquired
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


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_download_that_waits_is_not_read_ahead(scheme):
    """What five hundred connections read while they wait is in memory, too."""
    limits = Limits(connect=2, read=30, total=5, max_size_bytes=2_000_000, held_bytes=4_500_000)
    tls = certified() if scheme == "https" else None

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
            ahead = [_read_ahead(protocol) for protocol in robot._connector._acquired]
            for result in results:
                robot.give_back(result.number)
                results += [await coming for coming in islice(arriving, 1)]
            return ahead, results

    ahead, results = asyncio.run(run())
    assert len(ahead) == 5
    assert max(ahead) <= 3 * PIECE_BYTES
    assert [len(result.outcome.body) for result in results] == [2_000_000] * 6


def _read_ahead(protocol):
    """Bytes that a connection holds: for the reader of the body, and of TLS."""
    of_tls = getattr(protocol.transport, "get_read_buffer_size", lambda: 0)()
    return protocol._payload._size + of_tls
