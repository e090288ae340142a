"""Pace: how many rows make one column last at least req-delay (specification, section 7).

A harvester reports its average processor time per request: that is what limits it, for it
waits for many servers at once. Measuring elapsed time instead would freeze the number of rows
at whatever it was first: few rows, few requests, long time per request, few rows. How long servers take
counts too: until the first byte of an answer a row waits beside its delay, and during its body instead of it,
for the delay runs from the first byte. Where there is no delay, nothing else counts.

A row that need not wait is never idle, so one visit makes it full: what more it held would only be kept
from other harvesters. Elsewhere a row is full when it holds as many requests as one domain may be asked.
"""

from math import ceil

FIRST_GUESS = 0.01  # seconds of processor time per request, until the harvester has measured
LONGEST = 3600.0  # seconds that servers take, on average; more is no measurement
FEWEST_ROWS = 8  # so that a slow start or very short delay still lets requests overlap


def rows_wanted(
    req_delay: float, seconds_per_request: float, most: int, answer: float = 0.0, body: float = 0.0
) -> int:
    """As many rows as the harvester can serve while one of them waits, never more than `most`."""
    if not seconds_per_request > 0:  # nor is it a number, perhaps
        seconds_per_request = FIRST_GUESS
    waiting = _sensible(answer) + max(req_delay, _sensible(body))
    served = ceil(min(most, waiting / seconds_per_request))
    return min(most, max(FEWEST_ROWS, served))


def _sensible(seconds: float) -> float:
    return seconds if 0 <= seconds <= LONGEST else 0.0


def row_length(req_delay: float, max_reqs: int) -> int:
    """How many requests make a row full."""
    return max_reqs if req_delay > 0 else 1
