"""A crawl is stopped in the middle and started again with the same command: it goes on where it was."""

import signal
import time
from collections import defaultdict

import pytest

from tests.crawl.evidence import failures, fetched_amiss, texts_amiss, trespasses
from tests.village.run import Crawl
from tests.village.village import NOINDEX, Village, big, document
from txtr.demo.web import Host, gather, page

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.1, "max_hosts": 3, "max_reqs": 10, "general_pause": 3.0}
NAMES = ("queuekeeper", "harvester-1", "harvester-2", "harvester-3")


def medium(port):
    return big(port, hosts=60, addresses=40, pages=30, seed=4)


def start(running):
    running.start_queuekeeper()
    for name in NAMES[1:]:
        running.add_harvester(name)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs over one web: what came of the first, and of both together."""
    with Crawl(medium, tmp_path_factory.mktemp("stopped"), OPTIONS) as running:
        start(running)
        running.wait_until(lambda entries: len(entries) > 250)
        for name in NAMES:
            running.terminate(name)
        first = running.finish(timeout=20)
        start(running)
        return first, running.finish(timeout=120)


def test_everybody_ends_well_when_told_to_stop(runs):
    """Kill `cat PID.txt` ends everything cleanly."""
    first, both = runs
    assert failures(first) == failures(both) == {}
    assert 250 < len(first.entries) < len(both.entries) * 0.8  # it was in the middle


def test_the_second_run_fetches_the_rest_and_nothing_again(runs):
    """Resumes; 0 double fetches of a page."""
    _, both = runs
    assert fetched_amiss(both) == {}
    assert trespasses(both) == []
    assert texts_amiss(both) == {}


def test_no_rule_is_broken_over_both_runs(runs):
    """The server does not care how often the robot was started."""
    _, both = runs
    assert both.violations() == []


def test_addresses_rest_across_the_restart(runs):
    """Rule 4: every address has its general pause between the last request before and the first after."""
    first, both = runs
    before, after = defaultdict(list), defaultdict(list)
    for number, entry in enumerate(both.entries):
        (before if number < len(first.entries) else after)[entry.address].append(entry)
    pauses = {
        address: min(entry.start for entry in after[address]) - max(entry.end for entry in before[address])
        for address in before.keys() & after.keys()
    }
    assert min(pauses.values()) >= OPTIONS["general_pause"]


def unclaimed(port):
    """Pages that harvesters report at length, and without asking whether they may keep them."""
    paths = [f"/{number}" for number in range(40)]
    links = [f'<a href="{path}">dál</a>' for path in paths]
    links += [f'<a href="http://jinde.cz/{number:050d}">jinam</a>' for number in range(500)]
    text = page(document("značka-žádná-konec", links, NOINDEX[0]["head"]))
    hosts = [
        Host(f"nic{number}.cz", f"127.76.1.{number + 1}", dict.fromkeys(paths, text)) for number in range(9)
    ]
    return Village(
        port=port,
        hosts=gather(hosts),
        seeds=tuple(f"http://{host.name}:{port}/0" for host in hosts),
        must_fetch=frozenset(f"http://{host.name}:{port}{path}" for host in hosts for path in paths),
    )


def test_what_harvesters_report_while_the_queuekeeper_is_held_up_is_not_lost(tmp_path):
    """Found on a busy machine: when it said goodbye, they had reported and gone, and it read no further."""
    with Crawl(
        unclaimed, tmp_path, OPTIONS | {"max_reqs": 40, "general_pause": 1.0, "exclude": "jinde"}
    ) as running:
        start(running)
        running.wait_until(lambda entries: len(entries) > 150)
        keeper = running.programs["queuekeeper"]
        keeper.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        for name in NAMES:
            running.terminate(name)
        time.sleep(1.0)
        keeper.send_signal(signal.SIGCONT)
        running.finish(timeout=20)
        start(running)
        outcome = running.finish(timeout=60)
    assert failures(outcome) == fetched_amiss(outcome) == {}
    assert outcome.violations() == []
