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
from itertools import chain
from typing import Any

from turbohtml import Element, Node, Text

from txtr.clean.normal import collapsed, raised, unbroken
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

# And what its tag says.
_TAGS = """
    article main nav header footer aside form ul dl table figure blockquote p li td pre dd figcaption noscript
    hidden
"""  # hidden is no tag, but an attribute or a style
TAG_BITS = {tag: 1 << number for number, tag in enumerate(_TAGS.split())}
TAG_BITS |= {"menu": TAG_BITS["ul"], "dir": TAG_BITS["ul"], "search": TAG_BITS["form"]}
_HIDDEN = TAG_BITS["hidden"]
_MARKED = "[role],[itemprop],[hidden],[aria-hidden],[style*='none' i],[style*='hidden' i]"
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

# Not even looked at, unless in the centre: 1 in 1000 of the words that people marked are there.
_FRINGE = frozenset({"nav", "footer"})
_CENTRE = TAG_BITS["main"] | TAG_BITS["article"]
_CONSENT = HINT_BITS["consent"]
_ROOTS = frozenset({"html", "body"})

# What a reader operates rather than reads is left out. noscript stays: some forums put the whole
# conversation there. So does what waits, hidden, for a click: whether it is worth reading is judged later.
_INLINE, _BOX, _SPECIAL_BOX, _LINK, _STRONG, _RAISED, _READING, _BREAK, _RULE, _OUT, _HEAD = range(11)
_PART = dict.fromkeys(BLOCKS | {"noscript"}, _BOX)
_PART |= dict.fromkeys(UNSEEN - {"noscript"}, _OUT)
_PART |= dict.fromkeys(("select", "option", "optgroup", "input", "object", "embed", "map", "math"), _OUT)
_PART |= {"a": _LINK, "b": _STRONG, "strong": _STRONG, "br": _BREAK, "hr": _RULE, "head": _HEAD}
_PART |= {"col": _OUT, "colgroup": _OUT, "sup": _RAISED, "rt": _READING}
_CELLS = frozenset({"td", "th"})
_PART |= dict.fromkeys(PREFORMATTED | _FRINGE | _ROOTS | _CELLS, _SPECIAL_BOX)

_PERMALINKS = frozenset({"¶", "#", "§", "🔗", "⚓"})  # beside headings: links to themselves
_NOTE = re.compile(r"\s*[\[(]?(?:\d{1,3}|[a-z*†‡])[\])]?\s*")

_LISTS = frozenset(
    {"ul", "ol", "dl", "menu", "dir", "nav", "div", "table", "tr", "footer", "header", "aside"}
)
_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]{3,40})"')
_DATA = "application/ld+json"
_HEAD_OR_TITLE = frozenset({"head", "title"})  # a head that ends early leaves its title in the body

_Block = tuple[str, int, int, int, int]  # the first five columns of Blocks
_Box = tuple[int, str, str, int, int, int, int]  # the next seven

_bits_of_name: dict[str | None, int] = {None: 0}  # remembered, for sites repeat themselves


def _bits(name: str | None) -> int:
    """The hints in a name, as bits."""
    if not name:
        return 0
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


def read(tree: Element) -> Blocks:
    """The blocks of a page."""
    page = Blocks()
    found, boxes, page.first, page.end = _walk(tree, page)
    if found and boxes:
        page.texts, page.linked, page.links, page.strong, page.box = zip(*found, strict=True)
        columns = zip(*boxes, strict=True)
        page.parent, page.tag, page.name, page.hints, page.tags_around, page.hints_around, page.depth = (
            columns
        )
    return page


