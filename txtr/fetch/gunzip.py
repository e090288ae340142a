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
    """One member of a stream; what aiohttp asks of it after every piece is copied and not passed on."""

    __slots__ = ("begun", "eof", "flush", "unconsumed_tail", "unpacker", "unused_data")

    def __init__(self, wbits: int) -> None:
        self.unpacker = deflate.unpacker.decompressobj(wbits)
        self.flush = self.unpacker.flush
        self.begun = self.unconsumed_tail = self.unused_data = b""
        self.eof = False

    def decompress(self, data: bytes | memoryview, max_length: int = 0) -> bytes:
        if len(self.begun) < len(_BEGINNING):
            self.begun += bytes(data[: len(_BEGINNING) - len(self.begun)])
            if not _BEGINNING.startswith(self.begun):
                raise zlib.error("it does not begin as gzip does")
        unpacker = self.unpacker
        unpacked: bytes = unpacker.decompress(data, max_length)
        self.eof, self.unused_data = unpacker.eof, unpacker.unused_data
        self.unconsumed_tail = unpacker.unconsumed_tail
        return unpacked


class Backend:
    """A library as aiohttp knows them."""

    def decompressobj(self, wbits: int = zlib.MAX_WBITS, zdict: Any = b"") -> Any:
        """Without a dictionary: HTTP has none."""
        return _Gunzip(wbits) if wbits > _GZIP_BITS else deflate.unpacker.decompressobj(wbits)

    def __getattr__(self, name: str) -> Any:
        return getattr(deflate.unpacker, name)
