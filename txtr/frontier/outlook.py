"""The outlook of an address: how long the requests that are left will still take there, at the least.

A series is worth ending early when the outlook is better for it: somebody who waits may have more
pages than all the others, would need several series by itself, and had better begin now. How many
pages a *new* domain has (one that has brought no document yet) shows only after its first page, so the
outlook is the mean of several guesses, from next to nothing to several series.

Invariant: without guesses it is a bound: no schedule that keeps the four rules is shorter. It takes
the fewest series that quotas and max-hosts allow, and the fewest columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean

from txtr.manners.rules import Rules

# Quotas that a new domain may turn out to fill: one of them so many, the others at most one. Of the
# sets that were tried in simulations (decisions/0001) the best for sizes of many kinds.
GUESSES = (0.1, 0.5, 1.0, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class Stock:
    """What a domain has: requests in the queue, and how many of them the running series may still ask."""

    queued: float
    left: float = 0.0
    is_new: bool = False

    def after(self, columns: float) -> "Stock":
        asked = min(columns, self.queued, self.left)
        return Stock(self.queued - asked, self.left - asked, self.is_new)


def has_better_ended(stocks: Sequence[Stock], rules: Rules) -> bool:
    """Is the outlook better if the running series ends now than if it ends at any later moment?"""
    moments = {1.0} | {min(stock.queued, stock.left) for stock in stocks} - {0.0}
    soon = outlook(stocks, rules)
    return all(
        soon < column * rules.req_delay + outlook([stock.after(column) for stock in stocks], rules)
        for column in moments
    )


def outlook(stocks: Sequence[Stock], rules: Rules) -> float:
    """Seconds from the end of the running series to the last request, pauses included."""
    known = [stock.queued for stock in stocks if stock.queued and not stock.is_new]
    new = [stock.queued for stock in stocks if stock.is_new]
    if not new:
        return least(known, rules)
    return fmean(least(known + _guessed(new, guess * rules.max_reqs, rules), rules) for guess in GUESSES)


def _guessed(new: list[float], size: float, rules: Rules) -> list[float]:
    usual = min(size, rules.max_reqs)
    return [max(new[0], size), *(max(queued, usual) for queued in new[1:])]


def least(requests: Sequence[float], rules: Rules) -> float:
    """The least time for domains with so many requests each, if a pause comes first."""
    if not requests:
        return 0.0
    quotas = [ceil(number / rules.max_reqs) for number in requests]
    series = max(*quotas, ceil(sum(quotas) / rules.max_hosts))
    columns = max(*requests, ceil(sum(requests) / rules.max_hosts), series)
    pause = max(rules.general_pause, rules.req_delay)
    return series * pause + (columns - series) * rules.req_delay
