"""Hostile callers at the port of a queuekeeper that may open as few files as on most systems."""

import pytest

from tests.crawl.test_hostile_hosts import MOST_MEMORY, MOST_STEP, STOP_HEARD, course, is_pace_kept, too_much
from tests.village.hostile_callers import CALLERS

pytestmark = pytest.mark.web

TO_QUEUEKEEPERS = [name for name in CALLERS if name != "frames-that-never-end"]


@pytest.mark.parametrize("callers", TO_QUEUEKEEPERS)
def test_a_crawl_does_not_notice_callers_that_are(callers):
    """Found by attack: 1,010 silent connections ended the queuekeeper; no secret was needed."""
    seen = course(callers=callers)
    assert is_pace_kept(callers=callers)
    assert (seen.lost, seen.stumbles) == ([], {})
    assert too_much(seen.steps, dict.fromkeys(("queuekeeper", "harvester"), MOST_STEP)) == {}
    assert too_much(seen.memory, MOST_MEMORY) == {}
    assert max(seen.heard_after, seen.asked_after) <= STOP_HEARD
