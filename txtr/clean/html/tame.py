"""Tame markup: markup without what would take the parser more time or memory than a page is worth.

Invariant: no text of the page is lost up to MOST_TAGS, and a page that takes little is left as it is.

The HTML standard asks for work that grows faster than a page. Every further <html> or <body> is compared with
all earlier ones. Formatting that was not closed is opened again, with its attributes, in every paragraph that
follows. Besides, a very long text is copied while it grows.
"""

import re
from collections import Counter
from collections.abc import Iterator

from txtr.clean.html.costly import FORMAT, Burden, weigh
from txtr.clean.native import costly

MOST_TAGS = 400_000  # of one page that are read, 100 bytes each; the most of 5,200 pages is 21,646
LONG, LONGEST_RUN = 2_000_000, 500_000  # characters of a page; without a tag: 10 million took 280 MB
LONGEST_REFERENCE = 40  # characters, such as &CounterClockwiseContourIntegral;
MOST_ROOTS, WIDEST_ROOT = 10, 1000  # of one page, and attributes of each; 20,000 took 8 seconds and 5 GB
MOST_COPIES = 800_000  # of formatting elements; two pages of 5,200 may have more
COPY_BYTES, ATTRIBUTE_BYTES = 130, 24  # of a copied element; of an attribute, which takes two characters
MOST_COPIED_BYTES = 250_000_000  # by a rough estimate
MOST_OPEN = 512  # formatting elements that the parser opens again in one place
ALIKE = 3  # of them may be equal (HTML standard: "Noah's Ark clause")
WIDEST = 40  # attributes of an element that is copied
# Below these sizes a page has no room for 300 MB of copies or for half a second of comparing. Most pages are
# below them, and not looked at.
FEW_TAGS, SMALL, SHORT = MOST_COPIES // MOST_OPEN, 100_000_000, 100_000  # tags, times characters, characters

# As the HTML standard reads attributes: quotes count only after an equals sign that does not begin a name.
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|(?!["'>])[^\s>]++)"""
_ATTRIBUTE = rf"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE}?+)?+)"
_ROOT = re.compile(r"<(?=[hb])(?:html|body)(?=[\s/>])", re.IGNORECASE)
# What follows the name of a root that may stay. Few roots are matched: a match may reach over all later
# roots.
_REST_OF_ROOT = re.compile(rf"{_ATTRIBUTE}{{0,{WIDEST_ROOT}}}+[\s/]*+>")
_WIDE = re.compile(
    rf"<(?=[abcefinstu])(?=(?:a|{FORMAT})[\s/])(?![a-z]++{_ATTRIBUTE}{{0,{WIDEST}}}+[\s/]*+>)",
    re.IGNORECASE,
)
_FORMAT_TAG = re.compile(rf"<(?=({FORMAT}(?=[\s/>]){_ATTRIBUTE}{{0,{WIDEST}}}+[\s/]*+>))", re.IGNORECASE)
_FORMAT = re.compile(rf"<(/?)(?={FORMAT}[\s/>])", re.IGNORECASE)


def tame(text: str, utf8: bytes | None = None) -> str:
    """The page's markup, fit to be parsed; utf8 is the same text in UTF-8, if that is at hand."""
    tags = text.count("<") if utf8 is None else utf8.count(b"<")
    if tags <= FEW_TAGS and tags * len(text) <= SMALL and len(text) <= SHORT:
        return text
    whole, burden = text, _weighed(text) if utf8 is None else costly.weigh(utf8)
    if tags > MOST_TAGS:  # the rest of the page is not read
        text = "<".join(text.split("<", MOST_TAGS + 1)[: MOST_TAGS + 1])
    text = _with_short_runs(text)
    burden = (burden if text is whole else _weighed(text)) or weigh(text)
    return text if _is_tame(burden, tags) else _with_few_copies(_with_few_roots(text))


def _weighed(text: str) -> Burden | None:
    return costly.weigh(text.encode("utf-8", "replace"))


def _is_tame(burden: Burden, tags: int) -> bool:
    """Are there few roots and little to copy? All formatting is copied, and one link: each ends the last."""
    copied = (
        COPY_BYTES * burden.formats + ATTRIBUTE_BYTES * (burden.format_characters + burden.widest_link) // 2
    )
    if burden.roots > MOST_ROOTS or burden.widest_root > 2 * WIDEST_ROOT:
        return False
    return tags * copied <= MOST_COPIED_BYTES


def _with_few_roots(text: str) -> str:
    """The text in which surplus roots, and roots with too many attributes, have an unknown name."""
    places = list(_ROOT.finditer(text))
    kept = {place.start() for place in places[:MOST_ROOTS] if _REST_OF_ROOT.match(text, place.end())}
    if len(kept) == len(places):
        return text
    return _ROOT.sub(lambda place: place[0] if place.start() in kept else "<x-root", text)


def _with_few_copies(text: str) -> str:
    """The text in which elements that the parser would copy too often, or that are too wide, are renamed.

    Only the weight of letters is lost, and links with very many attributes. Text that only looks like a tag
    counts as well, since a comment may end at an unexpected place.
    """
    tags = text.count("<")
    text = _WIDE.sub("<x-", text)
    times = Counter(_FORMAT_TAG.findall(text))
    reopened = min(MOST_OPEN, sum(min(ALIKE, number) for number in times.values()))
    return _FORMAT.sub(r"<\1x-", text) if reopened * tags > MOST_COPIES else text


def _with_short_runs(text: str) -> str:
    """The text with comments put into long runs without a tag."""
    return text if len(text) <= LONG else ">".join(map(_with_short_start, text.split(">")))


def _with_short_start(piece: str) -> str:
    if len(piece) <= LONGEST_RUN:
        return piece
    run, tag, rest = piece.partition("<")
    return "<!---->".join(_short(run)) + tag + rest


def _short(run: str) -> Iterator[str]:
    """The text in pieces, none of which ends inside a reference."""
    start = 0
    while start + LONGEST_RUN < len(run):
        end = start + LONGEST_RUN
        reference = run.rfind("&", end - LONGEST_REFERENCE, end)
        end = end if reference < 0 else reference
        yield run[start:end]
        start = end
    yield run[start:]
