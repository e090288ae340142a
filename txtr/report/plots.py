"""Plots: numbers as pictures, in SVG that any browser shows without help.

Invariant: whatever the names and numbers are, the outcome is well-formed; all text is escaped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 260  # units of the picture
LEFT, RIGHT, TOP, BOTTOM = 70, 40, 30, 30  # margins
BAR = 22  # height of a bar with its gap
COLOURS = ("#1f5fa8", "#c2571a", "#3f7d3a", "#7a4a9c", "#8a6d00", "#a03050")
TICKS = 4

Format = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Curve:
    name: str
    points: Sequence[tuple[float, float]]


def curves(title: str, drawn: Sequence[Curve], x: Format, y: Format) -> str:
    """Lines over a common ground, from zero up."""
    points = [point for curve in drawn for point in curve.points]
    first = min((across for across, _ in points), default=0.0)
    last = max((across for across, _ in points), default=1.0)
    most = max((up for _, up in points), default=0.0) or 1.0
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(across: float, up: float) -> str:
        right = (across - first) / (last - first) if last > first else 0.0
        return f"{LEFT + width * right:.1f},{TOP + height * (1 - up / most):.1f}"

    parts = [_text(LEFT, 16, title, "start", bold=True)]
    for tick in range(TICKS + 1):
        up = TOP + height * (1 - tick / TICKS)
        across = LEFT + width * tick / TICKS
        parts += [
            f'<line x1="{LEFT}" y1="{up:.1f}" x2="{WIDTH - RIGHT}" y2="{up:.1f}" stroke="#ddd"/>',
            _text(LEFT - 6, up + 4, y(most * tick / TICKS), "end"),
            _text(across, HEIGHT - 10, x(first + (last - first) * tick / TICKS), "middle"),
        ]
    for number, curve in enumerate(drawn):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(place(*point) for point in curve.points)
        parts += [
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>',
            _text(WIDTH - RIGHT - 130 * (len(drawn) - 1 - number), 16, curve.name, "end", colour),
        ]
    return _picture(HEIGHT, title, parts)


def bars(title: str, named: Sequence[tuple[str, float]], label: Format) -> str:
    """One bar each, with its name before and its number behind it."""
    most = max((value for _, value in named), default=0.0) or 1.0
    begin, width = 130, WIDTH - 130 - 130
    parts = [_text(10, 16, title, "start", bold=True)]
    for number, (name, value) in enumerate(named):
        up = TOP + BAR * number
        length = max(0.0, width * value / most)
        parts += [
            _text(begin - 8, up + 13, name, "end"),
            f'<rect x="{begin}" y="{up}" width="{length:.1f}" height="{BAR - 6}" fill="{COLOURS[0]}"/>',
            _text(begin + length + 6, up + 13, label(value), "start"),
        ]
    return _picture(TOP + BAR * len(named) + 6, title, parts)


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
