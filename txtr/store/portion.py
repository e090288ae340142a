"""A portion: the requests at the front of a lane, and what the lane is like without them."""

from typing import NamedTuple

import msgspec

from txtr.store.home import Home
from txtr.store.packs import Group

Front = tuple[int, int]  # where a lane begins: the number of a pack, and how many are taken there


class Portion(msgspec.Struct, eq=False):
    first: int  # the lane's first number
    most: int  # that were asked for
    groups: list[Group]
    front: Front
    emptied: list[tuple[int]]  # numbers of packs
    is_ahead: bool = False  # was it read ahead, and is it still what `pull` would take?


class Parts(NamedTuple):
    """What was behind a door when it was looked at, to lease it by: the token of a prospect."""

    home: Home
    changes: int  # at home, until then
    domain: str
    behind: str
    portions: list[tuple[int, Portion]]  # by rank
