"""Features: numbers about each block, by which the trees decide whether it is main content.

Invariant: one row of NAMES per block, in constant time per block and box. Features are forms, never words of
a language: lengths, links, punctuation, names of elements, and how all these are spread over the page.
"""

from collections.abc import Iterator
from itertools import accumulate
from math import log1p

from txtr.clean.content.blocks import LINE, Blocks
from txtr.clean.content.hints import HINT_BITS, TAG_BITS
from txtr.clean.content.trees import BOOL, FLOAT, INT

LONG = 80  # characters; a block beyond it is prose rather than a label
PROSE = 0.4  # the largest share of links in the characters of a block of prose
FAR = 50  # blocks; beyond this, distance says nothing more
HUB_SHARE = 0.6  # the least share of the page's prose in the hub
LONGEST_TITLE = 200  # characters
NEAR, WIDE = 2, 8  # blocks on either side in the two windows around a block
FEW = 20  # characters; so short a text has no punctuation worth counting
LEVELS = 3  # boxes from the grandparent of a block up to its section

SENTENCE_ENDS = frozenset('.!?…。！？:;"”»)।؟')
_KINDS = """
    p li td th h1 h2 h3 h4 h5 h6 div span pre blockquote dt dd figcaption caption button section
    article header footer nav aside summary address legend form center body main figure ul ol details
    fieldset noscript
"""
KIND = {tag: float(number) for number, tag in enumerate(_KINDS.split(), 1)}
_H1 = frozenset({KIND["h1"]})
_HEADINGS = frozenset(KIND[tag] for tag in ("h1", "h2", "h3", "h4", "h5", "h6"))

_OWN = """
    chars links density strong punctuation marks ends lines kind title
    place text_before prose_before heading_before h1_before
    before1 density_before1 kind_before after1 density_after1 kind_after
    window window_density wide_density wide_prose
    in_hub hub_before hub_after depth up level apart
"""
_TAGS = "article main nav header footer aside form ul dl table figure blockquote p li td pre dd figcaption"
_TAGS += " noscript hidden"
_AROUND = """
    navigation footer side comment related teaser share consent sign form data caption main content article
    body forum person hidden list wiki comments block
"""  # hints of all boxes around a block
_NEAR = "navigation footer side comment caption form data article body forum person"  # of the innermost two
_SPANS = """
    parent_chars parent_density parent_blocks parent_prose parent_share
    grand_chars grand_density grand_blocks grand_prose grand_share
    section_chars section_density section_blocks section_share
"""
_SAME = "same same_chars same_density same_prose same_share"
_PAGE = """
    page_chars page_blocks page_density page_prose page_prose_share page_top page_second page_hub
    page_hub_density page_comment page_article page_product page_forum page_list page_website
    page_paragraphs page_headings page_tables page_items page_articles page_same page_same_share
"""
NAMES = [
    *_OWN.split(),
    *(f"tag_{tag}" for tag in _TAGS.split()),
    *(f"hint_{hint}" for hint in _AROUND.split()),
    *(f"near_{hint}" for hint in _NEAR.split()),
    *_SPANS.split(),
    *_SAME.split(),
    *_PAGE.split(),
]
TAGS_AROUND = [TAG_BITS[tag] for tag in _TAGS.split()]
HINTS_AROUND = [HINT_BITS[hint] for hint in _AROUND.split()]
HINTS_NEAR = [HINT_BITS[hint] for hint in _NEAR.split()]

_INTS = """
    links marks lines heading_before h1_before hub_before hub_after depth up level apart
    parent_blocks grand_blocks section_blocks page_blocks
    page_paragraphs page_headings page_tables page_items page_articles
"""
_BOOLS = "ends in_hub page_article page_product page_forum page_list page_website"
_TYPES = dict.fromkeys(_INTS.split(), INT) | dict.fromkeys(_BOOLS.split(), BOOL)  # the rest are floats


def _types(names: str) -> str:
    return "".join(_TYPES.get(name, FLOAT) for name in names.split())


