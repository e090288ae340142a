"""A crawl of one machine without --secret-file: it is commanded by its user only."""

import os
import stat
import subprocess
import sys

import pytest

from tests.crawl.evidence import fetched_amiss
from tests.village.run import CONTACT, ROOT, Crawl
from tests.village.village import big
from txtr.admin.visitor import Visitor
from txtr.errors import TxtrError

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.5, "max_hosts": 3, "max_reqs": 20, "general_pause": 2.0}


def small(port):
    return big(port, hosts=12, addresses=6, pages=25, seed=9)


def run(program, directory, *given):
    return subprocess.run(
        [sys.executable, *program, *given],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def diary(directory):
    return (directory / "log" / "queuekeeper.log").read_text()


@pytest.fixture(scope="module")
def commanded(tmp_path_factory):
    """A crawl that several tried to command, from a directory that is not its own; what they were told."""
    directory, elsewhere = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("elsewhere")
    seen = {}
    with Crawl(small, directory, OPTIONS) as running:
        running.start_queuekeeper()
        running.add_harvester()
        running.wait_until(lambda entries: bool(entries))
        state, port = directory / "state", running.options["port"]
        by_hand = [
            [str(ROOT / "harvester.py")],
            elsewhere,
            "--config=",
            f"--contact={CONTACT}",
            f"--port={port}",
        ]
        seen["harvester of nobody"] = run(*by_hand, "--instance=nobody")
        with pytest.raises(TxtrError) as refused:
            Visitor("127.0.0.1", port, b"")
        seen["order of nobody"] = str(refused.value)
        orders = ["-m", "txtr.queue"], elsewhere, "--config=", f"--state={state}"
        seen["order of the user"] = run(*orders, "block", "nikde.invalid")
        for name, secret in (("second", f"--state={state}"), ("third", f"--secret-file={state}/secret")):
            hosts = f"--hosts={directory}/hosts.txt"
            command = [sys.executable, *by_hand[0], *by_hand[2:], hosts, secret, f"--instance={name}"]
            running.programs[name] = subprocess.Popen(
                [*command, "--allow-private"], cwd=elsewhere, stdout=subprocess.DEVNULL
            )
            running.wait_until(lambda _, name=name: f" joined {name} " in diary(directory))
        running.kill("queuekeeper")
        running.start_queuekeeper("queuekeeper-again")
        del running.programs["queuekeeper"]
        outcome = running.finish(timeout=120)
    return outcome, seen


def test_who_does_not_know_the_secret_commands_nothing(commanded):
    """Found by attack: every user of the machine could drop, block, and report as a harvester."""
    outcome, seen = commanded
    refused, file = seen["harvester of nobody"], outcome.directory / "state" / "secret"
    assert (refused.returncode, stat.S_IMODE(file.stat().st_mode)) == (1, 0o600)
    how = f"does not know the secret; it is in {file}: give --state={file.parent} or --secret-file={file}"
    assert refused.stderr.endswith(f"harvester: the queuekeeper refuses us: {how}\n")
    assert how in seen["order of nobody"]


def test_its_user_commands_it_from_everywhere(commanded):
    """Orders and harvesters find the secret by the state, or are told the file."""
    outcome, seen = commanded
    assert seen["order of the user"].stdout.startswith("nikde.invalid: blocked"), seen["order of the user"]
    assert (outcome.codes["second"], outcome.codes["third"]) == (0, 0)


def test_harvesters_that_outlive_a_queuekeeper_are_known_to_the_next(commanded):
    outcome, _ = commanded
    assert set(outcome.codes.values()) == {0}
    assert diary(outcome.directory).count(" joined harvester-1 ") == 2
    assert fetched_amiss(outcome) == {}
