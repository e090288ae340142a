"""The table: what was found, as a person reads it in a terminal. The same values go out as JSON."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

LONGEST_CELL = 60  # characters of a cell in a table of many rows
GAP = "  "

Facts = Mapping[str, object]


def facts(known: Facts) -> list[str]:
    """One thing: a line for each fact; what is not known is left out, lists take several lines."""
    shown = {
        name.replace("_", " "): value for name, value in known.items() if value not in (None, "", [], {})
    }
    width = max(map(len, shown), default=0)
    lines = []
    for name, value in shown.items():
        for number, each in enumerate(_several(value)):
            lines.append(f"{name if not number else '':<{width}}{GAP}{each}")
    return lines


def rows(heads: Sequence[str], table: Sequence[Sequence[object]]) -> list[str]:
    """Many things: a line for each; numbers to the right."""
    cells = [[_short(word(cell)) for cell in row] for row in table]
    numeric = [all(isinstance(row[column], int) for row in table) for column in range(len(heads))]
    widths = [max(len(row[column]) for row in [list(heads), *cells]) for column in range(len(heads))]
    lines = []
    for row in [list(heads), *cells]:
        padded = [
            f"{cell:>{width}}" if is_number else f"{cell:<{width}}"
            for cell, width, is_number in zip(row, widths, numeric, strict=True)
        ]
        lines.append(GAP.join(padded).rstrip())
    return lines


def word(value: object) -> str:
    """A value as text: nothing that the web wrote can break a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    if isinstance(value, float):
        return f"{value:g}"
    return "".join(sign if sign.isprintable() else "?" for sign in str(value))


def size(size_bytes: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size_bytes < 1024:
            return f"{size_bytes:.0f} {unit}" if unit == "bytes" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1024
    return f"{size_bytes:.1f} GiB"


def moment(wall: float | None) -> str | None:
    """A wall time, to the second."""
    return f"{datetime.fromtimestamp(wall, UTC):%Y-%m-%dT%H:%M:%SZ}" if wall else None


def counted(number: int, what: str) -> str:
    return f"{word(number)} {what}" if number == 1 else f"{word(number)} {what}s"


def _several(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{word(name)} {word(each)}" for name, each in value.items()]
    if isinstance(value, list | tuple):
        return [word(each) for each in value]
    return [word(value)]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
