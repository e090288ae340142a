"""Where does the queuekeeper saturate? The real program, fed by harvesters that only pretend to fetch.

    python bench/keeper.py [--harvesters=1,2,4] [--seconds=20] [--links=80] [--new=5]

A synthetic harvester answers every request at once with a document of so many links, so many of them new,
and claims a text for each, in the words of the wire and nothing else: whatever the queuekeeper does
inside is measured with it. It fetches, cleans and judges nothing, so it can feed the queuekeeper many
times as fast as a real one. All delays are zero.

Of each number of harvesters: documents and links per second by the clock, and per second of the
queuekeeper's processor time. The latter is where it saturates on a machine that has a processor to spare
for it.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "bench"))

import manual  # noqa: E402
from crawl import free_port  # noqa: E402

from txtr.config.options import Options  # noqa: E402
from txtr.harvester.line import Line  # noqa: E402
from txtr.model import Document, Purpose, Report, Resolution, RobotsFile, Visit  # noqa: E402
from txtr.wire.messages import (  # noqa: E402
    Ask,
    Claim,
    Deal,
    Goodbye,
    More,
    NewDomains,
    Ping,
    Reported,
    Resolved,
    Welcome,
)
from txtr.wire.secret import known  # noqa: E402

DOMAINS = 2000
TICKS = os.sysconf("SC_CLK_TCK")
SCRIPT = Path(__file__).resolve()
ASK_FOR = 1e-4  # seconds per request, as it claims: it can take all that there is


class Synthetic:
    """A harvester that has everything at hand."""

    def __init__(self, line: Line, links: int, new: int, seed: int) -> None:
        self.line, self.links, self.new = line, links, new
        self.random = random.Random(seed)
        self.seed, self.documents, self.made, self.is_over = seed, 0, 0, False

    def hear(self, message: Any) -> None:
        match message:
            case Welcome():
                self.line.say(Ping(time.monotonic(), {}))
                self.line.say(Ask(0, 0, ASK_FOR))
            case Deal(batch):
                self._answer(batch.number, [visit for row in batch.rows for visit in row])
                self.line.say(Ask(batch.number, 0, ASK_FOR))
            case More(batch, visits):
                self._answer(batch, visits)
            case NewDomains(batch, domains):
                self.line.say(Resolved(batch, [Resolution(name, [_address(name)]) for name in domains]))
            case Goodbye():
                self.is_over = True

    def _answer(self, batch: int, visits: list[Visit]) -> None:
        report = Report(batch)
        for visit in visits:
            for request in visit.requests:
                if request.purpose is Purpose.ROBOTS:
                    report.robots.append(RobotsFile(visit.domain, request.path, 404, "", 0.01))
                else:
                    report.documents.append(self._document(visit.domain, request.path))
        self.line.say(Reported(report))

    def _document(self, domain: str, path: str) -> Document:
        self.documents += 1
        url = f"http://{domain}{path}"
        self.line.say(Claim(self.documents, url, f"{self.seed:08x}{self.documents:024x}"))
        return Document(
            domain, path, "kept", 0.8, 200, 50_000, 0.01, links=self._links(domain), text_bytes=5000
        )

    def _links(self, domain: str) -> list[str]:
        """Some that nobody has seen, the others from the menu that is on all pages of the site."""
        menu = [f"http://{domain}/menu/{number}.html" for number in range(self.links - self.new)]
        fresh = []
        for _ in range(self.new):
            self.made += 1
            fresh.append(f"http://site{self.random.randrange(DOMAINS)}.cz/{self.seed}/{self.made}.html")
        return menu + fresh


def _address(name: str) -> str:
    number = int("".join(filter(str.isdigit, name)) or 0)
    return f"198.18.{number // 250}.{number % 250 + 1}"


async def feed(port: int, seed: int, links: int, new: int) -> None:
    """Be one synthetic harvester until told to end; say how many documents there were."""
    line = Line("127.0.0.1", port, f"synthetic-{seed}", known(Options()))
    harvester = Synthetic(line, links, new, seed)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    tasks = [
        asyncio.create_task(line.hold(dict, harvester.hear, lambda: harvester.is_over)),
        asyncio.create_task(line.ping(lambda: {"documents": float(harvester.documents)})),
    ]
    await ended.wait()
    for task in tasks:
        task.cancel()
    print(json.dumps({"documents": harvester.documents}))


def processor(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


def measure(harvesters: int, seconds: float, links: int, new: int) -> str:
    with tempfile.TemporaryDirectory() as passing:
        port = free_port()
        Path(passing, "urls.txt").write_text("\n".join(f"http://site{n}.cz/" for n in range(DOMAINS)))
        options = ["--config=", "--req-delay=0", "--general-pause=0", "--max-reqs=1000000", f"--port={port}"]
        keeper = subprocess.Popen(
            [sys.executable, str(ROOT / "queuekeeper.py"), *options, "--segmenter=none"],
            cwd=passing,
            stdout=subprocess.DEVNULL,
        )
        feeders = [
            subprocess.Popen(
                [sys.executable, str(SCRIPT), "--feed", str(port), str(seed), str(links), str(new)],
                cwd=passing,
                stdout=subprocess.PIPE,
            )
            for seed in range(harvesters)
        ]
        try:
            time.sleep(3)  # until all have begun
            before, begun = processor(keeper.pid), time.monotonic()
            time.sleep(seconds)
            used, took = processor(keeper.pid) - before, time.monotonic() - begun
        finally:
            for feeder in feeders:
                feeder.terminate()
            said = [feeder.communicate()[0] for feeder in feeders]
            keeper.terminate()
            keeper.wait()
    # What came in the seconds before is not counted apart: it is a small share, and counts for all alike.
    documents = sum(json.loads(line)["documents"] for line in said) * took / (took + 3)
    return (
        f"{harvesters:10}{documents / took:14.0f}{documents * links / took:12.0f}{used / took:12.2f}"
        f"{documents / used:22.0f}{documents * links / used:18.0f}"
    )


def main(argv: Sequence[str]) -> int:
    if argv and argv[0] == "--feed":
        asyncio.run(feed(*map(int, argv[1:])))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--harvesters", default="1,2,4")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--links", type=int, default=80)
    parser.add_argument("--new", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/performance.md")
    given = parser.parse_args(argv)
    lines = ["harvesters  documents/s     links/s   processor   documents/CPU second  links/CPU second"]
    print(lines[0])
    for harvesters in map(int, given.harvesters.split(",")):
        lines.append(measure(harvesters, given.seconds, given.links, given.new))
        print(lines[-1], flush=True)
    if given.write:
        manual.write("keeper", "\n".join([f"{manual.machine()}.", "", "```", *lines, "```"]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
