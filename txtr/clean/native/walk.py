"""The walk through a page, in C: a quarter of the time that it takes in Python, a tenth without preparation.

The walk goes over markup, so that no node of a tree has to become a Python object.
"""

from collections.abc import Sequence
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_double, c_int32, c_int64, c_void_p, string_at
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from txtr.clean.content.blocks import Blocks
from txtr.clean.content.hints import HINT_BITS, LONGEST_NAME, TAG_BITS, WORD_BITS
from txtr.clean.html import parts
from txtr.clean.html.elements import VOID
from txtr.native.library import library

_SEPARATOR = "\x1f"  # behind each text; no text contains it, since Python calls it a blank

_BOX, _LINK, _STRONG, _BREAK, _RULE = range(1, 6)
_PART = dict.fromkeys(parts.BOXES, _BOX) | dict.fromkeys(parts.STRONG, _STRONG)
_PART |= {parts.LINK: _LINK, parts.BREAK: _BREAK, parts.RULE: _RULE}
_FLAGS = (parts.ROOTS, parts.CELLS, parts.LISTS, frozenset({"div"}), parts.VERBATIM, VOID)
TAGS = sorted({*_PART, *VOID})


class _Tag(Structure):
    _fields_ = (("name", c_char_p), ("part", c_int32), ("flags", c_int32), ("bits", c_int32))


class _Word(Structure):
    _fields_ = (("word", c_char_p), ("bit", c_int32))


class _Limits(Structure):
    _fields_ = (
        ("most_blocks", c_int32),
        ("fewest_entries", c_int32),
        ("most_entries", c_int32),
        ("longest_entry", c_int32),
        ("longest_name", c_int32),
        ("hidden", c_int32),
        ("consent", c_int32),
        ("menu", c_double),
    )


_OF_BLOCKS = ("linked", "links", "strong", "box")
_OF_BOXES = (
    "parent", "tag", "name", "name_length", "first_class", "first_class_length",
    "hints", "tags_around", "hints_around", "depth", "first", "end",
)  # fmt: skip


class Page(Structure):
    """A page in the form in which the library has it; page.h explains the fields."""

    _fields_ = (
        ("markup", c_char_p),
        ("texts", c_void_p),
        ("texts_length", c_int64),
        ("count", c_int32),
        ("box_count", c_int32),
        *((name, c_void_p) for name in ("numbers", *_OF_BLOCKS, *_OF_BOXES)),
    )

    def __del__(self) -> None:
        if made := library():
            made.forget(byref(self))


@dataclass(slots=True)
class Walked(Blocks):
    """Blocks that the library has found, with the page from which its next steps go on."""

    found: Page = field(default_factory=Page)


class _Names(Sequence[str]):
    """The classes of boxes; each is read when it is asked for, since few are."""

    def __init__(self, markup: bytes, starts: Sequence[int], lengths: Sequence[int]) -> None:
        self._markup, self._starts, self._lengths = markup, starts, lengths

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, box: Any) -> Any:
        start = self._starts[box]
        name = self._markup[start : start + self._lengths[box]].decode("utf-8", "replace")
        if "&" in name:
            for escape, character in _ESCAPES.items():
                name = name.replace(escape, character)
        return name


def _tag(name: str) -> _Tag:
    flags = sum(1 << number for number, names in enumerate(_FLAGS) if name in names)
    return _Tag(name.encode(), _PART.get(name, 0), flags, TAG_BITS.get(name, 0))


_ALL_TAGS = (_Tag * len(TAGS))(*map(_tag, TAGS))
_SORTED_WORDS = sorted(WORD_BITS, key=lambda word: (word[:2], -len(word)))
_WORDS = [_Word(word.encode(), WORD_BITS[word]) for word in _SORTED_WORDS]
_ALL_WORDS = (_Word * (len(_WORDS) + 1))(*_WORDS)  # the last is empty
_LIMITS = _Limits(
    parts.MOST_BLOCKS, parts.FEWEST_ENTRIES, parts.MOST_ENTRIES, parts.LONGEST_ENTRY, LONGEST_NAME,
    TAG_BITS["hidden"], HINT_BITS["consent"], parts.MENU,
)  # fmt: skip
# In attributes, as the standard says they are written; & is last. html.unescape takes ten times as long.
_ESCAPES = {"&quot;": '"', "&nbsp;": "\xa0", "&lt;": "<", "&gt;": ">", "&amp;": "&"}


@cache
def _prepared() -> CDLL | None:
    """The library, with the tables."""
    made = library()
    if made is None:
        return None
    made.walk.argtypes = (POINTER(Page), c_int64)
    made.forget.argtypes = (POINTER(Page),)
    return made if made.prepare(_ALL_TAGS, len(TAGS), _ALL_WORDS, byref(_LIMITS)) else None


def find_blocks(markup: bytes) -> Blocks | None:
    """The blocks of a pruned page."""
    made = _prepared()
    if made is None:
        return None
    found = Page(markup)
    return _blocks(found, markup) if made.walk(byref(found), len(markup)) else None


def _blocks(found: Page, markup: bytes) -> Blocks:
    texts = string_at(found.texts, found.texts_length).decode("utf-8", "replace").split(_SEPARATOR)
    texts.pop()
    linked, links, strong, box = _columns(found.linked, found.count, _OF_BLOCKS)
    parent, tag, name, length, _, _, hints, tags_around, hints_around, depth, first, end = _columns(
        found.parent, found.box_count, _OF_BOXES
    )
    if not texts or not tag:
        return Blocks(first=first, end=end)
    of_blocks = (
        linked.tolist(),
        links,
        strong,
        box.tolist(),
    )  # lists where columns are read often: a list is read faster
    tags, names = [TAGS[number] for number in tag.tolist()], _Names(markup, name, length)
    around = (
        hints.tolist(),
        tags_around.tolist(),
        hints_around.tolist(),
        depth,
        first.tolist(),
        end.tolist(),
    )
    return Walked(texts, *of_blocks, parent.tolist(), tags, names, *around, found=found)


def _columns(first: int | None, count: int, names: tuple[str, ...]) -> list["memoryview[int]"]:
    """These columns, which lie one after another."""
    numbers = memoryview(string_at(first, 4 * len(names) * count) if first else b"").cast("i")
    return [numbers[number * count : (number + 1) * count] for number in range(len(names))]
