"""Pace: how many rows make one column last at least req-delay (specification, section 7).

A harvester reports its average processor time per request: that is what limits it, for it
waits for many servers at once. Measuring elapsed time instead would freeze the number of rows
at whatever it was first: few rows, few requests, long time per request, few rows. How long servers take to
answer counts too, for a row waits so long beside its delay; where there is no delay, nothing else does.

A row that need not wait is never idle, so one visit makes it full: what more it held would only be kept
from other harvesters. Elsewhere a row is full when it holds as many requests as one domain may be asked.
"""

from math import ceil

FIRST_GUESS = 0.01  # seconds of processor time per request, until the harvester has measured
LONGEST_ANSWER = 3600.0  # seconds, on average; more is no measurement
FEWEST_ROWS = 8  # so that a slow start or very short delay still lets requests overlap


def rows_wanted(req_delay: float, seconds_per_request: float, most: int, answer: float = 0.0) -> int:
    """As many rows as the harvester can serve within one req-delay and answer, never more than `most`."""
    if not seconds_per_request > 0:  # nor is it a number, perhaps
        seconds_per_request = FIRST_GUESS
    if not 0 <= answer <= LONGEST_ANSWER:
        answer = 0.0
    served = ceil(min(most, (req_delay + answer) / seconds_per_request))
    return min(most, max(FEWEST_ROWS, served))


def row_length(req_delay: float, max_reqs: int) -> int:
    """How many requests make a row full."""
    return max_reqs if req_delay > 0 else 1
