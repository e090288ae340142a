"""Raw servers on loopback, each with one misbehaviour, and a fetcher for them.

certificate.pem is a self-signed certificate for good.test with its key; it is worth nothing elsewhere.
"""

import asyncio
import ssl
from contextlib import asynccontextmanager
from pathlib import Path

from txtr.fetch.fetcher import Fetcher
from txtr.fetch.guard import Limits
from txtr.fetch.outcome import Failed
from txtr.model import Purpose

CERTIFICATE = Path(__file__).with_name("certificate.pem")
LIMITS = Limits(connect=2, read=2, total=5, max_size_bytes=100_000)
QUICK = Limits(connect=0.3, read=0.3, total=0.8, max_size_bytes=100_000)
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


def certified():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


async def silent(writer):
    await asyncio.sleep(5)


async def half(writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 1000\r\n\r\nabc")
    await asyncio.sleep(5)


def closing(reply):
    async def script(writer):
        writer.write(reply)

    return lambda n: script
