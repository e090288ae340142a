"""Blocks: a page as the sequence of its pieces of text, each with the boxes that it stands in.

Invariant: the blocks hold the text of the page in reading order, each piece once; one pass over the
tree, no recursion, nothing raises.

A block is the text between two borders of block elements (or two <br> in a row, by which old pages
separate paragraphs). Block elements are *boxes*; each knows the range of blocks inside it, so that
whatever is to be known of a box (how much text, how much of it links ...) is the difference of two
running sums. Columns instead of objects: this walk is the dearest part of cleaning after the parser.
"""

import re
from dataclasses import dataclass, field

from lxml import etree

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
_WORD = re.compile("|".join(sorted(map(re.escape, _WORD_BITS), key=lambda word: (-len(word), word))))
_NAMING = frozenset({"class", "id", "role", "itemprop"})

# And what its tag says.
_TAGS = """
    article main nav header footer aside form ul dl table figure blockquote p li td pre dd figcaption noscript
    hidden
"""  # hidden is no tag, but an attribute or a style
TAG_BITS = {tag: 1 << number for number, tag in enumerate(_TAGS.split())}
TAG_BITS |= {"menu": TAG_BITS["ul"], "dir": TAG_BITS["ul"], "search": TAG_BITS["form"]}
_HIDDEN = TAG_BITS["hidden"]
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

# What a reader operates rather than reads is left out. noscript stays: some forums put the whole
# conversation there. So does what waits, hidden, for a click: whether it is worth reading is judged later.
_BOX, _LINK, _STRONG, _BREAK, _RULE, _OUT, _HEAD = range(1, 8)
_PART = dict.fromkeys(BLOCKS | {"noscript"}, _BOX)
_PART |= dict.fromkeys(UNSEEN - {"noscript"}, _OUT)
_PART |= dict.fromkeys(("select", "option", "optgroup", "input", "object", "embed", "map", "math"), _OUT)
_PART |= {"a": _LINK, "b": _STRONG, "strong": _STRONG, "br": _BREAK, "hr": _RULE, "head": _HEAD}
_PART |= {"html": _BOX, "col": _OUT, "colgroup": _OUT}

_LISTS = frozenset(
    {"ul", "ol", "dl", "menu", "dir", "nav", "div", "table", "tr", "footer", "header", "aside"}
)
_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]{3,40})"')
_DATA = "application/ld+json"

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

    texts: list[str] = field(default_factory=list)  # blanks collapsed, LINE between lines
    linked: list[int] = field(default_factory=list)  # characters inside links
    links: list[int] = field(default_factory=list)  # number of links
    strong: list[int] = field(default_factory=list)  # characters inside b and strong
    box: list[int] = field(default_factory=list)  # the innermost box of each block

    parent: list[int] = field(default_factory=list)  # of each box; -1 at the root
    tag: list[str] = field(default_factory=list)
    name: list[str] = field(default_factory=list)  # its class
    hints: list[int] = field(default_factory=list)  # bits: its own
    tags_around: list[int] = field(default_factory=list)  # bits: its own and those of all boxes around it
    hints_around: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)  # its first block
    end: list[int] = field(default_factory=list)  # the one after its last block

    kinds: set[str] = field(default_factory=set)  # what the page says it is: types of JSON-LD, og:type
    title: str = ""


