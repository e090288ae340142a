"""The tree: a page's markup, however broken, as a browser sees it.

Invariant: every text becomes a tree with html at its root, in time and memory proportional to its length;
nothing raises.

The parser is turbohtml's, which builds what the HTML standard says (why: docs/decisions/0008). Where that
would lose text, time or memory, the markup is changed before: CDATA is read as a comment, every further
<html> or <body> copies the attributes of all those before it, and a very long text is copied while it grows.
"""

import re

import turbohtml
from turbohtml import Element

MOST_TAGS = 400_000  # of one page that are read, 100 bytes each; the most of 5,200 pages is 21,646
LONG, LONGEST_RUN = 2_000_000, 500_000  # characters: of a page, and without a tag; 10 million took 280 MB
MOST_ROOTS = 10  # <html> and <body> of one page; 20,000 took 8 seconds and 5 GB

_ROOT = re.compile(r"<(?=[hb])(?:html|body)(?=[\s/>])", re.IGNORECASE)


def parse(text: str) -> Element:
    """The root of the page's tree."""
    if "<![CDATA[" in text:
        text = text.replace("<![CDATA[", "").replace("]]>", "")
    text = _with_short_runs(_with_few_roots(_bounded(text)))
    root = turbohtml.parse(text, allow_declarative_shadow_roots=False).root
    assert root is not None  # the standard gives every text one
    return root


def _bounded(text: str) -> str:
    """As much of a page as is read at all."""
    if len(text) <= MOST_TAGS or text.count("<") <= MOST_TAGS:
        return text
    return "<".join(text.split("<", MOST_TAGS + 1)[: MOST_TAGS + 1])


def _with_few_roots(text: str) -> str:
    """The text whose surplus roots are of no known element."""
    places = list(_ROOT.finditer(text))
    if len(places) <= MOST_ROOTS:
        return text
    first = places[MOST_ROOTS].start()
    return text[:first] + _ROOT.sub("<x-root", text[first:])


def _with_short_runs(text: str) -> str:
    """The text with comments wherever nothing else interrupts it for long."""
    return text if len(text) <= LONG else ">".join(map(_with_short_start, text.split(">")))


def _with_short_start(piece: str) -> str:
    if len(piece) <= LONGEST_RUN:
        return piece
    run, tag, rest = piece.partition("<")
    starts = range(0, len(run), LONGEST_RUN)
    return "<!---->".join(run[start : start + LONGEST_RUN] for start in starts) + tag + rest
