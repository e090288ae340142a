"""The outlook of an address, beside the bound of bench/politeness.py, which is proved by trying all."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench.politeness import RULES as BENCH
from bench.politeness import ideal_makespan
from txtr.frontier.outlook import (
    Stock,
    has_better_ended,
    least_time,
    least_time_alone,
    outlook,
    urgent_within,
)
from txtr.manners.rules import Rules

RULES = Rules(**BENCH._asdict())


@given(st.lists(st.integers(1, 90), min_size=1, max_size=9))
def test_the_outlook_of_known_domains_is_a_pause_and_the_ideal(counts: list[int]) -> None:
    """No schedule that keeps the four rules is shorter."""
    expected = RULES.general_pause + ideal_makespan(counts, BENCH)
    assert outlook([Stock(count) for count in counts], RULES) == pytest.approx(expected)


@given(st.lists(st.integers(0, 90), min_size=1, max_size=9), st.integers(0, 9))
def test_the_outlook_never_improves_by_more_to_do(counts: list[int], which: int) -> None:
    """Otherwise series would end for the wrong reasons."""
    more = [count + (place == which) for place, count in enumerate(counts)]
    assert outlook([Stock(n) for n in counts], RULES) <= outlook([Stock(n) for n in more], RULES)


def test_nothing_to_do_takes_no_time() -> None:
    """Not even a pause."""
    assert least_time([], RULES) == 0.0
    assert outlook([Stock(0, left=5)], RULES) == 0.0


def test_a_new_domain_may_have_many_pages() -> None:
    """One link is known; the outlook counts with more than one series."""
    assert outlook([Stock(1, is_new=True)], RULES) > outlook([Stock(20)], RULES)
    assert outlook([Stock(200, is_new=True)], RULES) == outlook([Stock(200)], RULES)


def test_a_series_of_small_domains_ends_for_a_new_one() -> None:
    """What is left of them fits beside the new one, which may need several series."""
    small = [Stock(3, left=18), Stock(5, left=18)]
    assert has_better_ended([*small, Stock(1, is_new=True)], RULES)


def test_a_series_goes_on_while_its_domains_are_the_longest() -> None:
    """They decide how long the address takes: every column without them is lost."""
    large = [Stock(60, left=18), Stock(60, left=18), Stock(60, left=18)]
    assert not has_better_ended([*large, Stock(1, is_new=True)], RULES)
    assert not has_better_ended([*large, Stock(10)], RULES)


def test_a_series_is_not_ended_for_nothing() -> None:
    """An end that is only as good as any other would come after every request."""
    assert not has_better_ended(
        [Stock(18, left=18), Stock(18, left=18), Stock(18, left=18), Stock(20)], RULES
    )


@given(st.lists(st.builds(Stock, st.integers(0, 50), st.integers(0, 20), st.booleans()), max_size=8))
def test_without_delays_and_pauses_nothing_is_gained_by_ending(stocks: list[Stock]) -> None:
    """Rules of zero are for servers of one's own: no series ends early there."""
    free = Rules(req_delay=0.0, max_hosts=3, max_reqs=20, general_pause=0.0)
    assert not has_better_ended(stocks, free)


def test_a_series_ends_when_a_domain_needs_one_series_fewer() -> None:
    """Ten columns on, the large one has two quotas left: until then it loses by an end, then no more."""
    new = [Stock(1, is_new=True)] * 3
    assert not has_better_ended([Stock(50, left=18), *new], RULES, horizon=30.0)
    assert has_better_ended([Stock(40, left=8), *new], RULES, horizon=30.0)


def test_an_address_with_time_to_spare_looks_at_those_it_does_not_know() -> None:
    """A crawl lasts as long as its slowest address: before that, only what may take longer counts."""
    small = [Stock(7, left=18), Stock(13, left=18), Stock(7, left=18)]
    new = [Stock(1, is_new=True)] * 3
    assert not has_better_ended([*small, *new], RULES)
    assert has_better_ended([*small, *new], RULES, horizon=38.0)


def test_a_new_domain_may_be_as_large_as_the_largest_of_the_crawl() -> None:
    """Six quotas elsewhere: one like that would come a whole series late. Where sixty are, no matter."""
    stocks = [Stock(57, left=18), Stock(61, left=18), Stock(59, left=18), Stock(1, is_new=True)]
    assert has_better_ended(stocks, RULES, horizon=81.0)
    assert not has_better_ended(stocks, RULES, horizon=810.0)
    assert not has_better_ended(stocks, RULES)


@given(st.lists(st.builds(Stock, st.integers(0, 50), st.integers(0, 20), st.booleans()), max_size=8))
@example([Stock(23, 3, True), Stock(28, 3), Stock(40, 3), Stock(40, 3)])  # they differ by rounding only
def test_before_a_horizon_far_away_the_shorter_outlook_is_better_as_ever(stocks: list[Stock]) -> None:
    """Where one address takes days, the others are planned as if it were not there."""
    assert has_better_ended(stocks, RULES, horizon=1e6) == has_better_ended(stocks, RULES, horizon=0.0)


@given(st.integers(1, 200), st.integers(0, 20))
def test_a_domain_alone_takes_what_is_left_of_the_series_and_then_the_ideal(count: int, left: int) -> None:
    """No schedule that keeps the four rules is shorter."""
    rest = count - left
    then = RULES.general_pause + ideal_makespan([rest], BENCH) if rest > 0 else 0.0
    assert least_time_alone(Stock(count, left), RULES) == pytest.approx(
        min(count, left) * RULES.req_delay + then
    )


def test_a_domain_is_urgent_if_the_address_would_wait_for_it() -> None:
    """Sixty pages need three series: 44 s, if it is not in the next, and nobody else needs so long."""
    stocks = [Stock(60), Stock(5), Stock(1, is_new=True), Stock(1, is_new=True)]
    assert 40.0 < urgent_within(60, stocks, RULES) <= 50.0
    assert urgent_within(60, [*stocks, *[Stock(20)] * 12], RULES) < 0.0
