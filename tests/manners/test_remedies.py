"""Remedies: what is done about each kind of trouble."""

from itertools import pairwise

import pytest

from txtr.manners.remedies import LONGEST_SLEEP, REMEDIES, Blame, seconds_of_sleep
from txtr.model import Trouble


@pytest.mark.parametrize("trouble", list(Trouble))
def test_every_trouble_has_its_remedy(trouble: Trouble) -> None:
    """Style 4: one table of records."""
    remedy = REMEDIES[trouble]
    assert remedy.tries >= 1
    assert remedy.patience >= 1


@pytest.mark.parametrize(
    "trouble", [name for name, remedy in REMEDIES.items() if remedy.blame is Blame.DOMAIN]
)
def test_a_blamed_domain_is_left_alone_longer_each_time(trouble: Trouble) -> None:
    """Spec 2: rather slow down than overload someone's line."""
    naps = [seconds_of_sleep(trouble, in_a_row, 30.0, None) for in_a_row in range(1, 6)]
    assert naps[0] >= 30
    assert all(later == 2 * earlier for earlier, later in pairwise(naps))
    assert REMEDIES[trouble].patience >= REMEDIES[trouble].tries


@pytest.mark.parametrize(
    "wish,given",
    [
        (None, 60.0),
        (5.0, 60.0),
        (500.0, 500.0),
        (1e12, LONGEST_SLEEP),
        (float("inf"), LONGEST_SLEEP),
        (float("nan"), 60.0),
        (-1.0, 60.0),
    ],
)
def test_retry_after_is_kept_when_it_is_longer_and_makes_sense(wish: float | None, given: float) -> None:
    """Spec 2, beyond: Retry-After, but no server puts itself away for longer than a day."""
    assert seconds_of_sleep(Trouble.BUSY, 1, 30.0, wish) == given


def test_no_number_of_troubles_is_too_many_to_count() -> None:
    """Doubling ends somewhere."""
    assert seconds_of_sleep(Trouble.BUSY, 10**9, 300.0, None) <= LONGEST_SLEEP


def test_who_was_kept_waiting_is_tried_oftener_and_nobody_is_blamed() -> None:
    """Back-pressure is ours; the document is tried again, and its domain is not left alone."""
    kept_waiting = REMEDIES[Trouble.KEPT_WAITING]
    assert kept_waiting.blame is Blame.PATH
    assert kept_waiting.tries > REMEDIES[Trouble.DROPPED].tries
