"""The harvest: what the crawl has yielded, in all, per domain, per language and over time.

Counted as documents arrive, and bounded whatever the web holds: of the domains those are remembered
that most was downloaded from, and of the course of time at most a thousand points. When there are
more, every second one goes, and from then on they are taken half as often.

Whoever keeps the books takes the rows that have changed into the same transaction as the documents
themselves: after a crash both are there or neither. Only the points may lack the last few seconds.

The yield is the text kept, in bytes, per byte downloaded. Files that were put aside are not in it:
nobody has seen their text yet.
"""

from collections.abc import Iterable, Mapping
from heapq import nlargest

import msgspec

from txtr.errors import TheirMistake
from txtr.escapes import escaped
from txtr.model import Document, Figures

VERSION = 1
MOST_DOMAINS = 200  # in the file
MOST_LANGUAGES = 200  # the judge we ship knows fewer; what more there is, is counted as the last of them
MOST_POINTS = 1000
LATEST = 253402300800.0  # wall time: the year 10000, which calendars do not know
FIRST_INTERVAL = 1.0  # seconds between two points, at first
UNJUDGED = "aside"  # fate of files that are not in it
UNKNOWN, OTHER = "unknown", "other"  # instead of a language
SHOWN_LANGUAGES, SHOWN_DOMAINS = 8, 5  # in the % lines

Key = tuple[str, str]  # what is counted, and whose it is
Row = tuple[str, str, int, int, int, int]  # a key, and its figures
TOTAL, DOMAINS = ("total", ""), ("domains", "")  # the second counts those that brought anything
LANGUAGE, DOMAIN, FATE = "language", "domain", "fate"


class Point(msgspec.Struct, frozen=True, array_like=True):
    """The whole crawl's figures at one moment."""

    time: float  # wall time
    figures: Figures


class Yield(msgspec.Struct):
    """What is written down, for whoever wants to read it."""

    version: int = VERSION
    time: float = 0.0  # wall time
    total: Figures = Figures()
    languages: dict[str, Figures] = {}
    domains: dict[str, Figures] = {}  # those that most was downloaded from
    domain_count: int = 0  # of all that brought anything
    abandoned: int = 0  # domains
    fates: dict[str, int] = {}  # what became of the documents
    points: list[Point] = []
    interval: float = FIRST_INTERVAL  # seconds between two points


class Yields:
    def __init__(self, epoch: float = 0.0, earlier: Yield | None = None) -> None:
        """Begin anew, or where an earlier run ended. Epoch: the wall time of the monotonic clock's zero."""
        self.epoch = epoch
        self.known = earlier or Yield()
        self.least_bytes = 0  # downloaded, of a domain that is remembered
        self.touched: set[Key] = set()  # what has changed since changes() was asked

    def take(self, document: Document, of_domain: Figures, now: float) -> None:
        """A document has arrived; its domain's figures are these now."""
        if document.fate == UNJUDGED:
            return
        known = self.known
        known.total = _plus(known.total, document)
        known.fates[document.fate] = known.fates.get(document.fate, 0) + 1
        known.domain_count += of_domain.documents == 1
        language = self._language(document.language)
        known.languages[language] = _plus(known.languages.get(language, Figures()), document)
        self.touched.update((TOTAL, DOMAINS, (FATE, document.fate), (LANGUAGE, language)))
        self._remember(document.domain, of_domain)
        self._mark(self.epoch + now)

    def sum_up(self, abandoned: int, now: float) -> Yield:
        """All of it, as of now."""
        domains = dict(nlargest(MOST_DOMAINS, self.known.domains.items(), key=_raw_bytes))
        last = Point(self.epoch + now, self.known.total)
        points = [*self.known.points, last]
        return msgspec.structs.replace(
            self.known, time=last.time, domains=domains, abandoned=abandoned, points=points
        )

    # --- into the books, and out of them

    def changes(self) -> tuple[list[Row], list[Key]]:
        """The rows that have changed since this was asked, and those that are no more."""
        found = {key: self._figures(key) for key in self.touched}
        self.touched.clear()
        rows = [
            (*key, figures.documents, figures.kept, figures.raw_bytes, figures.kept_bytes)
            for key, figures in found.items()
            if figures is not None
        ]
        return rows, [key for key, figures in found.items() if figures is None]

    def _figures(self, key: Key) -> Figures | None:
        kind, name = key
        if key == TOTAL:
            return self.known.total
        if key == DOMAINS:
            return Figures(self.known.domain_count)
        if kind == FATE:
            return Figures(self.known.fates[name])
        return (self.known.languages if kind == LANGUAGE else self.known.domains).get(name)

    def go_on(self, rows: Iterable[Row]) -> None:
        """Count on from what an earlier run has put into the books."""
        for kind, name, *numbers in rows:
            figures = Figures(*numbers)
            if (kind, name) == TOTAL:
                self.known.total = figures
            elif (kind, name) == DOMAINS:
                self.known.domain_count = figures.documents
            elif kind == FATE:
                self.known.fates[name] = figures.documents
            else:
                (self.known.languages if kind == LANGUAGE else self.known.domains)[name] = figures

    def recall(self, earlier: Yield) -> None:
        """Take from a file what is not in the books: its points; all, if they are an earlier version's."""
        if not self.known.total.documents:
            self.known = earlier
            self.touched = {TOTAL, DOMAINS}
            self.touched.update((FATE, name) for name in earlier.fates)
            self.touched.update((LANGUAGE, name) for name in earlier.languages)
            self.touched.update((DOMAIN, name) for name in earlier.domains)
            return
        most = self.known.total.documents  # a point beyond was never committed
        self.known.points = [point for point in earlier.points if point.figures.documents <= most]
        self.known.interval = earlier.interval

    def _language(self, code: str) -> str:
        code = code or UNKNOWN
        is_one_more = code not in self.known.languages and len(self.known.languages) >= MOST_LANGUAGES
        return OTHER if is_one_more else code

    def _remember(self, name: str, figures: Figures) -> None:
        domains = self.known.domains
        if name not in domains and figures.raw_bytes < self.least_bytes:
            return
        domains[name] = figures
        self.touched.add((DOMAIN, name))
        if len(domains) > 2 * MOST_DOMAINS:
            self.known.domains = dict(nlargest(MOST_DOMAINS, domains.items(), key=_raw_bytes))
            self.touched.update((DOMAIN, other) for other in domains.keys() - self.known.domains.keys())
            self.least_bytes = min(known.raw_bytes for known in self.known.domains.values())

    def _mark(self, wall: float) -> None:
        points = self.known.points
        if points and wall - points[-1].time < self.known.interval:
            return
        points.append(Point(wall, self.known.total))
        if len(points) >= MOST_POINTS:
            self.known.points = points[::2]
            self.known.interval *= 2


