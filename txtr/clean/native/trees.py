"""The scores of a page's blocks, in C: an eighth of the time that features.py and trees.py take together."""

from array import array
from collections.abc import Iterable, Iterator
from ctypes import Structure, addressof, byref, c_double, c_int32, c_uint16, c_void_p
from dataclasses import dataclass

from txtr.clean.content import features
from txtr.clean.content.blocks import Blocks
from txtr.clean.content.hints import HINT_BITS
from txtr.clean.native.walk import TAGS, Walked
from txtr.native.library import library


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
        *((name, c_int32) for name in ("comment", "long_chars", "far", "near", "wide", "levels", "few")),
        *((name, c_double) for name in ("prose", "most")),
        ("ends", c_int32),
        *((name, c_void_p) for name in ("end_points", "kinds")),
        *((name, c_int32) for name in ("paragraph", "cell", "first_heading", "last_heading")),
    )


def _address(numbers: "array[int] | array[float]") -> int:
    return numbers.buffer_info()[0]


_BITS = [array("i", bits) for bits in (features.TAGS_AROUND, features.HINTS_AROUND, features.HINTS_NEAR)]
_ENDS = array("i", map(ord, features.SENTENCE_ENDS))
_KINDS = array("i", [int(features.KIND.get(tag, 0)) for tag in TAGS])
_RULES = _Rules(
    *map(len, _BITS), *map(_address, _BITS), HINT_BITS["comment"],
    features.LONG, features.FAR, features.NEAR, features.WIDE, features.LEVELS, features.FEW,
    features.PROSE, features.HUB_SHARE, len(_ENDS), _address(_ENDS), _address(_KINDS),
    *(int(features.KIND[tag]) for tag in ("p", "td", "h1", "h6")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Forest:
    """A forest of decision trees (content/trees.py says how it is written) as the library reads it."""

    shown: _Forest
    kept: tuple[object, ...]  # the arrays to which `shown` points


def build_forest(lines: Iterable[str], round_of: int, sure: float) -> Forest:
    """The forest of these lines; each line is a tree."""
    starts, depths, nodes = array("i"), array("i"), list[_Node]()
    for line in lines:
        starts.append(len(nodes))
        depths.append(_plant(iter(line.split()), nodes))
    made = (_Node * len(nodes))(*nodes)
    shown = _Forest(len(starts), round_of, sure, _address(starts), _address(depths), addressof(made))
    return Forest(shown, (starts, depths, made))


def _plant(words: Iterator[str], nodes: list[_Node]) -> int:
    """Add a tree or a branch to the nodes, and return its depth."""
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
    """The score of each block; None if C cannot tell."""
    made = library()
    if made is None or not isinstance(page, Walked):
        return None
    titles, said = array("d", features.in_title(page)), array("d", features.describe_page(page))
    found = array("d", bytes(8 * len(page.texts)))
    columns = (c_void_p(_address(column)) for column in (titles, said, found))
    is_done = made.judge(byref(page.found), byref(_RULES), byref(trees.shown), *columns)
    return found.tolist() if is_done else None
