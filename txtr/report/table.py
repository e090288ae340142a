"""The table: the harvest as text, for a terminal."""

from collections.abc import Iterable, Iterator

from txtr.model import Figures
from txtr.report.harvest import Yield, by_weight, lines, percent, readable, size

ROWS = 20  # domains shown; the HTML page and the file hold more
COLUMNS = ("documents", "kept", "raw", "text", "yield")
NAME = 40  # characters


def table(known: Yield) -> list[str]:
    """Totals, then languages and domains, those with most text first."""
    return [
        *lines(known)[:2],
        "",
        *_part("language", by_weight(known.languages)),
        "",
        *_part(f"domain ({known.domain_count} in all)", _readable(by_weight(known.domains)[:ROWS])),
    ]


def _readable(named: Iterable[tuple[str, Figures]]) -> Iterator[tuple[str, Figures]]:
    return ((readable(name), figures) for name, figures in named)


def _part(title: str, named: Iterable[tuple[str, Figures]]) -> list[str]:
    heads = "".join(f"{head:>12}" for head in COLUMNS)
    return [f"{title:<{NAME}}{heads}", *(_row(name, figures) for name, figures in named)]


def _row(name: str, figures: Figures) -> str:
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    shown = shown if len(shown) <= NAME else shown[: NAME - 1] + "…"
    cells = (
        figures.documents,
        figures.kept,
        size(figures.raw_bytes),
        size(figures.kept_bytes),
        percent(figures),
    )
    return f"{shown:<{NAME}}" + "".join(f"{cell:>12}" for cell in cells)
