"""The tree: a page's markup, however broken, as a browser sees it.

Invariant: every text becomes a tree with html at its root, in time and memory proportional to its length;
nothing raises.

The parser is turbohtml's, which builds what the HTML standard says (why: docs/decisions/0008). Where that
would lose text, time or memory, the markup is changed before: CDATA is read as a comment, cells without a
table run together, noscript in the head ends the head and shows what browsers with scripts do not, every
further <html> or <body> is compared with all those before it, formatting that nobody closed is opened again
in every paragraph that follows, and a very long text is copied while it grows.
"""

import re
from collections import Counter
from collections.abc import Iterator

import turbohtml
from turbohtml import Element

MOST_TAGS = 400_000  # of one page that are read, 100 bytes each; the most of 5,200 pages is 21,646
LONG, LONGEST_RUN = 2_000_000, 500_000  # characters: of a page, and without a tag; 10 million took 280 MB
LONGEST_REFERENCE = 40  # characters, such as &CounterClockwiseContourIntegral;
MOST_ROOTS, WIDEST_ROOT = 10, 1000  # of one page, and attributes of each; 20,000 took 8 seconds and 5 GB
MOST_COPIES = 800_000  # of formatting elements, 130 bytes each; two pages of 5,200 may have more
MOST_OPEN = 512  # formatting elements that the parser opens again in one place
ALIKE = 3  # of which are equal (HTML standard: "Noah's Ark clause")
WIDEST = 40  # attributes of what is copied, 24 bytes each
SMALL = 300_000_000  # characters times tags; so small a page has no room for a gigabyte of copies

_FORMATTING = r"(?=[bcefinstu])(?:b(?:ig)?|code|em|font|i|nobr|s(?:mall|trike|trong)?|tt|u)"
# As the HTML standard reads it: quotes count after an equals sign only, unless that begins a name.
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|(?!["'>])[^\s>]++)"""
_ATTRIBUTE = rf"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE}?+)?+)"
_ROOT = re.compile(
    rf"<(?=[hb])(?:html|body)(?=[\s/>])(?=({_ATTRIBUTE}{{0,{WIDEST_ROOT}}}+[\s/]*+>)?+)", re.IGNORECASE
)
_WIDE = re.compile(
    rf"<(?=[abcefinstu])(?=(?:a|{_FORMATTING})[\s/])(?![a-z]++{_ATTRIBUTE}{{0,{WIDEST}}}+[\s/]*+>)",
    re.IGNORECASE,
)
_FORMAT_TAG = re.compile(rf"<(?=({_FORMATTING}(?=[\s/>]){_ATTRIBUTE}{{0,{WIDEST}}}+[\s/]*+>))", re.IGNORECASE)
_FORMAT = re.compile(rf"<(/?)(?={_FORMATTING}[\s/>])", re.IGNORECASE)
_HEAD_ENDS = re.compile(r"<(?:/head|body)[\s/>]", re.IGNORECASE)
_NOSCRIPT = re.compile(
    r"<noscript(?=[\s/>])([^<>]*+>[^<]*+(?:<(?!/?noscript)[^<]*+)*+)</noscript(?=[\s/>])", re.IGNORECASE
)
_TABLE_PART = re.compile(r"</?(?:caption|t(?:[dhr]|body|foot|head))(?=[\s/>])[^<>]*+>", re.IGNORECASE)


def parse(text: str) -> Element:
    """The root of the page's tree."""
    if "<![CDATA[" in text:
        text = text.replace("<![CDATA[", "").replace("]]>", "")
    text = _with_whole_head(_with_cells_apart(_bounded(text)))
    text = _with_short_runs(_with_few_copies(_with_few_roots(text)))
    root = turbohtml.parse(text, allow_declarative_shadow_roots=False).root
    assert root is not None  # the standard gives every text one
    return root


def _bounded(text: str) -> str:
    """As much of a page as is read at all."""
    if len(text) <= MOST_TAGS or text.count("<") <= MOST_TAGS:
        return text
    return "<".join(text.split("<", MOST_TAGS + 1)[: MOST_TAGS + 1])


def _with_cells_apart(text: str) -> str:
    """A piece of a table, as scripts fetch them, with breaks: the standard forgets cells that are in none."""
    is_piece = ("<td" in text or "<th" in text) and "<table" not in text and "<TABLE" not in text
    return _TABLE_PART.sub("<br>", text) if is_piece else text


def _with_whole_head(text: str) -> str:
    """The text with templates for noscript in the head: there they may hold anything, and nobody sees it."""
    end = _HEAD_ENDS.search(text) if "<noscript" in text else None
    if end is None:
        return text
    return _NOSCRIPT.sub(r"<template\1</template", text[: end.start()]) + text[end.start() :]


def _with_few_roots(text: str) -> str:
    """The text whose surplus roots, and those with too much in them, are of no known element."""
    places = list(_ROOT.finditer(text))
    if len(places) <= MOST_ROOTS and all(place[1] for place in places):
        return text
    kept = {place.start() for place in places[:MOST_ROOTS] if place[1]}
    return _ROOT.sub(lambda place: place[0] if place.start() in kept else "<x-root", text)


def _with_few_copies(text: str) -> str:
    """The text in which what the parser would copy too often, or with too much, is of no known element.

    Nothing but the weight of letters is lost, and links with very many attributes. What only looks like a
    tag counts as well, since a comment may end where nobody expects it.
    """
    tags = text.count("<")
    if tags * len(text) > SMALL:
        text = _WIDE.sub("<x-", text)
    if tags * MOST_OPEN <= MOST_COPIES:
        return text
    times = Counter(_FORMAT_TAG.findall(text))
    reopened = min(MOST_OPEN, sum(min(ALIKE, number) for number in times.values()))
    return _FORMAT.sub(r"<\1x-", text) if reopened * tags > MOST_COPIES else text


def _with_short_runs(text: str) -> str:
    """The text with comments wherever nothing else interrupts it for long."""
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
