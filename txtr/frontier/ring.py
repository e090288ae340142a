"""The ring of an address: its domains that can be given something to do now, by rank and in turn.

Iteration begins with the best rank, and within a rank with the domain that waits longest. Every tenth series
begins with another rank, so that every domain is served some time.

A dict searches for its first key through the gaps that removed keys have left. So a ring that many domains
have left is closed up. Then finding the next domain costs about the same, however many there are and were.
"""

from collections.abc import Collection, Iterator

from txtr.frontier.ranks import HOPELESS, RANKS, serve

MOST_GAPS = 100  # in a ring that is nearly empty: to pass them takes a tenth of a microsecond
CLOSER = 32  # domains per further gap: closing up takes as long for a domain as passing 25 gaps


class Ring(Collection[str]):
    __slots__ = ("gaps", "lines", "series")

    def __init__(self, lines: tuple[dict[str, None], ...] | None = None, series: int = 0) -> None:
        self.lines = lines or tuple({} for _ in RANKS)  # one ordered set per rank; filled by the frontier
        self.series = series  # that began at this address
        self.gaps = 0  # left by removed domains, at most

    def put(self, name: str, rank: int) -> None:
        """Put a domain into the ring; it keeps its place if it has one in this rank."""
        if name not in self.lines[rank]:
            self.pop(name)
            self.lines[rank][name] = None

    def pop(self, name: str) -> None:
        for line in self.lines:
            if name in line:
                del line[name]
                self.gaps += 1
                if self.gaps > MOST_GAPS + len(line) // CLOSER:
                    self._close_up()

    def _close_up(self) -> None:
        for line in self.lines:
            names = list(line)
            line.clear()
            line.update(dict.fromkeys(names))
        self.gaps = 0

    def rank(self, name: str) -> int:
        return next(rank for rank in RANKS if name in self.lines[rank])

    def best(self) -> int | None:
        for rank, line in enumerate(self.lines):
            if line:
                return rank
        return None

    def better(self) -> "Ring":
        """The same ring without its hopeless domains."""
        return self if not self.lines[HOPELESS] else Ring((*self.lines[:HOPELESS], {}), self.series)

    def is_for_others(self) -> bool:
        """Does the next series begin with another rank than the best?"""
        return serve(self.lines, self.series) != self.best()

    def __contains__(self, name: object) -> bool:
        promising, doubtful, hopeless = self.lines
        return name in promising or name in doubtful or name in hopeless

    def __iter__(self) -> Iterator[str]:
        first = serve(self.lines, self.series)
        if first is not None:
            yield from self.lines[first]
            for rank in RANKS:
                if rank != first:
                    yield from self.lines[rank]

    def __len__(self) -> int:
        promising, doubtful, hopeless = self.lines
        return len(promising) + len(doubtful) + len(hopeless)
