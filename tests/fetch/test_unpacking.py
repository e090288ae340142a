"""Unpacking: a page out of its packing, a piece at a time."""

import gzip
import random
import zlib

import brotli
import pytest
from backports import zstd

from txtr import deflate
from txtr.fetch import unpacking
from txtr.fetch.unpacking import BadPacking

PIECE = 1000
DICE = random.Random(7)
TEXT = b"".join(b"%d, " % DICE.randrange(n) for n in range(1, 3000))
SHORT = TEXT[:3000]
PACKED = {
    "": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstd.compress(TEXT),
}
STRATEGIES = {"usual": zlib.Z_DEFAULT_STRATEGY, "fixed codes": zlib.Z_FIXED, "no copies": zlib.Z_HUFFMAN_ONLY}
LOOSE = ("", "br")  # pieces as they come, and what brotli takes for a limit


@pytest.fixture(params=[zlib, deflate.unpacker], autouse=True)
def library(request, monkeypatch):
    """Both libraries: isal is not made for every machine."""
    monkeypatch.setattr(deflate, "unpacker", request.param)


def gzipped(strategy):
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + 15, 9, STRATEGIES[strategy])
    return packer.compress(SHORT) + packer.flush()


def unpacked(coding, packed, step):
    """As bytes come in steps; no piece is longer than it may be."""
    unpack, page = unpacking.make_unpacker(coding, PIECE), []
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


@pytest.mark.parametrize("packed", [b"\n", b"\r\n\r\n", b"\x1f\x8b\x07", b"<html>"])
@pytest.mark.parametrize("step", [1, 100])
def test_what_is_no_gzip_is_refused_however_short_it_is(packed, step):
    with pytest.raises(BadPacking):
        unpacked("gzip", packed, step)


