"""Blocks: a page as the sequence of its pieces of text, each with the boxes that it stands in.

Invariant: the blocks hold the text of the page in reading order, each piece once; one pass over the
tree, no recursion, nothing raises.

A block is the text between two borders of block elements (or two <br> in a row, by which old pages
separate paragraphs). Block elements are *boxes*; each knows the range of blocks inside it, so that
whatever is to be known of a box (how much text, how much of it links ...) is the difference of two
running sums. Columns instead of objects: this walk is the dearest part of cleaning after the parser.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from txtr.clean.normal import collapsed
from txtr.clean.sentences import BLOCKS, PREFORMATTED, UNSEEN

MOST_BLOCKS = 20_000  # of one page that are looked at; the longest page of 4,500 has 9,000
MOST_NAMES = 20_000  # classes and ids whose hints are remembered
LONGEST_NAME = 300  # characters of a class or id that are read
LONGEST_DATA = 100_000  # characters of a JSON-LD script that are read

FEWEST_ENTRIES, MOST_ENTRIES = 3, 200  # blocks that make a menu
MENU = 0.85  # of a menu's characters at least are links
LONGEST_ENTRY = 60  # characters on average, of what is no list by its tag

LINE = "\0"  # a line's end inside a block; no tree can contain it

# What the names of an element (class, id, role, itemprop) say of it: a bit per line, set by any of the words.
_HINTS = """
    navigation: nav menu breadcrumb crumb topbar toolbar pagin pager prev next skip tabs tablist
    footer: footer foot- bottom copyright legal colophon disclaimer
    side: sidebar side rail aside secondary widget complementary column-right right-col rightcol
    comment: comment disqus respond discuss livefyre fb-comm
    related: related recommend similar also- more- -more popular trending most-read mostread latest readmore
    teaser: teaser card tile grid carousel slider swiper thumb promo listing gallery
    share: share sharing social facebook twitter follow addthis
    consent: cookie consent gdpr privacy modal popup overlay dialog notice alert
    sign: newsletter subscri signup sign-up login paywall register cta donate
    form: form search input button btn filter sort
    data: meta byline author date time publish credit updated tags tag- keyword categor label
    caption: caption figure photo image media video
    main: main primary content- -content contents maincol
    content: content
    article: article story news entry post- -post blog hentry
    body: body text copy prose richtext wysiwyg markdown paragraph rte
    forum: forum thread message reply topic answer question viewtopic postbody
    person: user profile avatar signature member poster
    hidden: hidden hide screen-reader sr-only print visually noprint
    list: list item row
    wiki: toc reference infobox navbox wiki footnote
    comments: comments
    block: block section container wrapper inner
"""
_WORDS = dict(line.strip().split(": ") for line in _HINTS.strip().splitlines())
HINT_BITS = {hint: 1 << number for number, hint in enumerate(_WORDS)}
_WORD_BITS = {word: HINT_BITS[hint] for hint, words in _WORDS.items() for word in words.split()}


def _any_of(words: Iterable[str]) -> str:
    """An expression for the longest of these words, letter by letter: four times as fast as a list."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[:1], []).append(word[1:])
    branches = [re.escape(letter) + _any_of(rest) for letter, rest in rests.items() if letter]
    return f"(?:{'|'.join(branches)}){'?' if '' in rests else ''}" if branches else ""


_WORD = re.compile(_any_of(_WORD_BITS))
_NAMING = frozenset({"class", "id", "role", "itemprop"})

# And what its tag says.
_TAGS = """
    article main nav header footer aside form ul dl table figure blockquote p li td pre dd figcaption noscript
    hidden
"""  # hidden is no tag, but an attribute or a style
TAG_BITS = {tag: 1 << number for number, tag in enumerate(_TAGS.split())}
TAG_BITS |= {"menu": TAG_BITS["ul"], "dir": TAG_BITS["ul"], "search": TAG_BITS["form"]}
_HIDDEN = TAG_BITS["hidden"]
_HIDING = frozenset({"style", "hidden", "aria-hidden"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

# Not even looked at, unless in the centre: 1 in 1000 of the words that people marked are there.
_FRINGE = frozenset({"nav", "footer"})
_CENTRE = TAG_BITS["main"] | TAG_BITS["article"]
_CONSENT = HINT_BITS["consent"]
_ROOTS = frozenset({"html", "body"})

# What a reader operates rather than reads is left out. noscript stays: some forums put the whole
# conversation there. So does what waits, hidden, for a click: whether it is worth reading is judged later.
_BOX, _SPECIAL_BOX, _LINK, _STRONG, _BREAK, _RULE, _OUT, _HEAD = range(1, 9)
_PART = dict.fromkeys(BLOCKS | {"noscript"}, _BOX)
_PART |= dict.fromkeys(UNSEEN - {"noscript"}, _OUT)
_PART |= dict.fromkeys(("select", "option", "optgroup", "input", "object", "embed", "map", "math"), _OUT)
_PART |= {"a": _LINK, "b": _STRONG, "strong": _STRONG, "br": _BREAK, "hr": _RULE, "head": _HEAD}
_PART |= {"col": _OUT, "colgroup": _OUT}
_PART |= dict.fromkeys(PREFORMATTED | _FRINGE | _ROOTS, _SPECIAL_BOX)

_LISTS = frozenset(
    {"ul", "ol", "dl", "menu", "dir", "nav", "div", "table", "tr", "footer", "header", "aside"}
)
_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]{3,40})"')
_DATA = "application/ld+json"

