"""The real programs, run through a village: queuekeeper.py and harvester.py as a user starts them.

    outcome = crawl(big, tmp_path, harvesters=4, options={"req_delay": 0.1, ...}, timeout=120)
    assert outcome.codes == {"queuekeeper": 0, "harvester-1": 0, ...}

The village is served by a thread of this process; the access log is its only witness. Whatever was
started here is ended here, by its process number, however the test ends.
"""

import asyncio
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from tests.village.auditor import Entry, Rules, Violation, audit, read_access_log
from tests.village.village import Village
from txtr.config.options import Options
from txtr.demo.server import Server, open_web
from txtr.demo.web import Web

ROOT = Path(__file__).resolve().parents[2]
CONTACT = "https://example.org/about-the-robot"
MARKER = re.compile(r"značka-[\w-]+-konec")
PATIENCE = 10.0  # seconds between asking a program to end and insisting
GLANCE = 0.05  # seconds between two looks at the programs

W = TypeVar("W", bound=Web)
Given = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[W]):
    """What a crawl left behind."""

    web: W
    directory: Path
    codes: dict[str, int]  # program -> exit code; negative: the signal that ended it
    entries: list[Entry]  # of the access log
    took: float  # from the start of the first program to the end of the last
    options: dict[str, object]

    @property
    def rules(self) -> Rules:
        """The four rules that the robot was told to obey."""
        given = Options(**self.options)  # type: ignore[arg-type]
        return Rules(given.req_delay, given.max_hosts, given.max_reqs, given.general_pause)

    def violations(self) -> list[Violation]:
        robots = self.web.robots_texts() if isinstance(self.web, Village) else {}
        return audit(self.entries, self.rules, robots, contact=str(self.options["contact"]))

    def fetched(self, status: int | None = None) -> Counter[str]:
        """How often each URL was asked for, or answered with the status."""
        return Counter(
            f"http://{entry.host}:{self.web.port}{entry.path}"
            for entry in self.entries
            if status in (None, entry.status)
        )

    def corpus_files(self) -> list[Path]:
        target = self.directory / str(self.options.get("target", "corpus"))
        return sorted(path for path in target.rglob("*") if path.is_file())

    def markers(self) -> Counter[str]:
        """How often each page's marker is in the corpus."""
        texts = (path.read_text(encoding="utf-8") for path in self.corpus_files())
        return Counter(marker for text in texts for marker in MARKER.findall(text))

    def output(self) -> str:
        """What the programs said, for the message of a failed test."""
        said = sorted(self.directory.glob("*.out"))
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in said)


class Crawl(Generic[W]):
    """A crawl in progress: programs can be added and killed."""

    def __init__(self, build: Callable[[int], W], directory: Path, options: Given | None = None) -> None:
        self.directory = directory
        self.web, self.doors = open_web(build)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "hosts.txt").write_text(self.web.hosts_file(), encoding="utf-8")
        (directory / "urls.txt").write_text(self.web.start_list(), encoding="utf-8")
        usual = {"hosts": "hosts.txt", "allow_private": True, "contact": CONTACT, "port": free_port()}
        self.options: dict[str, object] = usual | dict(options or {})
        self.programs: dict[str, subprocess.Popen[bytes]] = {}
        self.service = _Service(self.web, self.doors, directory / "access.log")
        self.began = time.monotonic()

    def __enter__(self) -> "Crawl[W]":
        self.service.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for program in self.programs.values():
            program.terminate()
        for program in self.programs.values():
            try:
                program.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
        self.service.stop()

    def start_queuekeeper(self, name: str = "queuekeeper", **more: object) -> None:
        self._start(name, "queuekeeper.py", more)

    def add_harvester(self, name: str = "", **more: object) -> str:
        name = name or f"harvester-{sum('harvester' in known for known in self.programs) + 1}"
        self._start(name, "harvester.py", {"instance": name, **more})
        return name

    def kill(self, name: str) -> None:
        """As the machine's failure would: without a word."""
        self.programs[name].kill()
        self.programs[name].wait()

    def terminate(self, name: str) -> None:
        """As a user would."""
        self.programs[name].terminate()

    def wait_until(self, has_come: Callable[[list[Entry]], bool], timeout: float = 60) -> None:
        """Until the access log satisfies the question."""
        self._wait(lambda: has_come(self.entries()), timeout, "the access log never came to that")

    def finish(self, timeout: float) -> Outcome[W]:
        """Wait until every program has ended by itself."""
        running = self.programs.values()
        self._wait(lambda: all(program.poll() is not None for program in running), timeout, "still running")
        took = time.monotonic() - self.began
        codes = {name: program.returncode for name, program in self.programs.items()}
        return Outcome(self.web, self.directory, codes, self.entries(), took, self.options)

    def entries(self) -> list[Entry]:
        return read_access_log(self.directory / "access.log")

    def _start(self, name: str, script: str, more: Given) -> None:
        given = [as_argument(option, value) for option, value in (self.options | dict(more)).items()]
        command = [sys.executable, str(ROOT / script), *filter(None, given)]
        with (self.directory / f"{name}.out").open("ab") as said:
            self.programs[name] = subprocess.Popen(
                command, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )

    def _wait(self, is_over: Callable[[], bool], timeout: float, complaint: str) -> None:
        end = time.monotonic() + timeout
        while not is_over():
            if time.monotonic() > end:
                codes = {name: program.poll() for name, program in self.programs.items()}
                outcome = Outcome(self.web, self.directory, {}, [], timeout, self.options)
                raise TimeoutError(f"{complaint} after {timeout} s: {codes}\n{outcome.output()}")
            time.sleep(GLANCE)


def crawl(
    build: Callable[[int], W],
    directory: Path,
    harvesters: int = 4,
    options: Given | None = None,
    timeout: float = 120,
    during: Callable[[Crawl[W]], None] | None = None,
) -> Outcome[W]:
    """Crawl the web that build(port) makes, from the start list to the last goodbye.

    The options are named as in txtr.config.options; `during` may look at the running crawl, kill and
    add harvesters.
    """
    with Crawl(build, directory, options) as running:
        running.start_queuekeeper()
        for _ in range(harvesters):
            running.add_harvester()
        if during:
            during(running)
        return running.finish(timeout)


def as_argument(name: str, value: object) -> str:
    """One option on the command line; False leaves a flag out."""
    dashed = "--" + name.replace("_", "-")
    if isinstance(value, bool):
        return dashed if value else ""
    return f"{dashed}={value}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Service:
    """The village's server in a thread of its own."""

    def __init__(self, web: Web, doors: list[socket.socket], log_path: Path) -> None:
        self.web = web
        self.doors = doors
        self.log_path = log_path
        self.is_open = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def start(self) -> None:
        self.thread.start()
        self.is_open.wait()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join()

    async def _serve(self) -> None:
        self.loop, self.ended = asyncio.get_running_loop(), asyncio.Event()
        with self.log_path.open("w", encoding="utf-8") as log:
            async with Server(self.web, log).serve(self.doors):
                self.is_open.set()
                await self.ended.wait()


@contextmanager
def served(build: Callable[[int], W], log_path: Path) -> Iterator[W]:
    """Only the server, for tests that fetch by themselves."""
    web, doors = open_web(build)
    service = _Service(web, doors, log_path)
    service.start()
    try:
        yield web
    finally:
        service.stop()
