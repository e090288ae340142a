"""Alike: boxes that repeat themselves (posts of a thread, reviews, teasers, entries) are judged alike.

Invariant: of the blocks in the same place of such boxes, when enough is kept all is but links, and when
little is kept nothing is; what is in between, and blocks elsewhere, stay as they were. Time grows with the
blocks and boxes.

Trees see each block for itself: they keep the long contributions to a discussion and lose "Thank you!", or
keep one of forty user names. The same place is the same way of tags and first classes from the repeated box
down to the block; digits at its end are left out, for templates count (post-1, post-2).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import compress
from operator import gt

from txtr.clean.content.blocks import Blocks
from txtr.clean.native import alike

FEWEST = 3  # boxes of one look in one box: two columns are no repetition
ENOUGH, LITTLE = 0.4, 0.3  # of the characters in a place: from the one on all is kept, below the other none
LINKED = 0.5  # of its characters are links at most, of what is added

_ITEMS = frozenset({"div", "article", "li", "section", "tr", "dd", "tbody", "table"})

_Look = tuple[int, str, str]  # of a box: what is around it, its tag and its first class


def settled(page: Blocks, kept: list[int]) -> list[int]:
    """The blocks to keep, when the trees would keep these."""
    if not kept or not page.tag:
        return kept
    found = set(kept)
    for numbers in _places(page):
        if found.isdisjoint(numbers):
            continue
        chars = sum(len(page.texts[number]) for number in numbers)
        wanted = sum(len(page.texts[number]) for number in numbers if number in found)
        if wanted >= ENOUGH * chars:
            found.update(
                number for number in numbers if page.linked[number] <= LINKED * len(page.texts[number])
            )
        elif wanted < LITTLE * chars:
            found.difference_update(numbers)
    return sorted(found)


def _places(page: Blocks) -> Iterator[list[int]]:
    """The blocks in each place that at least two boxes of one look have."""
    place, member = alike.ways(page, _ITEMS, FEWEST) or ways(page)
    blocks: dict[int, list[int]] = {}
    for number, box in enumerate(page.box):
        if way := place[box]:
            blocks.setdefault(way, []).append(number)
    for numbers in blocks.values():
        if member[page.box[numbers[0]]] != member[page.box[numbers[-1]]]:
            yield numbers


def ways(page: Blocks) -> tuple[list[int], list[int]]:
    """For each box: a number for its place, 0 for none, and the outermost repeated box that it is in.

    The number is that of the first box in this place, counted from 1.
    """
    names = {name: _first_class(name) for name in set(page.name)}
    looks: list[_Look] = list(zip(page.parent, page.tag, map(names.__getitem__, page.name), strict=True))
    often = Counter(compress(looks, map(gt, page.end, page.first)))
    firsts: dict[_Look, int] = {}
    place, member = [0] * len(looks), [0] * len(looks)
    for box, look in enumerate(looks):
        parent, tag, name = look
        if way := place[parent] if parent >= 0 else 0:
            member[box], look = member[parent], (way, tag, name)
        elif tag in _ITEMS and often[look] >= FEWEST:
            member[box], look = box, (~parent, tag, name)  # below zero: no place has such a number
        else:
            continue
        place[box] = firsts.setdefault(look, box + 1)
    return place, member


def _first_class(name: str) -> str:
    return name.split(None, 1)[0].rstrip("0123456789") if name and not name.isspace() else ""
