"""The announcement: what the user is told to type is what helps."""

import pytest

from txtr.config.options import Options
from txtr.launcher import announcement


def test_requests_that_are_parked_are_told_of_with_the_remedy():
    """Found by a new user: nothing was fetched for a day, and nothing said why or what to do."""
    said = "\n".join(announcement.parked(2, Options(state="elsewhere")))
    assert said.startswith("2 requests are parked: ")
    assert "--allow-private" in said
    assert "sh texttractor.sh queue domain NAME --state=elsewhere)" in said
    assert "sh texttractor.sh queue retry NAME --state=elsewhere," in said
    assert "what has failed there, too" in said


def test_nothing_is_said_where_nothing_is_parked():
    """A crawl that has done all it could just ends."""
    assert announcement.parked(0, Options()) == []


@pytest.mark.parametrize(
    "more, told", [(1, "1 more request was answered"), (4, "4 more requests were answered")]
)
def test_a_crawl_that_is_finished_at_once_tells_what_it_has_done(more, told):
    """Found by a new user: it said that nothing was left to do, and had fetched four pages."""
    assert told in announcement.finished_soon(more, Options())[0]
