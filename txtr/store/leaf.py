"""A leaf: the standings of some links of one domain, as one string of bytes.

A leaf holds the digests of an interval, in their order. Each is one number of 64 bits, together with its
standing. The first number is no link: it says where the interval ends. The key of the leaf's row says where
the interval begins. A full leaf is split in two, so a domain has as many leaves as it needs, and most have
one. A link takes eight bytes; a row of its own would take twenty. In memory a leaf is a list: to search an
array takes twice as long.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from txtr.errors import Damaged
from txtr.store.keys import DIGEST_BITS, UNKNOWN

STANDING_BITS = 64 - DIGEST_BITS
MOST_LINKS = 96  # in a leaf: then a page of the database has five leaves and more
DIGESTS = 1 << DIGEST_BITS
UNREADABLE = "how links stand cannot be read"
_STANDING = (1 << STANDING_BITS) - 1


class Leaf:
    __slots__ = ("begin", "end", "numbers")

    def __init__(self, begin: int, end: int, numbers: list[int]) -> None:
        self.begin = begin  # the least digest that belongs here,
        self.end = end  # and the first that belongs to the next leaf
        self.numbers = numbers

    def get(self, digest: int) -> int:
        """The standing of the link with this digest."""
        numbers, least = self.numbers, digest << STANDING_BITS
        at = bisect_left(numbers, least)
        if at < len(numbers) and (found := numbers[at] - least) <= _STANDING:
            return found
        return UNKNOWN

    def set(self, digest: int, standing: int) -> None:
        numbers, least = self.numbers, digest << STANDING_BITS
        at = bisect_left(numbers, least)
        if at < len(numbers) and numbers[at] - least <= _STANDING:
            numbers[at] = least | standing
        else:
            numbers.insert(at, least | standing)

    def remove(self, digest: int) -> None:
        numbers, least = self.numbers, digest << STANDING_BITS
        at = bisect_left(numbers, least)
        if at < len(numbers) and numbers[at] - least <= _STANDING:
            del numbers[at]

    def is_full(self) -> bool:
        return len(self.numbers) > MOST_LINKS

    def parted(self) -> "Leaf":
        """Split this leaf: return its upper half as another leaf."""
        middle = len(self.numbers) // 2
        border = self.numbers[middle] >> STANDING_BITS
        other = Leaf(border, self.end, self.numbers[middle:])
        self.end = border
        del self.numbers[middle:]
        return other

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Digest and standing of each link."""
        return ((number >> STANDING_BITS, number & _STANDING) for number in self.numbers)


def encode_leaf(leaf: Leaf) -> bytes:
    return array("Q", [leaf.end, *leaf.numbers]).tobytes()


def decode_leaf(begin: int, data: bytes) -> Leaf:
    try:
        end, *numbers = array("Q", data).tolist()
    except (TypeError, ValueError) as error:
        raise Damaged(f"{UNREADABLE}: {error}") from error
    leaf = Leaf(begin, end, numbers)
    if not _is_in_order(leaf):
        raise Damaged(f"{UNREADABLE}: they are not in order")
    return leaf


def _is_in_order(leaf: Leaf) -> bool:
    digests = [leaf.begin - 1, *(its_digest for its_digest, _ in leaf), leaf.end]
    return leaf.end <= DIGESTS and all(before < after for before, after in pairwise(digests))


def empty_leaf() -> Leaf:
    """The only leaf of a domain that has no links yet."""
    return Leaf(0, DIGESTS, [])
