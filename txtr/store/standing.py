"""The standing of a link: all that has to be known of it while it is not looked at, as one number.

Its fate, or that it is queued; its least depth so far, the highest usability of the pages that lead
there, and its rank. Small numbers take little room on disk, so what is usual is 0: queued, promising,
found on a useful page.
"""

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from txtr.frontier.ranks import rank
from txtr.frontier.records import FATES, Record

QUEUED = 0  # index in FATES
UNKNOWN = -1  # the number of a link that was never met
_CODES = {fate: code for code, fate in enumerate(FATES)}
DEEPEST = 255  # clicks: deeper links are not told apart


class Standing(NamedTuple):
    fate: int  # index in FATES; QUEUED: not settled
    depth: int
    usability: float = 1.0
    rank: int = 0


def code(fate: str) -> int:
    return _CODES[fate]


def number(standing: Standing) -> int:
    uselessness = 100 - round(standing.usability * 100)
    return ((uselessness << 2 | standing.rank) << 4 | standing.fate) << 8 | min(standing.depth, DEEPEST)


def standing(number: int) -> Standing:
    return Standing(number >> 8 & 15, number & 255, (100 - (number >> 14)) / 100, number >> 12 & 3)


@lru_cache(4096)
def queued(depth: int, usability: float, rank: int) -> int:
    """How a link stands that is queued."""
    return number(Standing(QUEUED, depth, usability, rank))


@lru_cache(4096)
def settled(fate: str, depth: int) -> int:
    """How a link stands that is settled."""
    return number(Standing(code(fate), depth))


def queued_with(record: Record) -> int:
    """How a link stands that is queued with this record."""
    return queued(record.depth, record.usability, rank(record.promise))


def is_settled(number: int) -> bool:
    return bool(number & 0xF00)


def is_queued(number: int | None, of_rank: int) -> bool:
    """Is a link that stands like this, if it is known at all, not settled and of this rank?"""
    if number is None or is_settled(number):
        return False
    return standing(number).rank == of_rank


@lru_cache(4096)
def improved(present: int, found: int) -> int:
    """How a link stands that was found again, perhaps by a shorter or a better way."""
    if is_settled(present):
        return present
    before, now = standing(present), standing(found)
    return number(
        Standing(
            QUEUED,
            min(before.depth, now.depth),
            max(before.usability, now.usability),
            min(before.rank, now.rank),
        )
    )


def corrected(record: Record, stands: int) -> Record:
    """What is leased may have been found by a shorter or a better way since; its standing knows."""
    if stands == queued_with(record):
        return record
    present = standing(stands)
    depth = min(record.depth, present.depth) if present.depth < DEEPEST else record.depth
    return replace(record, depth=depth, usability=max(record.usability, present.usability))
