"""Slowdown: a domain that shows signs of strain is asked less often."""

from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.manners.slowdown import MOST_FACTOR, Slowdown


def test_a_busy_answer_doubles_the_delay() -> None:
    """Spec 2, beyond: 429 and 503 slow the domain down."""
    slowdown = Slowdown()
    slowdown.was_busy()
    assert slowdown.delay(2.0, None) == 4.0
    slowdown.was_busy()
    assert slowdown.delay(2.0, None) == 8.0


def test_quick_answers_bring_it_back_to_normal() -> None:
    """Nobody is punished for ever."""
    slowdown = Slowdown()
    slowdown.was_busy()
    for _ in range(10):
        slowdown.answered(0.1)
    assert slowdown.delay(2.0, None) == 2.0


def test_a_server_that_answers_slower_than_it_used_to_gets_a_longer_delay() -> None:
    """Spec 2, beyond."""
    slowdown = Slowdown()
    for _ in range(10):
        slowdown.answered(1.0)
    slowdown.answered(5.0)
    assert slowdown.delay(2.0, None) == 10.0


def test_a_server_that_was_always_slow_is_asked_as_usual() -> None:
    """It is the change that shows strain."""
    slowdown = Slowdown()
    for _ in range(10):
        slowdown.answered(8.0)
    assert slowdown.delay(2.0, None) == 2.0


def test_a_longer_crawl_delay_counts() -> None:
    """Spec 2, beyond: Crawl-delay when longer than ours."""
    assert Slowdown().delay(2.0, 10.0) == 10.0
    assert Slowdown().delay(2.0, 1.0) == 2.0
    assert Slowdown().delay(2.0, None) == 2.0


@settings(max_examples=100)
@given(st.lists(st.one_of(st.none(), st.floats()), max_size=20))
def test_the_delay_is_never_shorter_than_req_delay_nor_without_bounds(answers: list[float | None]) -> None:
    """The invariant, whatever times are reported: NaN, infinite, negative."""
    slowdown = Slowdown()
    for took in answers:
        if took is None:
            slowdown.was_busy()
        else:
            slowdown.answered(took)
        assert 2.0 <= slowdown.delay(2.0, None) <= 2.0 * MOST_FACTOR