PARTS = [_types(_OWN), BOOL * len(TAGS_AROUND), BOOL * len(HINTS_AROUND), BOOL * len(HINTS_NEAR)]
PARTS += [_types(_SPANS), _types(_SAME)]
COMMON = _types(_PAGE)  # of what is the same for all blocks of a page

Part = tuple[float, ...]
Row = tuple[Part, ...]  # in parts, since blocks share most parts
_NOT_REPEATED: Part = (1.0, 0.0, 0.0, 0.0, 0.0)
_COMMENT = HINT_BITS["comment"]


def rows(page: Blocks) -> tuple[Iterator[Row], Part]:
    """A row of features for each block, and the features of the page."""
    if not page.texts or not page.tag:
        return iter(()), (0.0,) * len(COMMON)
    measured = _Measured(page)
    return measured.rows(), measured.whole()


class _Measured:
    """A page with its running sums, its two top boxes, its hub and its repeated boxes."""

    def __init__(self, page: Blocks) -> None:
        self.page = page
        self.chars = [len(text) for text in page.texts]
        self.density = [
            linked / chars if linked < chars else 1.0
            for linked, chars in zip(page.linked, self.chars, strict=True)
        ]
        self.prose = [
            chars if chars >= LONG and density < PROSE else 0
            for chars, density in zip(self.chars, self.density, strict=True)
        ]
        self.sum_chars = [0, *accumulate(self.chars)]
        self.sum_linked = [0, *accumulate(page.linked)]
        self.sum_prose = [0, *accumulate(self.prose)]
        self.total = self.sum_chars[-1]
        self.total_prose = self.sum_prose[-1] or 1
        self.spans: dict[int, Part] = {}  # measured so far
        self._find_tops()
        self._find_hub()
        self._find_ways()
        self._find_repeated()

    def _find_tops(self) -> None:
        """Find the box with most prose: a paragraph counts for its parent, and half for its grandparent."""
        page = self.page
        held: dict[int, float] = {}
        for box, prose in zip(page.box, self.prose, strict=True):
            if prose:
                parent = max(page.parent[box], 0)
                held[parent] = held.get(parent, 0.0) + prose
                grand = max(page.parent[parent], 0)
                held[grand] = held.get(grand, 0.0) + prose / 2
        best = sorted(held.items(), key=lambda item: (-item[1], item[0]))[:2] + [(0, 0.0)] * 2
        self.top = best[0][0]
        self.top_share, self.second_share = (share / self.total_prose for _, share in best[:2])

    def _find_hub(self) -> None:
        """Find the hub: the smallest box with HUB_SHARE of the prose."""
        page, sums = self.page, self.sum_prose
        least = max(1, HUB_SHARE * sums[-1])
        self.hub = 0
        for box, (first, end) in enumerate(zip(page.first, page.end, strict=True)):
            if sums[end] - sums[first] >= least:
                self.hub = box  # boxes with so much prose contain each other, outer ones first

    def _find_ways(self) -> None:
        """Find, for each box, the levels up to the first box that also holds the top, and down from there."""
        parents = self.page.parent
        down: dict[int, int] = {}
        box = self.top
        while box >= 0:
            down[box] = len(down)
            box = parents[box]
        self.up = up = [0] * len(parents)
        self.level = level = [0] * len(parents)
        for box, parent in enumerate(parents):
            if box in down:
                up[box] = down[box]
            else:  # the root is around everything, so there is a parent
                up[box] = up[parent]
                level[box] = level[parent] + 1

    def _find_repeated(self) -> None:
        """Find, for each box, how many siblings look like it, and what they hold together.

        A box inside a repeated box has the numbers of that one, unless that one is repeated only twice.
        """
        page = self.page
        alike: dict[int, list[int]] = {}
        for box, group in enumerate(groups(page)):
            if group >= 0:
                alike.setdefault(group, []).append(box)
        own: dict[int, Part] = {}
        self.most_same = self.most_same_share = 0.0
        for members in alike.values():
            if len(members) > 1:
                measured = self._measured_together(members)
                for box in members:
                    own[box] = measured
                if measured[0] > 2 and measured[4] > self.most_same_share:
                    self.most_same, _, _, _, self.most_same_share = measured
        self.same: list[Part] = []
        for box, parent in enumerate(page.parent):
            outer = self.same[parent] if parent >= 0 else _NOT_REPEATED
            self.same.append(outer if outer[0] > 2 else own.get(box, outer))

    def _measured_together(self, boxes: list[int]) -> Part:
        firsts, ends, count = self.page.first, self.page.end, len(boxes)
        chars = linked = prose = 0
        for box in boxes:
            first, end = firsts[box], ends[box]
            chars += self.sum_chars[end] - self.sum_chars[first]
            linked += self.sum_linked[end] - self.sum_linked[first]
            prose += self.sum_prose[end] - self.sum_prose[first]
        return float(count), chars / count, linked / chars, prose / chars, chars / self.total

    def _span(self, box: int) -> Part:
        """The content of a box: characters, links, blocks, prose, share of the page."""
        span = self.spans.get(box)
        if span is None:
            span = self.spans[box] = self._measured(box)
        return span

    def _measured(self, box: int) -> Part:
        first, end = self.page.first[box], self.page.end[box]
        chars = self.sum_chars[end] - self.sum_chars[first] or 1
        linked = self.sum_linked[end] - self.sum_linked[first]
        prose = self.sum_prose[end] - self.sum_prose[first]
        return log1p(chars), linked / chars, end - first, prose / chars, chars / self.total

    def _spans(self, parent: int) -> Part:
        """The content of the boxes around a block's box: its parent, its grandparent, its section."""
        parents = self.page.parent
        grand = max(parents[parent], 0)
        section = grand
        for _ in range(LEVELS):
            section = max(parents[section], 0)
        wide = self._span(section)
        return self._span(parent) + self._span(grand) + (*wide[:3], wide[4])

    def whole(self) -> Part:
        """The features of the page."""
        page = self.page
        around = page.hints_around
        comment = sum(
            chars for chars, box in zip(self.chars, page.box, strict=True) if around[box] & _COMMENT
        )
        hub = self._span(self.hub)
        return (
            log1p(self.total), len(page.texts), self.sum_linked[-1] / self.total,
            log1p(self.total_prose), self.total_prose / self.total, self.top_share, self.second_share,
            hub[4], hub[1], comment / self.total, *describe_page(page), self.most_same, self.most_same_share,
        )  # fmt: skip

    def rows(self) -> Iterator[Row]:
        """The rows, each in parts: the block in its place, names, spans, repetition."""
        page, box_of, same = self.page, self.page.box, self.same
        parents = [parent if parent >= 0 else 0 for parent in (page.parent[box] for box in box_of)]
        spans: dict[int, Part] = {}
        for parent in parents:
            if parent not in spans:
                spans[parent] = self._spans(parent)
        return zip(
            self._own(),
            *self._names(parents),
            [spans[parent] for parent in parents],
            [same[box] for box in box_of],
            strict=True,
        )

    def _names(self, parents: list[int]) -> Iterator[list[Part]]:
        """The tags and hints around each block, and the hints of its two innermost boxes."""
        page, boxes, hints = self.page, self.page.box, self.page.hints
        yield _unpacked([page.tags_around[box] for box in boxes], TAGS_AROUND)
        yield _unpacked([page.hints_around[box] for box in boxes], HINTS_AROUND)
        near = [hints[box] | hints[parent] for box, parent in zip(boxes, parents, strict=True)]
        yield _unpacked(near, HINTS_NEAR)

    def _own(self) -> Iterator[Part]:
        """The features of each block, by itself and among its neighbours; made by columns, for speed."""
        page, chars, density, count = self.page, self.chars, self.density, len(self.chars)
        texts, box_of = page.texts, page.box
        logs = [log1p(number) for number in chars]
        kinds = [KIND.get(page.tag[box], 0.0) for box in box_of]
        punctuation = [marks(text) for text in texts]
        near_chars, near_linked = _around(self.sum_chars, NEAR), _around(self.sum_linked, NEAR)
        far_chars, far_linked = _around(self.sum_chars, WIDE), _around(self.sum_linked, WIDE)
        far_prose = _around(self.sum_prose, WIDE)
        total, total_prose = self.total, self.total_prose
        first, end = page.first[self.hub], page.end[self.hub]
        up, level = [self.up[box] for box in box_of], [self.level[box] for box in box_of]
        return zip(
            logs,
            page.links,
            density,
            [strong / number for strong, number in zip(page.strong, chars, strict=True)],
            [mark / number for mark, number in zip(punctuation, chars, strict=True)],
            punctuation,
            [text[-1] in SENTENCE_ENDS for text in texts],
            [text.count(LINE) for text in texts],
            kinds,
            in_title(page),
            [number / count for number in range(count)],
            [before / total for before in self.sum_chars[:-1]],
            [before / total_prose for before in self.sum_prose[:-1]],
            _since(kinds, _HEADINGS),
            _since(kinds, _H1),
            [0.0, *logs[:-1]],
            [0.0, *density[:-1]],
            [0.0, *kinds[:-1]],
            [*logs[1:], 0.0],
            [*density[1:], 0.0],
            [*kinds[1:], 0.0],
            [log1p(number) for number in near_chars],
            [linked / number for linked, number in zip(near_linked, near_chars, strict=True)],
            [linked / number for linked, number in zip(far_linked, far_chars, strict=True)],
            [prose / number for prose, number in zip(far_prose, far_chars, strict=True)],
            [first <= number < end for number in range(count)],
            range(-first, count - first),
            range(end, end - count, -1),
            [page.depth[box] for box in box_of],
            up,
            level,
            map(max, up, level),
            strict=True,
        )


