"""Pages per processor second, end to end: ours beside Scrapy with trafilatura, bare Scrapy, bare fetching.

    python bench/crawl.py --data=DIRECTORY [--pages=1000] [--processes=2] [--rounds=1] [--only=ours,strip]

A web of real pages on nginx: DIRECTORY holds sets of them as `<set>/pages/*.html` with `<set>/meta.jsonl`
(id, url) beside. Each page is at one of many loopback addresses; its own links lead, as they did, to
servers that are not there (a <base> says so) and are refused by everybody; a front page on each address
links to its pages. So every robot has the same start list, the same pages to read, and the same links to
weigh. All delays are zero. Pages travel compressed with gzip, as most of the web's do.

Everybody gets as many processes as we have harvesters, and an equal share of the addresses: Scrapy by
itself uses one processor. Processor time is that of the whole tree, as the kernel counts it for children
that have ended; the clock runs from the first process's start to the last one's end. What was fetched is
counted from nginx's log.

The speed of a shared machine changes within minutes. With --rounds=N all robots take turns, N times: a ratio
is one of neighbours in time, and the median of all rounds counts.
"""

import argparse
import compileall
import json
import os
import random
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent))

import manual

ROOT = Path(__file__).resolve().parents[1]
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
SEED = 6
SMALLEST, LARGEST = 2 * 1024, 200 * 1024  # bytes of a page: the mean is then about what the web's is
PAGES_PER_ADDRESS = 25
GLANCE = 0.02  # seconds between two looks whether a process has ended
PATIENCE = 1200.0  # seconds for one robot
NOWHERE = "http://example.org/"  # where a page was whose address nobody wrote down
HEAD = re.compile(rb"<head(\s[^>]*)?>", re.IGNORECASE)
ROBOTS = "User-agent: *\nDisallow: /private/\n"

NGINX_CONFIG = """
{user}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 4096; }}
http {{
    log_format counted '$server_addr $status $request_uri';
    access_log nginx.log counted buffer=64k flush=1s;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
    uwsgi_temp_path temp; scgi_temp_path temp;
    types {{ text/plain txt; }}
    default_type text/html;
    sendfile on;
    gzip_static {gzip};
    keepalive_requests 100000;
    server {{ listen {port} reuseport; root {sites}/$server_addr; }}
}}
"""


@dataclass(frozen=True, slots=True)
class Web:
    """The pages, and where they are."""

    directory: Path
    port: int
    pages: dict[str, list[str]]  # address -> its pages' names
    mean_bytes: float

    def fronts(self) -> list[str]:
        return [f"http://{address}:{self.port}/" for address in self.pages]

    def everything(self, address: str) -> list[str]:
        names = ["", *self.pages[address]]
        return [f"http://{address}:{self.port}/{name}" for name in names]

    def count(self) -> int:
        return sum(len(names) + 1 for names in self.pages.values())


@dataclass(frozen=True, slots=True)
class Run:
    """What one robot did, and what it cost."""

    name: str
    pages: int  # different ones that nginx gave it with status 200
    requests: int
    texts: int
    processor: float
    clock: float
    keeper: float = 0.0  # of the processor time: our queuekeeper's

    @property
    def per_processor_second(self) -> float:
        return self.pages / self.processor

    @property
    def per_second(self) -> float:
        return self.pages / self.clock


# The web


def real_pages(data: Path) -> list[tuple[str, Path]]:
    """Where each page was, and its file."""
    found = []
    for meta in sorted(data.glob("*/meta.jsonl")):
        for line in meta.read_text(encoding="utf-8").splitlines():
            about = json.loads(line)
            file = meta.parent / "pages" / f"{about['id']}.html"
            url = about.get("url") or ""
            if file.exists() and SMALLEST <= file.stat().st_size <= LARGEST:
                found.append((url if url.startswith("http") else NOWHERE, file))
    return found


