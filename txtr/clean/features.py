"""Features: what is to be known of each block for the decision whether it is main content.

Invariant: one row of NAMES per block, in constant time per block and box. No words of any language,
only forms: lengths, links, punctuation, names of elements, and how all that is spread over the page.
"""

import re
from itertools import accumulate
from math import log1p

from txtr.clean.blocks import HINTS, LINE, TAG_BITS, TAGS, Blocks

LONG = 80  # characters; a block beyond it is prose rather than a label
FAR = 50  # blocks; beyond this, distance says nothing more

_PUNCTUATION = re.compile(r"[.,;:!?…。，、；：！？।،؛؟·]")
_SENTENCE_END = tuple('.!?…。！？:;"”»)।؟')
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LEAF_KIND = {
    "p": 1, "li": 2, "td": 3, "th": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 9, "h6": 10, "div": 11,
    "span": 12, "pre": 13, "blockquote": 14, "dt": 15, "dd": 16, "figcaption": 17, "caption": 18,
    "button": 19, "section": 20, "article": 21, "header": 22, "footer": 23, "nav": 24, "aside": 25,
    "summary": 26, "address": 27, "legend": 28, "form": 29, "center": 30, "body": 31, "main": 32,
    "figure": 33, "ul": 34, "ol": 35, "details": 36, "fieldset": 37,
}  # fmt: skip

_OWN = ["chars", "links", "density", "strong", "digits", "punctuation", "sentences", "ends", "lines", "upper", "kind", "title", "place", "text_before", "heading_before", "h1_before", "before1", "before2", "before3", "density1", "density2", "density3", "kind1", "after1", "after2", "after3", "ndensity1", "ndensity2", "ndensity3", "nkind1", "window", "window_density", "wide", "wide_density", "wide_long"]
_BOX = ["depth", "p_chars", "p_density", "p_blocks", "p_long", "p_share", "p_first", "g_chars", "g_density", "g_blocks", "g_long", "g_share", "s_chars", "s_density", "s_long", "s_share", "same", "same_chars", "same_density", "same_long", "top_distance", "top_share", "top_in", "good", "bad", "parent_hint"]
_PAGE = ["page_chars", "page_blocks", "page_density", "page_long", "page_long_share", "page_top_share", "page_comment", "page_article", "page_product", "page_forum", "page_list", "page_website", "page_paragraphs", "page_headings", "page_tables", "page_articles", "page_repeat"]
NAMES = [
    *_OWN,
    *("tag_" + tag for tag in TAGS),
    *("hint_" + hint for hint in HINTS),
    *("own_" + hint for hint in HINTS),
    *_BOX,
    *_PAGE,
]

Row = list[float]


def rows(page: Blocks) -> list[Row]:
    """A row of features for each block."""
    return _Measured(page).rows()


