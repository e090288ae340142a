"""Harvesters die without a word, are frozen, and join at any time; the crawl loses nothing but time.

Every harvester has a contact of its own, so that the server's log tells who made a request.
"""

import random
import signal
import time
from collections import Counter, defaultdict

import pytest

from tests.crawl.evidence import records, stumbles, trespasses
from tests.village.run import CONTACT, crawl
from tests.village.village import Village, big, document
from txtr.demo.web import Host, gather, page

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.1, "max_hosts": 3, "max_reqs": 20, "general_pause": 1.0}
KILLS = 4
SLOWEST = 4.0  # seconds of one request, at most
FROZEN = 25.0  # seconds: longer than the queuekeeper waits for a silent harvester (wire/lease.py)
# A page is cleaned and reported within this time after its answer, even on a very busy machine;
# on an idle one it takes some 30 ms.
UNREPORTED = 3.0  # seconds


def medium(port):
    return big(port, hosts=80, addresses=30, pages=50, seed=3)


def long_lived(port):
    """Addresses with work for longer than a harvester is frozen; answers take a while."""
    hosts = [long_lived_host(number) for number in range(12)]
    seeds = [f"http://{host.name}:{port}/" for host in hosts]
    pages = [f"http://{host.name}:{port}{path}" for host in hosts for path in host.answers]
    kept = [f"značka-{number}-{place}-konec" for number in range(12) for place in range(PAGES)]
    return Village(
        port=port,
        hosts=gather(hosts),
        seeds=tuple(seeds),
        must_fetch=frozenset(pages),
        kept=frozenset(kept),
    )


PAGES = 30


def long_lived_host(number):
    paths = ["/", *(f"/{place}" for place in range(1, PAGES))]
    links = [f'<a href="{path}">dál</a>' for path in paths]
    texts = {
        path: page(document(f"značka-{number}-{place}-konec", links if path == "/" else []))
        for place, path in enumerate(paths)
    }
    return Host(f"dlouhy{number}.cz", f"127.76.0.{number // 2 + 1}", texts, wait=0.1)


def add(running, number):
    name = f"harvester-{number}"
    return running.add_harvester(name, contact=f"{CONTACT}/{name}")


def who(entry):
    """The harvester that made this request."""
    return entry.agent.rpartition("/")[2].rstrip(")")


def busiest(entries):
    return Counter(map(who, entries)).most_common(1)[0][0]


def doubles(outcome):
    """Pages that were brought more than once: for each, who brought it and when it was there."""
    brought = defaultdict(list)
    for entry in sorted(outcome.entries):
        if entry.status == 200 and not entry.is_robots:
            brought[entry.host, entry.path].append((who(entry), entry.end))
    return {page: visits for page, visits in brought.items() if len(visits) > 1}


def is_excused(visits, lost):
    """Had everybody but the last who brought it been lost before he could report it?"""
    return all(name in lost and lost[name] - end < UNREPORTED for name, end in visits[:-1])


def lost_texts(outcome):
    found = outcome.markers()
    return sorted(marker for marker in outcome.web.kept if not found[marker])


def stray_copies(outcome):
    """Texts that are in the corpus twice although their page was fetched once."""
    fetched_twice = {f"http://{host}:{outcome.web.port}{path}" for host, path in doubles(outcome)}
    urls = [record["url"] for record in records(outcome)]
    return sorted(url for url in set(urls) if urls.count(url) > 1 and url not in fetched_twice)


def assert_nothing_was_lost(outcome, lost):
    violations = [found for found in outcome.violations() if found.rule != "double-fetch"]
    unexcused = {page: visits for page, visits in doubles(outcome).items() if not is_excused(visits, lost)}
    never_fetched = outcome.web.must_fetch - outcome.fetched().keys()
    assert stumbles(outcome.directory) == {}
    assert violations == []
    assert unexcused == {}
    assert sorted(never_fetched) == trespasses(outcome) == []
    assert lost_texts(outcome) == stray_copies(outcome) == []


def test_harvesters_killed_at_random_moments_cost_nothing_but_time(tmp_path):
    """Spec 6: a dead harvester endangers nothing; harvesters can be added and removed at any time."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    killed = {}

    def slaughter(running):
        alive = ["harvester-1", "harvester-2", "harvester-3"]
        for name in alive:
            add(running, int(name[-1]))
        running.wait_until(lambda entries: len(entries) > 200)
        for number in range(4, 4 + KILLS):
            time.sleep(rng.uniform(0.2, 2.5))
            victim = alive.pop(rng.randrange(len(alive)))
            running.kill(victim)
            killed[victim] = time.monotonic()
            alive.append(add(running, number))

    outcome = crawl(medium, tmp_path, 0, OPTIONS, timeout=120, during=slaughter)
    assert {name for name, code in outcome.codes.items() if code == -signal.SIGKILL} == killed.keys()
    assert {code for name, code in outcome.codes.items() if name not in killed} == {0}
    assert_nothing_was_lost(outcome, killed)


def test_a_frozen_harvester_breaks_no_rule_when_it_wakes(tmp_path):
    """Others have been sent to its addresses meanwhile: it must not go on as if nothing had happened."""
    frozen = {}

    def freeze(running):
        for number in (1, 2, 3):
            add(running, number)
        running.wait_until(lambda entries: len(entries) > 40)
        victim = busiest(running.entries())
        running.programs[victim].send_signal(signal.SIGSTOP)
        frozen[victim] = time.monotonic()
        time.sleep(FROZEN)
        assert running.programs["queuekeeper"].poll() is None, "the crawl ended too early to prove anything"
        running.programs[victim].send_signal(signal.SIGCONT)

    options = OPTIONS | {"req_delay": 0.5, "max_hosts": 2, "total_timeout": SLOWEST}
    outcome = crawl(long_lived, tmp_path, 0, options, timeout=120, during=freeze)
    assert set(outcome.codes.values()) == {0}
    assert_nothing_was_lost(outcome, frozen)