def build(directory: Path, data: Path, pages: int, port: int, gzip: bool) -> Web:
    found = real_pages(data)
    if len(found) < pages:
        raise SystemExit(f"--data={data}: {len(found)} pages of the right size, {pages} are wanted")
    chosen = random.Random(SEED).sample(found, pages)
    laid: dict[str, list[str]] = {}
    size_bytes = 0
    for number, (url, file) in enumerate(chosen):
        group = number // PAGES_PER_ADDRESS
        address = f"127.80.{group // 200}.{group % 200 + 1}"
        name = f"{number}.html"
        body = rebased(file.read_bytes(), url)
        size_bytes += len(body)
        laid.setdefault(address, []).append(name)
        lay(directory / "sites" / address / name, body, gzip)
    for address, names in laid.items():
        links = "".join(f'<li><a href="/{name}">{name}</a>' for name in names)
        lay(directory / "sites" / address / "index.html", f"<title>{address}</title>{links}".encode(), gzip)
        lay(directory / "sites" / address / "robots.txt", ROBOTS.encode(), gzip)
    return Web(directory, port, laid, size_bytes / pages)


def rebased(page: bytes, url: str) -> bytes:
    """The page with its links leading where they led when it was at this URL."""
    base = f'<base href="{url.replace(chr(34), "%22")}">'.encode("ascii", "ignore")
    head = HEAD.search(page)
    return page[: head.end()] + base + page[head.end() :] if head else base + page


def lay(path: Path, body: bytes, gzip: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    if gzip:
        import gzip as coding

        path.with_name(f"{path.name}.gz").write_bytes(coding.compress(body, 6))


class Nginx:
    def __init__(self, web: Web, gzip: bool) -> None:
        self.web = web
        self.log = web.directory / "nginx.log"
        config = NGINX_CONFIG.format(
            user="user root;" if os.getuid() == 0 else "",
            port=web.port,
            sites=web.directory / "sites",
            gzip="on" if gzip else "off",
        )
        (web.directory / "nginx.conf").write_text(config)

    def __enter__(self) -> "Nginx":
        place = str(self.web.directory)
        self.process = subprocess.Popen([str(NGINX), "-p", place, "-c", "nginx.conf", "-e", "error.log"])
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.web.port)).close()
                return self
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(GLANCE)

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def given(self, since: int) -> Counter[tuple[str, str]]:
        """What was given with status 200, from this place of the log on: (address, path) -> how often."""
        time.sleep(1.2)  # until nginx has written its buffer
        words = (line.split(maxsplit=2) for line in self.log.read_text()[since:].splitlines())
        return Counter((address, path) for address, status, path in words if status == "200")

    def written(self) -> int:
        return len(self.log.read_text()) if self.log.exists() else 0


# The robots


def spent(commands: Sequence[Sequence[str]], directory: Path) -> tuple[list[float], float]:
    """Run them side by side: the processor seconds of each and its children, and the time of it all."""
    begun = time.monotonic()
    programs = []
    for number, command in enumerate(commands):
        with (directory / f"{number}.out").open("wb") as said:
            programs.append(subprocess.Popen(command, cwd=directory, stdout=said, stderr=said))
    seconds = []
    try:
        for program in programs:
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
            if program.returncode:
                raise SystemExit(f"{program.args} ended with {program.returncode}: see {directory}")
            seconds.append(usage.ru_utime + usage.ru_stime)
    finally:
        for program in programs:
            if program.returncode is None:
                program.kill()
                program.wait()
    return seconds, time.monotonic() - begun


def ours(web: Web, directory: Path, processes: int, more: Sequence[str]) -> list[list[str]]:
    (directory / "urls.txt").write_text("\n".join(web.fronts()))
    common = [
        "--config=",
        "--allow-private",
        r"--include=^127\.80\.",
        "--req-delay=0",
        "--max-reqs=1000000",
        "--general-pause=0",
        "--contact=https://example.org/bench",
        f"--port={free_port()}",
        *more,
    ]
    commands = [[sys.executable, str(ROOT / "queuekeeper.py"), *common]]
    for number in range(1, processes + 1):
        commands.append(
            [sys.executable, str(ROOT / "harvester.py"), *common, f"--instance=harvester-{number}"]
        )
    return commands