class _Measured:
    """The page with its running sums."""

    def __init__(self, page: Blocks) -> None:
        self.page = page
        texts = page.texts
        self.chars = [len(text) for text in texts]
        self.density = [
            min(1.0, linked / chars) for linked, chars in zip(page.linked, self.chars, strict=True)
        ]
        self.punctuation = [len(_PUNCTUATION.findall(text)) if len(text) > 20 else 0 for text in texts]
        self.long = [
            chars if chars >= LONG and density < 0.4 else 0
            for chars, density in zip(self.chars, self.density, strict=True)
        ]
        self.sum_chars = [0, *accumulate(self.chars)]
        self.sum_linked = [0, *accumulate(page.linked)]
        self.sum_long = [0, *accumulate(self.long)]
        self.total = self.sum_chars[-1] or 1
        self.total_long = self.sum_long[-1] or 1
        self._chains()
        self._tops()
        self._repeats()

    def _chains(self) -> None:
        """For each box: tags and hints of itself and all around it; depth."""
        page = self.page
        self.tag_chain: list[int] = []
        self.hint_chain: list[int] = []
        self.depth: list[int] = []
        for number, (parent, tag) in enumerate(zip(page.parent, page.tag, strict=True)):
            bits, hints = TAG_BITS.get(tag, 0), page.hints[number]
            if page.hidden[number] and tag not in ("html", "body"):
                bits |= TAG_BITS["hidden"]
            if parent >= 0:
                bits |= self.tag_chain[parent]
                if tag != "body":
                    hints |= self.hint_chain[parent]
                self.depth.append(self.depth[parent] + 1)
            else:
                self.depth.append(0)
            if tag in ("body", "html"):
                hints = 0
            self.tag_chain.append(bits)
            self.hint_chain.append(hints)

    def _tops(self) -> None:
        """The box that holds the prose most directly: where its paragraphs' parent or grandparent is."""
        page = self.page
        score: dict[int, float] = {}
        for number, long in enumerate(self.long):
            if long:
                box = page.box[number]
                parent = page.parent[box]
                score[parent] = score.get(parent, 0) + long
                grand = page.parent[parent] if parent >= 0 else -1
                score[grand] = score.get(grand, 0) + long / 2
        score.pop(-1, None)
        self.top = max(score, key=lambda box: score[box]) if score else -1
        self.top_share = score[self.top] / self.total_long if score else 0.0
        # levels between the top box and the box around it that a block shares with it
        self.up: dict[int, int] = {}
        box, level = self.top, 0
        while box >= 0:
            self.up[box] = level
            box, level = page.parent[box], level + 1

    def _repeats(self) -> None:
        """For each box: how many siblings look like it, and what they hold together."""
        page = self.page
        groups: dict[tuple[int, str, str], list[int]] = {}
        for number, (parent, tag, name) in enumerate(zip(page.parent, page.tag, page.name, strict=True)):
            if page.end[number] > page.first[number]:
                groups.setdefault((parent, tag, name.partition(" ")[0]), []).append(number)
        self.repeat: list[tuple[float, float, float, float]] = [(1.0, 0.0, 0.0, 0.0)] * len(page.tag)
        self.most_repeated = 1
        for key, members in groups.items():
            if len(members) > 1 and key[1] not in ("p", "tr", "td", "br"):
                chars = linked = long = 0
                for member in members:
                    first, end = page.first[member], page.end[member]
                    chars += self.sum_chars[end] - self.sum_chars[first]
                    linked += self.sum_linked[end] - self.sum_linked[first]
                    long += self.sum_long[end] - self.sum_long[first]
                value = (
                    float(len(members)),
                    chars / len(members),
                    linked / (chars or 1),
                    long / (chars or 1),
                )
                for member in members:
                    self.repeat[member] = value
                self.most_repeated = max(self.most_repeated, len(members))
        for number, parent in enumerate(page.parent):  # the outermost repetition with some text counts
            if parent >= 0 and self.repeat[parent][0] > 1 and self.repeat[parent][1] > 0:
                if self.repeat[number][0] <= 1 or self.repeat[parent][0] > 2:
                    self.repeat[number] = self.repeat[parent]

    def span(self, box: int) -> tuple[float, float, float, float, float]:
        """Characters, density, blocks, long share, share of the page."""
        if box < 0:
            box = 0
        first, end = self.page.first[box], self.page.end[box]
        chars = self.sum_chars[end] - self.sum_chars[first]
        linked = self.sum_linked[end] - self.sum_linked[first]
        long = self.sum_long[end] - self.sum_long[first]
        return (
            log1p(chars),
            min(1.0, linked / (chars or 1)),
            float(end - first),
            long / (chars or 1),
            chars / self.total,
        )

    def of_box(self, box: int) -> Row:
        """The features of a leaf's surroundings, shared by its blocks."""
        page = self.page
        parent = max(page.parent[box], 0)
        grand = max(page.parent[parent], 0)
        section = grand
        for _ in range(3):
            section = max(page.parent[section], 0)
        around = box
        level = 0
        while around not in self.up and around >= 0:
            around, level = page.parent[around], level + 1
        up = self.up.get(around, 20)
        p, g, s = self.span(parent), self.span(grand), self.span(section)
        hints = self.hint_chain[box]
        return [
            float(self.depth[box]), *p, float(page.first[parent]),
            *g, s[0], s[1], s[3], s[4],
            *self.repeat[box],
            float(up), self.top_share, float(up == 0), float(level), float(max(level, up)), float((page.hints[parent] & -page.hints[parent]).bit_length()),
        ]  # fmt: skip

    def of_page(self) -> Row:
        page = self.page
        tags = page.tag
        kinds = " ".join(page.kinds).lower()
        comment_bit = 1 << HINTS.index("comment")
        comment = sum(
            chars
            for chars, box in zip(self.chars, page.box, strict=True)
            if self.hint_chain[box] & comment_bit
        )
        count = tags.count
        return [
            log1p(self.total), float(len(page.texts)), self.sum_linked[-1] / self.total,
            log1p(self.total_long), self.total_long / self.total, self.top_share, comment / self.total,
            float("article" in kinds or "blog" in kinds), float("product" in kinds),
            float("forum" in kinds or "question" in kinds or "qapage" in kinds),
            float("list" in kinds or "collection" in kinds), float("website" in kinds),
            float(count("p")), float(count("h2") + count("h3")), float(count("table")), float(count("article")),
            float(self.most_repeated),
        ]  # fmt: skip

    def rows(self) -> list[Row]:
        page, chars, density = self.page, self.chars, self.density
        texts = page.texts
        count = len(texts)
        kinds = [float(_LEAF_KIND.get(page.tag[box], 0)) for box in page.box]
        logs = [log1p(n) for n in chars]
        pad = [0.0, 0.0, 0.0]
        c, d, k = [*pad, *logs, *pad], [*pad, *density, *pad], [*pad, *kinds, *pad]
        page_row = self.of_page()
        bit_rows: dict[tuple[int, int, int], Row] = {}
        box_rows: dict[int, Row] = {}
        title = page.title.lower()
        since_heading = since_h1 = FAR
        result = []
        for i in range(count):
            text, box = texts[i], page.box[i]
            tag = page.tag[box]
            n = chars[i]
            low, high = max(0, i - 2), min(count, i + 3)
            wlow, whigh = max(0, i - 8), min(count, i + 9)
            window = self.sum_chars[high] - self.sum_chars[low]
            wide = self.sum_chars[whigh] - self.sum_chars[wlow]
            short = text[:200]
            row = [
                logs[i], float(page.links[i]), density[i], page.strong[i] / n,
                sum(map(str.isdigit, short)) / len(short), self.punctuation[i] / n * 100.0, float(self.punctuation[i]),
                float(text.endswith(_SENTENCE_END)), float(text.count(LINE)), sum(map(str.isupper, short)) / len(short), kinds[i],
                float(len(text) / len(title)) if n > 3 and text.lower() in title else 0.0,
                i / count, self.sum_chars[i] / self.total, float(since_heading), float(since_h1),
                c[i + 2], c[i + 1], c[i], d[i + 2], d[i + 1], d[i], k[i + 2],
                c[i + 4], c[i + 5], c[i + 6], d[i + 4], d[i + 5], d[i + 6], k[i + 4],
                log1p(window), (self.sum_linked[high] - self.sum_linked[low]) / window,
                log1p(wide), (self.sum_linked[whigh] - self.sum_linked[wlow]) / wide,
                (self.sum_long[whigh] - self.sum_long[wlow]) / wide,
            ]  # fmt: skip
            key = (
                self.tag_chain[box],
                self.hint_chain[box],
                page.hints[box] | page.hints[max(page.parent[box], 0)],
            )
            bits = bit_rows.get(key)
            if bits is None:
                bits = bit_rows[key] = [
                    *(float(key[0] >> n & 1) for n in range(len(TAGS))),
                    *(float(key[1] >> n & 1) for n in range(len(HINTS))),
                    *(float(key[2] >> n & 1) for n in range(len(HINTS))),
                ]
            around = box_rows.get(box)
            if around is None:
                around = box_rows[box] = self.of_box(box)
            result.append(row + bits + around + page_row)
            since_heading = 0 if tag in _HEADINGS else min(FAR, since_heading + 1)
            since_h1 = 0 if tag == "h1" else min(FAR, since_h1 + 1)
        return result