def marks(text: str) -> int:
    """The number of commas and full stops, Western and East Asian."""
    if len(text) <= FEW:
        return 0
    found = text.count(",") + text.count(".")
    return found if text.isascii() else found + text.count("，") + text.count("。") + text.count("、")


def in_title(page: Blocks) -> list[float]:
    """For each block in the page's title, the share of the title; 0 for other blocks."""
    title = page.title.lower()[:LONGEST_TITLE]
    long = len(title)
    return [
        len(text) / long if 3 < len(text) <= long and text.lower() in title else 0.0 for text in page.texts
    ]


def describe_page(page: Blocks) -> Part:
    """The kinds of page that the page says it is, and how many telling elements it has."""
    kinds, count = " ".join(page.kinds).lower(), page.tag.count
    return (
        "article" in kinds or "blog" in kinds, "product" in kinds,
        "forum" in kinds or "question" in kinds or "qapage" in kinds,
        "list" in kinds or "collection" in kinds, "website" in kinds,
        count("p"), count("h2") + count("h3"), count("table"), count("li"), count("article"),
    )  # fmt: skip


def groups(page: Blocks) -> list[int]:
    """For each box the number of its group: boxes in one box that have the same tag and class.

    Empty boxes, paragraphs and cells are in no group: -1.
    """
    numbers: dict[tuple[int, str, str], int] = {}
    boxes = zip(page.first, page.end, page.parent, page.tag, page.name, strict=True)
    return [
        numbers.setdefault((parent, tag, name), len(numbers))
        if end > first and tag != "p" and tag != "td"
        else -1
        for first, end, parent, tag, name in boxes
    ]


def _around(sums: list[int], reach: int) -> list[int]:
    """For each block, the sum over the blocks that are at most `reach` away."""
    padded = [0] * reach + sums + sums[-1:] * reach
    return [after - before for before, after in zip(padded, padded[2 * reach + 1 :], strict=False)]


def _since(kinds: list[float], wanted: frozenset[float]) -> list[int]:
    """For each block, the distance back to the last block of a wanted kind, at most FAR."""
    result, since = [], FAR
    for kind in kinds:
        result.append(since)
        if kind in wanted:
            since = 0
        elif since < FAR:
            since += 1
    return result


def _unpacked(column: list[int], bits: list[int]) -> list[Part]:
    """Each number's bits as truths; few different numbers occur."""
    known = {pattern: tuple([pattern & bit > 0 for bit in bits]) for pattern in set(column)}
    return [known[pattern] for pattern in column]
