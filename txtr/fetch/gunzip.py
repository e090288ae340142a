"""Gunzip: what servers have packed, unpacked by the quicker of two libraries (deflate.py), for aiohttp.

Invariant: what does not begin as gzip does is refused, however short it is: isal alone would wait for a whole
header, and take two blank lines for an empty file, or for an empty robots.txt.
"""

import zlib
from typing import Any

from txtr import deflate

_BEGINNING = b"\x1f\x8b\x08"  # RFC 1952, 2.3.1: its mark, and that it is deflate
_GZIP_BITS = 16  # and more of the window say that it is gzip


class _Gunzip:
    """One member of a stream."""

    def __init__(self, wbits: int) -> None:
        self.unpacker = deflate.unpacker.decompressobj(wbits)
        self.begun = b""

    def decompress(self, data: bytes | memoryview, max_length: int = 0) -> bytes:
        if len(self.begun) < len(_BEGINNING):
            self.begun += bytes(data[: len(_BEGINNING) - len(self.begun)])
            if not _BEGINNING.startswith(self.begun):
                raise zlib.error("it does not begin as gzip does")
        unpacked: bytes = self.unpacker.decompress(data, max_length)
        return unpacked

    def __getattr__(self, name: str) -> Any:  # eof, flush, unconsumed_tail, unused_data
        return getattr(self.unpacker, name)


class Backend:
    """A library as aiohttp knows them."""

    def decompressobj(self, wbits: int = zlib.MAX_WBITS, zdict: Any = b"") -> Any:
        """Without a dictionary: HTTP has none."""
        return _Gunzip(wbits) if wbits > _GZIP_BITS else deflate.unpacker.decompressobj(wbits)

    def __getattr__(self, name: str) -> Any:
        return getattr(deflate.unpacker, name)
