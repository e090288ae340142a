"""The big village: 300 hosts on 120 addresses, crawled by four harvesters, audited from its own log."""

import pytest

from tests.crawl.evidence import failures, fetched_amiss, records, texts_amiss, trespasses
from tests.village.run import crawl
from tests.village.village import big

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.1, "max_hosts": 3, "max_reqs": 20, "general_pause": 1.0}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return crawl(big, tmp_path_factory.mktemp("big"), harvesters=4, options=OPTIONS, timeout=150)


def test_no_rule_is_broken(outcome):
    """0 violations of any rule, of robots.txt; 0 double fetches of a page."""
    assert outcome.violations() == []


def test_every_page_that_may_be_fetched_is_fetched_once(outcome):
    """Every reachable allowed page fetched."""
    assert fetched_amiss(outcome) == {}


def test_nothing_that_robots_txt_or_a_page_forbids_is_fetched(outcome):
    """0 violations of robots.txt or meta tags."""
    assert trespasses(outcome) == []


def test_each_text_is_kept_once_and_noindex_texts_are_not(outcome):
    """Each page's text once; noindex keeps the text out of the corpus."""
    assert texts_amiss(outcome) == {}
    urls = [record["url"] for record in records(outcome)]
    assert len(urls) == len(set(urls)) == len(outcome.web.kept)


def test_what_may_not_be_visited_is_listed(outcome):
    """Spec 8: --disallowed-target, the file listing the URLs that the robot may not visit."""
    listed = (outcome.directory / "disallowed.txt").read_text().split()
    private = {url.partition("?")[0] for url in outcome.web.never_fetch if "/private/" in url}
    assert len(listed) == len(set(listed))
    assert set(listed) == private


def test_everybody_goes_home_when_nothing_is_left(outcome):
    """All processes exit 0 within seconds, not a general pause later."""
    assert failures(outcome) == {}