def read(tree: etree._Element | None) -> Blocks:
    """The blocks of a page, in one walk."""
    page = Blocks()
    if tree is None:
        return page
    texts, known = page.texts, _bits_of_name.get
    parents, tags, names, hints, depths = page.parent, page.tag, page.name, page.hints, page.depth
    firsts, ends, tags_around, hints_around = page.first, page.end, page.tags_around, page.hints_around
    pieces: list[str] = []
    box = -1
    in_link = links = linked = in_strong = strong = preformatted = 0

    def flush() -> None:
        nonlocal links, linked, strong
        text = "".join(pieces)
        pieces.clear()
        if LINE in text:
            text = LINE.join(filter(None, (" ".join(line.split()) for line in text.split(LINE))))
        else:
            text = " ".join(text.split())
        if text:
            texts.append(text)
            page.linked.append(linked)
            page.links.append(links)
            page.strong.append(strong)
            page.box.append(max(box, 0))
        links = linked = strong = 0

    walk = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        part = _PART.get(tag)
        if event == "start":
            if part is None:
                pass
            elif part == _BOX:
                if pieces:
                    flush()
                if len(texts) >= MOST_BLOCKS:
                    break
                own, name = 0, ""
                around = TAG_BITS.get(tag, 0)
                for key, value in element.items():
                    if key in _NAMING:
                        bits = known(value)
                        own |= _bits(value) if bits is None else bits
                        if key == "class":
                            name = value
                    elif (
                        (key == "style" and _HIDDEN_STYLE.search(value) is not None)
                        or key == "hidden"
                        or (key == "aria-hidden" and value == "true")
                    ):
                        around |= _HIDDEN
                if box >= 0 and tag != "body":
                    around |= tags_around[box]
                    hints_around.append(own | hints_around[box])
                else:
                    around = own = 0  # html and body are around everything
                    hints_around.append(0)
                tags_around.append(around)
                depths.append(depths[box] + 1 if box >= 0 else 0)
                parents.append(box)
                box = len(tags)
                tags.append(tag)
                names.append(name)
                hints.append(own)
                firsts.append(len(texts))
                ends.append(-1)
                if tag in PREFORMATTED:
                    preformatted += 1
            elif part == _LINK:
                in_link += 1
                links += 1
            elif part == _STRONG:
                in_strong += 1
            elif part == _BREAK:
                if pieces and pieces[-1] == LINE:
                    flush()
                else:
                    pieces.append(LINE)
            elif part == _RULE:
                flush()
            else:
                if part == _HEAD:
                    _read_head(element, page)
                elif tag == "script" and element.get("type") == _DATA:
                    page.kinds.update(_TYPE.findall((element.text or "")[:LONGEST_DATA]))
                walk.skip_subtree()
                continue
            text = element.text
        else:
            if part is None:
                pass
            elif part == _BOX:
                if pieces:
                    flush()
                if tag in _LISTS and FEWEST_ENTRIES <= len(texts) - firsts[box] <= MOST_ENTRIES:
                    _merge_menu(page, box)
                ends[box] = len(texts)
                box = parents[box]
                if preformatted and tag in PREFORMATTED:
                    preformatted -= 1
            elif part == _LINK:
                in_link -= 1
            elif part == _STRONG:
                in_strong -= 1
            text = element.tail
        if not text:
            continue
        if preformatted:
            text = text.replace("\n", LINE)
        elif text.isspace():
            if pieces and pieces[-1] != LINE:
                pieces.append(" ")
            continue
        pieces.append(text)
        if in_link:
            linked += len(text.strip())
        if in_strong:
            strong += len(text.strip())
    flush()
    while box >= 0:  # those that were open where the page was cut
        ends[box] = len(texts)
        box = parents[box]
    return page


def _merge_menu(page: Blocks, box: int) -> None:
    """Make one block of a box of nothing but links, wanted or not as a whole: half of all blocks go."""
    first = page.first[box]
    entries = page.texts[first:]
    chars, linked = sum(map(len, entries)), sum(page.linked[first:])
    if linked < MENU * chars or (page.tag[box] == "div" and chars > LONGEST_ENTRY * len(entries)):
        return
    page.texts[first:] = [LINE.join(entries)]
    page.box[first:] = [box]
    for column in (page.linked, page.links, page.strong):
        column[first:] = [sum(column[first:])]
    for boxes in (page.parent, page.tag, page.name, page.hints, page.tags_around, page.hints_around):
        del boxes[box + 1 :]
    for numbers in (page.depth, page.first, page.end):
        del numbers[box + 1 :]


def _read_head(head: etree._Element, page: Blocks) -> None:
    for element in head.iter("title", "meta", "script"):
        if element.tag == "title":
            page.title = page.title or " ".join((element.text or "")[:1000].split())
        elif element.tag == "meta":
            if element.get("property") == "og:type":
                page.kinds.add("og:" + (element.get("content") or "")[:40])
        elif element.get("type") == _DATA:
            page.kinds.update(_TYPE.findall((element.text or "")[:LONGEST_DATA]))