_Block = tuple[str, int, int, int, int]  # the first five columns of Blocks
_Box = tuple[int, str, str, int, int, int, int]  # the next seven

_bits_of_name: dict[str, int] = {}  # remembered, for sites repeat themselves


def _bits(name: str) -> int:
    """The hints in a name, as bits."""
    bits = 0
    for word in _WORD.findall(name[:LONGEST_NAME].lower()):
        bits |= _WORD_BITS[word]
    if len(_bits_of_name) >= MOST_NAMES:
        _bits_of_name.clear()
    if len(name) <= LONGEST_NAME:
        _bits_of_name[name] = bits
    return bits


@dataclass(slots=True)
class Blocks:
    """A page's blocks and boxes, as columns: one entry per block, one per box."""

    texts: Sequence[str] = ()  # blanks collapsed, LINE between lines
    linked: Sequence[int] = ()  # characters inside links
    links: Sequence[int] = ()  # number of links
    strong: Sequence[int] = ()  # characters inside b and strong
    box: Sequence[int] = ()  # the innermost box of each block

    parent: Sequence[int] = ()  # of each box; -1 at the root
    tag: Sequence[str] = ()
    name: Sequence[str] = ()  # its class
    hints: Sequence[int] = ()  # bits: its own
    tags_around: Sequence[int] = ()  # bits: its own and those of all boxes around it
    hints_around: Sequence[int] = ()
    depth: Sequence[int] = ()
    first: Sequence[int] = ()  # its first block
    end: Sequence[int] = ()  # the one after its last block

    kinds: set[str] = field(default_factory=set)  # what the page says it is: types of JSON-LD, og:type
    title: str = ""


def read(tree: etree._Element | None) -> Blocks:
    """The blocks of a page, in one walk."""
    page = Blocks()
    if tree is None:
        return page
    reader = _Reader()
    pieces = reader.pieces
    walk = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walk:
        part = _PART.get(element.tag)
        if event == "start":
            if part is not None and not (
                reader.begin_box(part, element) if part <= _SPECIAL_BOX else reader.begin(part)
            ):
                if reader.is_full:
                    break
                if part > _RULE:
                    _read_unseen(element, page)
                walk.skip_subtree()
                continue
            text = element.text
        else:
            if part is not None:
                if part <= _SPECIAL_BOX:
                    reader.end_box(element.tag)
                else:
                    reader.end(part)
            text = element.tail
        if text and (pieces or not text.isspace()):
            reader.read(text)
    reader.close()
    reader.fill(page)
    return page


