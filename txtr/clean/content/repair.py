"""Repair: structures (tables, lists, quotations) are kept whole or not at all, and a text gets its headline.

Invariant: blocks are added to the kept ones, in reading order, or taken away with the whole structure that
they are part of. Where nothing was kept, nothing is added. Time grows with the blocks and their depth.

The trees judge block by block, and they are often wrong about a short block (a cell, a term, a headline). The
place of such a block says more: half a table is worse than none; a structure between two paragraphs is the
author's; a text has a headline. The rules know forms only, as the trees do: the kinds of elements, and the
hints of names, by which boilerplate inside a text shows. The marked pages of some sets lack headlines or
captions, which readers want: see docs/decisions/.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import and_

from txtr.clean.content.blocks import Blocks
from txtr.clean.content.hints import HINT_BITS, STRANGE, STRANGE_TAGS, TAG_BITS, any_of

LINKED = 0.5  # the largest share of links in the characters of added blocks
ALL_LINKED = 1.0  # the same, in lists of which most is kept
USUAL = 3  # linked headings above kept texts; from so many on, such headings are part of the page's text
LONGEST_CELL = 60  # characters on average; a table with longer cells orders the page, and holds no data
FAR = 300  # characters between a headline and the text: byline, date, share buttons, caption
LARGEST = 2000  # blocks of a structure that is made whole; larger structures, nested, would take long
SIGNATURE = "signature"  # part of the class of a signature's box, in all software of forums
# The average probability below which nothing is added; for captions and code there is none.
HOPELESS = {"p": 0.2, "ul": 0.12, "ol": 0.12, "table": 0.1, "dl": 0.1}
SHORTEST_CONTRIBUTION = 20  # characters
FEW, LITTLE = 0.1, 150  # share of the text, and characters: so much of readers' comments is kept in any case

_SECTIONS = frozenset({"h2", "h3", "h4", "h5", "h6", "summary"})
_ROWS = frozenset({"tr", "tbody", "thead", "tfoot"})
_CELLS = frozenset({"td", "th", "caption", "p"})
_STRUCTURES = frozenset({"table", "dl", "ul", "ol", "blockquote", "figure", "pre"})
_WRAPPED = _STRUCTURES - {"figure"}  # galleries and advertisements wrap figures
_PLAIN = _STRUCTURES | {"p"}  # what authors write, and editors of web sites produce
_BESIDE = _PLAIN | _SECTIONS | {"h1"}
_ALL_OR_NOTHING = frozenset({"table", "dl"})
_ANYWHERE = frozenset({"pre", "blockquote"})
_LISTS = frozenset({"ul", "ol"})
_ROOTS = frozenset({"body", "html"})
_PROSE_ENDS = frozenset('.!?…。！？:;"”»)।؟')

_TRIMMINGS = any_of(HINT_BITS, "navigation footer share consent sign form hidden")
_COMMENT = any_of(HINT_BITS, "comment comments")
_NO_CONTRIBUTION = any_of(HINT_BITS, "navigation footer share consent sign form data person")
_SIGNED = any_of(HINT_BITS, "forum person")
_CONTRIBUTED = any_of(TAG_BITS, "p li blockquote article dd")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of blocks of which none is kept: the largest box without a kept block, or loose text."""

    first: int
    end: int
    box: int  # -1: the text stands directly in the box around it
    around: int  # the smallest box around the piece in which a block is kept
    is_between: bool  # in that box, blocks are kept before the piece and after it
    is_beside: bool  # the nearest kept part of that box is plain text, not another box of the page


def complete(page: Blocks, kept: list[int], probable: list[float]) -> list[int]:
    """The blocks to keep; the trees would keep `kept`, and give each block this probability."""
    kept = [number for number in kept if not _is_signature(page, page.box[number])] if page.tag else []
    if not kept:
        return kept
    found = set(kept)
    parts: set[int] = set()  # structures of which a part is kept and a part is not
    for piece in _pieces(page, kept):
        structure = _structure(page, piece.around)
        if structure >= 0:
            parts.add(structure)
        elif _is_authored(page, piece, kept, probable):
            found.update(range(piece.first, piece.end))
    for structure in sorted(parts):
        _make_whole(page, structure, found, kept, probable)
    _add_contributions(page, found)
    _add_headings(page, found)
    if found:
        _add_headline(page, found)
    return sorted(found)


