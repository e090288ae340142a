"""Unpacking: a body as it comes off the line becomes the page that was packed.

Invariants:

- Nothing is unpacked ahead: one step makes about a piece at most, however much is packed into the bytes it is
  given, and whoever asks for the pieces may stop after any of them.
- What does not begin as gzip does is refused, however short it is: isal alone would wait for a whole header,
  and take two blank lines for an empty file, or for an empty robots.txt.
- A page that was cut off is refused: nobody could tell it from a whole one later. Only the sums at the end of
  gzip may be missing, which some servers forget.

gzip, which nearly every server sends, is undone here, by the quicker of two libraries (deflate.py); aiohttp
would do it with the same one, but goes a long way round for every piece. The other codings are aiohttp's.
"""

from collections.abc import Iterator

from aiohttp.http_exceptions import ContentEncodingError
from aiohttp.http_parser import DeflateBuffer

from txtr import deflate

_BEGINNING = b"\x1f\x8b\x08"  # RFC 1952, 2.3.1: its mark, and that it is deflate
_GZIP_BITS = 16 + 15  # of the window, any; and that it is gzip
_SUMS = bytes(8)  # as long as those at the end of gzip, and wrong
_MOST_MEMBERS = 1024  # in bytes that come at once: a stream of empty ones costs much time and brings nothing


class Unpacking:
    """Of a body that is not packed."""

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What these bytes add to the page."""
        yield packed

    def end(self) -> None:
        """No more bytes come: raises if some are missing, as far as the coding tells."""


class _Gunzip(Unpacking):
    """Any number of members, one after another (RFC 1952, 2.2)."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._begin()

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        members, is_full = 0, False
        while packed or is_full:
            piece = self._piece(packed)
            yield piece
            if self.unpacker.eof:
                packed, is_full = self.unpacker.unused_data, False
                members += 1
                self._begin()
            else:  # what fits into no piece may be in the unpacker already
                packed, is_full = self.unpacker.unconsumed_tail, len(piece) == self.most_bytes
            if members > _MOST_MEMBERS:
                raise ContentEncodingError("gzip in too many members")

    def end(self) -> None:
        if self.begun and not (self.begun == _BEGINNING and self._is_whole()):
            raise ContentEncodingError("gzip that was cut off")

    def _is_whole(self) -> bool:
        """Is nothing missing but the sums? Then wrong ones are noticed; else they are more of the page."""
        try:
            self.unpacker.decompress(_SUMS)
        except Exception as error:  # of either library
            return "check" in str(error)
        return bool(self.unpacker.eof)

    def _begin(self) -> None:
        self.unpacker = deflate.unpacker.decompressobj(_GZIP_BITS)
        self.begun = b""

    def _piece(self, packed: bytes) -> bytes:
        if len(self.begun) < len(_BEGINNING):
            self.begun += packed[: len(_BEGINNING) - len(self.begun)]
            if not _BEGINNING.startswith(self.begun):
                raise ContentEncodingError("it does not begin as gzip does")
        try:
            piece: bytes = self.unpacker.decompress(packed, self.most_bytes)
        except Exception as error:  # of either library
            raise ContentEncodingError(f"Can not decode content-encoding: gzip: {error}") from error
        return piece


class _Others(Unpacking):
    """deflate, br and zstd, by what the library gives its streams to."""

    def __init__(self, coding: str, most_bytes: int) -> None:
        self._low_water = most_bytes  # as the library's stream calls it: how much to unpack at once
        self.total_compressed_bytes = 0
        self.unpacked = b""
        self.library = DeflateBuffer(self, coding, most_bytes)  # type: ignore[arg-type]

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        has_more = self.library.feed_data(packed, len(packed))
        yield self.unpacked
        while has_more:
            self.unpacked = b""
            has_more = self.library.feed_data(b"", 0)
            yield self.unpacked
        self.unpacked = b""

    def end(self) -> None:
        self.library.feed_eof()

    def feed_data(self, unpacked: bytes, _: int) -> None:
        """Of the library: what it has unpacked."""
        self.unpacked = unpacked

    def feed_eof(self) -> None:
        """Of the library: all has been unpacked."""


def of(coding: str, most_bytes: int) -> Unpacking:
    """For a body of this coding: pieces of at most so many bytes. A coding we do not know is none."""
    if coding in ("gzip", "x-gzip"):  # one by its old name (RFC 9110, 8.4.1.3)
        return _Gunzip(most_bytes)
    return _Others(coding, most_bytes) if coding in ("deflate", "br", "zstd") else Unpacking()
