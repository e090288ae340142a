"""The scores of a page's blocks: a fifth of the time that features.py and trees.py take together."""

from array import array
from collections.abc import Iterable, Iterator
from ctypes import Structure, addressof, byref, c_double, c_int32, c_uint16, c_void_p
from dataclasses import dataclass

from txtr.clean import features
from txtr.clean.blocks import LINE, Blocks
from txtr.clean.hints import HINT_BITS
from txtr.clean.swift.disk import library


class _Forest(Structure):
    _fields_ = (
        *((name, c_int32) for name in ("count", "round_of")),
        ("sure", c_double),
        *((name, c_void_p) for name in ("starts", "depths", "nodes")),
    )


class _Node(Structure):
    _fields_ = (("number", c_double), ("column", c_uint16), ("step", c_uint16 * 2))


class _Rules(Structure):
    _fields_ = (
        *((name, c_int32) for name in ("tags", "hints", "hints_near")),
        *((name, c_void_p) for name in ("tag_bits", "hint_bits", "near_bits")),
        *((name, c_int32) for name in ("comment", "long_chars", "far", "near", "wide", "levels")),
        *((name, c_double) for name in ("prose", "most")),
    )


_OF_BLOCKS = ("chars", "linked", "links", "strong", "marks", "ends", "lines", "kinds", "box")
_OF_BOXES = ("parent", "group", "hints", "tags_around", "hints_around", "depth", "first", "end")


class _Page(Structure):
    _fields_ = (
        *((name, c_int32) for name in ("count", "box_count")),
        *((name, c_void_p) for name in (*_OF_BLOCKS, "titles", *_OF_BOXES, "said")),
        *((name, c_int32) for name in ("h1", "first_heading", "last_heading")),
    )


def _address(numbers: "array[int] | array[float]") -> int:
    return numbers.buffer_info()[0]


_BITS = [array("i", bits) for bits in (features.TAGS_AROUND, features.HINTS_AROUND, features.HINTS_NEAR)]
_RULES = _Rules(
    *map(len, _BITS), *map(_address, _BITS), HINT_BITS["comment"],
    features.LONG, features.FAR, features.NEAR, features.WIDE, features.LEVELS, features.PROSE, features.MOST,
)  # fmt: skip
_H1, _H6 = int(features.KIND["h1"]), int(features.KIND["h6"])


@dataclass(frozen=True, slots=True)
class Forest:
    """A forest of decision trees (trees.py says how it is written) as the library reads it."""

    shown: _Forest
    kept: tuple[object, ...]  # what it refers to


def forest(lines: Iterable[str], round_of: int, sure: float) -> Forest:
    """The forest of these lines, one of which is a tree."""
    starts, depths, nodes = array("i"), array("i"), list[_Node]()
    for line in lines:
        starts.append(len(nodes))
        depths.append(_plant(iter(line.split()), nodes))
    made = (_Node * len(nodes))(*nodes)
    shown = _Forest(len(starts), round_of, sure, _address(starts), _address(depths), addressof(made))
    return Forest(shown, (starts, depths, made))


def _plant(words: Iterator[str], nodes: list[_Node]) -> int:
    """Plant one tree, or branch; how deep is it?"""
    column, is_decision, threshold = next(words).partition("<")
    if not is_decision:
        nodes.append(_Node(float(column)))
        return 0
    if not 0 <= int(column) < len(features.NAMES):
        raise ValueError(f"column {column} of a forest over {len(features.NAMES)} columns")
    node, place = _Node(float(threshold), int(column)), len(nodes)
    nodes.append(node)
    left = _plant(words, nodes)
    node.step[:] = 1, len(nodes) - place
    return 1 + max(left, _plant(words, nodes))


def scores(page: Blocks, trees: Forest) -> list[float] | None:
    """What the trees say of each block."""
    made = library()
    if made is None or not page.texts or not page.tag:
        return None
    of_blocks, of_boxes = list(_of_blocks(page)), list(_of_boxes(page))
    titles, said = array("d", features.in_title(page)), array("d", features.said(page))
    columns = [*map(_address, of_blocks), _address(titles), *map(_address, of_boxes), _address(said)]
    given = _Page(len(page.texts), len(page.tag), *columns, _H1, _H1, _H6)
    found = array("d", bytes(8 * len(page.texts)))
    is_done = made.judge(byref(given), byref(_RULES), byref(trees.shown), c_void_p(_address(found)))
    return found.tolist() if is_done else None


def _of_blocks(page: Blocks) -> "Iterator[array[int]]":
    texts, kind = page.texts, features.KIND
    yield array("i", map(len, texts))
    yield from (array("i", column) for column in (page.linked, page.links, page.strong))
    yield array("i", map(features.marks, texts))
    yield array("i", [text[-1] in features.SENTENCE_ENDS for text in texts])
    yield array("i", [text.count(LINE) for text in texts])
    yield array("i", [int(kind.get(page.tag[box], 0)) for box in page.box])
    yield array("i", page.box)


def _of_boxes(page: Blocks) -> "Iterator[array[int]]":
    around = (page.hints, page.tags_around, page.hints_around, page.depth, page.first, page.end)
    return (array("i", column) for column in (page.parent, features.groups(page), *around))
