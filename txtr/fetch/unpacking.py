"""Unpacking: a body as it comes from the server becomes the page that was packed.

Invariants:

- Nothing is unpacked ahead. One step makes about a piece at most, however much is packed into its bytes, and
  the caller may stop after any piece. Only brotli may fill its window before the first piece.
- An unpacker says how much memory it takes itself: before each piece that it makes (`needs`), and until more
  bytes come (`holds`), which is never more than it needed. A stream announces how long its window is: at most
  16 MiB for brotli (RFC 7932, 9.1), and 8 MiB for zstd (RFC 9659). Longer windows are refused. The window of
  gzip has 32 KiB, and is not counted.
- A body that is called gzip and does not begin as gzip does is refused, however short it is. The library isal
  would wait for a whole header, and take two blank lines for an empty file, or for an empty robots.txt.
- A page that was cut off is refused, because later it could not be told from a whole one. Only the sums at
  the end of gzip may be missing: some servers forget them. Bytes behind a whole gzip or deflate stream are
  not part of the page; browsers do the same.
"""

import sys
import zlib
from collections.abc import Iterator
from typing import Any

import brotli

from txtr import deflate
from txtr.errors import TheirMistake

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor

_BEGINNING = b"\x1f\x8b\x08"  # of gzip (RFC 1952, 2.3.1): its mark, and the number of deflate
_GZIP_BITS = 16 + 15  # 15: a window of any length; 16: with the header of gzip
_ZLIB_BITS, _RAW_BITS = 15, -15
_DEFLATE = 8  # the method, in the low half of the first byte of zlib's header (RFC 1950, 2.2)
_ZSTD_TABLES_BYTES = 256 * 1024  # tables, buffers, and the beginning of the window: 200 KB were measured
_ZSTD_WINDOW_BITS = 23
_ZSTD_OPTIONS: dict[int, int] = {DecompressionParameter.window_log_max: _ZSTD_WINDOW_BITS}
LONGEST_WINDOW_BYTES = 1 << 24  # of all codings; it is brotli's
MOST_OWN_BYTES = LONGEST_WINDOW_BYTES + _ZSTD_TABLES_BYTES  # of any unpacker
# Of brotli, given to the library at once: 400 downloads that waited for each other took 584 MB with slices of
# 64 KiB, and take 200 MB with these.
_SLICE_BYTES = 4096
_QUICK_WINDOW_BYTES = 1 << 22  # of brotli in most pages: it is filled in 7 ms, the longest in 28 ms
# Members of one page: so many, and one more for each so many bytes of it. A member takes 11 microseconds even
# when it is empty: a million of them, in 8 MB, took 11 seconds and made nothing.
_MOST_EMPTY_MEMBERS = 1024
_BYTES_FOR_A_MEMBER = 1000


class BadPacking(TheirMistake):
    """A body is not packed as its head says, or was cut off."""


class Unpacking:
    """The unpacker of a body that is not packed; those of packed bodies have the same methods."""

    def needs(self, packed: bytes, made_bytes: int) -> int:
        """How many bytes the unpacker may take for its next piece of `packed`, after it made so many."""
        return 0

    def holds(self, made_bytes: int) -> int:
        """How many bytes the unpacker takes until more of the body comes."""
        return 0

    @property
    def takes_long(self) -> bool:
        """May one piece take more than some milliseconds?"""
        return False

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What these bytes add to the page."""
        yield packed

    def end(self) -> None:
        """The body has ended: raise BadPacking if some of it is missing."""


class _Packed(Unpacking):
    """The unpacker of a body of one member or several (RFC 1952 has that word); a library unpacks each."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.is_over = False  # is the page whole, so that what comes now is not part of it?
        self.members = 0  # that were unpacked to their end
        self.made_bytes = 0  # of the page, so far
        self._begin()

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        is_full = False
        while (packed or is_full) and not self.is_over:
            if len(self.begun) < len(_BEGINNING):
                self.begun += packed[: len(_BEGINNING) - len(self.begun)]
                self._look_at_beginning()
                if self.is_over:
                    return
            piece = self._piece(packed)
            self.made_bytes += len(piece)
            if self._is_done():
                packed, is_full = self._behind(), False
                self.members += 1
                self._begin()
            else:  # the unpacker may have more already than fits into this piece
                packed, is_full = self._tail(), len(piece) >= self.most_bytes
            yield piece  # after all that changes what the unpacker needs for the next one
            if self.members > _MOST_EMPTY_MEMBERS + self.made_bytes // _BYTES_FOR_A_MEMBER:
                raise BadPacking("packed in too many members")

    def end(self) -> None:
        if self.begun and not self.is_over and not self._is_whole():
            raise BadPacking("a packed page that was cut off")

    def _begin(self) -> None:
        self.begun = b""  # the first bytes of this member
        self.unpacker = self._new()

    def _piece(self, packed: bytes) -> bytes:
        try:
            return self._unpack(packed)
        except Exception as error:  # each library has exceptions of its own
            raise BadPacking(f"Can not decode the content-encoding: {error}") from error

    def _new(self) -> Any:
        """The library's unpacker for the next member."""
        raise NotImplementedError

    def _look_at_beginning(self) -> None:
        """Look at the first bytes of a member: raise BadPacking, or end the page, if no member begins so."""

    def _unpack(self, packed: bytes) -> bytes:
        piece: bytes = self.unpacker.decompress(packed, self.most_bytes)
        return piece

    def _is_done(self) -> bool:
        return bool(self.unpacker.eof)

    def _is_whole(self) -> bool:
        """Is nothing missing of the last member, although the unpacker has not seen its end?"""
        return False

    def _behind(self) -> bytes:
        """The bytes behind the end of the member, which the unpacker was given too."""
        behind: bytes = self.unpacker.unused_data
        return behind

    def _tail(self) -> bytes:
        """The bytes that the unpacker has not used, and must be given again."""
        tail: bytes = self.unpacker.unconsumed_tail
        return tail


