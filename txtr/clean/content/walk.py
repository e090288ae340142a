"""The walk through a page that finds its blocks and boxes.

Invariant: one pass, no recursion, nothing raises; where there is a tree, read() prunes it.

The walk took the largest part of the time of cleaning, and most of that was the interpreter's. So the same
walk exists in C (native/), which is used where it could be compiled. The walk in Python is used elsewhere,
and defines what is right.
"""

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from turbohtml import Element, Text

from txtr.clean.charset.normal import collapse, join_wide_lines
from txtr.clean.content.blocks import LINE, Blocks
from txtr.clean.content.hints import HINT_BITS, TAG_BITS, bits
from txtr.clean.html import parts
from txtr.clean.html.bare import Bare
from txtr.clean.html.notes import Note
from txtr.clean.html.prune import prune
from txtr.clean.native import prune as native_prune
from txtr.clean.native import walk as native

LONGEST_DATA = 100_000  # characters of a JSON-LD script that are read
LONGEST_TITLE = 1000  # characters

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE | re.ASCII)
_HIDDEN, _CONSENT = TAG_BITS["hidden"], HINT_BITS["consent"]
_TYPE = re.compile(r'"@type"\s*+:\s*+\[?+\s*+"([A-Za-z]{3,40})"')
_DATA = "application/ld+json"


def read(bare: Bare) -> Blocks:
    """The blocks of a page, with its title and the kinds of page that it says it is."""
    pruned = native_prune.prune_markup(bare.markup) if bare.markup is not None else None
    page = native.find_blocks(pruned) if pruned is not None else None
    if page is None:
        tree = bare.tree()
        prune(tree)
        page = find_blocks(tree)
    page.kinds, page.title = read_kinds(bare.notes)
    return page


def read_kinds(notes: Iterable[Note]) -> tuple[set[str], str]:
    """The kinds of page that a page says it is, in its head and in JSON-LD; and its title."""
    kinds: set[str] = set()
    title = ""
    for note in notes:
        if note.tag == "script":
            if note.attr("type") == _DATA:
                kinds.update(_TYPE.findall(note.text[:LONGEST_DATA]))
        elif note.tag == "title":
            title = title or " ".join(note.text[:LONGEST_TITLE].split())
        elif note.tag == "meta" and note.is_in_head and note.attr("property") == "og:type":
            kinds.add("og:" + note.attr("content")[:40])
    return kinds, title


def find_blocks(tree: Element) -> Blocks:
    """The blocks of a pruned page."""
    walk = _Walk()
    opened: list[tuple[Any, str]] = []  # the open elements: what is around each, and its tag
    inner: Any = tree.parent  # the innermost open element
    unread = 0  # depth of the element that is not read, if any
    node: Any
    for node in chain((tree,), tree.descendants):
        while inner is not node.parent:
            inner, tag = opened.pop()
            walk.end(tag)
        if unread and len(opened) < unread:
            unread = 0
        if isinstance(node, Text):
            if not unread:
                walk.text(node.data)
            continue
        if len(walk.found) >= parts.MOST_BLOCKS:
            break
        tag = node.tag if isinstance(node, Element) and not unread else ""
        opened.append((inner, tag))
        inner = node
        if tag and not walk.begin(node, tag):
            unread = len(opened)
    for _, tag in reversed(opened):
        walk.end(tag)
    return walk.blocks()


class _Block(NamedTuple):
    text: str
    linked: int
    links: int
    strong: int
    box: int


class _Box(NamedTuple):
    parent: int
    tag: str
    name: str
    hints: int
    tags_around: int
    hints_around: int
    depth: int


