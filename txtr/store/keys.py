"""Keys: how links are found on disk, as one number of 64 bits.

A link's key is its domain's number and a digest of its path (first_key + digest), so the links of one
domain lie side by side: a page links mostly to its own domain, and whatever its links need is read at
once. Two paths of one domain have the same digest with a probability of 1 in 2^38: in a domain of a
million pages one or two are taken for known that are not. The exact way would cost three times the disk.

A *lane* is where requests of one domain, door and rank are queued, as packs with serial numbers. Its
packs lie side by side as well, the lanes of a domain by rank.
"""

from hashlib import blake2b

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
    """What a path is recognised by among those of its domain."""
    return int.from_bytes(blake2b(path.encode("utf-8", "surrogatepass"), digest_size=5).digest()) & _DIGEST


def domain_of(number: int) -> int:
    """Whose key or pack this is."""
    return (number - _LEAST) >> DIGEST_BITS


def first_pack(domain: int, of_rank: int, door: int) -> int:
    """The least number that a pack of this lane may have."""
    lane = domain << 2 | of_rank
    return (lane << 16 | door) * (1 << SERIAL_BITS) + _LEAST


def last_pack(domain: int, of_rank: int, door: int) -> int:
    return first_pack(domain, of_rank, door) | (1 << SERIAL_BITS) - 1
