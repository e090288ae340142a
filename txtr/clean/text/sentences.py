"""Sentences: the text that a reader of the page could see, one assumed sentence per line.

Invariant: no line is empty, begins or ends with a blank, or holds two blanks together, a
control character or anything invisible; the text is in Unicode's normal form C.

A block (paragraph, cell, list item, br ...) ends a sentence. Any other element, known or unknown, ends none
and adds no blank either: "<b>W</b>ord" is one word. But two links side by side are two words, since style
sheets keep them apart (not in Chinese, and not in code). The text of a block is not split further here, and
nothing is judged: the segmenter judges short lines.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from turbohtml import Element, Namespace, Text

from txtr.clean.charset.normal import collapse, join_wide_lines, normalize, raised
from txtr.clean.html.elements import BLOCKS, DIALOG, LINK, NOSCRIPT, PREFORMATTED, RAISED, ROOTS, UNSEEN, VOID
from txtr.clean.html.notes import RAW, SEEN_RAW, find_notable
from txtr.clean.native import sentences

SPLIT = "\x1f"  # between sentences of a line; the only other blank in a line is " "
LITTLE = 1000  # characters; a page that shows less may wait for a script, as many forums do
_FIRST_WIDE = "\u2e80"  # scripts of East Asia begin here; their linked words follow without a blank
_HIDING = "[hidden],dialog,[style*='none' i],[style*='hidden' i]"
_HIDDEN_STYLE = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII
)
_BLANK = re.compile(r"[^\S\x85]+")  # \x85 is the ellipsis of Windows, though Unicode calls it a blank


@dataclass(frozen=True, slots=True)
class Seen:
    """The visible text of a page, a line per assumed sentence."""

    text: str  # with a line feed after each line, and SPLIT between sentences of a line, where known
    counts: list[int]  # of the sentences of each line; 0: not known


def make_bare(elements: Iterable[Element]) -> None:
    """Empty the elements in which markup means nothing, and give those that are seen another name."""
    for element in elements:
        tag = element.tag
        if (tag in RAW or tag in SEEN_RAW) and element.namespace is Namespace.HTML:
            if tag in RAW:
                element.clear()
            else:
                element.tag = "listing"


def lines(tree: Element) -> list[str]:
    """The visible text of a page, a line per assumed sentence."""
    make_bare(find_notable(tree))
    return find_visible(lambda: tree, write_out(tree)).text.replace(SPLIT, " ").split("\n")[:-1]


def write_out(tree: Element) -> bytes:
    """The markup of a bare tree."""
    try:
        return tree.encode()
    except UnicodeEncodeError:  # half a character
        return tree.html.encode("utf-8", "replace")


def find_visible(tree: Callable[[], Element], markup: bytes | None) -> Seen:
    """The visible text of a bare page; markup is its tree as it would be written out, if known."""
    # A page that hides all of itself waits for a script to show it, and readers see what the script shows.
    found = _seen(tree, markup)
    if not found.text:
        found = _seen(tree, markup, with_hidden=True)
    if _length(found) < LITTLE:  # a script would fill it: is there more for readers without scripts?
        without_script = _seen(tree, markup, with_noscript=True)
        return without_script if _length(without_script) > 2 * _length(found) else found
    return found


def _length(seen: Seen) -> int:
    return len(seen.text) - len(seen.counts)


def _seen(
    tree: Callable[[], Element], markup: bytes | None, with_hidden: bool = False, with_noscript: bool = False
) -> Seen:
    quick = sentences.find_visible(markup, with_hidden, with_noscript) if markup is not None else None
    text, counts, is_normal = quick or look(tree(), with_hidden, with_noscript)
    tidy = text if is_normal else normalize(text)
    if tidy == text:
        return Seen(text, counts)
    kept = [
        (line, count) if line == new else (collapse(new), 0)
        for line, new, count in zip(text.split("\n"), tidy.split("\n"), counts, strict=False)
    ]
    return Seen("".join(f"{line}\n" for line, _ in kept if line), [count for line, count in kept if line])


def look(tree: Element, with_hidden: bool, with_noscript: bool) -> tuple[str, list[int], bool]:
    """The lines, each with a line feed behind it, as native/sentences.py finds them in C."""
    hidden = frozenset() if with_hidden else frozenset(filter(_is_hidden, tree.select(_HIDING)))
    pieces = _pieces(tree, UNSEEN - {NOSCRIPT} if with_noscript else UNSEEN, hidden)
    blanks = (_BLANK.sub(" ", line).strip(" ") for line in "".join(pieces).split("\n"))
    lines = [f"{line}\n" for line in blanks if line]
    return "".join(lines), [0] * len(lines), False


def _pieces(tree: Element, unseen: frozenset[str], hidden: frozenset[Element]) -> list[str]:
    """The text without these tags and elements; only a line feed is the end of a sentence."""
    pieces: list[str] = []
    opened: list[tuple[Any, str]] = []  # the open elements: what is around each, and its tag
    inner: Any = tree.parent  # the innermost open element
    out = preformatted = 0  # depth of the element that is not seen, if any; number of preformatted elements
    link = link_end = -1  # number of pieces before the last link, and up to its end, if it has an end
    node: Any
    for node in chain((tree,), tree.descendants):
        around = node.parent
        while inner is not around:
            inner, tag = opened.pop()
            if tag in BLOCKS:
                pieces.append("\n")
                preformatted -= tag in PREFORMATTED
            elif tag == LINK and len(pieces) > link:
                link_end = len(pieces)
        if out and len(opened) < out:
            out = 0
        if node.__class__ is Text:
            if not out:
                text = raised(node.data) if opened[-1][1] == RAISED else node.data
                if "\n" in text and not preformatted:
                    text = join_wide_lines(text).replace("\n", " ")
                pieces.append(text)
            continue
        tag = node.tag if node.__class__ is Element and not out else ""
        opened.append((inner, tag))
        inner = node
        if tag in BLOCKS:
            pieces.append("\n")
            preformatted += tag in PREFORMATTED
        elif tag == LINK:
            if len(pieces) == link_end and not preformatted and pieces[-1][-1:] < _FIRST_WIDE:
                pieces.append(" ")
            link = len(pieces)
        if tag in VOID:  # inside a formula any element may have content; a void one ends before it
            opened[-1] = opened[-1][0], ""
            pieces.extend("\n" if tag in BLOCKS else "")
        elif tag in unseen or (hidden and node in hidden):
            out = out or len(opened)
    return pieces


def _is_hidden(element: Element) -> bool:
    if element.tag in ROOTS:
        return False
    if element.attr("hidden", "until-found") != "until-found":
        return not (element.attr("id") or "").startswith("S:")  # React hides parts of a page like this
    if element.tag == DIALOG:
        return element.attr("open") is None
    return _HIDDEN_STYLE.search(element.attr("style") or "") is not None
