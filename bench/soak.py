"""Does anything grow that should not? A long crawl on loopback, its processes watched all the time.

    python bench/soak.py --data=DIRECTORY [--minutes=3] [--harvesters=2] [--write]

nginx gives every address of a block thousands of paths, behind which are the same few hundred real pages:
a web that lasts for hours. Every five seconds the memory and the open files of each process are written
down. At the end: a table, and with --write the table in docs/performance.md and the curves in
docs/soak.svg.

Flat means: the most memory of the last third is at most a tenth above the most of the middle third (the
first is for filling caches), and the most open files at most a tenth above the most of the time before: they
come and go with connections. The queuekeeper may grow with what it knows; its share of that is said.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import manual
from crawl import NGINX, ROOT, free_port, real_pages, rebased

PAGES = 400  # different ones
PATHS = 12_000  # at each address, so that an hour is not enough
ADDRESSES = 150
EVERY = 5.0  # seconds
GROWTH = 1.1

NGINX_CONFIG = """
{user}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
    uwsgi_temp_path temp; scgi_temp_path temp;
    types {{ text/plain txt; }}
    default_type text/html;
    sendfile on;
    server {{
        listen {port}; root {root};
        location ~ "([0-3][0-9][0-9])\\.html$" {{ try_files /$1.html =404; }}
    }}
}}
"""


@dataclass(slots=True)
class Curve:
    """One process, looked at again and again."""

    name: str
    pid: int
    times: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MiB
    files: list[int] = field(default_factory=list)

    def look(self, now: float) -> None:
        try:
            status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
            files = len(list(Path(f"/proc/{self.pid}/fd").iterdir()))
        except OSError:  # it has ended
            return
        memory = next((int(line.split()[1]) for line in status if line.startswith("VmRSS:")), 0)
        if memory:
            self.times.append(now)
            self.memory.append(memory / 1024)
            self.files.append(files)

    def row(self) -> str:
        third = max(1, len(self.memory) // 3)
        parts = slice(0, third), slice(third, 2 * third), slice(2 * third, None)
        memory = " → ".join(f"{max(self.memory[part], default=0):.0f}" for part in parts)
        files = " → ".join(str(max(self.files[part], default=0)) for part in parts)
        return f"| {self.name} | {memory} | {files} |"

    def is_flat(self) -> bool:
        third = max(1, len(self.memory) // 3)
        memory, files = self.memory, self.files
        pairs = (memory[third : 2 * third], memory[2 * third :]), (files[: 2 * third], files[2 * third :])
        return all(max(last) <= GROWTH * max(before) + 1 for before, last in pairs if before and last)


def lay_web(place: Path, data: Path, port: int) -> list[str]:
    """The pages, nginx's configuration, the start list."""
    chosen = random.Random(1).sample(real_pages(data), PAGES)
    for number, (url, file) in enumerate(chosen):
        (place / f"{number:03}.html").write_bytes(rebased(file.read_bytes(), url))
    links = "".join(f'<a href="/{n // PAGES}/{n % PAGES:03}.html">{n}</a> ' for n in range(PATHS))
    (place / "index.html").write_text(f"<title>soak</title>{links}")
    (place / "robots.txt").write_text("User-agent: *\nDisallow: /private/\n")
    user = "user root;" if os.getuid() == 0 else ""
    (place / "nginx.conf").write_text(NGINX_CONFIG.format(user=user, port=port, root=place))
    return [f"http://127.83.0.{number + 1}:{port}/" for number in range(ADDRESSES)]


