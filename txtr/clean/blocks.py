"""Blocks: a page as the sequence of its pieces of text, each with the elements that it stands in.

Invariant: the blocks hold the visible text of the page in reading order, each piece once; one pass over
the tree, no recursion, and nothing raises.

A block is the text between two borders of block elements (or two <br> in a row, as old pages separate
paragraphs). Elements are kept as *boxes* with the range of blocks inside them, so that whatever is to be
known of a box (how much text, how much of it links ...) is the difference of two running sums.
"""

import re
from dataclasses import dataclass, field

from lxml import etree

from txtr.clean.sentences import BLOCKS, PREFORMATTED, UNSEEN

MOST_BLOCKS = 20_000  # of one page that are looked at; the longest page of 4,800 has 9,000
MOST_NAMES = 20_000  # classes and ids whose hints are remembered

LINE = "\0"  # a line's end inside a block; no tree can contain it

# What a reader operates, not reads.
_TOOLS = frozenset({"select", "option", "optgroup", "datalist", "textarea", "input", "progress", "meter"})
# noscript is kept: some forums put the whole conversation there. So is what waits, hidden, for a click.
_SKIPPED = (UNSEEN - {"noscript"}) | _TOOLS | {"head", "object", "embed", "map", "math"}
_BOXES = (BLOCKS - {"br", "hr", "col", "colgroup"}) | {"noscript", "dialog"}
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

# What the names (class, id, role, itemprop ...) of an element say about it: a word per bit.
_HINTS = """
    navigation: nav menu breadcrumb crumb topbar toolbar pagin pager prev next skip tabs tablist
    header: header masthead banner head- -head hero
    footer: footer foot- bottom copyright legal colophon disclaimer
    side: sidebar side rail aside secondary widget complementary column-right right-col rightcol
    comment: comment disqus respond discuss livefyre fb-comm
    related: related recommend similar also- more- -more popular trending most-read mostread latest readmore
    teaser: teaser card tile grid carousel slider swiper thumb promo listing gallery
    share: share sharing social facebook twitter follow addthis
    advert: advert adsense sponsor ads- -ads ad- -ad- dfp taboola outbrain commercial
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
    product: product description spec price cart feature review detail
    person: user profile avatar signature member poster
    hidden: hidden hide screen-reader sr-only print visually noprint
    list: list item row
    title: title heading headline
    summary: summary lead intro abstract excerpt standfirst deck subtitle
    wiki: toc reference infobox navbox wiki footnote
    comments: comments
    block: block section container wrapper inner
"""


def _hints() -> tuple[re.Pattern[str], dict[str, int], list[str]]:
    bits: dict[str, int] = {}
    names = []
    for number, line in enumerate(_HINTS.strip().splitlines()):
        name, words = line.strip().split(": ")
        names.append(name)
        for word in words.split():
            bits[word] = 1 << number
    longest_first = sorted(bits, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, longest_first))), bits, names


_HINT, _HINT_BITS, HINTS = _hints()

# And what its tag says.
TAGS = ["article", "main", "nav", "header", "footer", "aside", "form", "ul", "ol", "dl", "table", "section", "figure", "blockquote", "p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "pre", "dt", "dd", "figcaption", "caption", "button", "address", "details", "summary", "center", "noscript", "hidden"]
TAG_BITS = {tag: 1 << number for number, tag in enumerate(TAGS)}
TAG_BITS |= {"menu": TAG_BITS["ul"], "dir": TAG_BITS["ul"], "search": TAG_BITS["form"]}
TAG_BITS |= {"listing": TAG_BITS["pre"], "xmp": TAG_BITS["pre"], "plaintext": TAG_BITS["pre"]}

_bits_of_name: dict[str, int] = {}  # remembered, for sites repeat themselves


def _bits(name: str) -> int:
    """The hints in a name, as bits."""
    bits = _bits_of_name.get(name)
    if bits is None:
        bits = 0
        for word in _HINT.findall(name.lower()[:300]):
            bits |= _HINT_BITS[word]
        if len(_bits_of_name) >= MOST_NAMES:
            _bits_of_name.clear()
        _bits_of_name[name] = bits
    return bits


@dataclass(slots=True)
class Blocks:
    """A page's blocks and boxes, as columns: one entry per block, one per box."""

    texts: list[str] = field(default_factory=list)  # blanks collapsed, LINE between lines
    linked: list[int] = field(default_factory=list)  # characters inside links
    links: list[int] = field(default_factory=list)  # number of links
    strong: list[int] = field(default_factory=list)  # characters inside b, strong ...
    box: list[int] = field(default_factory=list)  # the innermost box of each block

    parent: list[int] = field(default_factory=list)  # of each box; the root is its own
    tag: list[str] = field(default_factory=list)
    name: list[str] = field(default_factory=list)  # class and id
    hints: list[int] = field(default_factory=list)  # bits: the box's own
    hidden: list[bool] = field(default_factory=list)  # not shown, or not at first
    first: list[int] = field(default_factory=list)  # its first block
    end: list[int] = field(default_factory=list)  # the one after its last block
    kinds: set[str] = field(default_factory=set)  # what the page says it is: types of JSON-LD, og:type
    title: str = ""


_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]{3,40})"')
_STRONG = frozenset({"b", "strong"})


