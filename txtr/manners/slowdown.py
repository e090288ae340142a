"""Slowdown: a domain that shows signs of strain is asked less often.

Invariant: the delay is never shorter than req-delay nor than the server's Crawl-delay. A busy answer (429,
503) doubles the delay. An answer that takes more than twice as long as the server's usual one lengthens it in
proportion. Each quick answer brings it a little closer to normal.
"""

import msgspec

NOTICEABLE_SECONDS = 1.0  # seconds: answers faster than this are never called slow
SLOW_FACTOR = 2.0  # times the usual answer: that is slow
MOST_FACTOR = 16.0  # times the normal delay, however bad it gets
LONGEST_WAIT = 24 * 3600.0  # seconds: with more, no request would follow while a robots.txt is fresh
WEIGHT_OF_NEWEST = 0.1  # weight of the newest answer in the usual one
RELAXING_FACTOR = 0.8  # factor per quick answer, on the way back to normal


class Slowdown(msgspec.Struct):
    usual: float = 0.0  # seconds an answer usually takes; 0 = not known
    factor: float = 1.0  # times the normal delay

    def answered(self, took: float) -> None:
        slow = max(NOTICEABLE_SECONDS, SLOW_FACTOR * self.usual)
        if self.usual and took > slow:
            self.factor = min(MOST_FACTOR, max(self.factor, took / self.usual))
        else:
            self.factor = max(1.0, self.factor * RELAXING_FACTOR)
        self.usual += (took - self.usual) * (WEIGHT_OF_NEWEST if self.usual else 1.0)

    def was_busy(self) -> None:
        self.factor = min(MOST_FACTOR, 2 * self.factor)

    def delay(self, req_delay: float, crawl_delay: float | None) -> float:
        return max(req_delay, min(LONGEST_WAIT, max(req_delay, crawl_delay or 0.0) * self.factor))