class _Reader:
    """Where the walk is, and what it has found."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.boxes: list[_Box] = []
        self.firsts: list[int] = []
        self.ends: list[int] = []
        self.inside: list[tuple[int, int, int]] = []  # the box around each open one, its tags and hints
        self.box, self.tags, self.hints = -1, 0, 0
        self.pieces: list[str] = []  # of the block being read
        self.links = self.linked = self.strong = 0  # in it
        self.in_link = self.in_strong = self.in_preformatted = 0  # elements that are open
        self.is_full = False

    def begin(self, part: int) -> bool:
        """An element that is no box begins; is its inside to be read?"""
        if part == _LINK:
            self.in_link += 1
            self.links += 1
        elif part == _STRONG:
            self.in_strong += 1
        elif part == _BREAK and not (self.pieces and self.pieces[-1] == LINE):
            self.pieces.append(LINE)
        elif part <= _RULE:
            self._flush()
        return part <= _RULE

    def end(self, part: int) -> None:
        """It ends."""
        if part == _LINK:
            self.in_link -= 1
        elif part == _STRONG:
            self.in_strong -= 1

    def read(self, text: str) -> None:
        """Text, inside an element or after it."""
        if self.in_preformatted:
            text = text.replace("\n", LINE)
        elif text.isspace():
            if self.pieces and self.pieces[-1] != LINE:
                self.pieces.append(" ")
            return
        self.pieces.append(text)
        if self.in_link:
            self.linked += len(text.strip())
        if self.in_strong:
            self.strong += len(text.strip())

    def begin_box(self, part: int, element: Any) -> bool:
        """A box begins: what do its tag and its names say? And is its inside to be read?"""
        if self.pieces:
            self._flush()
        if len(self.blocks) >= MOST_BLOCKS:
            self.is_full = True
            return False
        tag, name, hints = element.tag, "", 0
        self.inside.append((self.box, self.tags, self.hints))
        tags = self.tags | TAG_BITS.get(tag, 0)
        for key, value in element.items():
            if key in _NAMING:
                bits = _bits_of_name.get(value)
                hints |= _bits(value) if bits is None else bits
                if key == "class":
                    name = value
            elif key in _HIDING and _is_hidden(key, value):
                tags |= _HIDDEN
        around = self.hints | hints
        if part == _SPECIAL_BOX and tag in _ROOTS:  # around everything, so it means nothing
            hints = tags = around = 0
        self.boxes.append((self.box, tag, name, hints, tags, around, len(self.inside)))
        self.box, self.tags, self.hints = len(self.firsts), tags, around
        self.firsts.append(len(self.blocks))
        self.ends.append(-1)
        if part == _SPECIAL_BOX and tag in PREFORMATTED:
            self.in_preformatted += 1
        if tags & _HIDDEN and around & _CONSENT:
            return False
        return part == _BOX or tag not in _FRINGE or bool(tags & _CENTRE)

    def end_box(self, tag: str) -> None:
        """It ends."""
        if self.pieces:
            self._flush()
        box, first = self.box, self.firsts[self.box]
        if (
            tag in _LISTS
            and FEWEST_ENTRIES <= len(self.blocks) - first <= MOST_ENTRIES
            and _merge_menu(self.blocks, first, box, tag)
        ):
            del self.boxes[box + 1 :], self.firsts[box + 1 :], self.ends[box + 1 :]
        self.ends[box] = len(self.blocks)
        self.box, self.tags, self.hints = self.inside.pop()
        if self.in_preformatted and tag in PREFORMATTED:
            self.in_preformatted -= 1

    def close(self) -> None:
        """The page ends; boxes may be open where it was cut."""
        self._flush()
        while self.inside:
            self.ends[self.box] = len(self.blocks)
            self.box = self.inside.pop()[0]

    def fill(self, page: Blocks) -> None:
        """Turn what was found into columns."""
        if self.blocks and self.boxes:
            page.texts, page.linked, page.links, page.strong, page.box = zip(*self.blocks, strict=True)
            columns = zip(*self.boxes, strict=True)
            page.parent, page.tag, page.name, page.hints, page.tags_around, page.hints_around, page.depth = (
                columns
            )
            page.first, page.end = self.firsts, self.ends

    def _flush(self) -> None:
        """A block ends."""
        lines = "".join(self.pieces).split(LINE)
        self.pieces.clear()
        text = LINE.join(filter(None, map(collapsed, lines)))
        if text and len(self.blocks) < MOST_BLOCKS:
            self.blocks.append((text, self.linked, self.links, self.strong, max(self.box, 0)))
        self.links = self.linked = self.strong = 0


def _is_hidden(key: str, value: str) -> bool:
    if key == "style":
        return _HIDDEN_STYLE.search(value) is not None
    return key == "hidden" or value == "true"


def _merge_menu(found: list[_Block], first: int, box: int, tag: str) -> bool:
    """Make one block of a box of nothing but links, wanted or not as a whole: half of all blocks go."""
    if found[-1][1] < MENU * len(found[-1][0]) / 2:  # most boxes are none, and seen not to be at once
        return False
    texts, linked, links, strong, _ = zip(*found[first:], strict=True)
    chars = sum(map(len, texts))
    if sum(linked) < MENU * chars or (tag == "div" and chars > LONGEST_ENTRY * len(texts)):
        return False
    found[first:] = [(LINE.join(texts), sum(linked), sum(links), sum(strong), box)]
    return True


def _read_unseen(element: etree._Element, page: Blocks) -> None:
    """What the page says it is, in its head and in data for others."""
    for said in element.iter("title", "meta", "script"):
        if said.tag == "script":
            if said.get("type") == _DATA:
                page.kinds.update(_TYPE.findall((said.text or "")[:LONGEST_DATA]))
        elif element.tag != "head":
            continue
        elif said.tag == "title":
            page.title = page.title or " ".join((said.text or "")[:1000].split())
        elif said.get("property") == "og:type":
            page.kinds.add("og:" + (said.get("content") or "")[:40])