def read(tree: etree._Element | None) -> Blocks:
    """The blocks of a page, in one walk."""
    page = Blocks()
    if tree is None:
        return page
    texts, box_of = page.texts, page.box
    parents, tags, names, hints, firsts, ends, hidden = (
        page.parent, page.tag, page.name, page.hints, page.first, page.end, page.hidden,
    )  # fmt: skip
    pieces: list[str] = []
    box = -1
    in_link = links = linked = in_strong = strong = preformatted = 0

    def flush() -> None:
        nonlocal links, linked, strong
        text = "".join(pieces)
        pieces.clear()
        if LINE in text:
            lines = (" ".join(line.split()) for line in text.split(LINE))
            text = LINE.join(filter(None, lines))
        else:
            text = " ".join(text.split())
        if text:
            texts.append(text)
            page.linked.append(linked)
            page.links.append(links)
            page.strong.append(strong)
            box_of.append(box)
        links = linked = strong = 0

    walk = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if tag in _BOXES:
                if pieces:
                    flush()
                name = element.get("class")
                own = _bits(name) if name else 0
                more = element.get("id")
                if more:
                    own |= _bits(more)
                    name = f"{name} {more}" if name else more
                if tag in _SKIPPED:
                    if tag == "head":
                        _read_head(element, page)
                    walk.skip_subtree()
                more = element.get("style")
                is_hidden = (more is not None and _HIDDEN_STYLE.search(more) is not None) or (
                    element.get("hidden") is not None or element.get("aria-hidden") == "true"
                )
                more = element.get("role") or element.get("itemprop")
                if more:
                    own |= _bits(more)
                parents.append(box)
                box = len(tags)
                tags.append(tag)
                names.append(name or "")
                hints.append(own)
                hidden.append(is_hidden)
                firsts.append(len(texts))
                ends.append(0)
                if len(texts) >= MOST_BLOCKS:
                    break
                if tag in PREFORMATTED:
                    preformatted += 1
            elif tag == "a":
                in_link += 1
                links += 1
            elif tag in _STRONG:
                in_strong += 1
            elif tag == "br":
                if pieces and pieces[-1] == LINE:
                    flush()
                else:
                    pieces.append(LINE)
            elif tag in _SKIPPED:
                if tag == "script" and element.get("type") == "application/ld+json":
                    page.kinds.update(_TYPE.findall((element.text or "")[:100_000]))
                walk.skip_subtree()
                continue
            elif tag == "hr":
                flush()
            text = element.text
            if tag in _SKIPPED or not text:
                continue
        else:
            if tag in _BOXES:
                if pieces:
                    flush()
                ends[box] = len(texts)
                box = parents[box]
                if preformatted and tag in PREFORMATTED:
                    preformatted -= 1
            elif tag == "a":
                in_link -= 1
            elif tag in _STRONG:
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
    if pieces:
        flush()
    for number, end in enumerate(ends):
        if not end and firsts[number] < len(texts) and number <= box:
            ends[number] = len(texts)
    return page


def _read_head(head: etree._Element, page: Blocks) -> None:
    for element in head.iter("title", "meta", "script"):
        if element.tag == "title":
            page.title = page.title or " ".join((element.text or "")[:1000].split())
        elif element.tag == "meta":
            if element.get("property") == "og:type":
                page.kinds.add("og:" + (element.get("content") or "")[:40])
        elif element.get("type") == "application/ld+json":
            page.kinds.update(_TYPE.findall((element.text or "")[:100_000]))
