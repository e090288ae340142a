"""Unpacking: a body as it comes off the line becomes the page that was packed.

Invariants:

- Nothing is unpacked ahead: one step makes about a piece at most, however much is packed into the bytes it is
  given, and whoever asks for the pieces may stop after any of them. Only brotli may fill its window before.
- An unpacker says how much memory it takes itself: before each piece that it makes (`needs`), and until more
  bytes come (`holds`), which is never more than it needed. Windows are as long as the stream announces them:
  16 MiB of brotli (RFC 7932, 9.1), 8 MiB of zstd (RFC 9659) at most; longer ones are refused. That of gzip
  has 32 KiB, which does not count.
- What does not begin as gzip does is refused, however short it is: isal alone would wait for a whole header,
  and take two blank lines for an empty file, or for an empty robots.txt.
- A page that was cut off is refused: nobody could tell it from a whole one later. Only the sums at the end of
  gzip may be missing, which some servers forget. What comes behind gzip or deflate that is whole is not of
  the page, as browsers have it.
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

_BEGINNING = b"\x1f\x8b\x08"  # of gzip (RFC 1952, 2.3.1): its mark, and that it is deflate
_GZIP_BITS = 16 + 15  # of the window, any; and that it is gzip
_ZLIB_BITS, _RAW_BITS = 15, -15
_DEFLATE = 8  # the method, in the low half of the first byte of zlib's header (RFC 1950, 2.2)
_ZSTD_TABLES_BYTES = 256 * 1024  # and buffers, and the beginning of its window: 200 KB were measured
_ZSTD_WINDOW_BITS = 23
_ZSTD_OPTIONS: dict[int, int] = {DecompressionParameter.window_log_max: _ZSTD_WINDOW_BITS}
LONGEST_WINDOW_BYTES = 1 << 24  # of all codings: brotli's
MOST_OWN_BYTES = LONGEST_WINDOW_BYTES + _ZSTD_TABLES_BYTES  # of any unpacker
_SLICE_BYTES = 4096  # of brotli: with 64 KiB, 400 downloads that waited for each other took 584 MB, so 200
_QUICK_WINDOW_BYTES = 1 << 22  # of brotli, as most pages have it: filled in 7 ms; the longest in 28
# Members of one page: so many, and one more for each so many bytes of it. A member takes 11 microseconds even
# when it is empty: a million of them, in 8 MB, took 11 seconds and made nothing.
_MOST_EMPTY_MEMBERS = 1024
_BYTES_FOR_A_MEMBER = 1000


class BadPacking(TheirMistake):
    """A body is not packed as its head says, or was cut off."""


class Unpacking:
    """Of a body that is not packed."""

    def needs(self, packed: bytes, made_bytes: int) -> int:
        """How many bytes it may take itself for one piece more of these, after it has made so many."""
        return 0

    def holds(self, made_bytes: int) -> int:
        """How many it takes until more comes."""
        return 0

    @property
    def takes_long(self) -> bool:
        """May a piece take more than some milliseconds?"""
        return False

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What these bytes add to the page."""
        yield packed

    def end(self) -> None:
        """No more bytes come: raises if some are missing."""


class _Packed(Unpacking):
    """One member, as they are called, or several one after another, each by an unpacker of its own."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.is_over = False  # what comes is not of the page
        self.members = 0  # that are whole
        self.made_bytes = 0  # of the page
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
            else:  # what fits into no piece may be in the unpacker already
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
        except Exception as error:  # of any library
            raise BadPacking(f"Can not decode the content-encoding: {error}") from error

    def _new(self) -> Any:
        """An unpacker for a member."""
        raise NotImplementedError

    def _look_at_beginning(self) -> None:
        """Is this the beginning of a member?"""

    def _unpack(self, packed: bytes) -> bytes:
        piece: bytes = self.unpacker.decompress(packed, self.most_bytes)
        return piece

    def _is_done(self) -> bool:
        return bool(self.unpacker.eof)

    def _is_whole(self) -> bool:
        """Is nothing missing of the last member?"""
        return False

    def _behind(self) -> bytes:
        """What the unpacker of a member that is done was given too much."""
        behind: bytes = self.unpacker.unused_data
        return behind

    def _tail(self) -> bytes:
        """What must be given to the unpacker once more."""
        tail: bytes = self.unpacker.unconsumed_tail
        return tail


class _Gunzip(_Packed):
    """Any number of members (RFC 1952, 2.2)."""

    def _new(self) -> Any:
        return deflate.unpacker.decompressobj(_GZIP_BITS)

    def _look_at_beginning(self) -> None:
        if _BEGINNING.startswith(self.begun):
            return
        if not self.members:
            raise BadPacking("it does not begin as gzip does")
        self.is_over = True

    def _is_whole(self) -> bool:
        """Is nothing missing but the sums? Then wrong ones are noticed, if there are as many bytes of them as
        the library waits for; else at least one is taken for more of the page, and too few are left."""
        try:
            self.unpacker.decompress(bytes(4 if deflate.unpacker is zlib else 8))
        except Exception as error:  # of either library
            return self.begun == _BEGINNING and "check" in str(error)
        return bool(self.unpacker.eof)


class _Inflate(_Packed):
    """With the header it should have, or without: some servers forget it."""

    def _new(self) -> Any:
        self.is_over = bool(self.members)  # there is only one
        return None

    def _look_at_beginning(self) -> None:
        if self.unpacker is None:
            is_headed = self.begun[0] & 15 == _DEFLATE
            self.unpacker = deflate.unpacker.decompressobj(_ZLIB_BITS if is_headed else _RAW_BITS)


class _Unbrotli(_Packed):
    """A slice at a time: the library unpacks all that it is given, and keeps what nobody has asked for.

    It fills its window before it gives anything away: 18 bytes were enough for 16 MiB.
    """

    window_bytes = 0  # 0: nothing has come

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
            self.window_bytes = LONGEST_WINDOW_BYTES  # of another stream behind the first: not looked for
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
    """Any number of frames (RFC 8878, 3.1)."""

    def needs(self, packed: bytes, made_bytes: int) -> int:
        return self.holds(made_bytes + self.most_bytes)

    def holds(self, made_bytes: int) -> int:
        return _ZSTD_TABLES_BYTES + min(1 << _ZSTD_WINDOW_BITS, made_bytes)

    def _new(self) -> Any:
        return ZstdDecompressor(options=_ZSTD_OPTIONS)

    def _tail(self) -> bytes:
        return b""


def _brotli_window(first: int) -> int:
    """What the first byte of a stream announces (RFC 7932, 9.1); large windows, which are no part of the RFC,
    are refused by the library."""
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


def of(coding: str, most_bytes: int) -> Unpacking:
    """For a body of this coding: pieces of at most so many bytes. A coding we do not know is none."""
    known = _CODINGS.get(coding)
    return Unpacking() if known is None else known(most_bytes)
