"""Unpacking: a page out of its packing, a piece at a time."""

import gzip
import random
import zlib

import brotli
import pytest
from aiohttp.http_exceptions import ContentEncodingError
from backports import zstd

from txtr import deflate
from txtr.fetch import unpacking

PIECE = 1000
DICE = random.Random(7)
TEXT = b"".join(b"%d, " % DICE.randrange(n) for n in range(1, 3000))
PACKED = {
    "": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstd.compress(TEXT),
}
LOOSE = ("", "br")  # pieces as they come, and what brotli takes for a limit


@pytest.fixture(params=[zlib, deflate.unpacker], autouse=True)
def library(request, monkeypatch):
    """Both libraries: isal is not made for every machine."""
    monkeypatch.setattr(deflate, "unpacker", request.param)


def unpacked(coding, packed, step):
    """As bytes come in steps; no piece is longer than it may be."""
    unpack, page = unpacking.of(coding, PIECE), []
    for at in range(0, len(packed), step):
        pieces = list(unpack.pieces(packed[at : at + step]))
        assert coding in LOOSE or all(len(piece) <= PIECE for piece in pieces)
        page += pieces
    unpack.end()
    return b"".join(page)


@pytest.mark.parametrize("coding", PACKED)
@pytest.mark.parametrize("step", [1, 2, 7, 999, 100_000])
def test_a_page_is_unpacked_however_it_comes(coding, step):
    assert unpacked(coding, PACKED[coding], step) == TEXT


@pytest.mark.parametrize("step", [1, 5, 64, 100_000])
@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_members_of_gzip_are_one_page(step, size):
    """RFC 1952, 2.2: a file is a series of members."""
    packed = gzip.compress(b"a" * size) + gzip.compress(b"") + gzip.compress(b"b" * size)
    assert unpacked("gzip", packed, step) == b"a" * size + b"b" * size


@pytest.mark.parametrize(
    "packed", [b"\n", b"\r\n\r\n", b"\x1f\x8b\x07", b"<html>", gzip.compress(b"a") + b"\n"]
)
@pytest.mark.parametrize("step", [1, 100])
def test_what_is_no_gzip_is_refused_however_short_it_is(packed, step):
    with pytest.raises(ContentEncodingError):
        unpacked("gzip", packed, step)


def test_gzip_that_is_damaged_is_refused():
    damaged = bytearray(PACKED["gzip"])
    damaged[len(damaged) // 2] ^= 255
    with pytest.raises(ContentEncodingError):
        unpacked("gzip", bytes(damaged), 100)


@pytest.mark.parametrize("missing", range(1, 9))
def test_gzip_may_come_without_its_sums(missing):
    """As browsers have it: some servers forget the last bytes."""
    assert unpacked("gzip", PACKED["gzip"][:-missing], 100) == TEXT


def test_gzip_that_was_cut_off_is_refused():
    for missing in range(9, len(PACKED["gzip"])):
        with pytest.raises(ContentEncodingError):
            unpacked("gzip", PACKED["gzip"][:-missing], 100)


def test_deflate_that_ends_too_early_is_refused():
    with pytest.raises(ContentEncodingError):
        unpacked("deflate", PACKED["deflate"][:-100], 100)


def test_empty_members_without_end_are_refused():
    with pytest.raises(ContentEncodingError):
        unpacked("gzip", gzip.compress(b"") * 2000, 100_000)


def test_a_bomb_is_unpacked_only_as_far_as_somebody_wants_it():
    bomb = unpacking.of("gzip", PIECE).pieces(gzip.compress(bytes(100_000_000)))
    assert [len(next(bomb)) for _ in range(3)] == [PIECE] * 3
