"""Main content: what a page is for, without what surrounds it on every page of its site.

Invariant: what is given is a part of the page's text, in reading order; any markup will do, nothing
raises, and time grows no faster than the page.

Each block of the page is judged by its features (forms, never words) with a forest of decision trees
that has learnt from pages on which people marked the main text. How: docs/decisions/; with what figures:
bench/clean.py; again: bench/train_clean.py.
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

SHORTEST_REPEATED = 40  # characters; a longer block is said once, however often the page holds it
LEAST, ENOUGH = 0.2, 0.5  # probability: below the one never kept, from the other on always
LITTLE = 400  # characters on the whole page: a few lines
# What stands over advertisements; as a block by itself it is nothing else.
_LABELS = """
    advertisement advertentie annonce annons anzeige hirdetés mainos publicidad publicidade publicité
    pubblicità reklam reklama reklame werbung διαφήμιση реклама 广告 廣告 広告 광고
"""
_ADVERTISEMENT = frozenset(_LABELS.split())
_LONGEST_LABEL = max(map(len, _ADVERTISEMENT))
_LETTER = re.compile(r"[^\W_]")
ROUND = 6  # trees asked at once
SURE = 3.0  # the score to stop at: without it .0002 of F1 more, half as much time


def paragraphs(bare: Bare) -> list[list[str]]:
    """The main text: paragraphs in reading order, each a list of lines (a <br> ends a line)."""
    page = walk.read(bare)
    probable = [1 / (1 + exp(-score)) for score in _scores(page)]
    numbers = repair.plain(page) if _is_too_little(page, probable) else kept(page, probable)
    return [page.texts[number].split(blocks.LINE) for number in numbers]


def lines(markup: str) -> list[str]:
    """The main text, a line per block or line break."""
    return [line for paragraph in paragraphs(Bare(markup)) for line in paragraph]


def kept(page: blocks.Blocks, probable: list[float]) -> list[int]:
    """The blocks worth keeping, in reading order; of equal ones the first."""
    least = _least(page.texts, probable)
    wanted = [number for number, probability in enumerate(probable) if probability >= least]
    whole = repair.completed(page, alike.settled(page, wanted), probable)
    seen: set[str] = set()
    found, is_copy = [], False
    for number in companions.joined(page, whole):
        text = page.texts[number]
        # A short block may be said twice, but not in a row of blocks that are said twice.
        is_copy = text in seen and (is_copy or len(text) >= SHORTEST_REPEATED)
        seen.add(text)
        if not is_copy and not _is_no_text(page, number):
            found.append(number)
    return found


def _is_no_text(page: blocks.Blocks, number: int) -> bool:
    """Is it the label of an advertisement, or signs without a word (lines, arrows, stars) outside code?"""
    text, box = page.texts[number], page.box[number]
    if len(text) <= _LONGEST_LABEL and text.casefold() in _ADVERTISEMENT:
        return page.tag[box] != "h1"
    has_letter = text[0].isalnum() or _LETTER.search(text) is not None
    return not has_letter and not page.tags_around[box] & TAG_BITS["pre"]


def _is_too_little(page: blocks.Blocks, probable: list[float]) -> bool:
    """Does a page hold so little, and none of it for sure content, that there is nothing to judge?"""
    if sum(map(len, page.texts)) > LITTLE:
        return False
    tags = (page.tags_around[box] for box in page.box)
    return not any(
        probability >= ENOUGH and not bits & TAG_BITS["noscript"]
        for probability, bits in zip(probable, tags, strict=True)
    )


def _least(texts: Sequence[str], probable: list[float]) -> float:
    """The probability from which on keeping blocks gives the best F1 that can be expected.

    On a page where little is certain that is lower than on one with a clear article.
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
    return native.forest(_trees(), ROUND, SURE)


@cache
def _judge() -> trees.Scores:
    return trees.forest(_trees(), features.PARTS, features.COMMON, ROUND, SURE)


def _trees() -> list[str]:
    text = table("clean/content/weights.txt")
    return [line for line in text.splitlines() if not line.startswith("#")]
