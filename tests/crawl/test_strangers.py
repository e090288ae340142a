"""Strangers on the queuekeeper's port: whatever they say or do not say, the crawl goes on unharmed."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress

import pytest

from tests.crawl.evidence import failures, fetched_amiss, texts_amiss, trespasses
from tests.village.run import ROOT, crawl
from tests.village.village import big
from txtr.wire import frames
from txtr.wire.messages import VERSION, Ask, Hello

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.2, "max_hosts": 3, "max_reqs": 20, "general_pause": 1.0}
SILENT = 200  # connections that say nothing
PATIENCE = 11.0  # seconds: a little more than the queuekeeper has with somebody who says nothing
HELLO = frames.encode(Hello(VERSION, "harvester-of-nobody", "00"))
SAYINGS = {
    "garbage": bytes(range(255, 0, -1)) * 40,
    "a browser": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "zeros": bytes(1 << 20),
    "half a frame": HELLO[: len(HELLO) // 2],
    "half a handshake": HELLO,
    "work without a handshake": frames.encode(Ask(0, 0, 0.0)),
    "a boast": (0xFFFFFFFF).to_bytes(4, "big") + b"x" * 1000,
}
# The harvester as it would be after the conversation has changed.
OTHER_VERSION = """
import sys
import txtr.wire.messages
txtr.wire.messages.VERSION = 99
from txtr.harvester.program import main
sys.exit(main(sys.argv[1:]))
"""


def medium(port):
    return big(port, hosts=45, addresses=15, pages=40, seed=6)


class Harassment:
    """What happens to the queuekeeper during the crawl, and what the uninvited were told."""

    def __init__(self, directory):
        self.directory = directory
        self.ends = {}  # who -> (exit code, what it said)
        for name, tree in (("secret.txt", "dubový"), ("guess.txt", "lipový")):
            (directory / name).touch(0o600)
            (directory / name).write_text(f"{tree} list\n")

    def __call__(self, running):
        port = running.options["port"]
        running.wait_until(lambda entries: bool(entries))
        with ExitStack() as open_doors:
            for _ in range(SILENT):
                open_doors.enter_context(socket.create_connection(("127.0.0.1", port)))
            patience_ends = time.monotonic() + PATIENCE
            for words in SAYINGS.values():
                open_doors.enter_context(talk(port, words))
                talk(port, words).close()  # the same from somebody who does not wait for an answer
            self.uninvited(running)
            time.sleep(max(0.0, patience_ends - time.monotonic()))
            assert running.programs["queuekeeper"].poll() is None, (
                "the crawl ended too early to prove anything"
            )

    def uninvited(self, running):
        """Harvesters that may not join."""
        script = [str(ROOT / "harvester.py")]
        calls = {
            "wrong secret": self.harvester(running, script, "spy", "guess.txt"),
            "wrong version": self.harvester(running, ["-c", OTHER_VERSION], "modern", "secret.txt"),
            "same name": self.harvester(running, script, "harvester-1", "secret.txt"),
        }
        for who, call in calls.items():
            _, said = call.communicate(timeout=30)
            self.ends[who] = (call.returncode, said)

    def harvester(self, running, program, name, secret):
        given = ["--config=", "--contact=a@b.cz", f"--port={running.options['port']}", f"--instance={name}"]
        return subprocess.Popen(
            [sys.executable, *program, *given, f"--secret-file={secret}"],
            cwd=self.directory,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )


def talk(port, words):
    """Say something; the queuekeeper may hang up before we have said it all."""
    stranger = socket.create_connection(("127.0.0.1", port))
    with suppress(OSError):
        stranger.sendall(words)
    return stranger


@pytest.fixture(scope="module")
def harassed(tmp_path_factory):
    directory = tmp_path_factory.mktemp("harassed")
    harassment = Harassment(directory)
    options = OPTIONS | {"secret_file": "secret.txt"}
    return crawl(medium, directory, 3, options, timeout=90, during=harassment), harassment


def test_the_crawl_is_unharmed(harassed):
    """A stranger or garbage on the port harms nobody."""
    outcome, _ = harassed
    assert failures(outcome) == {}
    assert outcome.violations() == []
    assert fetched_amiss(outcome) == texts_amiss(outcome) == {}
    assert trespasses(outcome) == []


def test_every_stranger_is_logged(harassed):
    """Issue: ... and is logged."""
    outcome, _ = harassed
    diary = (outcome.directory / "log/queuekeeper.log").read_text().splitlines()
    strangers = [line for line in diary if line.split()[2] in ("stranger", "rejected")]
    times = [re.search(r" times=(\d+)$", line) for line in strangers]  # of what is said again and again
    assert sum(int(found[1]) if found else 1 for found in times) >= SILENT + 2 * len(SAYINGS) + 3
    assert all(" 127.0.0.1 reason=" in line for line in strangers)


@pytest.mark.parametrize(
    ("who", "reason"),
    [
        ("wrong secret", "does not know the secret"),
        ("wrong version", f"harvester speaks version 99 of the conversation, the queuekeeper {VERSION}"),
        ("same name", "a harvester called harvester-1 is here already"),
    ],
)
def test_a_harvester_that_may_not_join_is_told_why(harassed, who, reason):
    """Version handshake, shared secret, challenge-response."""
    code, said = harassed[1].ends[who]
    assert (code, said) == (1, f"harvester: the queuekeeper refuses us: {reason}\n")
