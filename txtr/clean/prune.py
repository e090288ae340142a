"""Pruning: what nobody reads goes before the blocks of a page are read.

Invariant: every element stays where it is, but those that a reader operates rather than reads, or that are
for programs, are empty, and so are marks inside the text that are no part of it. Nothing raises.

noscript stays: some forums put the whole conversation there. So does what waits, hidden, for a click: whether
it is worth reading is judged later.
"""

import re

from turbohtml import Element, Text

from txtr.clean.normal import raised
from txtr.clean.visible import UNSEEN

_OPERATED = {"select", "option", "optgroup", "input", "object", "embed", "map", "math", "col", "colgroup"}
UNREAD = (*sorted(UNSEEN - {"noscript"} | _OPERATED), "head")
# Not even looked at, unless in the centre: 1 in 1000 of the words that people marked are there.
_FRINGE = "nav:not(main *, article *), footer:not(main *, article *)"
_MARKS = "sup, rt, a[href^='#']"

_RAW = ("xmp", "plaintext")  # < and & mean themselves in them, unlike in a listing

_PERMALINKS = frozenset({"¶", "#", "§", "🔗", "⚓"})  # beside headings: links to themselves
_NOTE = re.compile(r"\s*[\[(]?(?:\d{1,3}|[a-z*†‡])[\])]?\s*")


def prune(tree: Element) -> None:
    """Empty what nobody reads, raise the digits of exponents, and spare those who follow unescaped markup."""
    for element in [*tree.iter_elements(UNREAD), *tree.select(_FRINGE)]:
        element.clear()
    for element in list(tree.iter_elements(_RAW)):
        element.tag = "listing"
    for mark in tree.select(_MARKS):
        if _is_no_text(mark):
            mark.clear()
        elif mark.tag == "sup":
            _raise(mark)


def _is_no_text(mark: Element) -> bool:
    if mark.tag == "a":
        return mark.text in _PERMALINKS
    return _is_note(mark) if mark.tag == "sup" else not _has_brackets(mark)


def _is_note(element: Element) -> bool:
    """Is this raised number the mark of a footnote? It links into its own page, and is no part of a word."""
    inner = [child for child in element if isinstance(child, Element)]
    link = inner[0] if len(inner) == 1 else element.parent
    if not isinstance(link, Element) or link.tag != "a":
        return False
    if not (link.attr("href") or "").partition("?")[0].startswith("#"):
        return False
    return _NOTE.fullmatch(element.text) is not None


def _has_brackets(element: Element) -> bool:
    """Is there a bracket (rp) before how a character is read? Without one it would tear words apart."""
    before = element.previous_sibling
    if isinstance(before, Text):
        before = before.previous_sibling
    return isinstance(before, Element) and before.tag == "rp"


def _raise(element: Element) -> None:
    for child in element:
        if isinstance(child, Text):
            child.data = raised(child.data)
