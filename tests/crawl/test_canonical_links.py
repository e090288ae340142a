"""Canonical links: what a page says of another one neither keeps that out of the corpus nor stands for it."""

import pytest

from tests.crawl.evidence import failures, records
from tests.village.hostile import beside
from tests.village.run import crawl

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.05, "max_hosts": 3, "max_reqs": 40, "general_pause": 0.5}
PLACES = ["lhar0", "lhar1", "lhar2", "lhar3", "obet"]


def test_each_page_with_a_text_of_its_own_is_kept(tmp_path):
    """Four pages said that they were the fifth, and were fetched first; the sixth is a copy of the fifth."""
    outcome = crawl(beside(("canonical-links-to-others",)), tmp_path, options=OPTIONS, timeout=60)
    assert failures(outcome) == {}
    texts = outcome.markers()
    assert {place: texts[f"značka-{place}-konec"] for place in PLACES} == dict.fromkeys(PLACES, 1)
    kept = {str(record["url"]).rpartition("/")[2] for record in records(outcome)}
    assert set(PLACES) - {"obet"} < kept and len(kept & {"obet", "kopie"}) == 1