def peer(what: str, web: Web, directory: Path, python: str, processes: int) -> list[list[str]]:
    commands = []
    addresses = list(web.pages)
    for number in range(processes):
        mine = addresses[number::processes]
        listed = directory / f"list-{number}.txt"
        urls = [
            url
            for address in mine
            for url in (web.everything(address) if what == "fetch" else web.everything(address)[:1])
        ]
        listed.write_text("\n".join(urls))
        out = directory / f"texts-{number}.txt"
        commands.append([python, str(ROOT / "bench/peers.py"), what, str(listed), str(out)])
    return commands


ROBOTS_OF_OURS = {
    "ours": (),
    "ours-all": ("--text=all", "--segmenter=none"),
}
PEERS = ("trafilatura", "strip", "fetch")
NAMES = {
    "ours": "ours (main text, judged)",
    "ours-all": "ours, --text=all --segmenter=none",
    "trafilatura": "Scrapy + trafilatura",
    "strip": "Scrapy, tags stripped",
    "fetch": "aiohttp, only fetching",
}


def run(what: str, web: Web, nginx: Nginx, python: str, processes: int, extra: Sequence[str]) -> Run:
    directory = Path(tempfile.mkdtemp(prefix=f"run-{what}-{processes}-", dir=web.directory))
    since = nginx.written()
    if what in ROBOTS_OF_OURS:
        commands = ours(web, directory, processes, [*ROBOTS_OF_OURS[what], *extra])
    else:
        commands = peer(what, web, directory, python, processes)
    seconds, clock = spent(commands, directory)
    given = nginx.given(since)
    pages = {(address, path) for address, path in given if path[1:] in ("", *web.pages[address])}
    return Run(
        name=NAMES[what],
        pages=len(pages),
        requests=sum(given.values()),
        texts=texts(what, directory),
        processor=sum(seconds),
        clock=clock,
        keeper=seconds[0] if what in ROBOTS_OF_OURS else 0.0,
    )


def texts(what: str, directory: Path) -> int:
    """How many documents have their text written down."""
    if what in ROBOTS_OF_OURS:
        files = (directory / "corpus").glob("*.txt")
        return sum(line.startswith(b'{"url"') for file in files for line in file.read_bytes().splitlines())
    files = directory.glob("texts-*.txt")
    return sum(line.startswith(b"\x1e") for file in files for line in file.read_bytes().splitlines())


def environment(place: Path) -> str:
    """The interpreter that has the peers' packages; they are installed once."""
    python = place / "bin/python"
    needed = ROOT / "bench/requirements-crawl.txt"
    stamp = place / needed.name
    if not stamp.exists() or stamp.read_text() != needed.read_text():
        print(f"installing the peers into {place}", file=sys.stderr)
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", str(needed)], check=True)
        shutil.copy(needed, stamp)
    return str(python)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# The figures


def table(runs: Sequence[Run]) -> Iterator[str]:
    heads = (
        ("pages", 7),
        ("texts", 7),
        ("CPU s", 8),
        ("CPU s/1000", 11),
        ("pages/CPU s", 12),
        ("s", 8),
        ("pages/s", 9),
    )
    yield " " * 36 + "".join(f"{head:>{width}}" for head, width in heads)
    for done in runs:
        yield (
            f"{done.name:36}{done.pages:7}{done.texts:7}{done.processor:8.1f}"
            f"{1000 * done.processor / done.pages:11.1f}{done.per_processor_second:12.1f}"
            f"{done.clock:8.1f}{done.per_second:9.1f}"
        )


def ratios(runs: dict[str, list[Run]]) -> Iterator[str]:
    """How many times theirs ours is, and what was promised."""
    promises = [("ours", "trafilatura", 5.0), ("ours", "strip", 2.0), ("ours-all", "fetch", 0.25)]
    for mine, theirs, promised in promises:
        if mine in runs and theirs in runs:
            rounds = list(zip(runs[mine], runs[theirs], strict=True))
            processor = [own.per_processor_second / other.per_processor_second for own, other in rounds]
            clock = [own.per_second / other.per_second for own, other in rounds]
            yield (
                f"{NAMES[mine]} : {NAMES[theirs]} = {middle(processor)} per CPU second,"
                f" {middle(clock)} by the clock (promised {promised:g})"
            )
    for what in ROBOTS_OF_OURS:
        if what in runs:
            shares = middle([own.keeper / (own.processor - own.keeper) for own in runs[what]], 3)
            yield f"{NAMES[what]}: the queuekeeper used {shares} of what the harvesters did (promised 0.1)"


