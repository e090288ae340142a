"""Overdue: batches that nobody answers."""

from txtr.queuekeeper.supervision import SILENCE, Overdue


def test_a_batch_without_news_is_overdue() -> None:
    """Spec 6: a batch that is not answered for long goes back to the queue."""
    overdue = Overdue()
    overdue.dealt(1, longest_delay=30, now=0)
    assert overdue.overdue(SILENCE + 30) == []
    assert overdue.overdue(SILENCE + 31) == [1]


def test_news_gives_a_batch_more_time() -> None:
    """Spec 7: a batch may take over forty minutes."""
    overdue = Overdue()
    overdue.dealt(1, longest_delay=30, now=0)
    overdue.heard(1, now=500)
    assert overdue.overdue(SILENCE + 31) == []


def test_a_top_up_with_a_longer_delay_gives_more_time() -> None:
    """Spec 2, beyond: a Crawl-delay may be longer than our silence."""
    overdue = Overdue()
    overdue.dealt(1, longest_delay=5, now=0)
    overdue.dealt(1, longest_delay=5000, now=10)
    overdue.dealt(1, longest_delay=5, now=20)
    assert overdue.overdue(SILENCE + 5000) == []
    assert overdue.overdue(SILENCE + 5021) == [1]


def test_nothing_is_expected_of_a_batch_that_has_ended_or_never_was() -> None:
    """A late word about it does not bring it back."""
    overdue = Overdue()
    overdue.dealt(1, longest_delay=5, now=0)
    overdue.ended(1)
    overdue.ended(1)
    overdue.heard(1, now=1)
    overdue.heard(7, now=1)
    assert overdue.overdue(1e9) == []
    assert not overdue.longest
