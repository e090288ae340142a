"""Sentences: the text that a reader of the page could see, one assumed sentence per line.

Invariant: no line is empty, begins or ends with a blank, or holds two blanks together, a
control character or anything invisible; the text is in Unicode's normal form C.

A block (paragraph, cell, list item, br ...) ends a sentence; anything else, unknown elements
included, does not, and adds no blank either: "<b>W</b>ord" is one word. But two links side by side
are two words, which style sheets keep apart (not in Chinese, and not in code). What is inside a
block is not split further here, and nothing is judged: short lines are the segmenter's business.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from turbohtml import Element, Namespace, Text

from txtr.clean.charset.normal import collapsed, normal, raised, unbroken
from txtr.clean.html.elements import BLOCKS, DIALOG, LINK, NOSCRIPT, PREFORMATTED, RAISED, ROOTS, UNSEEN, VOID
from txtr.clean.html.notes import RAW, SEEN_RAW, notable
from txtr.clean.native import sentences

SPLIT = "\x1f"  # no line has any blank but " "
LITTLE = 1000  # characters; a page that shows less may wait for a script, as many forums do
_FIRST_WIDE = "\u2e80"  # from here on, scripts of East Asia, where linked words follow without a blank
_HIDING = "[hidden],dialog,[style*='none' i],[style*='hidden' i]"
_HIDDEN_STYLE = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII
)
_BLANK = re.compile(r"[^\S\x85]+")  # Windows' ellipsis is no blank, whatever Unicode says of its place


@dataclass(frozen=True, slots=True)
class Seen:
    """The visible text of a page, a line per assumed sentence."""

    text: str  # with a line feed behind each line; where one is known to hold several, SPLIT is between them
    counts: list[int]  # of the sentences of each line; 0: not known


def bare(elements: Iterable[Element]) -> None:
    """Empty the elements in which markup means nothing, and rename those that are seen."""
    for element in elements:
        tag = element.tag
        if (tag in RAW or tag in SEEN_RAW) and element.namespace is Namespace.HTML:
            if tag in RAW:
                element.clear()
            else:
                element.tag = "listing"


def lines(tree: Element) -> list[str]:
    """The visible text of a page, a line per assumed sentence."""
    bare(notable(tree))
    return seen(lambda: tree, written_out(tree)).text.replace(SPLIT, " ").split("\n")[:-1]


def written_out(tree: Element) -> bytes:
    """The markup of a tree that is bare."""
    try:
        return tree.encode()
    except UnicodeEncodeError:  # half a character
        return tree.html.encode("utf-8", "replace")


def seen(tree: Callable[[], Element], markup: bytes | None) -> Seen:
    """What can be seen of a page that is bare; markup is what its tree would be written out as, if known."""
    # A page that hides all of itself waits for a script to show it, which is what a reader sees.
    found = _seen(tree, markup)
    if not found.text:
        found = _seen(tree, markup, with_hidden=True)
    if _length(found) < LITTLE:  # a script would fill it: what is there for readers without one, is it more?
        without_script = _seen(tree, markup, with_noscript=True)
        return without_script if _length(without_script) > 2 * _length(found) else found
    return found


def _length(seen: Seen) -> int:
    return len(seen.text) - len(seen.counts)


def _seen(
    tree: Callable[[], Element], markup: bytes | None, with_hidden: bool = False, with_noscript: bool = False
) -> Seen:
    quick = sentences.seen(markup, with_hidden, with_noscript) if markup is not None else None
    text, counts, is_normal = quick or looked(tree(), with_hidden, with_noscript)
    tidy = text if is_normal else normal(text)
    if tidy == text:
        return Seen(text, counts)
    kept = [
        (line, count) if line == new else (collapsed(new), 0)
        for line, new, count in zip(text.split("\n"), tidy.split("\n"), counts, strict=False)
    ]
    return Seen("".join(f"{line}\n" for line, _ in kept if line), [count for line, count in kept if line])


def looked(tree: Element, with_hidden: bool, with_noscript: bool) -> tuple[str, list[int], bool]:
    """The twin of native/sentences.py: the lines, each with a line feed behind it."""
    hidden = frozenset() if with_hidden else frozenset(filter(_is_hidden, tree.select(_HIDING)))
    pieces = _pieces(tree, UNSEEN - {NOSCRIPT} if with_noscript else UNSEEN, hidden)
    blanks = (_BLANK.sub(" ", line).strip(" ") for line in "".join(pieces).split("\n"))
    lines = [f"{line}\n" for line in blanks if line]
    return "".join(lines), [0] * len(lines), False


def _pieces(tree: Element, unseen: frozenset[str], hidden: frozenset[Element]) -> list[str]:
    """The text without these tags and elements; a line feed is the end of a sentence, and nothing else is."""
    pieces: list[str] = []
    opened: list[tuple[Any, str]] = []  # the elements that we are in: what is around each, and its tag
    inner: Any = tree.parent  # the innermost of them
    out = preformatted = 0  # how deep the one is that is not seen, if any; how many are preformatted
    link = link_end = -1  # the pieces before the last link, and up to its end, if it has any
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
                    text = unbroken(text).replace("\n", " ")
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
        if tag in VOID:  # in a formula, where anything may have content, it ends before that
            opened[-1] = opened[-1][0], ""
            pieces.extend("\n" if tag in BLOCKS else "")
        elif tag in unseen or (hidden and node in hidden):
            out = out or len(opened)
    return pieces


def _is_hidden(element: Element) -> bool:
    if element.tag in ROOTS:
        return False
    if element.attr("hidden", "until-found") != "until-found":
        return not (element.attr("id") or "").startswith("S:")  # React sends parts of a page like this
    if element.tag == DIALOG:
        return element.attr("open") is None
    return _HIDDEN_STYLE.search(element.attr("style") or "") is not None
