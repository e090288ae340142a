"""The costly tags of a page, counted in C: a quarter of the time that html/costly.py takes."""

from ctypes import CDLL, POINTER, c_char_p, c_int64
from functools import cache

from txtr.clean.html import costly
from txtr.clean.native.tables import strings
from txtr.native.library import library

_NAMES = [strings(names) for names in (costly.LINKS, costly.ROOTS, costly.FORMATS)]


@cache
def _prepared() -> CDLL | None:
    """The library, with the tables."""
    made = library()
    if made is not None:
        made.weigh.argtypes = (c_char_p, c_int64, POINTER(c_int64))
        made.prepare_burden(*_NAMES)
    return made


def weigh(text: bytes) -> costly.Burden | None:
    """The burden of a page's markup, in UTF-8."""
    made = _prepared()
    if made is None:
        return None
    found = (c_int64 * len(costly.Burden._fields))()
    made.weigh(text, len(text), found)
    return costly.Burden(*found)
