"""Main content: what a page is for, without what surrounds it on every page of its site.

Invariant: what is given is a part of the page's text, in reading order; any tree will do, nothing
raises, and time grows no faster than the page.

Each block of the page is judged by its features (forms, never words) with a forest of decision trees
that has learnt from pages on which people marked the main text. How: docs/decisions/; with what figures:
bench/clean.py; again: bench/train_clean.py.
"""

from functools import cache
from pathlib import Path

from lxml import etree

from txtr.clean import blocks, features, trees

SHORTEST_REPEATED = 40  # characters; a longer block is said once, however often the page holds it


def paragraphs(tree: etree._Element | None) -> list[list[str]]:
    """The main text: paragraphs in reading order, each a list of lines (a <br> ends a line)."""
    page = blocks.read(tree)
    scores = [_judge()(row) for row in features.rows(page)]
    return [
        lines
        for number in _kept(page.texts, scores)
        if (lines := [line for line in page.texts[number].split(blocks.LINE) if line])
    ]


def lines(tree: etree._Element | None) -> list[str]:
    """The main text, a line per block or line break."""
    return [line for paragraph in paragraphs(tree) for line in paragraph]


def _kept(texts: list[str], scores: list[float]) -> list[int]:
    """The blocks worth keeping; of equal ones the best."""
    kept = [number for number, score in enumerate(scores) if score > 0]
    best: dict[str, int] = {}
    for number in kept:
        text = texts[number]
        if len(text) < SHORTEST_REPEATED:
            continue
        other = best.setdefault(text, number)
        if scores[number] > scores[other]:
            best[text] = number
    return [number for number in kept if best.get(texts[number], number) == number]


@cache
def _judge() -> trees.Score:
    text = Path(__file__).with_name("weights.txt").read_text("ascii")
    return trees.forest(
        [line for line in text.splitlines() if line and not line.startswith("#")], len(features.NAMES)
    )