class _Walk:
    """The blocks and boxes that were found so far, and the state of the walk."""

    def __init__(self) -> None:
        self.found: list[_Block] = []
        self.boxes: list[_Box] = []
        self.firsts: list[int] = []
        self.ends: list[int] = []
        # For each open box, the values around it of the four variables below.
        self._inside: list[tuple[int, int, int, int]] = []
        self._box, self._tags, self._hints, self._in_link = -1, 0, 0, 0
        self._in_strong = self._verbatim = 0
        self._pieces: list[str] = []  # of the block being read
        self._linked = self._links = self._strong = 0  # of that block

    def begin(self, element: Element, tag: str) -> bool:
        """Take in that an element begins. Is its content read?"""
        if tag in parts.BOXES:
            return self._begin_box(element, tag)
        if tag == parts.LINK:
            self._in_link += 1
            self._links += 1
        elif tag in parts.STRONG:
            self._in_strong += 1
        elif tag == parts.BREAK and self._pieces[-1:] != [LINE]:
            self._pieces.append(LINE)
        elif tag in (parts.BREAK, parts.RULE):
            self._flush()
        return True

    def _begin_box(self, element: Element, tag: str) -> bool:
        if self._pieces:
            self._flush()
        self._inside.append((self._box, self._tags, self._hints, self._in_link))
        name = element.attr("class") or ""
        own = bits(name) | bits(element.attr("id"))
        own |= bits(element.attr("role")) | bits(element.attr("itemprop"))
        self._tags |= TAG_BITS.get(tag, 0) | (_HIDDEN if _is_hidden(element) else 0)
        self._hints |= own
        if tag in parts.ROOTS:
            own = self._tags = self._hints = 0
        elif tag in parts.CELLS:  # nobody means a link around a whole table: its end tag was forgotten
            self._in_link = 0
        self._verbatim += tag in parts.VERBATIM
        self.boxes.append(_Box(self._box, tag, name, own, self._tags, self._hints, len(self._inside)))
        self._box = len(self.firsts)
        self.firsts.append(len(self.found))
        self.ends.append(-1)
        return not (self._tags & _HIDDEN and self._hints & _CONSENT)

    def text(self, text: str) -> None:
        """Take in a text inside the innermost element."""
        if self._verbatim:
            text = text.replace("\n", LINE)
        elif text.isspace():
            if self._pieces and self._pieces[-1] != LINE:
                self._pieces.append(" ")
            return
        text = join_wide_lines(text)
        self._pieces.append(text)
        if self._in_link:
            self._linked += len(text.strip())
        if self._in_strong:
            self._strong += len(text.strip())

    def end(self, tag: str) -> None:
        """Take in that the innermost element ends."""
        if tag == parts.LINK:
            self._in_link -= 1
        elif tag in parts.STRONG:
            self._in_strong -= 1
        elif tag in parts.BOXES:
            if self._pieces:
                self._flush()
            if tag in parts.LISTS and self._merge_menu(tag):
                del self.boxes[self._box + 1 :], self.firsts[self._box + 1 :], self.ends[self._box + 1 :]
            self.ends[self._box] = len(self.found)
            self._box, self._tags, self._hints, self._in_link = self._inside.pop()
            self._verbatim -= tag in parts.VERBATIM

    def _flush(self) -> None:
        """Make a block of the pieces."""
        lines = map(collapse, "".join(self._pieces).split(LINE))
        text = LINE.join(filter(None, lines))
        if text and len(self.found) < parts.MOST_BLOCKS:
            self.found.append(_Block(text, self._linked, self._links, self._strong, max(self._box, 0)))
        self._pieces.clear()
        self._linked = self._links = self._strong = 0

    def _merge_menu(self, tag: str) -> bool:
        """Make one block of a box of links only, which is kept or not as a whole: that halves the blocks."""
        first = self.firsts[self._box]
        if not parts.FEWEST_ENTRIES <= len(self.found) - first <= parts.MOST_ENTRIES:
            return False
        last = self.found[-1]
        if last.linked < parts.MENU * len(last.text) / 2:  # most boxes are no menu, which shows here at once
            return False
        texts, linked, links, strong, _ = zip(*self.found[first:], strict=True)
        chars = sum(map(len, texts))
        if sum(linked) < parts.MENU * chars or (tag == "div" and chars > parts.LONGEST_ENTRY * len(texts)):
            return False
        self.found[first:] = [_Block(LINE.join(texts), sum(linked), sum(links), sum(strong), self._box)]
        return True

    def blocks(self) -> Blocks:
        """The blocks and boxes that were found, as columns."""
        if not self.found or not self.boxes:
            return Blocks(first=self.firsts, end=self.ends)
        texts, linked, links, strong, box = zip(*self.found, strict=True)
        parent, tag, name, hints, tags_around, hints_around, depth = zip(*self.boxes, strict=True)
        around = (hints, tags_around, hints_around, depth)
        return Blocks(texts, linked, links, strong, box, parent, tag, name, *around, self.firsts, self.ends)


def _is_hidden(element: Element) -> bool:
    style = element.attr("style")
    return (
        element.attr("hidden") is not None
        or element.attr("aria-hidden") == "true"
        or (style is not None and _HIDDEN_STYLE.search(style) is not None)
    )
