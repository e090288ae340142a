"""The four rules as nginx saw them: a web server's own access log shows them exactly so."""

import warnings
from collections import Counter

import pytest

from tests.crawl.evidence import failures, fetched_amiss, texts_amiss, trespasses
from tests.crawl.nginx import PROGRAM, NginxCrawl
from tests.village.village import big

OPTIONS = {"req_delay": 0.3, "max_hosts": 2, "max_reqs": 8, "general_pause": 1.5}

if not PROGRAM:
    warnings.warn("NGINX IS MISSING: the rules are not proved from its log", stacklevel=1)
pytestmark = [pytest.mark.web, pytest.mark.skipif(not PROGRAM, reason="NGINX IS MISSING")]


def small(port):
    """Some twenty addresses with several server names each."""
    return big(port, hosts=60, addresses=20, pages=18, seed=5)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    with NginxCrawl(small, tmp_path_factory.mktemp("crawl"), OPTIONS) as running:
        running.start_queuekeeper()
        for _ in range(3):
            running.add_harvester()
        return running.finish(timeout=150)


def test_no_rule_is_broken_in_the_eyes_of_nginx(outcome):
    """The four rules, exactly, as a web server's own access log shows them. No tolerance."""
    assert outcome.violations() == []


def test_nginx_gave_every_page_once(outcome):
    """0 double fetches, every reachable allowed page fetched, each text once."""
    assert failures(outcome) == {}
    assert fetched_amiss(outcome) == {}
    assert trespasses(outcome) == []
    assert texts_amiss(outcome) == {}


def test_the_log_is_one_that_could_show_violations(outcome):
    """Several domains on one address, some of which need more than one series."""
    domains = {(entry.address, entry.host) for entry in outcome.entries}
    crowds = Counter(address for address, _ in domains)
    requests = Counter(entry.host for entry in outcome.entries)
    assert len(crowds) == 20
    assert max(crowds.values()) > OPTIONS["max_hosts"]
    assert max(requests.values()) > 2 * OPTIONS["max_reqs"]
