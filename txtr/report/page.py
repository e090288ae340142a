"""The page: the harvest as one HTML file that needs nothing else.

Invariant: no scripts and nothing loaded from anywhere; whatever the web put into a name is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import pairwise

from txtr.diary.yields import Point, Yield, by_weight, fates, percent, readable, size
from txtr.escapes import escaped
from txtr.model import Figures
from txtr.report.plots import Bar, Curve, Format, bars, curves

BARS = 15
DAY = 86400.0  # seconds
WINDOWS = 60  # pieces of time over which the yield is averaged
STYLE = """
body { font: 15px/1.45 sans-serif; color: #222; background: #fff }
body { max-width: 760px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2em }
svg { max-width: 100%; height: auto; display: block; margin: 1em 0; border: 1px solid #ddd }
table { border-collapse: collapse; width: 100% } th, td { padding: 3px 8px; border-bottom: 1px solid #ddd }
td, th { text-align: right } td:first-child, th:first-child { text-align: left; word-break: break-all }
"""


def page(known: Yield) -> str:
    """The whole file."""
    total, domains = known.total, {readable(name): figures for name, figures in known.domains.items()}
    return "\n".join(
        [
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width"><title>The harvest</title>',
            f"<style>{STYLE}</style></head><body>",
            f"<h1>The harvest</h1><p>As of {_moment(known.time)} UTC:"
            f" {total.kept} of {total.documents} documents kept, {size(total.kept_bytes)} of text from"
            f" {size(total.raw_bytes)} downloaded: a yield of {percent(total)}."
            f" Domains: {known.domain_count}, of which {known.abandoned} were abandoned.</p>",
            f"<p>What became of the documents: {escape(fates(known))}. Those of a language or a domain that"
            " were not kept may also be copies, or ask not to be indexed.</p>",
            "<h2>Over time</h2>",
            "<p>Times are UTC. The yield is the text that was kept per byte downloaded.</p>",
            *_over_time(known.points),
            "<h2>Languages</h2>",
            _bars("Text kept, by language", known.languages),
            _table("language", by_weight(known.languages)),
            "<h2>Domains</h2>",
            f"<p>Those that most was downloaded from ({len(known.domains)}), with most text first.</p>",
            _bars("Text kept, by domain", domains),
            _table("domain", by_weight(domains)),
            "</body></html>\n",
        ]
    )


def _over_time(points: Sequence[Point]) -> list[str]:
    documents = [(point.time, float(point.figures.documents)) for point in points]
    kept = [(point.time, float(point.figures.kept)) for point in points]
    text = [(point.time, float(point.figures.kept_bytes)) for point in points]
    clock = _clock(points[-1].time - points[0].time if points else 0.0)
    return [
        curves("Documents", [Curve("fetched", documents), Curve("kept", kept)], clock, _number),
        curves("Text kept", [Curve("text", text)], clock, size),
        curves("Yield, piece by piece", [Curve("yield", list(_yields(points)))], clock, _share, 0.001),
    ]


def _yields(points: Sequence[Point]) -> Iterable[tuple[float, float]]:
    """The yield of each piece of time: what came in it, not what came until then."""
    step = max(1, len(points) // WINDOWS)
    for before, after in pairwise([*points[:-1:step], *points[-1:]]):
        raw = after.figures.raw_bytes - before.figures.raw_bytes
        text = after.figures.kept_bytes - before.figures.kept_bytes
        if raw > 0:
            yield after.time, text / raw


def _bars(title: str, named: Mapping[str, Figures]) -> str:
    return bars(
        title,
        [
            Bar(
                name,
                figures.kept_bytes,
                f"{size(figures.kept_bytes)}, {_number(figures.kept)} of {_number(figures.documents)}",
            )
            for name, figures in by_weight(named)[:BARS]
        ],
    )


def _table(title: str, named: Iterable[tuple[str, Figures]]) -> str:
    heads = "".join(
        f"<th>{head}</th>" for head in (title, "documents", "kept", "downloaded", "text", "yield")
    )
    rows = "\n".join(_row(name, figures) for name, figures in named)
    return f"<table><tr>{heads}</tr>\n{rows}</table>"


def _row(name: str, figures: Figures) -> str:
    cells = (
        escape(escaped(name)),
        figures.documents,
        figures.kept,
        size(figures.raw_bytes),
        size(figures.kept_bytes),
        percent(figures),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _moment(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _clock(span: float) -> Format:
    """How moments of a crawl that lasts so long are told apart."""
    pattern = "%H:%M:%S" if span < DAY else "%m-%d %H:%M"
    return lambda wall: datetime.fromtimestamp(wall, UTC).strftime(pattern)


def _number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ")


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"
