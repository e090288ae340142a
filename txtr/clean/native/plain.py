"""Plain pages (most are plain), written out in C without a tree: a quarter of the time of the parser."""

from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_int32, c_int64, c_void_p, string_at
from functools import cache
from html.entities import html5

from txtr.clean.html.notes import ATTRIBUTES, Note
from txtr.clean.native.tables import strings
from txtr.native.library import library

_END = "\0"  # of each item; no decoded page contains a NUL


class _References(Structure):
    _fields_ = (("names", POINTER(c_char_p)), ("meanings", POINTER(c_char_p)), ("count", c_int32))


class _Written(Structure):
    _fields_ = (("bytes", c_void_p), ("length", c_int64), ("room", c_int64), ("is_full", c_int))


class _Plain(Structure):
    _fields_ = (("markup", _Written), ("notes", _Written), ("after", _Written))


_NAMES = sorted(html5)
_ATTRIBUTES = strings(sorted(ATTRIBUTES))
_REFERENCES = _References(strings(_NAMES), strings(html5[name] for name in _NAMES), len(_NAMES))


@cache
def _prepared() -> CDLL | None:
    """The library, with the tables."""
    made = library()
    if made is None:
        return None
    made.plain.argtypes = (c_char_p, c_int64, c_int, POINTER(_Plain))
    made.forget_plain.argtypes = (POINTER(_Plain),)
    made.prepare_plain(byref(_REFERENCES), _ATTRIBUTES)
    return made


def write_plain(text: bytes, is_whole: bool = True) -> tuple[bytes, list[Note]] | None:
    """The bare markup of a page, in UTF-8 without NULs, and its notes; None if the parser must find them.

    Unless it is whole, the markup has empty comments, and only the attributes that sentences.py and links.py
    read.
    """
    made = _prepared()
    if made is None:
        return None
    found = _Plain()
    try:
        if not made.plain(text, len(text), is_whole, byref(found)):
            return None
        return _bytes(found.markup), _notes(_bytes(found.notes).decode("utf-8", "replace"))
    finally:
        made.forget_plain(byref(found))


def _bytes(written: _Written) -> bytes:
    return string_at(written.bytes, written.length)


def _notes(written: str) -> list[Note]:
    notes, items, at = [], written.split(_END), 0
    while at + 1 < len(items):  # nothing follows the last note
        tag, place, text = items[at : at + 3]
        at += 3
        attributes = {}
        while name := items[at]:
            attributes[name] = items[at + 1]
            at += 2
        at += 1
        notes.append(Note(tag, text, attributes, place != ""))
    return notes
