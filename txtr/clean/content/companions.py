"""Standfirsts, captions of pictures, and code, which are kept with the text that they belong to.

Invariant: blocks are only added, and only between the first and the last kept block; where nothing is kept,
nothing is added. One pass goes over the blocks between.

These blocks belong to a text but look unlike text. A standfirst is a bold line among dates and names of
authors; a caption stands in boxes such as sliders and advertisements have as well. Many pages that people
marked lack captions, and some lack standfirsts, but readers want them: see docs/decisions/. A caption is
added only if it holds a sentence, so that names of photographers and agencies are not added.
"""

import re
from functools import reduce
from operator import and_

from txtr.clean.content.blocks import Blocks
from txtr.clean.content.hints import HINT_BITS, STRANGE, STRANGE_TAGS, TAG_BITS, any_of

LINKED = 0.5  # the largest share of links in the characters of an added block
SHORTEST_STANDFIRST = 40  # characters
FIRST = 3  # kept blocks; the headline is one of the first so many

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SENTENCE_END = re.compile(r"[.!?…][\"”»“)]*(?:\s|$)|[。！？]")
_PROSE_ENDS = frozenset(".!?…。！？”»“")

_NO_STANDFIRST = any_of(HINT_BITS, "caption data")  # hints in a block's own names
_NO_CODE = any_of(HINT_BITS, "footer related consent comment comments person")
_STRUCTURES = any_of(TAG_BITS, "figure table dl ul")


def add_companions(page: Blocks, kept: list[int]) -> list[int]:
    """The blocks to keep, with their standfirst, captions and code; these are kept of the text itself."""
    if not kept:
        return kept
    known = reduce(and_, (page.hints_around[page.box[number]] for number in kept))  # hints of all kept blocks
    found = set(kept)
    found.update(_standfirst(page, kept, known))
    found.update(
        number
        for number in range(kept[0], kept[-1])
        if number not in found and (_is_code(page, number) or _is_caption(page, number, known))
    )
    return sorted(found)


def _standfirst(page: Blocks, kept: list[int], known: int) -> list[int]:
    """The sentences between the headline and the text.

    There are none where another heading follows the first: then the first heading is the name of the site,
    and the sentences after it are about the site. The last heading may be the standfirst.
    """
    boxes, tags = page.box, page.tag
    headline = next((number for number in kept[:FIRST] if tags[boxes[number]] == "h1"), -1)
    start = next(
        (number for number in kept if number > headline and tags[boxes[number]] not in _HEADINGS), -1
    )
    if headline < 0 or start < 0:
        return []
    known |= page.hints_around[boxes[headline]] | page.hints_around[boxes[start]]
    first = headline + 1
    for number in range(first, start):
        if tags[boxes[number]] in _HEADINGS:
            first = number
    return [number for number in range(first, start) if _is_standfirst(page, number, known)]


def _is_standfirst(page: Blocks, number: int, known: int) -> bool:
    text, box = page.texts[number], page.box[number]
    return (
        len(text) >= SHORTEST_STANDFIRST
        and text[-1] in _PROSE_ENDS
        and not page.hints[box] & _NO_STANDFIRST
        and not page.tags_around[box] & _STRUCTURES
        and _is_plain(page, number, known)
    )


def _is_caption(page: Blocks, number: int, known: int) -> bool:
    box = page.box[number]
    is_named = page.hints[box] & HINT_BITS["caption"] or page.tags_around[box] & TAG_BITS["figcaption"]
    return (
        bool(is_named)
        and _is_plain(page, number, known)
        and _SENTENCE_END.search(page.texts[number]) is not None
    )


def _is_code(page: Blocks, number: int) -> bool:
    """Is it preformatted? Templates hold no code, so code counts even inside tabs and boxes that unfold."""
    box = page.box[number]
    return bool(page.tags_around[box] & TAG_BITS["pre"]) and not page.hints_around[box] & _NO_CODE


def _is_plain(page: Blocks, number: int, known: int) -> bool:
    """Is the block no link, and does no name or tag say that it is something else than text?"""
    box = page.box[number]
    return (
        not page.hints_around[box] & STRANGE & ~known
        and not page.tags_around[box] & STRANGE_TAGS
        and page.linked[number] <= LINKED * len(page.texts[number])
    )
