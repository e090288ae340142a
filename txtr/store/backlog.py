"""A backlog: what is queued for a domain, as it is kept on disk."""

import msgspec

from txtr.errors import Damaged


class Backlog(msgspec.Struct, array_like=True):
    doors: list[str] = []  # in the order of their numbers
    numbers: dict[str, list[int]] = {}  # door -> how many, by rank
    is_parked: bool = False
    parked_doors: list[str] = []
    is_doubled: bool = False
    is_corrected: bool = True  # unless it says that it is not: earlier versions did not


encode_backlog = msgspec.msgpack.Encoder().encode


def read_backlog(data: bytes | None, domain: str) -> Backlog:
    try:
        return msgspec.msgpack.decode(data, type=Backlog) if data else Backlog()
    except (msgspec.DecodeError, ValueError) as error:
        raise Damaged(f"what is queued for {domain} cannot be read: {error}") from error