def middle(ratios: list[float], digits: int = 2) -> str:
    """Their median, with the least and the most if there are several."""
    around = f" ({min(ratios):.{digits}f} to {max(ratios):.{digits}f})" if len(ratios) > 1 else ""
    return f"{median(ratios):.{digits}f}{around}"


def typical(runs: list[Run]) -> Run:
    """The run in the middle, by its processor time."""
    return sorted(runs, key=lambda done: done.processor)[len(runs) // 2]


def scaling(runs: dict[int, Run], start: float) -> Iterator[str]:
    """What more harvesters bring; `start` seconds of each one's processor time are for its start."""
    yield "harvesters   pages/s   pages/CPU second   CPU ms/page without starts   queuekeeper : harvesters"
    for processes, done in runs.items():
        harvesters = done.processor - done.keeper
        per_page = 1000 * (harvesters - processes * start) / done.pages
        yield (
            f"{processes:10}{done.per_second:10.1f}{done.per_processor_second:19.1f}{per_page:29.2f}"
            f"{done.keeper / harvesters:27.3f}"
        )


def starting(directory: Path) -> float:
    """Processor seconds of a harvester that does nothing."""
    command = [sys.executable, str(ROOT / "harvester.py"), "--version"]
    return min(spent([command], directory)[0][0] for _ in range(3))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default=",".join(NAMES), help="of " + ", ".join(NAMES))
    parser.add_argument("--environment", type=Path, default=Path(tempfile.gettempdir()) / "txtr-peers")
    parser.add_argument("--scaling", help="1,2,4: only ours, with so many harvesters one after another")
    parser.add_argument("--plain", action="store_true", help="pages do not travel compressed, as most do")
    parser.add_argument(
        "--keep", type=Path, help="directory that is left behind; without it, one that is removed"
    )
    parser.add_argument("--write", action="store_true", help="put the figures into docs/performance.md")
    parser.add_argument("--extra", action="append", default=[], help="another option for ours")
    given = parser.parse_args(argv)
    if not NGINX:
        raise SystemExit("nginx is missing")
    chosen = [] if given.scaling else [what for what in NAMES if what in given.only.split(",")]
    python = environment(given.environment) if set(chosen) & set(PEERS) else ""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    compileall.compile_dir(ROOT / "txtr", quiet=1)  # as pip has done with the peers' packages
    with tempfile.TemporaryDirectory() as passing:
        place = given.keep or Path(passing)
        place.mkdir(parents=True, exist_ok=True)
        web = build(place, given.data, given.pages, free_port(), not given.plain)
        print(
            f"{web.count()} pages of {web.mean_bytes / 1024:.0f} KiB on {len(web.pages)} addresses",
            flush=True,
        )
        runs: dict[str, list[Run]] = {what: [] for what in chosen}
        with Nginx(web, not given.plain) as nginx:
            if given.scaling:
                numbers = map(int, given.scaling.split(","))
                crawls = {number: run("ours", web, nginx, "", number, given.extra) for number in numbers}
                figures = "\n".join(scaling(crawls, starting(place)))
                print(figures)
                if given.write:
                    manual.write("scaling", f"{manual.machine()}.\n\n```\n{figures}\n```")
                return 0
            for what in chosen * given.rounds:
                runs[what].append(run(what, web, nginx, python, given.processes, given.extra))
                print(*table(runs[what][-1:]), sep="\n", flush=True)
        figures = "\n".join([*table(list(map(typical, runs.values()))), "", *ratios(runs)])
        print("\n" + figures)
        if given.write:
            sent = "sent as they are" if given.plain else "sent compressed"
            about = f"{manual.machine()}.\n{web.count()} pages of {web.mean_bytes / 1024:.0f} KiB, {sent}, "
            about += f"{given.processes} processes of each, median of {given.rounds} rounds.\n"
            manual.write("crawl", f"{about}\n```\n{figures}\n```")
    missing = [NAMES[what] for what in chosen if any(done.pages != web.count() for done in runs[what])]
    print("coverage: " + (f"NOT THE SAME: {', '.join(missing)}" if missing else "the same for all"))
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
