"""Packs: requests as bytes, a few dozen together.

Neighbours in a queue were mostly found on the same page and look alike, so a record is written once
for all who share it, and the whole is compressed. Zlib, because packs are small: it makes them 8 % smaller
than zstd does, and opens them twice as fast.
"""

import zlib
from collections.abc import Iterable

import msgspec

from txtr.frontier.links.record import Record

Group = tuple[Record, list[str]]  # paths that share a record, in the order of arrival

_Written = tuple[int, float, int, int, float, str, int]  # a record's fields
_decoder = msgspec.msgpack.Decoder(list[tuple[_Written, list[str]]])
_LEVEL = 5  # of compression: 6 saves 1 % and costs half as much again
_RAW = -15  # the largest window, and neither header nor checksum: the database has its own


def pack(groups: Iterable[Group]) -> bytes:
    written = [(_written(record), paths) for record, paths in groups]
    return zlib.compress(msgspec.msgpack.encode(written), _LEVEL, _RAW)


def unpack(data: bytes) -> list[Group]:
    groups = _decoder.decode(zlib.decompress(data, _RAW))
    return [(Record(*written), paths) for written, paths in groups]


def size(groups: Iterable[Group]) -> int:
    """How many requests there are."""
    return sum(len(paths) for _, paths in groups)


def cut(groups: Iterable[Group], begin: int, end: int) -> list[Group]:
    """From one request to before another."""
    part = []
    for record, paths in groups:
        if (some := paths[max(0, begin) : max(0, end)]) :
            part.append((record, some))
        begin, end = begin - len(paths), end - len(paths)
    return part


def _written(record: Record) -> _Written:
    return (
        record.depth,
        record.usability,
        record.tries,
        record.hops,
        record.promise,
        record.source,
        record.since,
    )
