"""The waiting addresses, in the order in which they are dealt out.

The better rank comes first; within a rank, roughly, the address whose server answers faster; among equals the
address that waits longest. One of ten addresses is taken from another line, so that none starves.

Hopeless addresses are *held back* while any better address is in play: waiting, active or resting. Harvesters
would have time for them, but their texts are not worth the servers' trouble yet. Still they make progress: an
address that was held for ten general pauses is dealt as a *sample*, a short series. There may be a sample
every ten seconds, and more as long as samples take no more than one request of 25. When no better address is
in play, hopeless ones are dealt at full speed.

Invariant: each waiting address is in exactly one line. Taking the next costs the same, however many wait.
"""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from itertools import chain, islice

from txtr.frontier.ranks import HOPELESS, TURNS_PER_OTHER, serve

Line = OrderedDict[str, float]  # a dict would look for its first key among all that were taken before
SPEEDS = (0.3, 1.0, 4.0)  # seconds that an answer usually takes: borders between four paces
PAUSES_HELD = 10  # general pauses that a hopeless address waits at least
SAMPLE_EVERY = 10.0  # seconds after which there may be another sample, however little is dealt
REQUESTS_PER_SAMPLED = 25  # one of so many may be a sample's; with ten, a fifth of early ones were hopeless


def pace_of(usual: float) -> int:
    """The pace of a server, 0 for the fastest. One that has never answered counts as fast."""
    return bisect_left(SPEEDS, usual)


class Waiting:
    def __init__(self, general_pause: float) -> None:
        self.held_for = PAUSES_HELD * general_pause
        paces = len(SPEEDS) + 1
        # each line: address -> the time when it entered
        self.lines: list[Line] = [OrderedDict() for _ in range(HOPELESS * paces)]
        self.held: Line = OrderedDict()  # the hopeless addresses
        self.places: dict[str, Line] = {}  # address -> the line it is in
        self.dealt = 0  # addresses
        self.requests = 0  # that went out to them
        self.sampled = 0  # of these, in samples
        self.last_sample = float("-inf")

    def put(self, address: str, rank: int, pace: int, now: float) -> None:
        """Put an address into its line; it keeps its place if it is in that line already."""
        line = self.held if rank >= HOPELESS else self.lines[rank * (len(SPEEDS) + 1) + pace]
        if self.places.get(address) is not line:
            self.remove(address)
            line[address] = now
            self.places[address] = line

    def remove(self, address: str) -> None:
        if address in self.places:
            self.places.pop(address).pop(address)

    def first(self, now: float, is_better_in_play: bool) -> str | None:
        """The address that is dealt next; None if none may be dealt now."""
        if is_better_in_play and self.held and self.is_sample_due(now):
            return next(iter(self.held))
        served = serve(self.lines, self.dealt)
        if served is not None:
            return next(iter(self.lines[served]))
        return None if is_better_in_play else next(iter(self.held), None)

    def soon(self, most: int) -> Iterator[str]:
        """The addresses that the next so many deals may take; some are named more than once."""
        filled = [line for line in self.lines if line]
        others = [islice(line, most // TURNS_PER_OTHER) for line in filled[1:]]  # see ranks.serve
        return chain(*others, islice(chain(*filled), most))

    def is_sample_due(self, now: float) -> bool:
        longest = next(iter(self.held.values()), None)
        if longest is None or now - longest < self.held_for:
            return False
        return now - self.last_sample >= SAMPLE_EVERY or self.sampled * REQUESTS_PER_SAMPLED <= self.requests

    def is_held(self, address: str) -> bool:
        return address in self.held

    def count(self, is_sample: bool, now: float) -> None:
        """Count an address that was dealt out."""
        self.dealt += 1
        if is_sample:
            self.last_sample = now

    def count_requests(self, number: int, is_sample: bool) -> None:
        """Count requests that went out."""
        self.requests += number
        if is_sample:
            self.sampled += number

    def number(self, now: float, is_better_in_play: bool) -> int:
        """How many addresses may be dealt out now; at most one sample."""
        held = len(self.held) if not is_better_in_play else int(self.is_sample_due(now))
        return sum(map(len, self.lines)) + held
