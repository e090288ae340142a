"""Sentences: the text that a reader of the page could see, one assumed sentence per line.

Invariant: no line is empty, begins or ends with a blank, or holds two blanks together, a
control character or anything invisible; the text is in Unicode's normal form C.

A block (paragraph, cell, list item, br ...) ends a sentence; anything else, unknown elements
included, does not, and adds no blank either: "<b>W</b>ord" is one word. What is inside a
block is not split further here, and nothing is judged: short lines are the segmenter's business.
"""

import re
from collections.abc import Callable
from itertools import chain

from turbohtml import Element, Node, Text

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
# The options of a select are seen, and stay: short lines are not ours to judge.
_UNSEEN = """
    audio canvas datalist iframe noembed noframes noscript script style svg template textarea title video
"""
UNSEEN = frozenset(_UNSEEN.split())
LITTLE = 1000  # characters; a page that shows less may wait for a script, as many forums do
_UNSEEN_STYLE = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def lines(tree: Element) -> list[str]:
    """The visible text of a page, a line per assumed sentence."""
    # A page that hides all of itself waits for a script to show it, which is what a reader sees.
    found = _lines(tree, _is_unseen) or _lines(tree, _is_never_seen)
    if _length(found) < LITTLE:  # a script would fill it: what is there for readers without one, is it more?
        without_script = _lines(tree, _is_unseen_but_noscript)
        return without_script if _length(without_script) > 2 * _length(found) else found
    return found


def _length(lines: list[str]) -> int:
    return sum(map(len, lines))


def _lines(tree: Element, is_unseen: Callable[[Element], bool]) -> list[str]:
    text = normal("".join(_pieces(tree, is_unseen)))
    return [line for line in map(collapsed, text.split("\n")) if line]


def title(tree: Element) -> str:
    """The page's title on one line, '' when it has none."""
    found = tree.find("title")
    return " ".join(normal(found.text).split()) if found is not None else ""


def _pieces(tree: Element, is_unseen: Callable[[Element], bool]) -> list[str]:
    """The visible text in order; a line feed is the end of a sentence, and nothing else is."""
    pieces: list[str] = []
    opened: list[tuple[Node | None, str]] = []  # the elements that we are in: what is around, and the tag
    inner: Node | None = tree.parent  # the innermost of them
    unseen = preformatted = 0  # how deep the unseen one is, if any; how many are preformatted
    for node in chain((tree,), tree.descendants):
        around = node.parent
        while inner is not around:
            inner, tag = opened.pop()
            if tag in BLOCKS:
                pieces.append("\n")
                preformatted -= tag in PREFORMATTED
        if unseen and len(opened) < unseen:
            unseen = 0
        if node.__class__ is Text:
            if not unseen:
                text = raised(node.data) if opened[-1][1] == "sup" else node.data
                pieces.append(text if preformatted else unbroken(text).replace("\n", " "))
            continue
        tag = "" if unseen or not isinstance(node, Element) else node.tag
        opened.append((inner, tag))
        inner = node
        if tag in BLOCKS:
            pieces.append("\n")
            preformatted += tag in PREFORMATTED
        if tag and is_unseen(node):  # type: ignore[arg-type]
            unseen = len(opened)
    return pieces


def _is_never_seen(element: Element) -> bool:
    return element.tag in UNSEEN


def _is_unseen_but_noscript(element: Element) -> bool:
    return element.tag != "noscript" and _is_unseen(element)


def _is_unseen(element: Element) -> bool:
    tag = element.tag
    if tag in UNSEEN:
        return True
    if tag in ("html", "body"):  # hidden until a script shows them, which it does
        return False
    if element.attr("hidden", "until-found") != "until-found":
        return not (element.attr("id") or "").startswith("S:")  # React sends parts of a page like this
    if tag == "dialog":
        return element.attr("open") is None
    style = element.attr("style")
    return style is not None and _UNSEEN_STYLE.search(style) is not None
