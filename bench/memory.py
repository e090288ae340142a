"""How much memory does one harvester take when 500 servers send it 10 MB pages at the same time?

    python bench/memory.py [--connections=500] [--megabytes=10] [--seconds=180] [--tls]

One server, here, at as many loopback addresses as there may be connections. It sends every page slowly until
all connections are there, so that the harvester opens them all, and then as fast as the harvester reads. What
is not read from for a minute it cuts off, as nginx does. There is a delay, because without one a harvester is
dealt a few rows only while servers answer at once. The harvester's memory is what the kernel counts (VmHWM:
the most it ever had).
"""

import argparse
import asyncio
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crawl import ROOT, free_port

PROMISED_MB = 400.0  # docs/performance.md
CERTIFICATE = ROOT / "tests" / "fetch" / "certificate.pem"
PIECE = 64 * 1024  # bytes sent at once
TRICKLE = 4 * 1024  # bytes per second and connection until all are there
GATHERING = 60.0  # seconds that we wait for all of them
SEND_TIMEOUT = 60.0  # seconds, nginx's default: then a connection that is not read from is cut off
SHOW_EVERY = 5.0  # seconds
SENTENCE = "Na trhu se prodávají první jahody číslo {} a starostka města otevřela novou čítárnu. "


def long_page(megabytes: float) -> bytes:
    """Honest paragraphs, each of them different, up to this size."""
    paragraphs, size_bytes, number = [], 0, 0
    while size_bytes < megabytes * 1e6:
        sentences = "".join(SENTENCE.format(number * 5 + each) for each in range(5))
        paragraphs.append(
            f'<div class="text"><p>{sentences}<a href="/{number % 50}.html">dále</a></p></div>\n'
        )
        size_bytes += len(paragraphs[-1].encode())
        number += 1
    return f"<html><head><title>Dlouhá</title></head><body>{''.join(paragraphs)}</body></html>".encode()


class Servers:
    """Many servers in one: all addresses, one page."""

    def __init__(self, page: bytes, connections: int) -> None:
        self.page = memoryview(page)
        self.connections = connections
        self.sending = self.most = self.cut = 0  # pages on their way, now and at most; those cut off
        self.are_all_there = asyncio.Event()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                if head.startswith(b"GET /robots.txt"):
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                else:
                    await self._send(writer)
        writer.transport.abort()

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        size_bytes = len(self.page)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % size_bytes)
        self.sending += 1
        self.most = max(self.most, self.sending)
        if self.sending >= self.connections:
            self.are_all_there.set()
        try:
            sent = 0
            while sent < size_bytes:
                portion = PIECE if self.are_all_there.is_set() else TRICKLE
                writer.write(self.page[sent : sent + portion])
                sent += portion
                await asyncio.wait_for(writer.drain(), SEND_TIMEOUT)
                if not self.are_all_there.is_set():
                    await asyncio.sleep(1.0)
        except TimeoutError:
            self.cut += 1
            raise
        finally:
            self.sending -= 1


def in_memory(pid: int, what: str) -> float:
    """What the kernel counts of a process, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def start(program: str, options: list[str], place: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, str(ROOT / program), *options], cwd=place)


async def watch(harvester: "subprocess.Popen[bytes]", servers: Servers, seconds: float) -> float:
    """The most memory within so many seconds."""
    deadline, memory, shown = time.monotonic() + seconds, 0.0, 0.0
    asyncio.get_running_loop().call_later(GATHERING, servers.are_all_there.set)
    while time.monotonic() < deadline and harvester.poll() is None:
        await asyncio.sleep(0.2)
        with suppress(OSError):  # it has just ended
            memory = in_memory(harvester.pid, "VmHWM")
            if time.monotonic() - shown > SHOW_EVERY:
                shown = time.monotonic()
                now = in_memory(harvester.pid, "VmRSS")
                print(
                    f"{now:4.0f} MB now, {memory:.0f} at most; "
                    f"{servers.sending} pages on their way, {servers.cut} cut off",
                    flush=True,
                )
    return memory


def _tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


async def measure(given: argparse.Namespace) -> float:
    servers = Servers(long_page(given.megabytes), given.connections)
    tls = _tls() if given.tls else None
    listening = await asyncio.start_server(servers.connected, "0.0.0.0", 0, ssl=tls, backlog=1024)
    port = listening.sockets[0].getsockname()[1]
    scheme = "https" if given.tls else "http"
    with tempfile.TemporaryDirectory() as passing:
        place = Path(passing)
        addresses = [f"127.82.{number // 200}.{number % 200 + 1}" for number in range(given.connections)]
        seeds = "\n".join(f"{scheme}://{address}:{port}/0.html" for address in addresses)
        (place / "urls.txt").write_text(seeds)
        common = [
            *("--config=", "--allow-private", "--req-delay=5", "--max-reqs=1000", "--general-pause=0"),
            *("--contact=https://example.org/bench", "--total-timeout=900", "--check-certificates=no"),
            *(f"--max-size={given.megabytes * 1.1}", f"--port={free_port()}"),
            f"--connections={given.connections}",
        ]
        programs = [start(name, common, place) for name in ("queuekeeper.py", "harvester.py")]
        try:
            memory = await watch(programs[-1], servers, given.seconds)
        finally:
            for program in reversed(programs):
                program.terminate()
            for program in programs:
                await asyncio.to_thread(program.wait)
            listening.close()
    print(
        f"{memory:.0f} MB at most with {servers.most} pages on their way at once, of which {servers.cut} "
        f"were cut off (promised: below {PROMISED_MB:.0f} MB)"
    )
    return memory


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--megabytes", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--tls", action="store_true", help="over HTTPS")
    return 0 if asyncio.run(measure(parser.parse_args(argv))) < PROMISED_MB else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
