"""Tables in the form in which C reads them."""

from collections.abc import Iterable
from ctypes import Array, c_char_p


def strings(texts: Iterable[str | bytes]) -> "Array[c_char_p]":
    """A list of names; the last is NULL."""
    encoded = [text if isinstance(text, bytes) else text.encode() for text in texts]
    return (c_char_p * (len(encoded) + 1))(*encoded)
