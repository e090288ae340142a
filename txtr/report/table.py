"""The table: the harvest as text, for a terminal."""

from collections.abc import Iterable, Iterator

from txtr.diary.yields import MOST_DOMAINS, Yield, by_weight, fates, percent, readable, size
from txtr.model import Figures

ROWS = 20  # domains shown, unless the user wants more
COLUMNS = ("documents", "kept", "raw", "text", "yield")
NAME_WIDTH = 40  # characters


def table(known: Yield, stamp: str = "", rows: int = ROWS) -> list[str]:
    """Totals as of this time, then languages and domains, those with most text first."""
    shown = by_weight(known.domains)[:rows]
    return [
        *_totals(known, stamp),
        "",
        *_part("language", by_weight(known.languages)),
        "",
        *_part(f"domain ({known.domain_count} in all)", _readable(shown)),
        *_left_out(known, len(shown)),
    ]


def _totals(known: Yield, stamp: str) -> list[str]:
    total = known.total
    return [
        f"kept {total.kept} of {total.documents} documents: {size(total.kept_bytes)} of text from"
        f" {size(total.raw_bytes)} downloaded, a yield of {percent(total)}",
        *([f"as of {stamp}"] if stamp else []),
        f"documents: {fates(known)}   domains abandoned: {known.abandoned}",
        "(1 kB is 1000 bytes; text is counted in UTF-8, so pages in other encodings can yield over 100 %)",
    ]


def _left_out(known: Yield, shown: int) -> list[str]:
    """That there is more, and how to see it, if there is."""
    if known.domain_count <= shown:
        return []
    rest = f"... and {known.domain_count - shown} more"
    if len(known.domains) > shown:
        return [f"{rest}; --limit={len(known.domains)} shows {len(known.domains)} of them"]
    return [f"{rest}: of {MOST_DOMAINS}, from which most was downloaded, figures are kept here"]


def _readable(named: Iterable[tuple[str, Figures]]) -> Iterator[tuple[str, Figures]]:
    return ((readable(name), figures) for name, figures in named)


def _part(title: str, named: Iterable[tuple[str, Figures]]) -> list[str]:
    heads = "".join(f"{head:>12}" for head in COLUMNS)
    return [f"{title:<{NAME_WIDTH}}{heads}", *(_row(name, figures) for name, figures in named)]


def _row(name: str, figures: Figures) -> str:
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    shown = shown if len(shown) <= NAME_WIDTH else shown[: NAME_WIDTH - 1] + "…"
    cells = (
        figures.documents,
        figures.kept,
        size(figures.raw_bytes),
        size(figures.kept_bytes),
        percent(figures),
    )
    return f"{shown:<{NAME_WIDTH}}" + "".join(f"{cell:>12}" for cell in cells)
