"""A start script whose queuekeeper and harvester are tiny fakes, in a directory of its own."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]

QUEUEKEEPER = """
import fcntl, json, os, signal, sys, time
from pathlib import Path
given = dict(word[2:].split("=", 1) for word in sys.argv[1:])
state = Path(given.get("state", "state"))
fate = Path(__file__).with_name("fate").read_text()
def stop(*_):
    (state / "frontier.sqlite").touch()
    (state / "running").unlink()
    print("% stopped")
    sys.exit()
signal.signal(signal.SIGTERM, stop)
(state / "running").touch()
lock = (state / "lock").open("w")
fcntl.flock(lock, fcntl.LOCK_EX)
if fate == "stillborn":
    sys.exit("queuekeeper: --port=8417: the queue is damaged")
print("listening 127.0.0.1:" + given.get("port", "8417"))
def tell(finished):
    joined = Path("joined").stat().st_size if Path("joined").exists() else 0
    status = {"time": "2026-11-16T01:00:03.127Z", "documents": 7, "harvesters": joined, "finished": finished}
    status |= {"unjudged": 2, "segmenter": "a.cz:8418"} if fate == "waits" else {}
    status |= {"parked": 3} if fate == "parks" else {}
    (state / "status.json.new").write_text(json.dumps(status))
    (state / "status.json.new").replace(state / "status.json")
def serve(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        tell(False)
        time.sleep(0.1)
tell(False)
if fate == "dies":
    serve(1)
    sys.exit("queuekeeper: something broke")
if fate in ("finishes", "parks"):
    serve(1)
    tell(True)
    Path("goodbye").touch()
    sys.exit(0)
serve(3600)
"""

HARVESTER = """
import sys, time
from pathlib import Path
given = dict(word[2:].split("=", 1) for word in sys.argv[1:])
print(sys.argv[1:])
if given["instance"] == Path(__file__).with_name("unlucky").read_text():
    sys.exit("harvester: no luck")
with open("joined", "a") as joined:
    joined.write("x")
while not Path("goodbye").exists():
    if Path("full").exists():
        Path("joined").unlink(missing_ok=True)
        sys.exit("harvester: cannot write corpus/a.txt: No space left on device")
    time.sleep(0.1)
"""


CALL = """
import pathlib, sys
from txtr.launcher.program import main
sys.exit(main(sys.argv[2:], pathlib.Path(sys.argv[1])))
"""


class Place:
    """A directory with a start list and the fake programs beside it."""

    def __init__(self, directory):
        self.programs = directory / "programs"
        self.here = directory / "crawl dir"
        self.programs.mkdir()
        self.here.mkdir()
        (self.programs / "queuekeeper.py").write_text(QUEUEKEEPER)
        (self.programs / "harvester.py").write_text(HARVESTER)
        (self.here / "urls.txt").write_text("http://example.cz/")
        (self.programs / "unlucky").write_text("nobody")
        self.fate("serves")

    def fate(self, word):
        (self.programs / "fate").write_text(word)

    def start(self, *words, directory="."):
        """The start script, running."""
        return subprocess.Popen(
            [sys.executable, "-P", "-c", CALL, str(self.programs), *words],
            cwd=self.here / directory,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words, directory="."):
        """The start script's exit code, output and complaints."""
        script = self.start(*words, directory=directory)
        out, complaints = script.communicate(timeout=60)
        return script.returncode, out, complaints

    def pids(self):
        path = self.here / "PID.txt"
        return [int(word) for word in path.read_text().split()] if path.is_file() else []

    def living(self):
        return [pid for pid in self.pids() if is_running(pid)]

    def processes(self):
        """All that run in this directory, also those that PID.txt does not name."""
        found = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
        return sorted(pid for pid in found if is_running(pid) and works_in(pid, self.here))


def works_in(pid, directory):
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == directory.resolve()
    except OSError:
        return False


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return f"--port={door.getsockname()[1]}"


def read(path):
    return path.read_text("utf-8") if path.exists() else ""
