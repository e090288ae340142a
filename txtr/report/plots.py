"""Plots: numbers as pictures, in SVG that any browser shows without help.

Invariant: whatever the names and numbers are, the outcome is well-formed; all text is escaped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 720, 260  # units of the picture
LEFT, RIGHT, TOP, BOTTOM = 70, 40, 30, 30  # margins
BAR = 22  # height of a bar with its gap
COLOURS = ("#1f5fa8", "#c2571a", "#3f7d3a", "#7a4a9c", "#8a6d00", "#a03050")
TICKS = 4  # pieces of the ground, and at the side at most
TINY = 1e-9  # of rounding
LONGEST_NAME = 24  # characters before a bar; of a longer one its end is shown

Format = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Curve:
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: float
    words: str  # its number, and what else is to be said


def curves(title: str, drawn: Sequence[Curve], x: Format, y: Format, least_step: float = 1.0) -> str:
    """Lines over a common ground, from zero up in round steps. Least step: between two marks at the side."""
    points = [point for curve in drawn for point in curve.points]
    first = min((across for across, _ in points), default=0.0)
    last = max((across for across, _ in points), default=1.0)
    step = _step(max((up for _, up in points), default=0.0), least_step)
    marks = max(1, ceil(max((up for _, up in points), default=0.0) / step - TINY))
    most = marks * step
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(across: float, up: float) -> str:
        right = (across - first) / (last - first) if last > first else 0.0
        return f"{LEFT + width * right:.1f},{TOP + height * (1 - up / most):.1f}"

    parts = [_text(LEFT, 16, title, "start", bold=True)]
    for mark in range(marks + 1):
        up = TOP + height * (1 - mark / marks)
        parts += [
            f'<line x1="{LEFT}" y1="{up:.1f}" x2="{WIDTH - RIGHT}" y2="{up:.1f}" stroke="#ddd"/>',
            _text(LEFT - 6, up + 4, y(step * mark), "end"),
        ]
    for mark in range(TICKS + 1) if points and last > first else range(bool(points)):
        across = LEFT + width * mark / TICKS
        parts.append(_text(across, HEIGHT - 10, x(first + (last - first) * mark / TICKS), "middle"))
    if not points:
        parts.append(_text(WIDTH / 2, HEIGHT / 2, "nothing yet", "middle", "#666"))
    for number, curve in enumerate(drawn):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(place(*point) for point in curve.points)
        parts += [
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>',
            *_dots(curve, path, colour),
            _text(WIDTH - RIGHT - 130 * (len(drawn) - 1 - number), 16, curve.name, "end", colour),
        ]
    return _picture(HEIGHT, title, parts)


def bars(title: str, drawn: Sequence[Bar]) -> str:
    """One bar each, with its name before and its words behind it."""
    most = max((bar.value for bar in drawn), default=0.0) or 1.0
    begin, width = 190, WIDTH - 190 - 190
    parts = [_text(10, 16, title, "start", bold=True)]
    for number, bar in enumerate(drawn):
        up = TOP + BAR * number
        length = max(0.0, width * bar.value / most)
        name = bar.name if len(bar.name) <= LONGEST_NAME else f"…{bar.name[1 - LONGEST_NAME :]}"
        parts += [
            _text(begin - 8, up + 13, name, "end"),
            f'<rect x="{begin}" y="{up}" width="{length:.1f}" height="{BAR - 6}" fill="{COLOURS[0]}"/>',
            _text(begin + length + 6, up + 13, bar.words, "start"),
        ]
    return _picture(TOP + BAR * len(drawn) + 6, title, parts)


def _step(most: float, least: float) -> float:
    """The smallest round distance between marks that needs no more than a few of them."""
    step = 10.0 ** floor(log10(max(most / TICKS, least)) - TINY)
    while step < least * (1 - TINY) or most > step * TICKS * (1 + TINY):
        step *= 2.5 if f"{step:e}".startswith("2") else 2.0  # 1, 2, 5, 10
    return step


def _dots(curve: Curve, path: str, colour: str) -> list[str]:
    """A line of one point would not be seen."""
    if len(curve.points) != 1:
        return []
    across, up = path.split(",")
    return [f'<circle cx="{across}" cy="{up}" r="4" fill="{colour}"/>']


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#222", bold: bool = False) -> str:
    style = f'text-anchor="{anchor}" fill="{colour}"' + (' font-weight="bold"' if bold else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{_written(words)}</text>'


def _picture(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" role="img" aria-label="{_written(title)}" font-family="sans-serif"'
        f' font-size="12"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _written(words: str) -> str:
    """As text of XML, which control characters have no place in."""
    return escape("".join(sign if sign.isprintable() else "?" for sign in words))
