"""The links of a page, found in C: a tenth of the time that it takes in Python."""

import re
from collections.abc import Iterator
from ctypes import (
    CDLL,
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_void_p,
    string_at,
)
from dataclasses import dataclass
from functools import cache

from txtr.clean.html.elements import LANGUAGES, LONGEST_NAME, UNWANTED
from txtr.clean.native.tables import strings
from txtr.native.library import library
from txtr.urls import VISITORS, Place

WRITTEN, REFRESH = "\x01", "\x02"  # before a link as it is written; before the content of a refresh
_END = "\0"  # of each item; no tree can contain a NUL
_MOST = 2**31 - 1
_SIMPLE = re.compile(r"(\[[^\[\]]+\]|\\d)\{(\d{1,4})(,?)(\d{0,4})\}")  # so many of these characters


class _Place(Structure):
    _fields_ = (("scheme", c_char_p), ("server", c_char_p), ("directory", c_char_p), ("page", c_char_p))


class _Items(Structure):
    _fields_ = (("bytes", c_void_p), ("length", c_int64), ("room", c_int64))


class _Leads(Structure):
    _fields_ = (
        ("links", _Items),
        ("hints", _Items),
        ("own", _Items),
        ("base", _Items),
        ("slots", c_void_p),
        ("count", c_int64),
        ("room", c_int64),
        ("left", c_int32),
        ("has_base", c_int32),
    )


class _Value(Structure):
    _fields_ = (
        ("name", c_char_p),
        ("characters", c_char_p),
        ("is_start", c_int32),
        ("least", c_int32),
        ("most", c_int32),
    )


class _Tables(Structure):
    _fields_ = (
        ("unwanted", POINTER(c_char_p)),
        ("visitors", POINTER(c_char_p)),
        ("visitor_starts", POINTER(c_char_p)),
        ("values", POINTER(_Value)),
        ("shapes", POINTER(c_char_p)),
        ("longest_name", c_int32),
    )


def _values() -> Iterator[_Value]:
    """The parameters that say who is visiting if their value has a certain form: a row for each form."""
    for name, expression in VISITORS:
        is_start = name.endswith("*")
        ways = [_SIMPLE.fullmatch(way) for way in expression.split("|")] if expression else []
        for way in ways:
            if way is None:
                yield _Value(name.rstrip("*").encode(), None, is_start, 0, 0)
                continue
            sign, least, comma, most = way.groups()
            like = [
                chr(code) for code in range(1, 128) if re.match(sign, chr(code), re.ASCII | re.IGNORECASE)
            ]
            signs = "".join(like).lower().encode()
            yield _Value(
                name.rstrip("*").encode(),
                signs,
                is_start,
                int(least),
                int(most or (_MOST if comma else least)),
            )


def shape(name: str) -> bytes:
    """The shape by which C recognises the name of a language, in whatever letters it is written."""
    return bytes(map(_shape, map(ord, name)))


def _shape(point: int) -> int:
    if 0x410 <= point < 0x450:
        return 0x80 | point & 0x1F
    if 0x2E80 <= point < 0xA640:
        return 0x80 | point & 0x7F
    return point if point < 0x80 else 0x7F


_CERTAIN = [name for name, expression in VISITORS if not expression]
_VALUES = [*_values(), _Value()]
_TABLES = _Tables(
    strings(sorted(UNWANTED)),
    strings(name for name in _CERTAIN if not name.endswith("*")),
    strings(name.rstrip("*") for name in _CERTAIN if name.endswith("*")),
    (_Value * len(_VALUES))(*_VALUES),
    strings(sorted(set(map(shape, LANGUAGES)))),
    LONGEST_NAME,
)


@dataclass(frozen=True, slots=True)
class Leads:
    """What C found in a page, in the order of the page."""

    items: list[str]  # canonical links that are wanted, links as they are WRITTEN, or a REFRESH
    are_canonical: bool  # all items are canonical links, and each is given once
    hints: list[str]  # by three: hreflang, what may be the name of a language, the link as it is written
    own: list[str]  # the URLs that the page gives itself, as they are written
    length: int  # of all items together, in bytes
    base: str | None  # what links are relative to, as it is written; if there is one, nothing else is found


@cache
def _prepared() -> CDLL | None:
    """The library, with the tables."""
    made = library()
    if made is None:
        return None
    made.lead.argtypes = (c_char_p, c_int64, POINTER(_Place), c_int, c_int, POINTER(_Leads))
    made.forget_leads.argtypes = (POINTER(_Leads),)
    return made if made.prepare_leads(byref(_TABLES)) else None


def read_leads(markup: bytes, place: Place, is_utf8: bool, may_have_base: bool) -> Leads | None:
    """What C finds in the markup of a bare page whose links are relative to this place."""
    made = _prepared()
    if made is None:
        return None
    found = _Leads()
    beginnings = _Place(*(part.encode() for part in place))
    try:
        if not made.lead(markup, len(markup), byref(beginnings), is_utf8, may_have_base, byref(found)):
            return None
        return Leads(
            _listed(found.links),
            not found.left,
            _listed(found.hints),
            _listed(found.own),
            found.links.length,
            _listed(found.base)[0] if found.has_base else None,
        )
    finally:
        made.forget_leads(byref(found))


def _listed(items: _Items) -> list[str]:
    if not items.length:
        return []
    return string_at(items.bytes, items.length - 1).decode("utf-8", "replace").split(_END)
