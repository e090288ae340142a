"""Blocks: a page as the sequence of its pieces of text, each with the boxes that it stands in.

Invariant: the blocks hold the text of the page in reading order, each piece once.

A block is the text between two borders of block elements (or two <br> in a row, by which old pages
separate paragraphs). Block elements are *boxes*; each knows the range of blocks inside it, so that
whatever is to be known of a box (how much text, how much of it links ...) is the difference of two
running sums. Columns instead of objects, for a page has hundreds of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

LINE = "\0"  # a line's end inside a block; no tree can contain it


@dataclass(slots=True)
class Blocks:
    """A page's blocks and boxes, as columns: one entry per block, one per box."""

    texts: Sequence[str] = ()  # blanks collapsed, LINE between lines
    linked: Sequence[int] = ()  # characters inside links
    links: Sequence[int] = ()  # number of links
    strong: Sequence[int] = ()  # characters inside b and strong
    box: Sequence[int] = ()  # the innermost box of each block

    parent: Sequence[int] = ()  # of each box; -1 at the root
    tag: Sequence[str] = ()
    name: Sequence[str] = ()  # its class
    hints: Sequence[int] = ()  # bits: its own
    tags_around: Sequence[int] = ()  # bits: its own and those of all boxes around it
    hints_around: Sequence[int] = ()
    depth: Sequence[int] = ()
    first: Sequence[int] = ()  # its first block
    end: Sequence[int] = ()  # the one after its last block

    kinds: set[str] = field(default_factory=set)  # what the page says it is: types of JSON-LD, og:type
    title: str = ""