class _Gunzip(_Packed):
    """The unpacker of gzip: any number of members (RFC 1952, 2.2)."""

    def _new(self) -> Any:
        return deflate.unpacker.decompressobj(_GZIP_BITS)

    def _look_at_beginning(self) -> None:
        if _BEGINNING.startswith(self.begun):
            return
        if not self.members:
            raise BadPacking("it does not begin as gzip does")
        self.is_over = True

    def _is_whole(self) -> bool:
        """Is nothing missing but the sums? Zeros are given to the unpacker, as many as it waits for.

        If only sums are missing, the unpacker says that they are wrong. Otherwise it takes at least one zero
        for more of the page, and the rest are too few to be sums.
        """
        try:
            self.unpacker.decompress(bytes(4 if deflate.unpacker is zlib else 8))
        except Exception as error:  # of either library
            return self.begun == _BEGINNING and "check" in str(error)
        return bool(self.unpacker.eof)


class _Inflate(_Packed):
    """The unpacker of deflate, with the header of zlib or without: some servers forget it."""

    def _new(self) -> Any:
        self.is_over = bool(self.members)  # a body has only one
        return None

    def _look_at_beginning(self) -> None:
        if self.unpacker is None:
            is_headed = self.begun[0] & 15 == _DEFLATE
            self.unpacker = deflate.unpacker.decompressobj(_ZLIB_BITS if is_headed else _RAW_BITS)


class _Unbrotli(_Packed):
    """The unpacker of brotli.

    The library is given a slice at a time: it unpacks all that it is given, and keeps what is not asked for.
    It fills its window before it gives the first piece away: 18 bytes were enough for 16 MiB.
    """

    window_bytes = 0  # 0 until the first byte has come

    def needs(self, packed: bytes, made_bytes: int) -> int:
        if not self.window_bytes:
            self.window_bytes = _brotli_window(packed[0])
        return self.window_bytes

    def holds(self, made_bytes: int) -> int:
        return min(self.window_bytes, made_bytes) if self.begun else 0

    @property
    def takes_long(self) -> bool:
        return self.window_bytes > _QUICK_WINDOW_BYTES

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        for start in range(0, len(packed), _SLICE_BYTES):
            yield from super().pieces(packed[start : start + _SLICE_BYTES])

    def _new(self) -> Any:
        if self.members:
            self.window_bytes = LONGEST_WINDOW_BYTES  # what another stream announces is not looked for
        return brotli.Decompressor()

    def _unpack(self, packed: bytes) -> bytes:
        piece: bytes = self.unpacker.process(packed, output_buffer_limit=self.most_bytes)
        return piece

    def _is_done(self) -> bool:
        return bool(self.unpacker.is_finished())

    def _behind(self) -> bytes:
        return b""

    def _tail(self) -> bytes:
        return b""


class _Unzstd(_Packed):
    """The unpacker of zstd: any number of frames (RFC 8878, 3.1)."""

    def needs(self, packed: bytes, made_bytes: int) -> int:
        return self.holds(made_bytes + self.most_bytes)

    def holds(self, made_bytes: int) -> int:
        return _ZSTD_TABLES_BYTES + min(1 << _ZSTD_WINDOW_BITS, made_bytes)

    def _new(self) -> Any:
        return ZstdDecompressor(options=_ZSTD_OPTIONS)

    def _tail(self) -> bytes:
        return b""


def _brotli_window(first: int) -> int:
    """How long a window the first byte of a stream announces (RFC 7932, 9.1).

    Large windows are no part of that RFC, and the library refuses them.
    """
    if not first & 1:
        return 1 << 16
    if high := first >> 1 & 7:
        return 1 << 17 + high
    low = first >> 4 & 7
    return 1 << (8 + low if low else 17)


_CODINGS = {
    "gzip": _Gunzip,
    "x-gzip": _Gunzip,  # by its old name (RFC 9110, 8.4.1.3)
    "deflate": _Inflate,
    "br": _Unbrotli,
    "zstd": _Unzstd,
}


def make_unpacker(coding: str, most_bytes: int) -> Unpacking:
    """The unpacker for a body of this coding, which makes pieces of `most_bytes` at most.

    A coding that is not known counts as none.
    """
    known = _CODINGS.get(coding)
    return Unpacking() if known is None else known(most_bytes)
