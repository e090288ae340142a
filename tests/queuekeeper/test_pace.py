"""Pace: how many rows make one column last req-delay."""

import pytest

from txtr.queuekeeper.batches import FEWEST_ROWS, FIRST_GUESS, row_length, rows_wanted


@pytest.mark.parametrize(
    "req_delay,seconds,rows",
    [(30.0, 0.1, 300), (30.0, 0.0, 30 / FIRST_GUESS), (0.5, 0.1, FEWEST_ROWS), (30.0, 1e-6, 20_000)],
)
def test_a_column_lasts_req_delay(req_delay: float, seconds: float, rows: float) -> None:
    """Spec 7: as many rows as are needed for one column to take at least req-delay."""
    assert rows_wanted(req_delay, seconds, most=20_000) == rows


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), float("-inf"), -1.0, 5e-324, -0.0, 1.8e308])
@pytest.mark.parametrize("req_delay", [0.0, 30.0, 1e9])
def test_a_senseless_measurement_harms_nobody(req_delay: float, seconds: float) -> None:
    """A harvester that reported NaN broke the queuekeeper's connection to it without a word."""
    assert FEWEST_ROWS <= rows_wanted(req_delay, seconds, most=1000) <= 1000


def test_the_most_is_never_exceeded() -> None:
    """It bounds the size of a message."""
    assert rows_wanted(30, 0.1, most=3) == 3


def test_slow_servers_need_more_rows_where_there_is_no_delay() -> None:
    """Eight rows at servers that take half a second left the processor idle most of the time."""
    assert rows_wanted(0.0, 0.005, most=20_000, answer=0.5) == 100
    assert rows_wanted(30.0, 0.1, most=20_000, answer=1.0) == 310


def test_servers_that_answer_at_once_and_send_slowly_need_more_rows() -> None:
    """Rows were counted by the first byte only: eight of them waited for slow bodies all the time."""
    assert rows_wanted(0.0, 0.005, most=20_000, answer=0.001, body=0.5) == 101


def test_a_body_that_comes_within_the_delay_needs_no_more_rows() -> None:
    """Rule req-delay counts from the first byte: the row would have waited anyway."""
    assert rows_wanted(30.0, 0.1, most=20_000, body=20.0) == 300
    assert rows_wanted(30.0, 0.1, most=20_000, body=40.0) == 400


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0, 1e300])
def test_a_senseless_time_of_servers_counts_for_nothing(seconds: float) -> None:
    """A harvester may say anything."""
    assert rows_wanted(30.0, 0.1, most=20_000, answer=seconds, body=seconds) == 300


def test_a_row_without_a_delay_is_full_with_one_visit() -> None:
    """The first harvester got all addresses into its eight rows, and the second had nothing to do."""
    assert row_length(req_delay=0.0, max_reqs=1_000_000) == 1
    assert row_length(req_delay=0.5, max_reqs=20) == 20