def written(known: Yield) -> bytes:
    """As a file."""
    return msgspec.json.encode(known)


def read(data: bytes, path: str) -> Yield:
    """What was written down."""
    try:
        found = msgspec.json.decode(data, type=Yield)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TheirMistake(f"{path} is damaged ({error})") from error
    if found.version != VERSION:
        raise TheirMistake(f"{path} is of version {found.version}, this robot reads {VERSION}")
    for time in (found.time, *(point.time for point in found.points)):
        if not 0 <= time < LATEST:
            raise TheirMistake(f"{path} is damaged (there is no time {time})")
    return found


def lines(known: Yield) -> list[str]:
    """The % lines of a summary."""
    if not known.total.documents:
        return []
    languages = (
        f"{code} kept {figures.kept} of {figures.documents}"
        for code, figures in nlargest(SHOWN_LANGUAGES, known.languages.items(), key=_weight)
    )
    domains = (
        f"{readable(name)} {size(figures.kept_bytes)}"
        for name, figures in nlargest(SHOWN_DOMAINS, known.domains.items(), key=_weight)
    )
    total = known.total
    return [
        f"% yield {percent(total)}   text {size(total.kept_bytes)} of {size(total.raw_bytes)}"
        f"   kept {total.kept} of {total.documents}   domains {known.domain_count}"
        f"   abandoned {known.abandoned}",
        "% fates   " + fates(known),
        "% languages   " + "   ".join(languages),
        "% most-text   " + "   ".join(domains),
    ]


def fates(known: Yield) -> str:
    """What became of the documents, the most frequent first: those not kept have many reasons."""
    found = sorted(known.fates.items(), key=lambda fate: -fate[1])
    return "   ".join(f"{fate} {number}" for fate, number in found)


def readable(domain: str) -> str:
    """A domain as people write it: háčky.cz for xn--hky-ela4t.cz; as it is, when that cannot be."""
    try:
        name = domain.encode("ascii").decode("idna") if "xn--" in domain else domain
    except UnicodeError:
        return domain
    return name if name.isprintable() else domain


def abandoned_lines(domains: Mapping[str, Figures], wishes: str) -> list[str]:
    """The domains that were abandoned, one a line, with the figures against them, and how to undo it."""
    return [
        "# domains abandoned after a fair trial: too little text was kept of what was downloaded"
        " (docs/segmenter.md, Domains on trial).",
        f"# To give one another trial: echo '^example\\.org$' >> {wishes}",
        "# (a regular expression; within a second in a running crawl), or --bring-back='^example\\.org$'",
    ] * bool(domains) + [
        f"{escaped(name)} documents={figures.documents} kept={figures.kept} raw_bytes={figures.raw_bytes}"
        f" kept_bytes={figures.kept_bytes} yield={figures.share():.5f}"
        for name, figures in domains.items()
    ]


def by_weight(figures: Mapping[str, Figures]) -> list[tuple[str, Figures]]:
    """Who yielded most text first."""
    return sorted(figures.items(), key=_weight, reverse=True)


def percent(figures: Figures) -> str:
    return f"{100 * figures.share():.2f} %"


def size(number: float) -> str:
    """12.3 MB: decimal units, as disks are sold."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def _plus(figures: Figures, document: Document) -> Figures:
    is_kept = document.fate == "kept"
    return Figures(
        figures.documents + 1,
        figures.kept + is_kept,
        figures.raw_bytes + max(0, document.size_bytes),
        figures.kept_bytes + (max(0, document.text_bytes) if is_kept else 0),
    )


def _raw_bytes(named: tuple[str, Figures]) -> int:
    return named[1].raw_bytes


def _weight(named: tuple[str, Figures]) -> tuple[int, int]:
    return named[1].kept_bytes, named[1].documents
