"""The other kind of batch: domains never seen.

A harvester, not the queuekeeper, finds out their addresses: name servers can be slow, and
while the queuekeeper waited for one, all harvesters starved. Their robots.txt is not fetched
here: that is a request like any other and obeys the four rules.
"""

from math import ceil

MOST_NAMES = 50  # per batch: what a harvester resolves at once without straining a name server


def share(waiting: int, harvesters: int) -> int:
    """How many of the waiting domains one of so many harvesters gets."""
    return min(MOST_NAMES, ceil(waiting / max(1, harvesters)))
