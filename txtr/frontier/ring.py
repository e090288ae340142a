"""The ring of an address: its domains that can be given something to do now, by rank and in turn.

To go through it is to see the best rank first, and within a rank who waits longest. Every tenth
series begins with another rank, each with who waits longest: nobody is never served.

A dict looks for its first key among all that were taken since it last grew: a ring that many have left is
closed up, so that to find the next costs about the same however many there are and were.
"""

from collections.abc import Collection, Iterator

from txtr.frontier.ranks import HOPELESS, RANKS, serve

MOST_GAPS = 100  # in a ring that is nearly empty: to pass them takes a tenth of a microsecond
CLOSER = 32  # one more for so many who stay: to close up takes as long for each of them as to pass 25


class Ring(Collection[str]):
    __slots__ = ("gaps", "lines", "series")

    def __init__(self, lines: tuple[dict[str, None], ...] | None = None, series: int = 0) -> None:
        self.lines = lines or tuple({} for _ in RANKS)  # one ordered set per rank; filled by the frontier
        self.series = series  # that began here
        self.gaps = 0  # that those who left have made, at most

    def put(self, name: str, rank: int) -> None:
        """A domain has something to do; if its rank is what it was, it keeps its place."""
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
        """The same ring as if nobody hopeless were in it."""
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
