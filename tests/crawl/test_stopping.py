"""A crawl is stopped in the middle and started again with the same command: it goes on where it was."""

from collections import defaultdict

import pytest

from tests.crawl.evidence import failures, fetched_amiss, texts_amiss, trespasses
from tests.village.run import Crawl
from tests.village.village import big

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
    """Issue: kill `cat PID.txt` ends everything cleanly."""
    first, both = runs
    assert failures(first) == failures(both) == {}
    assert 250 < len(first.entries) < len(both.entries) * 0.8  # it was in the middle


def test_the_second_run_fetches_the_rest_and_nothing_again(runs):
    """Issue: resumes; 0 double fetches of a page."""
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
