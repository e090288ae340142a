"""Values: domains, series, backlogs and the rest of the frontier as the bytes of their rows.

All times are wall time here.
"""

from typing import Any, TypeVar

import msgspec

from txtr.errors import Damaged
from txtr.frontier.permits import Door
from txtr.frontier.series import Series

Kind = TypeVar("Kind")


class About(msgspec.Struct, array_like=True, omit_defaults=True):
    """A domain as it is stored, without its links."""

    address: str = ""
    believed_until: float = 0.0
    asleep_until: float = 0.0
    given_up_until: float = 0.0
    troubles: int = 0
    slowdown: tuple[float, float] = (0.0, 1.0)
    trial: tuple[int, int, float, int, int] = (0, 0, 0.0, 0, 0)
    is_watched: bool = False  # is a door of it asleep or given up?


class Running(msgspec.Struct, array_like=True):
    """A series as it is stored, without its leases."""

    batch: int
    left: dict[str, int]
    errands: list[tuple[str, str]]
    repeats: list[tuple[str, str]]
    is_better: bool
    is_for_all: bool
    is_sample: bool
    asked: list[tuple[str, str]] = []  # earlier versions did not write it


def running_from(series: Series) -> Running:
    return Running(
        series.batch,
        series.left,
        list(series.errands),
        series.repeats,
        series.is_better,
        series.is_for_all,
        series.is_sample,
        list(series.asked),
    )


encode = msgspec.msgpack.Encoder().encode


def decode(data: bytes, kind: type[Kind]) -> Kind:
    try:
        return _DECODERS[kind].decode(data) if kind in _DECODERS else msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, ValueError) as error:
        raise Damaged(f"a {kind.__name__.lower()} in the state cannot be read: {error}") from error


# Decoders for what is read by the thousand: making one takes longer than using it.
_DECODERS: dict[Any, msgspec.msgpack.Decoder[Any]] = {
    kind: msgspec.msgpack.Decoder(kind) for kind in (About, Door)
}


class Backlog(msgspec.Struct, array_like=True):
    doors: list[str] = []  # in the order of their numbers
    numbers: dict[str, list[int]] = {}  # door -> how many, by rank
    is_parked: bool = False
    parked_doors: list[str] = []
    is_doubled: bool = False
    is_corrected: bool = True  # earlier versions did not write it: then it may be


encode_backlog = msgspec.msgpack.Encoder().encode


def read_backlog(data: bytes | None, domain: str) -> Backlog:
    try:
        return msgspec.msgpack.decode(data, type=Backlog) if data else Backlog()
    except (msgspec.DecodeError, ValueError) as error:
        raise Damaged(f"what is queued for {domain} cannot be read: {error}") from error