def plain(page: Blocks) -> list[int]:
    """The blocks that are no links, and that no name or tag calls trimmings.

    A form around all of them says nothing: some content management systems put every page into a form.
    """
    boxes = set(page.box)
    hints = _TRIMMINGS & ~reduce(and_, (page.hints_around[box] for box in boxes), HINT_BITS["form"])
    tags = STRANGE_TAGS & ~reduce(and_, (page.tags_around[box] for box in boxes), TAG_BITS["form"])
    return [
        number
        for number, box in enumerate(page.box)
        if not page.hints_around[box] & hints
        and not page.tags_around[box] & tags
        and page.tag[box] != "button"
        and page.linked[number] <= LINKED * len(page.texts[number])
    ]


def _is_signature(page: Blocks, box: int) -> bool:
    """Is the box part of a signature, which a member of a forum puts below each contribution?"""
    if page.hints_around[box] & _SIGNED != _SIGNED:
        return False
    while box >= 0 and SIGNATURE not in page.name[box].lower():
        box = page.parent[box]
    return box >= 0


def _pieces(page: Blocks, kept: list[int]) -> Iterator[_Piece]:
    """The pieces between kept blocks, before the first and after the last."""
    for before, after in pairwise([-1, *kept, len(page.texts)]):
        if after - before > 1:
            yield from _pieces_between(page, before, after)


def _pieces_between(page: Blocks, before: int, after: int) -> Iterator[_Piece]:
    left = _way(page, before) if before >= 0 else {}
    right = _way(page, after) if after < len(page.texts) else {}
    if not left and not right:  # no block is kept on either side
        return
    number = before + 1
    while number < after:
        top, box = -1, page.box[number]
        while box not in left and box not in right:
            top, box = box, page.parent[box]
        first, end = (page.first[top], page.end[top]) if top >= 0 else (number, number + 1)
        beside = left[box] if box in left else right[box]
        yield _Piece(
            first, end, top, box, box in left and box in right, beside < 0 or page.tag[beside] in _BESIDE
        )
        number = end


def _way(page: Blocks, block: int) -> dict[int, int]:
    """The boxes around a block, and for each the one inside it on the way to the block; -1: none."""
    way, inner, box = {}, -1, page.box[block]
    while box >= 0:
        way[box] = inner
        inner, box = box, page.parent[box]
    return way


def _structure(page: Blocks, box: int) -> int:
    """The table, list, figure or quotation that a box is or is part of; -1 for none."""
    while page.tag[box] in _ROWS:
        box = page.parent[box]
    return box if page.tag[box] in _STRUCTURES else -1


def _is_authored(page: Blocks, piece: _Piece, kept: list[int], probable: list[float]) -> bool:
    """Is the piece part of the text next to it?

    A structure between two kept blocks is, unless its names say otherwise. Code and quotations are part of
    the text in any place. A paragraph between kept blocks, and any other piece before or after the text, must
    have no name at all: templates name things. A piece that the trees think hopeless is never part of the
    text.
    """
    if not _is_plain(page, piece.first, piece.end, piece.around):
        return False
    if piece.box < 0:
        return (
            piece.is_between
            and page.tag[piece.around] not in _ROOTS
            and _may_be_text(page, "p", range(piece.first, piece.end), probable)
        )
    box = _unwrapped(page, piece)
    tag = page.tag[box]
    if tag not in _PLAIN or (tag == "table" and not _is_data(page, box)):
        return False
    if not _may_be_text(page, tag, range(piece.first, piece.end), probable):
        return False
    if tag in _ANYWHERE or (piece.is_between and tag != "p"):
        return True
    if tag in _ALL_OR_NOTHING and _is_between(page, box, kept):
        return True
    if tag == "table" and page.tags_around[piece.around] & TAG_BITS["table"]:
        return False  # tables order this page
    return (
        piece.is_beside
        and not page.name[box]
        and page.hints_around[page.box[piece.first]] == page.hints_around[piece.around]
    )


