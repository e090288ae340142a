"""The outlook of an address: the least time that its remaining requests will still take.

A series should end early when the outlook is better for it. A domain that waits may have more pages than all
others, would need several series by itself, and had better begin now. A *new* domain has brought no document
yet; the number of its pages shows only after the first. So the outlook is the mean of several guesses at that
number, from next to nothing to several series, or as many as the largest domain of the crawl still needs.

A crawl lasts as long as its slowest address. The *horizon* is when that address can be done at the earliest.
Time before the horizon hardly counts: only requests that may take longer count in full, and an address with
time to spare can afford a look at its new domains. Where the horizon is far, every outlook is within it, and
the shorter one is still the better.

Invariant: without guesses the outlook is a bound: no schedule that keeps the four rules is shorter. It takes
the fewest series that quotas and max-hosts allow, and the fewest columns.
"""

from collections.abc import Sequence
from math import ceil, fsum, inf

import msgspec

from txtr.manners.rules import Rules

# Quotas that one new domain may turn out to fill; the others fill at most one. This set was the best of those
# that were tried in simulations (decisions/0001), for sizes of many kinds.
GUESSES = (0.1, 0.5, 1.0, 2.0, 3.0)
FAR_QUOTAS = 30.0  # quotas: a horizon that far away says nothing about sizes; one more series is a thirtieth
USUAL_QUOTAS = 0.5  # quotas that a new domain fills if nothing is known: the middle of those not above one
WEIGHT_WITHIN = 0.02  # weight of a second before the horizon, beside one after it: decides among equals
TIE_SECONDS = 1e-9  # seconds: outlooks that differ by less are the same, but for rounding


class Stock(msgspec.Struct, frozen=True):
    """A domain's requests: how many are queued, and how many of them the running series may still ask."""

    queued: float
    left: float = 0.0
    is_new: bool = False

    def after(self, columns: float) -> "Stock":
        asked = min(columns, self.queued, self.left)
        return Stock(self.queued - asked, self.left - asked, self.is_new)


def has_better_ended(stocks: Sequence[Stock], rules: Rules, horizon: float = 0.0) -> bool:
    """Is the outlook better if the running series ends now than if it ends at any later moment?

    The horizon is so many seconds away.
    """
    soon = outlook(stocks, rules, horizon) + TIE_SECONDS
    return all(
        soon < outlook([stock.after(column) for stock in stocks], rules, horizon, column * rules.req_delay)
        for column in _moments(stocks, rules)
    )


def _moments(stocks: Sequence[Stock], rules: Rules) -> set[float]:
    """The columns after which a domain has no more requests, or needs one series fewer."""
    ends = [min(stock.queued, stock.left) for stock in stocks]
    fewer = [stock.queued % rules.max_reqs for stock in stocks]
    return {1.0, *ends, *(column for column, end in zip(fewer, ends, strict=True) if column < end)} - {0.0}


def outlook(stocks: Sequence[Stock], rules: Rules, horizon: float = 0.0, after: float = 0.0) -> float:
    """Seconds to the last request, with pauses, if the running series ends `after` so many seconds.

    Seconds before the horizon count for next to nothing.
    """
    known = [stock.queued for stock in stocks if stock.queued and not stock.is_new]
    new = [stock.queued for stock in stocks if stock.is_new]
    guesses = [*GUESSES, *_as_large_as_any(horizon, rules)]
    cases = [known + _guessed(new, guess * rules.max_reqs, rules) for guess in guesses] if new else [known]
    times = [after + least_time(case, rules) for case in cases]
    return fsum(max(0.0, time - horizon) + WEIGHT_WITHIN * min(time, horizon) for time in times) / len(times)


def least_time_alone(stock: Stock, rules: Rules) -> float:
    """The least time for all requests of one domain, with the rest of the running series."""
    asked = min(stock.queued, stock.left)
    return asked * rules.req_delay + least_time([stock.queued - asked] if stock.queued > asked else [], rules)


def urgent_within(longest: float, stocks: Sequence[Stock], rules: Rules) -> float:
    """The distance of the horizon, in seconds, below which the longest backlog makes its domain urgent.

    Such a domain would delay the address if it missed one short series. It never does if the address needs as
    long for its other domains anyway; then this is -inf.
    """
    usual = USUAL_QUOTAS * rules.max_reqs
    everybody = [max(stock.queued, usual if stock.is_new else 0.0) for stock in stocks]
    anyway = least_time([number for number in everybody if number], rules) - rules.general_pause
    own = rules.req_delay + least_time([longest], rules)
    return own if own > anyway else -inf


def _as_large_as_any(horizon: float, rules: Rules) -> list[float]:
    """A guess: quotas that last until the horizon, if they are more than all others and it is not far."""
    quotas = horizon / (rules.general_pause + (rules.max_reqs - 1) * rules.req_delay or inf)
    return [quotas] if GUESSES[-1] < quotas < FAR_QUOTAS else []


def _guessed(new: list[float], size: float, rules: Rules) -> list[float]:
    usual = min(size, rules.max_reqs)
    return [max(new[0], size), *(max(queued, usual) for queued in new[1:])]


def least_time(requests: Sequence[float], rules: Rules) -> float:
    """The least time for domains with so many requests each, beginning with a pause."""
    if not requests:
        return 0.0
    quotas = [ceil(number / rules.max_reqs) for number in requests]
    series = max(*quotas, ceil(sum(quotas) / rules.max_hosts))
    columns = max(*requests, ceil(sum(requests) / rules.max_hosts), series)
    pause = max(rules.general_pause, rules.req_delay)
    return series * pause + (columns - series) * rules.req_delay
