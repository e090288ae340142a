"""Sentences: the text that a reader of the page could see, one assumed sentence per line.

Invariant: no line is empty, begins or ends with a blank, or holds two blanks together, a
control character or anything invisible; the text is in Unicode's normal form C.

A block (paragraph, cell, list item, br ...) ends a sentence; anything else, unknown elements
included, does not, and adds no blank either: "<b>W</b>ord" is one word. But two links side by side
are two words, which style sheets keep apart (not in Chinese, and not in code). What is inside a
block is not split further here, and nothing is judged: short lines are the segmenter's business.
"""

import re
from itertools import chain
from typing import Any

from turbohtml import Element, Text

from txtr.clean.normal import collapsed, normal, raised, unbroken

_BLOCKS = """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir
    div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
    html isindex legend li listing main menu menuitem nav ol optgroup option p plaintext pre
    search section select summary table tbody td tfoot th thead tr ul xmp
"""
BLOCKS = frozenset(_BLOCKS.split())
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})

# No reader sees these as text. noscript, noframes and what stands inside iframe, audio and their kin
# is for browsers that nobody has; a textarea is the reader's own paper and mostly holds markup to be copied.
# Annotations of formulas are for programs (MathML Core hides them).
# The options of a select are seen, and stay: short lines are not ours to judge.
_UNSEEN = """
    annotation annotation-xml audio canvas datalist iframe noembed noframes noscript script style svg
    template textarea title video
"""
UNSEEN = frozenset(_UNSEEN.split())
LITTLE = 1000  # characters; a page that shows less may wait for a script, as many forums do
_FIRST_WIDE = "\u2e80"  # from here on, scripts of East Asia, where linked words follow without a blank
_HIDING = "[hidden],dialog,[style*='none' i],[style*='hidden' i]"
_HIDDEN_STYLE = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def lines(tree: Element) -> list[str]:
    """The visible text of a page, a line per assumed sentence."""
    hidden = frozenset(filter(_is_hidden, tree.select(_HIDING)))
    # A page that hides all of itself waits for a script to show it, which is what a reader sees.
    found = _lines(tree, UNSEEN, hidden) or _lines(tree, UNSEEN, frozenset())
    if _length(found) < LITTLE:  # a script would fill it: what is there for readers without one, is it more?
        without_script = _lines(tree, UNSEEN - {"noscript"}, hidden)
        return without_script if _length(without_script) > 2 * _length(found) else found
    return found


def _length(lines: list[str]) -> int:
    return sum(map(len, lines))


def _lines(tree: Element, unseen: frozenset[str], hidden: frozenset[Element]) -> list[str]:
    text = normal("".join(_pieces(tree, unseen, hidden)))
    return [line for line in map(collapsed, text.split("\n")) if line]


def title(tree: Element) -> str:
    """The page's title on one line, '' when it has none."""
    found = tree.find("title")
    return " ".join(normal(found.text).split()) if found is not None else ""


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
            elif tag == "a" and len(pieces) > link:
                link_end = len(pieces)
        if out and len(opened) < out:
            out = 0
        if node.__class__ is Text:
            if not out:
                text = raised(node.data) if opened[-1][1] == "sup" else node.data
                if "\n" in text and not preformatted:
                    text = " " if text.isspace() else unbroken(text).replace("\n", " ")
                pieces.append(text)
            continue
        tag = node.tag if node.__class__ is Element and not out else ""
        opened.append((inner, tag))
        inner = node
        if tag in BLOCKS:
            pieces.append("\n")
            preformatted += tag in PREFORMATTED
        elif tag == "a":
            if len(pieces) == link_end and not preformatted and pieces[-1][-1:] < _FIRST_WIDE:
                pieces.append(" ")
            link = len(pieces)
        if tag in unseen or (hidden and node in hidden):
            out = out or len(opened)
    return pieces


def _is_hidden(element: Element) -> bool:
    if element.tag in ("html", "body"):  # until a script shows them, which it does
        return False
    if element.attr("hidden", "until-found") != "until-found":
        return not (element.attr("id") or "").startswith("S:")  # React sends parts of a page like this
    if element.tag == "dialog":
        return element.attr("open") is None
    return _HIDDEN_STYLE.search(element.attr("style") or "") is not None
