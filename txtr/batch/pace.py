"""Pace: how many rows make one column last at least req-delay (specification, section 7).

A harvester reports its average processor time per request: that is what limits it, for it
waits for many servers at once. Measuring elapsed time instead would freeze the number of rows
at whatever it was first: few rows, few requests, long time per request, few rows.
"""

from math import ceil

FIRST_GUESS = 0.01  # seconds of processor time per request, until the harvester has measured
FEWEST_ROWS = 8  # so that a slow start or very short delay still lets requests overlap


def rows_wanted(req_delay: float, seconds_per_request: float, most: int) -> int:
    """As many rows as the harvester can serve within one req-delay, never more than `most`."""
    if not seconds_per_request > 0:  # nor is it a number, perhaps
        seconds_per_request = FIRST_GUESS
    served = ceil(min(most, req_delay / seconds_per_request))
    return min(most, max(FEWEST_ROWS, served))
