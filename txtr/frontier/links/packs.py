"""Packs: requests as bytes, a few dozen together.

Neighbours in a queue were mostly found on the same page and look alike, so a record is written once
for all who share it, and the whole is compressed: a request takes about a fifth of its URL's length.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec
from backports import zstd

from txtr.errors import Damaged
from txtr.frontier.links.record import Record

Requests = list[tuple[str, Record]]  # path and record, in the order of arrival

_Written = tuple[int, float, int, int, float, str, int]  # a record's fields
_decoder = msgspec.msgpack.Decoder(list[tuple[_Written, list[str]]])
_LEVEL = 1  # of compression: higher ones save 5 % of the size and cost three times as much


def pack(requests: Iterable[tuple[str, Record]]) -> bytes:
    groups = [
        (_written(record), [path for path, _ in members])
        for record, members in groupby(requests, key=lambda request: request[1])
    ]
    return zstd.compress(msgspec.msgpack.encode(groups), _LEVEL)


def unpack(data: bytes) -> Requests:
    try:
        return list(_requests(data))
    except (zstd.ZstdError, msgspec.DecodeError, ValueError, OverflowError) as error:
        raise Damaged(f"requests in the queue cannot be read: {error}") from error


def _requests(data: bytes) -> Iterator[tuple[str, Record]]:
    for written, paths in _decoder.decode(zstd.decompress(data)):
        record = Record(*written)
        for path in paths:
            yield path, record


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
