"""How much memory does one harvester take when 500 servers send it 10 MB pages at the same time?

    python bench/memory.py [--connections=500] [--megabytes=10] [--rate=1000] [--seconds=120]

nginx serves the same long page at as many loopback addresses as there may be connections, at most so many
KB per second to each, so that all of them stay open. There is a delay, because without one a harvester is
dealt a few rows only while servers answer at once. The harvester's memory is what the kernel counts (VmHWM:
the most it ever had), its connections are its open sockets.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crawl import NGINX, ROOT, free_port

PROMISED_MIB = 400  # issue 6

NGINX_CONFIG = """
{user}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
    uwsgi_temp_path temp; scgi_temp_path temp;
    types {{ text/plain txt; }}
    default_type text/html;
    sendfile on;
    server {{ listen {port}; root {root}; location ~ html {{
        try_files /long.html =404; limit_rate {rate}k;
    }} }}
}}
"""

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


def in_memory(pid: int, what: str) -> int:
    """What the kernel counts of a process, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) // 1024
    return 0


def open_sockets(pid: int) -> int:
    numbers = Path(f"/proc/{pid}/fd")
    return sum(str(number.readlink()).startswith("socket:") for number in numbers.iterdir())


def watch(harvester: "subprocess.Popen[bytes]", seconds: float) -> tuple[int, int]:
    """The most memory and the most sockets within so many seconds."""
    deadline, sockets, memory = time.monotonic() + seconds, 0, 0
    shown = time.monotonic()
    while time.monotonic() < deadline and harvester.poll() is None:
        time.sleep(0.2)
        try:
            sockets = max(sockets, open_sockets(harvester.pid))
            memory = in_memory(harvester.pid, "VmHWM")
            if time.monotonic() - shown > 5:
                shown = time.monotonic()
                now, there = in_memory(harvester.pid, "VmRSS"), open_sockets(harvester.pid)
                print(f"{now:5} MiB now, {memory} at most, {there} sockets", flush=True)
        except OSError:  # it has just ended
            break
    return memory, sockets


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--megabytes", type=float, default=10.0)
    parser.add_argument("--rate", type=int, default=1000, help="KB per second and connection")
    parser.add_argument("--seconds", type=float, default=120.0)
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as passing:
        place, port = Path(passing), free_port()
        (place / "long.html").write_bytes(long_page(given.megabytes))
        (place / "robots.txt").write_text("User-agent: *\nDisallow:\n")
        user = "user root;" if os.getuid() == 0 else ""
        (place / "nginx.conf").write_text(
            NGINX_CONFIG.format(user=user, port=port, root=place, rate=given.rate)
        )
        addresses = [f"127.82.{number // 200}.{number % 200 + 1}" for number in range(given.connections)]
        (place / "urls.txt").write_text("\n".join(f"http://{address}:{port}/0.html" for address in addresses))
        common = [
            *("--config=", "--allow-private", "--req-delay=5", "--max-reqs=1000", "--general-pause=0"),
            *(
                "--contact=https://example.org/bench",
                "--total-timeout=900",
                f"--max-size={given.megabytes * 1.1}",
            ),
            *(f"--port={free_port()}", f"--connections={given.connections}"),
        ]
        programs = [
            subprocess.Popen([str(NGINX), "-p", passing, "-c", "nginx.conf", "-e", "error.log"]),
            subprocess.Popen([sys.executable, str(ROOT / "queuekeeper.py"), *common], cwd=place),
            subprocess.Popen([sys.executable, str(ROOT / "harvester.py"), *common], cwd=place),
        ]
        try:
            memory, sockets = watch(programs[-1], given.seconds)
        finally:
            for program in reversed(programs):
                program.terminate()
            for program in programs:
                program.wait()
    print(f"{memory} MiB at most with {sockets} sockets open (promised: below {PROMISED_MIB} MiB)")
    return 0 if memory < PROMISED_MIB else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
