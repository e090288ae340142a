"""Keys and standings: a link is found on disk by one number, and another holds all that must be known of it.

A link's *key* is its domain's number and a digest of its path (first_key + digest), so the links of one
domain lie side by side. A page links mostly to its own domain, so all that its links need is read at once.
Two paths of one domain have the same digest with a probability of 1 in 2^38: in a domain of a million pages
one or two links are taken for known that are not. The exact way would cost three times the disk.

A *lane* is the queue of one domain, door and rank: packs with serial numbers. The packs of a lane lie side by
side too, and so do the lanes of a domain, by rank.

A link's *standing* is its fate, or that it is queued; its least depth so far; the highest usability of the
pages that lead there; and its rank. Small numbers take little room on disk, so the usual standing is 0:
queued, promising, found on a useful page.
"""

from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from msgspec.structs import replace

from txtr.frontier.ranks import rank
from txtr.frontier.records import FATES, Record

MOST_DOMAINS = 1 << 26
MOST_DOORS = 1 << 16  # of one domain
DIGEST_BITS = 38
SERIAL_BITS = 20

_DIGEST = (1 << DIGEST_BITS) - 1
_LEAST = -(1 << 63)  # the store's numbers are signed


def first_key(domain: int) -> int:
    """The least key of a domain."""
    return (domain << DIGEST_BITS) + _LEAST


def last_key(domain: int) -> int:
    return first_key(domain) | _DIGEST


def digest(path: str) -> int:
    """The number by which a path is recognised among those of its domain."""
    return int.from_bytes(blake2b(path.encode("utf-8", "surrogatepass"), digest_size=5).digest()) & _DIGEST


def domain_of(number: int) -> int:
    """The number of the domain that has this key or pack."""
    return (number - _LEAST) >> DIGEST_BITS


def first_pack(domain: int, of_rank: int, door: int) -> int:
    """The least number that a pack of this lane may have."""
    lane = domain << 2 | of_rank
    return (lane << 16 | door) * (1 << SERIAL_BITS) + _LEAST


def last_pack(domain: int, of_rank: int, door: int) -> int:
    return first_pack(domain, of_rank, door) | (1 << SERIAL_BITS) - 1


QUEUED = 0  # index in FATES
UNKNOWN = -1  # the number of a link that was never met
_CODES = {fate: code for code, fate in enumerate(FATES)}
MOST_DEPTH = 255  # clicks: depths beyond are not told apart


class Standing(NamedTuple):
    fate: int  # index in FATES; QUEUED: not settled
    depth: int
    usability: float = 1.0
    rank: int = 0


def code_of_fate(fate: str) -> int:
    return _CODES[fate]


def encode_standing(standing: Standing) -> int:
    uselessness = 100 - round(standing.usability * 100)
    return ((uselessness << 2 | standing.rank) << 4 | standing.fate) << 8 | min(standing.depth, MOST_DEPTH)


def decode_standing(number: int) -> Standing:
    return Standing(number >> 8 & 15, number & 255, (100 - (number >> 14)) / 100, number >> 12 & 3)


@lru_cache(4096)
def queued_standing(depth: int, usability: float, rank: int) -> int:
    """The standing of a queued link."""
    return encode_standing(Standing(QUEUED, depth, usability, rank))


@lru_cache(4096)
def settled_standing(fate: str, depth: int) -> int:
    """The standing of a settled link."""
    return encode_standing(Standing(code_of_fate(fate), depth))


def standing_of_record(record: Record) -> int:
    """The standing of a link that is queued with this record."""
    return queued_standing(record.depth, record.usability, rank(record.promise))


def is_settled(number: int) -> bool:
    return bool(number & 0xF00)


def is_queued(number: int | None, of_rank: int) -> bool:
    """Is a link with this standing, or None if it is unknown, queued with this rank?"""
    if number is None or is_settled(number):
        return False
    return decode_standing(number).rank == of_rank


@lru_cache(4096)
def improve_standing(present: int, found: int) -> int:
    """The standing of a link that was found again, perhaps by a shorter or a better way."""
    if is_settled(present):
        return present
    before, now = decode_standing(present), decode_standing(found)
    return encode_standing(
        Standing(
            QUEUED,
            min(before.depth, now.depth),
            max(before.usability, now.usability),
            min(before.rank, now.rank),
        )
    )


def correct_record(record: Record, stands: int) -> Record:
    """The record of a leased request, with the shorter or better way that its standing may have since."""
    if stands == standing_of_record(record):
        return record
    present = decode_standing(stands)
    depth = min(record.depth, present.depth) if present.depth < MOST_DEPTH else record.depth
    return replace(record, depth=depth, usability=max(record.usability, present.usability))
