"""A prospect: requests behind one door that may be leased soon."""

from typing import NamedTuple

import msgspec

from txtr.store.home import Home
from txtr.store.portion import Portion


class Parts(NamedTuple):
    """What a prospect was when it was seen, for the engine to lease it by."""

    home: Home
    changes: int  # at home, until then
    domain: str
    behind: str
    portions: list[tuple[int, Portion]]  # by rank


class Prospect(msgspec.Struct, frozen=True):
    paths: list[str]
    deepest: int  # clicks from a start page
    parts: Parts
