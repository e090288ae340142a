"""Remedies: what is done about each kind of trouble, as one table.

`tries` is how often a request is attempted in all. `blame` says what waits before the next attempt. If it is
the path, the request goes to the end of its queue, and at least one general pause passes. If it is the door
(a port that does not answer says nothing about others) or the whole domain, that is left alone for `pauses`
general pauses, twice as long after each trouble in a row. So all waits scale with the user's general pause.
"""

from enum import Enum

import msgspec

from txtr.model import Trouble


class Blame(Enum):
    PATH = "path"
    DOOR = "door"
    DOMAIN = "domain"


class Remedy(msgspec.Struct, frozen=True):
    tries: int
    blame: Blame = Blame.PATH
    pauses: float = 0.0
    patience: int = 1  # troubles in a row, whatever the path, after which the domain is given up


NO_SECOND_TRY = Remedy(tries=1)

REMEDIES = {
    Trouble.DNS: Remedy(tries=3, blame=Blame.DOMAIN, pauses=2, patience=3),
    Trouble.NO_SUCH_DOMAIN: NO_SECOND_TRY,
    Trouble.GUARDED: NO_SECOND_TRY,
    Trouble.CONNECT: Remedy(tries=3, blame=Blame.DOOR, pauses=2, patience=3),
    Trouble.TLS: NO_SECOND_TRY,
    # A few pages may stall on a server that is well: three of them in a row do not condemn the others.
    Trouble.TIMED_OUT: Remedy(tries=3, blame=Blame.DOOR, pauses=1, patience=6),
    Trouble.STALLED: Remedy(tries=3, blame=Blame.DOOR, pauses=1, patience=6),  # as if we had waited longer
    Trouble.DROPPED: Remedy(tries=3),
    Trouble.KEPT_WAITING: Remedy(tries=10),  # not the server's fault: often, but not for ever
    Trouble.NOT_HTTP: NO_SECOND_TRY,
    Trouble.BUSY: Remedy(tries=5, blame=Blame.DOMAIN, pauses=2, patience=6),
    Trouble.SERVER_ERROR: Remedy(tries=3),
    Trouble.GONE: NO_SECOND_TRY,
    Trouble.DENIED: NO_SECOND_TRY,
    Trouble.TOO_LARGE: NO_SECOND_TRY,
    Trouble.UNWANTED: NO_SECOND_TRY,
    Trouble.BAD_REDIRECT: NO_SECOND_TRY,
    Trouble.UNREADABLE: NO_SECOND_TRY,
}

LONGEST_SLEEP = 24 * 3600.0  # seconds: no server's Retry-After puts a domain away for longer


def seconds_of_sleep(
    trouble: Trouble, in_a_row: int, general_pause: float, retry_after: float | None
) -> float:
    """Seconds for which a domain or door is left alone after so many troubles in a row."""
    ours = REMEDIES[trouble].pauses * general_pause * 2.0 ** min(in_a_row - 1, 8)
    return min(max(ours, retry_after or 0.0), LONGEST_SLEEP)
