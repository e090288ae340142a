"""The queuekeeper is killed without a word and started again, alone, with all, and from a copy of its state.

Checked from the outside: by the servers' access log and by the corpus.
"""

import random
import shutil
import time

import pytest

from tests.crawl.evidence import records, stumbles
from tests.village.run import Crawl
from tests.village.village import big

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.1, "max_hosts": 3, "max_reqs": 20, "general_pause": 1.0}
KILLS = 8


def village(port):
    return big(port, hosts=60, addresses=25, pages=40, seed=5)


def texts_that_are_there_more_than_once(outcome):
    urls = [record["url"] for record in records(outcome)]
    return sorted(url for url in set(urls) if urls.count(url) > 1)


def assert_nothing_was_lost(outcome):
    found = outcome.markers()
    assert [violation for violation in outcome.violations() if violation.rule != "double-fetch"] == []
    assert sorted(outcome.web.must_fetch - outcome.fetched().keys()) == []
    assert sorted(marker for marker in outcome.web.kept if not found[marker]) == []
    assert texts_that_are_there_more_than_once(outcome) == []


def double_fetches(outcome):
    return [violation for violation in outcome.violations() if violation.rule == "double-fetch"]


def test_a_queuekeeper_killed_again_and_again_goes_on_where_it_was(tmp_path):
    """No document is lost or fetched again, no rule is broken across the restart."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    with Crawl(village, tmp_path, OPTIONS) as running:
        running.start_queuekeeper()
        for _ in range(3):
            running.add_harvester()
        running.wait_until(lambda entries: len(entries) > 100)
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.05, 1.5))
            running.kill("queuekeeper")
            time.sleep(rng.choice([0.0, 0.0, 0.5, 2.0]))
            running.start_queuekeeper()
        outcome = running.finish(timeout=150)
    assert set(outcome.codes.values()) == {0}, outcome.output()
    assert stumbles(tmp_path) == {}
    assert_nothing_was_lost(outcome)
    assert double_fetches(outcome) == []


def test_when_all_are_killed_the_same_command_goes_on(tmp_path):
    """Only what nobody had reported is fetched again, and no text is kept twice."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    with Crawl(village, tmp_path, OPTIONS) as running:
        for generation in range(4):
            running.start_queuekeeper()
            names = [running.add_harvester(f"harvester-{number}") for number in range(3)]
            if generation < 3:
                before = len(running.entries())
                running.wait_until(lambda entries, before=before: len(entries) > before + 100)
                time.sleep(rng.uniform(0.0, 1.0))
                for name in rng.sample(["queuekeeper", *names], 4):
                    running.kill(name)
        outcome = running.finish(timeout=150)
    assert set(outcome.codes.values()) == {0}, outcome.output()
    assert_nothing_was_lost(outcome)
    assert len(double_fetches(outcome)) <= 3 * 3 * 40  # at most what three harvesters had under way


def test_a_copy_of_the_state_taken_at_any_moment_is_a_state(tmp_path):
    """As after a power failure; files are copied one after the other while they are written."""
    rng = random.Random(7)
    with Crawl(village, tmp_path, OPTIONS) as running:
        running.start_queuekeeper()
        names = [running.add_harvester(f"harvester-{number}") for number in range(3)]
        running.wait_until(lambda entries: len(entries) > 200)
        for number in range(5):
            time.sleep(rng.uniform(0.0, 0.3))
            shutil.copytree(tmp_path / "state", tmp_path / f"copy{number}", dirs_exist_ok=True)
        for name in ["queuekeeper", *names]:
            running.kill(name)
        shutil.rmtree(tmp_path / "state")
        (tmp_path / "copy4").rename(tmp_path / "state")
        running.start_queuekeeper()
        for name in names:
            running.add_harvester(name)
        outcome = running.finish(timeout=150)
    assert set(outcome.codes.values()) == {0}, outcome.output()
    assert_nothing_was_lost(outcome)