def _walk(tree: Element, page: Blocks) -> tuple[list[_Block], list[_Box], list[int], list[int]]:
    """Blocks, boxes, and the first and the end of the blocks of each box, in one walk.

    One long loop over local variables, for it sees every node of every page: functions for the ends of
    elements and blocks took 3 % longer, and a method for each step, with another parser, a sixth. An element
    ends where a node begins that is not in it: asking nodes for their parents is cheaper than visiting twice.
    """
    found: list[_Block] = []
    boxes: list[_Box] = []
    firsts: list[int] = []
    ends: list[int] = []
    inside: list[tuple[int, int, int, int]] = []  # the box around each open one, its tags, hints, links
    pieces: list[str] = []  # of the block being read
    box, tags, hints = -1, 0, 0
    in_link = links = linked = in_strong = strong = preformatted = 0
    opened: list[tuple[Any, str, int]] = []  # the elements that we are in: what is around, tag, part
    inner: Any = tree.parent  # the innermost of them
    unread = 0  # how deep the one is that nobody reads, if any
    marked = frozenset(tree.select(_MARKED))  # few have more to say than their class and id
    part_of, bits_of = _PART.get, _bits_of_name.get
    node: Any
    for node in chain((tree,), tree.descendants, (_End(tree.parent),)):
        # 1. Elements end.
        around = node.parent
        while inner is not around:
            inner, tag, part = opened.pop()
            if not part:
                continue
            if part <= _SPECIAL_BOX:
                if pieces:
                    _flush(pieces, found, linked, links, strong, box)
                    links = linked = strong = 0
                first = firsts[box]
                if (
                    FEWEST_ENTRIES <= len(found) - first <= MOST_ENTRIES
                    and tag in _LISTS
                    and _merge_menu(found, first, box, tag)
                ):
                    del boxes[box + 1 :], firsts[box + 1 :], ends[box + 1 :]
                ends[box] = len(found)
                box, tags, hints, in_link = inside.pop()
                if preformatted:
                    preformatted -= tag in PREFORMATTED
            elif part == _LINK:
                in_link -= 1
            elif part == _STRONG:
                in_strong -= 1
        # 2. Text.
        kind = node.__class__
        if unread and len(opened) >= unread:
            if kind is not Text:
                opened.append((inner, "", _INLINE))
                inner = node
            continue
        if kind is Text:
            text = node.data
            if preformatted:
                text = text.replace("\n", LINE)
            elif text.isspace():
                if pieces and pieces[-1] != LINE:
                    pieces.append(" ")
                continue
            if "\n" in text:
                text = unbroken(text)
            pieces.append(raised(text) if opened[-1][2] == _RAISED else text)
            if in_link:
                linked += len(text.strip())
            if in_strong:
                strong += len(text.strip())
            continue
        # 3. An element begins.
        unread = 0
        if kind is not Element:
            continue
        if len(found) >= MOST_BLOCKS:
            break
        tag = node.tag
        part = part_of(tag, _INLINE)
        opened.append((inner, tag, part))
        inner = node
        if not part:
            continue
        if part <= _SPECIAL_BOX:
            if pieces:
                _flush(pieces, found, linked, links, strong, box)
                links = linked = strong = 0
            inside.append((box, tags, hints, in_link))
            name, other = node.attr("class"), node.attr("id")
            own = _bits(name) if (own := bits_of(name)) is None else own
            own |= _bits(other) if (bits := bits_of(other)) is None else bits
            if node in marked:
                own |= _bits(node.attr("role")) | _bits(node.attr("itemprop"))
                if _is_hidden(node):
                    tags |= _HIDDEN
            tags |= TAG_BITS.get(tag, 0)
            hints |= own
            if part == _SPECIAL_BOX:
                if tag in _ROOTS:  # around everything, so it means nothing
                    own = tags = hints = 0
                elif tag in _CELLS:  # a link around a whole table was not meant: somebody forgot to close it
                    in_link = 0
                else:
                    preformatted += tag in PREFORMATTED
            boxes.append((box, tag, name or "", own, tags, hints, len(inside)))
            box = len(firsts)
            firsts.append(len(found))
            ends.append(-1)
            if (tags & _HIDDEN and hints & _CONSENT) or (tag in _FRINGE and not tags & _CENTRE):
                unread = len(opened)
        elif part == _LINK:
            in_link += 1
            links += 1
            if node.text in _PERMALINKS and (node.attr("href") or "").startswith("#"):
                unread = len(opened)
        elif part == _STRONG:
            in_strong += 1
        elif part == _RAISED:
            if _is_note(node):
                unread = len(opened)
        elif part == _READING:
            if not _has_brackets(node):
                unread = len(opened)
        elif part == _BREAK and not (pieces and pieces[-1] == LINE):
            pieces.append(LINE)
        elif part <= _RULE:
            _flush(pieces, found, linked, links, strong, box)
            links = linked = strong = 0
        else:
            _read_unseen(node, page)
            unread = len(opened)
    # 4. Boxes may be open where a page was cut.
    while inside:
        ends[box] = len(found)
        box = inside.pop()[0]
    return found, boxes, firsts, ends


@dataclass(frozen=True, slots=True)
class _End:
    """What follows the last node of a page."""

    parent: Node | None


def _flush(pieces: list[str], found: list[_Block], linked: int, links: int, strong: int, box: int) -> None:
    """The pieces are a block."""
    if (text := _text(pieces)) and len(found) < MOST_BLOCKS:
        found.append((text, linked, links, strong, max(box, 0)))
    pieces.clear()


def _text(pieces: list[str]) -> str:
    text = "".join(pieces)
    return collapsed(text) if LINE not in text else LINE.join(filter(None, map(collapsed, text.split(LINE))))


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


def _is_hidden(element: Element) -> bool:
    style = element.attr("style")
    return (
        element.attr("hidden") is not None
        or element.attr("aria-hidden") == "true"
        or (style is not None and _HIDDEN_STYLE.search(style) is not None)
    )


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


def _read_unseen(element: Element, page: Blocks) -> None:
    """What the page says it is, in its head and in data for others."""
    for said in element.iter_elements(("title", "meta", "script"), include_self=True):
        if said.tag == "script":
            if said.attr("type") == _DATA:
                page.kinds.update(_TYPE.findall(said.text[:LONGEST_DATA]))
        elif element.tag not in _HEAD_OR_TITLE:
            continue
        elif said.tag == "title":
            page.title = page.title or " ".join(said.text[:1000].split())
        elif said.attr("property") == "og:type":
            page.kinds.add("og:" + (said.attr("content") or "")[:40])
