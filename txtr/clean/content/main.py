"""Main content: the text a page is there for, without what surrounds that on every page of the site.

Invariant: the main content is a part of the page's text, in reading order. Any markup will do, nothing
raises, and time grows no faster than the page.

Each block of the page is judged by its features (forms, never words). The judge is a forest of decision
trees, which has learnt from pages on which people marked the main text. docs/decisions/ says how,
bench/clean.py measures the quality, and bench/train_clean.py trains the forest again.
"""

import re
from collections.abc import Sequence
from functools import cache
from math import exp

from txtr.clean.content import alike, blocks, companions, features, repair, trees, walk
from txtr.clean.content.hints import TAG_BITS
from txtr.clean.html.bare import Bare
from txtr.clean.native import trees as native
from txtr.data import table

SHORTEST_REPEATED = 40  # characters; a block of that length is kept once, however often the page holds it
LEAST, ENOUGH = 0.2, 0.5  # probabilities: blocks below the first are never kept, from the second on always
LITTLE = 400  # characters on the whole page: a few lines
# Words over advertisements; a block that is such a word is nothing else.
_LABELS = """
    advertisement advertentie annonce annons anzeige hirdetés mainos publicidad publicidade publicité
    pubblicità reklam reklama reklame werbung διαφήμιση реклама 广告 廣告 広告 광고
"""
_ADVERTISEMENT = frozenset(_LABELS.split())
_LONGEST_LABEL = max(map(len, _ADVERTISEMENT))
_LETTER = re.compile(r"[^\W_]")
ROUND = 6  # trees asked at once
SURE = 3.0  # a score at which asking stops: to go on would gain .0002 of F1, and take half as much time again


def paragraphs(bare: Bare) -> list[list[str]]:
    """The main text: paragraphs in reading order, each a list of lines (a <br> ends a line)."""
    page = walk.read(bare)
    probable = [1 / (1 + exp(-score)) for score in _scores(page)]
    numbers = repair.plain(page) if _is_too_little(page, probable) else choose(page, probable)
    return [page.texts[number].split(blocks.LINE) for number in numbers]


def lines(markup: str) -> list[str]:
    """The main text, a line per block or line break."""
    return [line for paragraph in paragraphs(Bare(markup)) for line in paragraph]


def choose(page: blocks.Blocks, probable: list[float]) -> list[int]:
    """The blocks worth keeping, in reading order; of equal blocks only the first."""
    least = _least(page.texts, probable)
    wanted = [number for number, probability in enumerate(probable) if probability >= least]
    whole = repair.complete(page, alike.judge_alike(page, wanted), probable)
    seen: set[str] = set()
    found, is_copy = [], False
    for number in companions.add_companions(page, whole):
        text = page.texts[number]
        # A short block may be said twice, but not in a row of blocks that are said twice.
        is_copy = text in seen and (is_copy or len(text) >= SHORTEST_REPEATED)
        seen.add(text)
        if not is_copy and not _is_no_text(page, number):
            found.append(number)
    return found


def _is_no_text(page: blocks.Blocks, number: int) -> bool:
    """Is it a label of advertisements, or, outside code, signs without a word (lines, arrows, stars)?"""
    text, box = page.texts[number], page.box[number]
    if len(text) <= _LONGEST_LABEL and text.casefold() in _ADVERTISEMENT:
        return page.tag[box] != "h1"
    has_letter = text[0].isalnum() or _LETTER.search(text) is not None
    return not has_letter and not page.tags_around[box] & TAG_BITS["pre"]


def _is_too_little(page: blocks.Blocks, probable: list[float]) -> bool:
    """Is the page too short to be judged? Then it holds little, and no block that is surely content."""
    if sum(map(len, page.texts)) > LITTLE:
        return False
    tags = (page.tags_around[box] for box in page.box)
    return not any(
        probability >= ENOUGH and not bits & TAG_BITS["noscript"]
        for probability, bits in zip(probable, tags, strict=True)
    )


def _least(texts: Sequence[str], probable: list[float]) -> float:
    """The least probability of a block to keep, for the best F1 that can be expected.

    A page where little is certain has a lower one than a page with a clear article.
    """
    sizes = [(probability, len(text)) for probability, text in zip(probable, texts, strict=True)]
    expected = sum(probability * size for probability, size in sizes)
    least, best = ENOUGH, 0.0
    right = kept = 0.0
    for probability, size in sorted(sizes, reverse=True):
        right += probability * size
        kept += size
        if (quality := right / (kept + expected)) > best:
            least, best = probability, quality
    return min(max(least, LEAST), ENOUGH)


def _scores(page: blocks.Blocks) -> list[float]:
    found = native.scores(page, _forest())
    return _judge()(*features.rows(page)) if found is None else found


@cache
def _forest() -> native.Forest:
    return native.build_forest(_trees(), ROUND, SURE)


@cache
def _judge() -> trees.Scores:
    return trees.compile_forest(_trees(), features.PARTS, features.COMMON, ROUND, SURE)


def _trees() -> list[str]:
    text = table("clean/content/weights.txt")
    return [line for line in text.splitlines() if not line.startswith("#")]
