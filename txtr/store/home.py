"""A home: where the rows of a domain are on disk, while the domain is in use.

It holds the domain's number, by which all rows are ordered (store/keys.py), and the numbers of its *doors*,
in the order of their arrival.

A domain is *doubled* when its lanes may hold requests that have moved or were settled since. It is
*corrected* when a shorter way may have been found to a request that is queued there.
"""

from functools import lru_cache

from txtr.errors import OurMistake
from txtr.store.keys import MOST_DOORS, first_key

FEW_DOORS = 3  # of a domain


class Home:
    __slots__ = ("changes", "doors", "first", "id", "is_corrected", "is_doubled", "turns")

    def __init__(self, number: int, doors: list[str], is_doubled: bool, is_corrected: bool) -> None:
        self.id = number
        self.first = first_key(number)
        self.doors = _number_doors(tuple(doors))  # door -> its number
        self.is_doubled = is_doubled
        self.is_corrected = is_corrected
        self.changes = 0  # how often its counts have changed, since the domain moved in
        self.turns: dict[str, int] | None = None  # door -> requests leased behind it; mostly none

    def door(self, behind: str) -> int:
        """The number of a door."""
        if behind not in self.doors:
            if len(self.doors) == MOST_DOORS:
                raise OurMistake(f"{behind}: more than {MOST_DOORS} doors")
            self._add(behind)
        return self.doors[behind]

    def _add(self, behind: str) -> None:
        if len(self.doors) < FEW_DOORS:
            self.doors = _number_doors((*self.doors, behind))
        else:
            self.doors = self.doors if len(self.doors) > FEW_DOORS else dict(self.doors)
            self.doors[behind] = len(self.doors)

    def turn(self, behind: str) -> int:
        return self.turns.get(behind, 0) if self.turns else 0

    def count_turns(self, behind: str, number: int) -> None:
        if self.turns is None:
            self.turns = {}
        self.turns[behind] = self.turns.get(behind, 0) + number


def _number_doors(doors: tuple[str, ...]) -> dict[str, int]:
    """Number doors. Nearly all domains have the same one or two, and share a dict that never changes."""
    return _shared_places(doors) if len(doors) <= FEW_DOORS else _own_places(doors)


def _own_places(doors: tuple[str, ...]) -> dict[str, int]:
    return {behind: place for place, behind in enumerate(doors)}


_shared_places = lru_cache(1000)(_own_places)
