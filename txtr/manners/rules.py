"""The four rules of unobtrusiveness, as one value (specification, section 2)."""

import msgspec


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    req_delay: float  # seconds from the start of one request to a domain to the start of the next
    max_hosts: int  # most domains contacted on one address between two general pauses
    max_reqs: int  # most requests to one domain between two general pauses
    general_pause: float  # seconds an address rests after each series of requests

    def quota(self, delay: float) -> int:
        """How many requests a domain with this delay gets in one series.

        A domain that asks for a longer delay gets fewer, so that other domains of its address do not wait for
        it.
        """
        if delay <= self.req_delay:
            return self.max_reqs
        return max(1, int(self.max_reqs * self.req_delay / delay))