def crawl(data: Path, minutes: float, harvesters: int) -> tuple[list[Curve], dict[str, float]]:
    """Crawl for so long; what the processes were like, and how far the crawl came."""
    with tempfile.TemporaryDirectory() as passing:
        place, port = Path(passing), free_port()
        (place / "urls.txt").write_text("\n".join(lay_web(place, data, port)))
        common = [
            *("--config=", "--allow-private", r"--include=^127\.83\.", "--req-delay=0", "--max-reqs=200"),
            *("--general-pause=1", "--contact=https://example.org/bench", f"--port={free_port()}"),
        ]
        calls = {"queuekeeper": [sys.executable, str(ROOT / "queuekeeper.py"), *common]}
        for number in range(1, harvesters + 1):
            name = f"harvester-{number}"
            calls[name] = [sys.executable, str(ROOT / "harvester.py"), *common, f"--instance={name}"]
        server = subprocess.Popen([str(NGINX), "-p", passing, "-c", "nginx.conf", "-e", "error.log"])
        programs = {name: subprocess.Popen(call, cwd=place) for name, call in calls.items()}
        curves = [Curve(name, program.pid) for name, program in programs.items()]
        try:
            begun = time.monotonic()
            while time.monotonic() - begun < 60 * minutes:
                time.sleep(EVERY)
                for curve in curves:
                    curve.look(time.monotonic() - begun)
                if programs["queuekeeper"].poll() is not None:
                    raise SystemExit(
                        "the crawl has ended by itself: its web is too small for so many minutes"
                    )
            status = json.loads((place / "state/status.json").read_text())
        finally:
            for program in programs.values():
                program.send_signal(signal.SIGTERM)
            for program in programs.values():
                program.wait()
            server.terminate()
            server.wait()
    return curves, status


def table(curves: Sequence[Curve], status: dict[str, float], minutes: float) -> Iterator[str]:
    came = f"{status['fetched']} pages fetched, {status['queued']} queued"
    yield f"{manual.machine()}; {minutes:g} minutes, {came}."
    yield ""
    yield "| process | most MiB in the first, middle, last third | most open files |"
    yield "|---|---|---|"
    yield from (curve.row() for curve in curves)


def plot(curves: Sequence[Curve]) -> str:
    """The memory of every process over time."""
    width, height, left, bottom = 720, 300, 60, 40
    end = max(curve.times[-1] for curve in curves)
    top = 1.15 * max(max(curve.memory) for curve in curves)
    colours = ("#a33", "#36a", "#393", "#a70", "#737", "#077")

    def point(seconds: float, mib: float) -> str:
        across = left + (width - left - 10) * seconds / end
        up = height - bottom - (height - bottom - 10) * mib / top
        return f"{across:.1f},{up:.1f}"

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        '     font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M{point(0, top)} L{point(0, 0)} L{point(end, 0)}" fill="none" stroke="black"/>',
    ]
    for step in range(5):
        mib, seconds = top * step / 4, end * step / 4
        across, up = point(seconds, mib).split(",")
        lines.append(f'<text x="{left - 6}" y="{up}" text-anchor="end">{mib:.0f}</text>')
        lines.append(
            f'<text x="{across}" y="{height - bottom + 18}" text-anchor="middle">{seconds / 60:.0f}</text>'
        )
    lines.append(f'<text x="{width / 2}" y="{height - 4}" text-anchor="middle">minutes</text>')
    lines.append(f'<text x="12" y="{height / 2}" transform="rotate(-90 12 {height / 2})">MiB</text>')
    for number, curve in enumerate(curves):
        colour = colours[number % len(colours)]
        points = " ".join(map(point, curve.times, curve.memory))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        lines.append(f'<text x="{left + 10 + 120 * number}" y="20" fill="{colour}">{curve.name}</text>')
    return "\n".join([*lines, "</svg>\n"])


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--harvesters", type=int, default=2)
    parser.add_argument(
        "--write", action="store_true", help="figures into docs/performance.md, curves beside it"
    )
    given = parser.parse_args(argv)
    curves, status = crawl(given.data, given.minutes, given.harvesters)
    text = "\n".join(table(curves, status, given.minutes))
    print(text)
    if given.write:
        manual.write("soak", text)
        manual.MANUAL.with_name("soak.svg").write_text(plot(curves), encoding="utf-8")
    growing = [curve.name for curve in curves if curve.name != "queuekeeper" and not curve.is_flat()]
    print(f"GROWING: {', '.join(growing)}" if growing else "flat")
    return 1 if growing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
