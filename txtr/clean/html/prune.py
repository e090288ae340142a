"""Pruning: the parts of a page that nobody reads are emptied before the blocks are read.

Invariant: every element stays where it is. Elements are empty that a reader operates rather than reads, that
are for programs, or that are marks inside the text and no part of it. Nothing raises.

noscript stays: some forums put the whole conversation there. Elements that are hidden until a click stay,
too: a later step judges whether they are worth reading.

Where a page's markup is known, the markup is pruned in C, without a tree (native/prune.py).
"""

import re

from turbohtml import Element, Text

from txtr.clean.charset.normal import raised
from txtr.clean.html.elements import LINK, RAISED, UNSEEN

_OPERATED = {"select", "option", "optgroup", "input", "object", "embed", "map", "math", "col", "colgroup"}
UNREAD = (*sorted(UNSEEN - {"noscript"} | _OPERATED), "head")
# The fringe is not looked at, except inside the centre: 1 in 1000 of the words that people marked is there.
FRINGE, CENTRE = frozenset({"nav", "footer"}), frozenset({"main", "article"})
READING, BRACKET = "rt", "rp"  # how a character is read; brackets for browsers that cannot show that above it

LONGEST_MARK = 400  # characters, blanks included; a longer text is no mark
PERMALINKS = frozenset({"¶", "#", "§", "🔗", "⚓"})  # texts of links beside headings, to these headings
# Zeros of all scripts that have digits: Persian footnotes are not numbered in Arabic numerals.
ZEROS = (
    "0\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u0f20\u1040"
    "\u1090\u17e0\u1810\u1946\u19d0\u1a80\u1a90\u1b50\u1bb0\u1c40\u1c50\ua620\ua8d0\ua900\ua9d0\ua9f0\uaa50"
    "\uabf0\uff10"
)
_DIGIT = "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in ZEROS)
_NOTE = re.compile(rf"\s*[\[(]?(?:[{_DIGIT}]{{1,3}}|[a-z*†‡])[\])]?\s*")

_INSIDE = ", ".join(f"{tag} *" for tag in sorted(CENTRE))
_FRINGE = ", ".join(f"{tag}:not({_INSIDE})" for tag in sorted(FRINGE))
_MARKS = f"{RAISED}, {READING}, {LINK}[href^='#']"


def prune(tree: Element) -> None:
    """Empty the parts of a bare page that nobody reads, and raise the digits of exponents."""
    for element in [*tree.iter_elements(UNREAD), *tree.select(_FRINGE)]:
        element.clear()
    for mark in tree.select(_MARKS):
        if _is_no_text(mark):
            mark.clear()
        elif mark.tag == RAISED:
            _raise(mark)


def _is_no_text(mark: Element) -> bool:
    if mark.tag == LINK:
        return mark.text in PERMALINKS
    return _is_note(mark) if mark.tag == RAISED else not _has_brackets(mark)


def _is_note(element: Element) -> bool:
    """Is this raised number the mark of a footnote, that is, a link into its own page?"""
    inner = [child for child in element if isinstance(child, Element)]
    link = inner[0] if len(inner) == 1 else element.parent
    if not isinstance(link, Element) or link.tag != LINK or not (link.attr("href") or "").startswith("#"):
        return False
    text = element.text
    return len(text) <= LONGEST_MARK and _NOTE.fullmatch(text) is not None


def _has_brackets(element: Element) -> bool:
    """Is there a bracket (rp) before this reading of a character? A reading without one tears words apart."""
    before = element.previous_sibling
    if isinstance(before, Text):
        before = before.previous_sibling
    return isinstance(before, Element) and before.tag == BRACKET


def _raise(element: Element) -> None:
    for child in element:
        if isinstance(child, Text):
            child.data = raised(child.data)