def test_gzip_that_is_damaged_is_refused():
    damaged = bytearray(PACKED["gzip"])
    damaged[len(damaged) // 2] ^= 255
    with pytest.raises(BadPacking):
        unpacked("gzip", bytes(damaged), 100)


@pytest.mark.parametrize("missing", range(1, 9))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_gzip_may_come_without_its_sums(missing, strategy):
    """As browsers have it: some servers forget the last bytes."""
    assert unpacked("gzip", gzipped(strategy)[:-missing], 100) == SHORT


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_gzip_that_was_cut_off_is_refused(strategy):
    packed = gzipped(strategy)
    for missing in range(9, len(packed)):
        with pytest.raises(BadPacking):
            unpacked("gzip", packed[:-missing], 100)


@pytest.mark.parametrize("coding", ["deflate", "br", "zstd"])
def test_other_codings_that_were_cut_off_are_refused(coding):
    packed = PACKED[coding]
    for missing in range(1, len(packed), 5):
        with pytest.raises(BadPacking):
            unpacked(coding, packed[:-missing], 1000)


@pytest.mark.parametrize("coding", PACKED)
def test_nothing_packed_is_nothing(coding):
    """As servers answer who send a length of 0 with every header they know."""
    assert unpacked(coding, b"", 1) == b""


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize("step", [1, 7, 100_000])
@pytest.mark.parametrize("behind", [b"\n", bytes(512), b"\x1f\x8b\x07", b"<!-- cached -->"])
def test_bytes_behind_a_page_are_not_of_it(coding, step, behind):
    """As browsers have it: some servers fill up with zeros, or print a blank line at the end."""
    assert unpacked(coding, PACKED[coding] + behind, step) == TEXT


@pytest.mark.parametrize("step", [1, 100, 100_000])
def test_deflate_comes_without_its_header_too(step):
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    assert unpacked("deflate", raw.compress(TEXT) + raw.flush(), step) == TEXT


@pytest.mark.parametrize("step", [1, 100, 100_000])
def test_frames_of_zstd_are_one_page(step):
    assert unpacked("zstd", zstd.compress(b"a" * 5000) + zstd.compress(b"b"), step) == b"a" * 5000 + b"b"


EMPTY = {"gzip": gzip.compress(b""), "br": brotli.compress(b""), "zstd": b"\x50\x2a\x4d\x18" + bytes(4)}


@pytest.mark.parametrize("coding", EMPTY)
@pytest.mark.parametrize("members", [1, 100, 1000, 5000])
def test_empty_members_without_end_are_refused_however_few_come_at_once(coding, members):
    """8 MB of frames that zstd skips, a thousand at once, took 11 seconds and made an empty page."""
    unpack, steps = unpacking.make_unpacker(coding, PIECE), 0
    with pytest.raises(BadPacking):
        for _ in range(5000):
            for _ in unpack.pieces(EMPTY[coding] * members):
                steps += 1
    assert steps < 1100


def test_a_page_may_have_as_many_members_as_its_length_is_worth():
    """As a server packs that closes a member at every flush."""
    assert unpacked("gzip", gzip.compress(b"a" * 1000) * 3000, 64 * 1024) == b"a" * 3_000_000


def test_a_bomb_is_unpacked_only_as_far_as_somebody_wants_it():
    bomb = unpacking.make_unpacker("gzip", PIECE).pieces(gzip.compress(bytes(100_000_000)))
    assert [len(next(bomb)) for _ in range(3)] == [PIECE] * 3


def test_brotli_that_nobody_asks_for_stays_packed(monkeypatch):
    """The library unpacks all that it is given: hundreds of downloads that wait would each hold megabytes."""
    given = []
    decompressor = brotli.Decompressor

    class Counting:
        def __init__(self):
            self.unpacker = decompressor()

        def process(self, packed, **limit):
            given.append(len(packed))
            return self.unpacker.process(packed, **limit)

        def is_finished(self):
            return self.unpacker.is_finished()

    monkeypatch.setattr(brotli, "Decompressor", Counting)
    packed = brotli.compress(random.Random(1).randbytes(100_000))
    next(filter(None, unpacking.make_unpacker("br", PIECE).pieces(packed)))
    assert sum(given) < len(packed) / 10


@pytest.mark.parametrize("bits", range(10, 25))
def test_brotli_needs_the_window_that_it_announces(bits):
    """18 bytes of it were enough for 16 MiB that nobody counted (RFC 7932, 9.1)."""
    packed = brotli.compress(TEXT, lgwin=bits)
    unpack = unpacking.make_unpacker("br", PIECE)
    assert unpack.needs(packed, 0) == 1 << bits
    assert TEXT.startswith(b"".join(unpack.pieces(packed[:-1])))
    assert unpack.holds(len(TEXT)) == min(1 << bits, len(TEXT))
    list(unpack.pieces(packed[-1:]))
    assert unpack.holds(len(TEXT)) == 0


def test_another_stream_of_brotli_behind_the_first_may_have_the_longest_window():
    unpack = unpacking.make_unpacker("br", PIECE)
    short = brotli.compress(b"a", lgwin=16)
    assert unpack.needs(short, 0) == 1 << 16
    next(unpack.pieces(short))
    assert unpack.needs(short, 1) == unpacking.LONGEST_WINDOW_BYTES


def test_brotli_with_a_window_that_is_no_part_of_http_is_refused():
    """Large-window brotli announces up to a gigabyte."""
    with pytest.raises(BadPacking):
        unpacked("br", bytes([0b00010001, 30, 0, 0, 0, 0]), 100)


def zstd_with_window(bits):
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: bits})
    return packer.compress(TEXT, packer.FLUSH_BLOCK) + packer.flush()


def test_zstd_has_no_longer_window_than_http_allows():
    """RFC 9659: 8 MiB. The library takes 128."""
    assert unpacked("zstd", zstd_with_window(23), 999) == TEXT
    with pytest.raises(BadPacking):
        unpacked("zstd", zstd_with_window(24), 999)


def test_the_window_of_zstd_grows_with_what_it_has_made():
    """However much it announces."""
    unpack = unpacking.make_unpacker("zstd", PIECE)
    first, then, last = (unpack.needs(b"x", made) for made in (0, 100_000, 1 << 30))
    assert first < then < last < (1 << 23) + (1 << 20)


BOMBS = {
    "zstd": zstd.compress(bytes(9_000_000)),
    "br": brotli.compress(bytes(9_000_000), lgwin=24),
    "gzip": gzip.compress(bytes(1_000_000)),
}


@pytest.mark.parametrize("coding", BOMBS)
def test_before_each_piece_an_unpacker_needs_what_it_holds_after_it(coding):
    """320 KB were asked for once, and then 1,482 bytes in one read made a window of 8 MB."""
    unpack, made = unpacking.make_unpacker(coding, PIECE), 0
    pieces = unpack.pieces(BOMBS[coding])
    while True:
        needs = unpack.needs(BOMBS[coding], made)
        if (piece := next(pieces, None)) is None:
            break
        made += len(piece)
        assert unpack.holds(made) <= needs
    assert made > 900_000