def _may_be_text(page: Blocks, tag: str, numbers: Sequence[int], probable: list[float]) -> bool:
    """Is the average probability of these blocks high enough for this kind of structure?"""
    chars = sum(len(page.texts[number]) for number in numbers)
    return (
        sum(probable[number] * len(page.texts[number]) for number in numbers)
        >= HOPELESS.get(tag, 0.0) * chars
    )


def _is_plain(page: Blocks, first: int, end: int, around: int, most: float = LINKED) -> bool:
    """Are few characters links, and does no name or tag inside `around` say that these blocks are no text?"""
    hints, tags = page.hints_around[around], page.tags_around[around]
    chars = linked = 0
    for number in range(first, end):
        box = page.box[number]
        if page.hints_around[box] & ~hints & STRANGE or page.tags_around[box] & ~tags & STRANGE_TAGS:
            return False
        chars += len(page.texts[number])
        linked += page.linked[number]
    return linked <= most * chars


def _unwrapped(page: Blocks, piece: _Piece) -> int:
    """The structure that the box of a piece only wraps, or the box itself.

    The wrapper of a table or of a list of definitions may hold its heading as well.
    """
    first, wrapped = piece.first, _WRAPPED
    if piece.is_between and first < piece.end - 1 and page.tag[page.box[first]] in _SECTIONS:
        first, wrapped = first + 1, _ALL_OR_NOTHING
    box = page.box[first]
    while box > piece.box:
        if page.tag[box] in wrapped and (page.first[box], page.end[box]) == (first, piece.end):
            return box
        box = page.parent[box]
    return box


def _is_data(page: Blocks, table: int) -> bool:
    """Does this table hold data, rather than the parts of the page or paragraphs?"""
    numbers = range(page.first[table], page.end[table])
    chars = sum(len(page.texts[number]) for number in numbers)
    return chars <= LONGEST_CELL * len(numbers) and all(
        page.tag[page.box[number]] in _CELLS for number in numbers
    )


def _make_whole(
    page: Blocks, structure: int, found: set[int], kept: list[int], probable: list[float]
) -> None:
    """Keep all blocks of a structure, or none."""
    tag, first, end = page.tag[structure], page.first[structure], page.end[structure]
    if end - first > LARGEST or (tag == "table" and not _is_data(page, structure)):
        return
    numbers = range(first, end)
    chars = sum(len(page.texts[number]) for number in numbers)
    wanted = sum(len(page.texts[number]) for number in numbers if number in found)
    is_wanted = 2 * wanted >= chars
    most = ALL_LINKED if is_wanted and tag in _LISTS else LINKED
    if not _is_plain(page, first, end, structure, most) and tag != "blockquote":
        return
    if (
        tag == "blockquote"
        or is_wanted
        or (_is_between(page, structure, kept) and _may_be_text(page, tag, numbers, probable))
        or (tag in _ALL_OR_NOTHING and _is_authored_alone(page, structure, kept, probable))
    ):
        found.update(numbers)
    elif tag in _ALL_OR_NOTHING and not found.issubset(numbers):  # a text that is only this structure stays
        found.difference_update(numbers)


def _is_authored_alone(page: Blocks, structure: int, kept: list[int], probable: list[float]) -> bool:
    """Would the structure be part of the text if none of its blocks were kept? Then it is part of it."""
    first, end = page.first[structure], page.end[structure]
    place, next_place = bisect_left(kept, first), bisect_left(kept, end)
    before = kept[place - 1] if place else -1
    after = kept[next_place] if next_place < len(kept) else len(page.texts)
    return any(
        piece.first <= first and end <= piece.end and _is_authored(page, piece, kept, probable)
        for piece in _pieces_between(page, before, after)
    )


