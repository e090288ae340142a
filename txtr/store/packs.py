"""Packs: requests as bytes, a few dozen together.

Neighbours in a queue were mostly found on the same page and look alike. So a record is written once for all
paths that share it, and the pack is compressed, unless it is so small that this would not help. The
compression is deflate, because it makes packs smaller than zstd does and opens them twice as fast.

A *portion* is the requests at the front of a lane, and where the lane begins without them. *Turns* say from
which rank the next requests are taken (frontier/ranks.py).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from txtr import deflate
from txtr.errors import Damaged
from txtr.frontier.ranks import serve
from txtr.frontier.records import Record
from txtr.store.home import Home

Group = tuple[Record, list[str]]  # paths that share a record, in the order of arrival

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Group])
_FEW_BYTES = 600  # are not compressed: that would save a quarter, and take most of the time that a link costs
_PACKED = b"\xc1"  # the one byte that MessagePack never begins with


def pack(groups: list[Group]) -> bytes:
    """Requests as bytes, compressed: for long."""
    data = encode_groups(groups)
    return data if len(data) < _FEW_BYTES else _PACKED + deflate.packed(data)


def encode_groups(groups: list[Group]) -> bytes:
    """Requests as bytes, not compressed: for a short time."""
    return _encoder.encode(groups)


def unpack(data: bytes) -> list[Group]:
    try:
        if data.startswith(_PACKED):
            data = deflate.unpacked(data[len(_PACKED) :])
        return _decoder.decode(data)
    except (deflate.Unpackable, msgspec.DecodeError, ValueError, OverflowError) as error:
        raise Damaged(f"requests in the queue cannot be read: {error}") from error


def split_groups(groups: Iterable[Group], most: int) -> Iterator[list[Group]]:
    """Split groups, in their order, into lists of so many requests."""
    portion: list[Group] = []
    room = most
    for record, paths in groups:
        begin = 0
        while begin < len(paths):
            some = paths[begin : begin + room]
            portion.append((record, some))
            begin, room = begin + len(some), room - len(some)
            if not room:
                yield portion
                portion, room = [], most
    if portion:
        yield portion


def each_request(groups: Iterable[Group]) -> Iterator[tuple[str, Record]]:
    """Path and record of each request."""
    return ((path, record) for record, paths in groups for path in paths)


def paths_of(groups: Iterable[Group]) -> Iterator[str]:
    return (path for _, paths in groups for path in paths)


def count_requests(groups: Iterable[Group]) -> int:
    """How many requests are in these groups."""
    return sum([len(paths) for _, paths in groups])  # a list: three times as fast as without


def cut_groups(groups: Iterable[Group], begin: int, end: int) -> list[Group]:
    """The requests from number `begin` to before number `end`."""
    part = []
    at = 0
    for record, paths in groups:
        if at >= end:
            break
        after = at + len(paths)
        if after > begin:
            is_whole = begin <= at and after <= end
            part.append((record, paths if is_whole else paths[max(0, begin - at) : end - at]))
        at = after
    return part


Front = tuple[int, int]  # where a lane begins: number of a pack, and requests taken from it


class Portion(msgspec.Struct, eq=False):
    first: int  # the lane's first number
    most: int  # requests that were asked for
    groups: list[Group]
    front: Front
    emptied: list[tuple[int]]  # numbers of packs
    is_ahead: bool = False  # was it read ahead, and is it still what `pull` would take?


class Parts(NamedTuple):
    """The token of a prospect: the portions behind a door when they were looked at, to lease them by."""

    home: Home
    changes: int  # of this home, until then
    domain: str
    behind: str
    portions: list[tuple[int, Portion]]  # by rank


def plan_turns(left: list[int], turn: int, most: int) -> list[int]:
    """The ranks of the next requests from this turn on, with so many left of each rank."""
    ranks = [of_rank for of_rank, number in enumerate(left) if number]
    if len(ranks) == 1:  # no other rank takes turns
        return ranks * min(most, left[ranks[0]])
    left, order = list(left), list[int]()
    while len(order) < most and (served := serve(left, turn + len(order))) is not None:
        left[served] -= 1
        order.append(served)
    return order


def merge_in_turn(turns: list[int], lines: dict[int, list[Group]]) -> list[str]:
    """Paths of several ranks as one list, in the order of these turns."""
    if len(lines) <= 1:
        return [path for groups in lines.values() for _, paths in groups for path in paths]
    lists = {of_rank: paths_of(groups) for of_rank, groups in lines.items()}
    return [path for of_rank in turns for path in [next(lists[of_rank], "")] if path]
