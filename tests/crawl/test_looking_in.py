"""python -m txtr.queue while a crawl is running: looking goes to the disk, orders go to the queuekeeper."""

import json
import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from tests.crawl.evidence import failures, fetched_amiss
from tests.village.run import ROOT, Crawl
from tests.village.village import big

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.5, "max_hosts": 3, "max_reqs": 20, "general_pause": 2.0}


def small(port):
    return big(port, hosts=12, addresses=6, pages=25, seed=9)


def ask(running, *argv):
    return subprocess.run(
        [sys.executable, "-m", "txtr.queue", *argv],
        cwd=running.directory,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def told(running, *argv):
    asked = ask(running, *argv, "--json")
    assert asked.returncode == 0, asked.stderr
    return json.loads(asked.stdout)


@pytest.fixture(scope="module")
def visited(tmp_path_factory):
    """A crawl that was looked into, and in which one domain was blocked; what was seen."""
    directory = tmp_path_factory.mktemp("visited")
    (directory / "secret.txt").write_text("dubový list\n")
    (directory / "guess.txt").write_text("lipový list\n")
    seen = {}
    with Crawl(small, directory, OPTIONS | {"secret_file": "secret.txt"}) as running:
        running.start_queuekeeper()
        for _ in range(2):
            running.add_harvester()
        running.wait_until(lambda entries: len(entries) > 60)
        most = max(told_domains(running), key=lambda row: row["queued"])
        seen["totals"] = told(running)
        seen["verify"] = ask(running, "verify")
        seen["export"] = ask(running, "export")
        seen["domain"] = most["domain"]
        seen["before"] = len(running.entries())
        seen["block"] = ask(running, "block", most["domain"])
        seen["blocked_at"] = len(running.entries())
        seen["url"] = told(running, "url", f"http://{most['domain']}:{running.web.port}/")
        seen["add"] = ask(running, "add", f"http://{most['domain']}/nove", "http://nikde.invalid/")
        seen["wrong secret"] = ask(running, "--secret-file=guess.txt", "drop", "nikde.invalid")
        seen["wrong port"] = ask(running, "--port=1", "drop", "nikde.invalid")
        seen["compact"] = ask(running, "compact")
        seen["repair"] = ask(running, "verify", "--repair")
        outcome = running.finish(timeout=120)
        seen["verify at the end"] = ask(running, "verify")
        seen["totals at the end"] = told(running)
    return outcome, seen


def told_domains(running):
    asked = ask(running, "domains", "--json", "--limit=100")
    assert asked.returncode == 0, asked.stderr
    return [json.loads(line) for line in asked.stdout.splitlines()]


def test_a_running_crawl_can_be_looked_into(visited):
    """Works on a running state."""
    _, seen = visited
    assert seen["totals"]["queued"] + seen["totals"]["in_batches"] > 0
    assert seen["totals"]["settled"]["kept"] > 10
    assert (seen["verify"].returncode, seen["verify"].stdout) == (0, "everything is as it should be\n")
    assert len(seen["export"].stdout.splitlines()) >= seen["totals"]["settled"]["kept"]


def test_a_domain_that_is_blocked_is_not_contacted_again(visited):
    """From the server's log: at most what was under way when the order was given."""
    outcome, seen = visited
    assert seen["block"].returncode == 0, seen["block"].stderr
    assert seen["block"].stdout.startswith(f"{seen['domain']}: blocked")
    later = [entry for entry in outcome.entries[seen["blocked_at"] :] if entry.host == seen["domain"]]
    assert len(later) <= 1
    assert seen["url"]["domain"][0] == "blocked"
    assert seen["totals at the end"]["parked"] > 0


def test_everything_else_is_fetched_as_usual(visited):
    outcome, seen = visited
    assert failures(outcome) == {}
    assert outcome.violations() == []
    met = {entry.host for entry in outcome.entries} - {seen["domain"]}  # not: whom only that one leads to
    assert {url for url in fetched_amiss(outcome) if urlsplit(url).hostname in met} == set()
    assert seen["verify at the end"].returncode == 0, seen["verify at the end"].stdout


def test_orders_are_answered_when_they_are_done(visited):
    _, seen = visited
    assert seen["add"].returncode == 0
    assert "left out: blocked" in seen["add"].stdout
    assert "http://nikde.invalid/: queued, 1 request" in seen["add"].stdout


def test_who_does_not_know_the_secret_or_the_place_is_told_so(visited):
    _, seen = visited
    assert seen["wrong secret"].returncode == 2
    assert "does not know the secret" in seen["wrong secret"].stderr
    assert seen["wrong port"].returncode == 2
    assert "127.0.0.1:1" in seen["wrong port"].stderr


def test_what_needs_the_state_to_itself_says_so(visited):
    _, seen = visited
    for name in ("compact", "repair"):
        assert seen[name].returncode == 2
        assert "a crawl is running; stop it first" in seen[name].stderr