def _is_between(page: Blocks, structure: int, kept: list[int]) -> bool:
    """Are blocks kept before the structure and after it, in the box around it?

    For tables and lists of definitions, the next larger box counts: a section may begin or end with a table.
    """
    first, end = page.first[structure], page.end[structure]
    around = structure
    while (page.first[around], page.end[around]) == (first, end) and page.parent[around] >= 0:
        around = page.parent[around]  # wrappers
    if page.tag[structure] in _ALL_OR_NOTHING:
        around = max(page.parent[around], 0)
    elif page.name[structure]:
        return False  # in a list with a name, some items may be text and others trimmings
    return bisect_left(kept, page.first[around]) < bisect_left(kept, first) and bisect_left(
        kept, end
    ) < bisect_left(kept, page.end[around])


def _add_contributions(page: Blocks, found: set[int]) -> None:
    """Add the comments of readers below a text, if they are short beside the text."""
    around, boxes = page.hints_around, page.box
    if not any(bits & _COMMENT for bits in around):
        return
    contributions = [
        number
        for number, box in enumerate(boxes)
        if around[box] & _COMMENT and number not in found and _is_contribution(page, number, box)
    ]
    room = max(LITTLE, FEW * sum(len(page.texts[number]) for number in found))
    if sum(len(page.texts[number]) for number in contributions) <= room:
        found.update(contributions)


def _is_contribution(page: Blocks, number: int, box: int) -> bool:
    text, tags = page.texts[number], page.tags_around[box]
    return (
        len(text) >= SHORTEST_CONTRIBUTION
        and text[-1] in _PROSE_ENDS
        and page.linked[number] <= LINKED * len(text)
        and not page.hints[box] & _NO_CONTRIBUTION
        and bool(tags & _CONTRIBUTED)
        and not tags & STRANGE_TAGS
    )


def _add_headings(page: Blocks, found: set[int]) -> None:
    """Add headings directly before kept blocks; drop headings at the end, which belong to something else."""
    boxes, tags = page.box, page.tag
    usual = Counter(
        tags[boxes[number - 1]]
        for number in found
        if number > 0 and _is_linked_heading(page, number - 1) and _is_beside(page, number - 1, number)
    )
    for number in sorted(found):
        heading = number - 1
        if heading < 0 or heading in found or tags[boxes[heading]] not in _SECTIONS:
            continue
        if page.hints_around[boxes[heading]] & ~page.hints_around[boxes[number]] & STRANGE:
            continue
        if not _is_linked_heading(page, heading) or (
            usual[tags[boxes[heading]]] >= USUAL and _is_beside(page, heading, number)
        ):
            found.add(heading)
    for number in sorted(found, reverse=True):
        if tags[boxes[number]] not in _SECTIONS:
            break
        found.discard(number)


def _is_linked_heading(page: Blocks, number: int) -> bool:
    """Is the block a heading that leads elsewhere? Front pages and lists of articles have such headings."""
    is_heading = page.tag[page.box[number]] in _SECTIONS
    return is_heading and page.linked[number] > LINKED * len(page.texts[number])


def _is_beside(page: Blocks, heading: int, number: int) -> bool:
    """Do a heading and the block after it stand in one box?"""
    box = page.box[number]
    return page.parent[page.box[heading]] in (box, page.parent[box])


def _add_headline(page: Blocks, found: set[int]) -> None:
    """Add the h1 before the text, if it is near the text or is in the title of the page."""
    title = page.title.lower()
    start = min(found)
    chars = 0
    for number in range(start - 1, -1, -1):
        text = page.texts[number]
        if page.tag[page.box[number]] != "h1":
            chars += len(text)
            continue
        name = text.lower()
        if page.linked[number] > LINKED * len(text) and not title.startswith(name):
            continue  # the name of the site, mostly
        if _is_headed(page, start, title.find(name)):
            return
        if chars <= FAR or (title and (name in title or title in name)):
            found.add(number)
        return


def _is_headed(page: Blocks, start: int, place: int) -> bool:
    """Does the text begin with a heading that stands in the page's title, before this place?

    Then an h1 above the text names the site, as in most forums.
    """
    if page.tag[page.box[start]] not in _SECTIONS:
        return False
    own = page.title.lower().find(page.texts[start].lower())
    return own >= 0 and (place < 0 or own < place)
