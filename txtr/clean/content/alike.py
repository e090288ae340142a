"""Repeated boxes (posts of a thread, reviews, teasers, entries) are judged alike.

Invariant, for the blocks in the same place of such boxes: where many of their characters are kept, all blocks
are kept but links; where few are kept, none is; in between, and in other places, nothing changes. Time grows
with the blocks and boxes.

The trees judge each block by itself: they keep the long contributions to a discussion and lose "Thank you!",
or keep one of forty user names. Two blocks have the same *place* when the way from the repeated box down to
the block has the same tags and first classes. Digits at the end of a class are left out, since templates
count (post-1, post-2).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import compress
from operator import gt

from txtr.clean.content.blocks import Blocks
from txtr.clean.native import alike

FEWEST = 3  # boxes of one look in one box: two columns are no repetition
ENOUGH, LITTLE = 0.4, 0.3  # kept share of the characters in a place, to keep all blocks there; or none below
LINKED = 0.5  # the largest share of links in the characters of an added block

_ITEMS = frozenset({"div", "article", "li", "section", "tr", "dd", "tbody", "table"})

_Look = tuple[int, str, str]  # of a box: what is around it, its tag and its first class


def judge_alike(page: Blocks, kept: list[int]) -> list[int]:
    """The blocks to keep; the trees would keep these."""
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
    place, member = alike.find_places(page, _ITEMS, FEWEST) or find_places(page)
    blocks: dict[int, list[int]] = {}
    for number, box in enumerate(page.box):
        if way := place[box]:
            blocks.setdefault(way, []).append(number)
    for numbers in blocks.values():
        if member[page.box[numbers[0]]] != member[page.box[numbers[-1]]]:
            yield numbers


def find_places(page: Blocks) -> tuple[list[int], list[int]]:
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
