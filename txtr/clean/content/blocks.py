"""Blocks: a page as the sequence of its pieces of text, each with the boxes that it stands in.

Invariant: the blocks hold the text of the page in reading order, each piece once.

A block is the text between two borders of block elements (or two <br> in a row, by which old pages separate
paragraphs). Block elements are *boxes*. Each box knows the range of blocks inside it, so that any measure of
a box (its text, the links in that ...) is the difference of two running sums. Blocks and boxes are columns
rather than objects, since a page has hundreds of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

LINE = "\0"  # the end of a line inside a block; no tree can contain a NUL


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

    kinds: set[str] = field(default_factory=set)  # kinds of page it says it is: types of JSON-LD, og:type
    title: str = ""
