"""Where a page's anchors lead: a tenth of the time that it takes in Python."""

from collections.abc import Iterable
from ctypes import CDLL, POINTER, Array, Structure, byref, c_char_p, c_int32, c_int64, c_void_p, string_at
from dataclasses import dataclass
from functools import cache

from txtr.clean.pointers import LONGEST_NAME, OTHERS, UNWANTED
from txtr.clean.swift.disk import library
from txtr.urls import VISITORS, Place

WRITTEN, ELSEWHERE = "\x01", "\x02"  # before a link as it is written; instead of an element that is no anchor
_END = "\0"  # of each item; no tree can contain it


class _Place(Structure):
    _fields_ = (("scheme", c_char_p), ("server", c_char_p), ("directory", c_char_p))


class _Items(Structure):
    _fields_ = (("bytes", c_void_p), ("length", c_int64), ("room", c_int64))


class _Leads(Structure):
    _fields_ = (("links", _Items), ("names", _Items), ("has_languages", c_int32))


class _Tables(Structure):
    _fields_ = (
        ("pointers", POINTER(c_char_p)),
        ("unwanted", POINTER(c_char_p)),
        ("visitors", POINTER(c_char_p)),
        ("visitor_starts", POINTER(c_char_p)),
        ("longest_name", c_int32),
    )


def strings(texts: Iterable[str]) -> "Array[c_char_p]":
    """A list of names, as C reads it."""
    encoded = [text.encode() for text in texts]
    return (c_char_p * (len(encoded) + 1))(*encoded)  # the last is NULL


_STARTS = ["amp;", *(name.rstrip("*") for name in VISITORS if name.endswith("*"))]  # escaped twice, or many
_TABLES = _Tables(
    *map(strings, (OTHERS, sorted(UNWANTED), [name for name in VISITORS if "*" not in name], _STARTS)),
    LONGEST_NAME,
)


@dataclass(frozen=True, slots=True)
class Leads:
    """What was found, in the order of the page."""

    items: list[str]  # canonical links that are wanted, links as they are WRITTEN, or ELSEWHERE
    names: list[str]  # what the anchors begin with, in small letters
    has_languages: bool  # does an anchor say by hreflang where it leads?


@cache
def _prepared() -> CDLL | None:
    """The library, with the tables."""
    made = library()
    if made is None:
        return None
    made.lead.argtypes = (c_char_p, c_int64, POINTER(_Place), POINTER(_Leads))
    made.forget_leads.argtypes = (POINTER(_Leads),)
    return made if made.prepare_leads(byref(_TABLES)) else None


def leads(markup: bytes, place: Place) -> Leads | None:
    """The leads of a bare page that was written out as this markup; its links are relative to this place."""
    made = _prepared()
    if made is None:
        return None
    found = _Leads()
    beginnings = _Place(*(part.encode() for part in place))
    try:
        if not made.lead(markup, len(markup), byref(beginnings), byref(found)):
            return None
        names = _text(found.names).lower()
        return Leads(_text(found.links).split(_END)[:-1], names.split(_END), bool(found.has_languages))
    finally:
        made.forget_leads(byref(found))


def _text(items: _Items) -> str:
    return string_at(items.bytes, items.length).decode("utf-8", "replace") if items.bytes else ""
