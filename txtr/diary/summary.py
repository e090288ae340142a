"""The summary: a tally as a person reads it, when a program ends.

    % harvester-07 ran 29h02m
    % documents 215000   failed 21430   links 9100417
    % waiting-for-servers 27h10m   cleaning 1h40m
    % documents-per-second 2.06

Invariant: every line starts with %, so that the summaries can be grepped out of all *.out files.
"""

from collections.abc import Iterator, Sequence

from txtr.diary.tally import Tally

WIDTH = 100  # characters; more parts than fit go to the next line


def lines(tally: Tally, who: str, elapsed: float, rates: Sequence[str] = ("documents",)) -> list[str]:
    """The % lines: how long, how many, how long at what, and how many of `rates` per second."""
    counts = [f"{name} {number}" for name, number in tally.counts.items()]
    times = [f"{activity} {duration(seconds)}" for activity, seconds in tally.seconds.items()]
    return [
        f"% {who} ran {duration(elapsed)}",
        *_wrapped(counts),
        *_wrapped(times),
        *_rates(tally, elapsed, rates),
    ]


def duration(seconds: float) -> str:
    """29h02m, 4m05s, 12.3s: two units are precise enough to read."""
    if seconds < 59.95:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}m{rest:02d}s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours}h{minutes:02d}m"


def _rates(tally: Tally, elapsed: float, names: Sequence[str]) -> list[str]:
    counted = [name for name in names if tally.counts.get(name) and elapsed > 0]
    return list(_wrapped([f"{name}-per-second {tally.counts[name] / elapsed:.2f}" for name in counted]))


def _wrapped(parts: list[str]) -> Iterator[str]:
    """Parts in lines that start with % and are no wider than WIDTH, if a part is not."""
    row = ""
    for part in parts:
        if row and len(row) + len(part) > WIDTH:
            yield row
            row = ""
        row = f"{row}   {part}" if row else f"% {part}"
    if row:
        yield row
