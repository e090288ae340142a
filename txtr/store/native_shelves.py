"""The shelves in C: they take a third of the time and of the memory that those in Python take."""

import weakref
from collections.abc import Collection, Sequence
from ctypes import CDLL, POINTER, Array, addressof, byref, c_char_p, c_int64, c_void_p, string_at
from functools import cache
from itertools import chain

from txtr.errors import Damaged
from txtr.native.library import library
from txtr.store.leaf import UNREADABLE
from txtr.store.shelves import meet_one_by_one

NO_MEMORY, NOT_IN_ORDER = -3, -4  # as in shelves.c
ROOM_LINKS = 256  # links of a page; room for more is made when it is needed
NUMBER_BYTES = 8  # bytes


@cache
def _prepare_library() -> CDLL | None:
    made = library()
    if made is not None:
        numbers = POINTER(c_int64)
        made.open_shelves.restype = c_void_p
        made.close_shelves.argtypes = (c_void_p,)
        made.stand.argtypes = (c_void_p, c_int64, numbers, c_int64, numbers)
        made.meet.argtypes = (
            c_void_p, c_int64, numbers, numbers, c_char_p, c_int64, c_int64, numbers, numbers
        )  # fmt: skip
        made.put.argtypes = (c_void_p, c_int64, c_int64, c_char_p, c_int64)
        made.set_some.argtypes = (c_void_p, c_int64, numbers, c_int64, c_int64)
        made.remove_some.argtypes = (c_void_p, c_int64, numbers, c_int64)
        made.write_changed.argtypes = (c_void_p, POINTER(numbers))
        made.tidy.argtypes = (c_void_p, c_int64)
        made.stand.restype = made.tidy.restype = None
        for called in (made.put, made.set_some, made.remove_some, made.write_changed):
            called.restype = c_int64
    return made


def make_shelves() -> "NativeShelves | None":
    made = _prepare_library()
    return NativeShelves(made) if made is not None else None


class NativeShelves:
    """Does in C what Shelves does; what each function means is told there."""

    def __init__(self, made: CDLL) -> None:
        self.made = made
        self.place = c_void_p(made.open_shelves())
        if not self.place:
            raise MemoryError
        weakref.finalize(self, made.close_shelves, self.place)
        self._make_room(ROOM_LINKS)

    def _make_room(self, room: int) -> None:
        self.room = room
        self.firsts, self.counts, self.digests, self.standings = ((c_int64 * room)() for _ in range(4))

    def meet(self, firsts: Sequence[int], paths: Sequence[Collection[str]]) -> tuple[list[int], list[int]]:
        domains, counts = len(firsts), [len(some) for some in paths]
        total = sum(counts)
        if max(total, domains) > self.room:
            self._make_room(max(total, domains))
        self.firsts[:domains] = list(firsts)
        self.counts[:domains] = list(counts)
        told = "\n".join(chain.from_iterable(paths)).encode("utf-8", "surrogatepass")
        is_done = self.made.meet(
            self.place,
            domains,
            self.firsts,
            self.counts,
            told,
            len(told),
            total,
            self.digests,
            self.standings,
        )
        if is_done:
            return self.digests[:total], self.standings[:total]
        return meet_one_by_one(self, firsts, paths)  # a path has a line end in it, or there are no paths

    def stand(self, first: int, digests: Sequence[int]) -> list[int]:
        count = len(digests)
        self.made.stand(self.place, first, self._told(digests), count, self.standings)
        return self.standings[:count]

    def put(self, first: int, begin: int, row: bytes) -> int:
        if not isinstance(row, bytes) or not row or len(row) % NUMBER_BYTES:
            raise Damaged(f"{UNREADABLE}: they are no row of numbers")
        return _check(self.made.put(self.place, first, begin, row, len(row) // NUMBER_BYTES))

    def set_some(self, first: int, digests: Sequence[int], standing: int) -> int:
        told = self._told(digests)
        return _check(self.made.set_some(self.place, first, told, len(digests), standing))

    def remove_some(self, first: int, digests: Sequence[int]) -> int:
        return _check(self.made.remove_some(self.place, first, self._told(digests), len(digests)))

    def write_changed(self) -> list[tuple[int, bytes]]:
        written = POINTER(c_int64)()
        count = _check(self.made.write_changed(self.place, byref(written)))
        if not count:
            return []
        keys, ends = written[:count], written[count : 2 * count]
        rows = string_at(addressof(written.contents) + 2 * count * NUMBER_BYTES, ends[-1] * NUMBER_BYTES)
        return [
            (key, rows[begin * NUMBER_BYTES : end * NUMBER_BYTES])
            for key, begin, end in zip(keys, [0, *ends[:-1]], ends, strict=True)
        ]

    def tidy(self, most: int) -> None:
        self.made.tidy(self.place, most)

    def _told(self, digests: Sequence[int]) -> "Array[c_int64]":
        if len(digests) > self.room:
            self._make_room(len(digests))
        self.digests[: len(digests)] = list(digests)
        return self.digests


def _check(answer: int) -> int:
    if answer == NO_MEMORY:
        raise MemoryError
    if answer == NOT_IN_ORDER:
        raise Damaged(f"{UNREADABLE}: they are not in order")
    return answer
