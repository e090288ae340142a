"""Dates: as pages write them, turned into ISO 8601 or into nothing.

Invariant: the result is '' or a date that exists, YYYY-MM-DD, with the time and the offset if they were
given; nothing raises. A date that can be read in two ways (03/04/2020) gives '': no date is better for a
corpus than a wrong one.
"""

import re
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

EARLIEST, LATEST = 1900, 2100  # years; dates beyond them are placeholders and accidents
LONGEST_DATE = 60  # characters of a date with its weekday and zone

_ISO = re.compile(
    r"(\d{4})([-/.]?)(\d\d?)\2(\d\d?)(?:[T\s]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?)?"
    r"(?![\d])",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"(\d\d?)\.\s*(\d\d?)\.\s*(\d{4})(?:\D+(\d\d?):(\d\d))?")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_ENGLISH = re.compile(
    r"(?:(\d\d?)(?:st|nd|rd|th)?\s+)?([a-z]{3})[a-z]*\.?\s+(?:(\d\d?)(?:st|nd|rd|th)?,?\s+)?(\d{4})\b"
)
_SECONDS = re.compile(r"(1\d{9})(?:\d{3})?")  # since 1970: 2001 and later


def to_iso(written: str) -> str:
    """This date in ISO 8601; '' when it is no date, or no certain one."""
    written = " ".join(written.split())
    if not 6 <= len(written) <= LONGEST_DATE:
        return ""
    for reader in (_iso, _stamp, _dotted, _english, _mail):
        try:
            found = reader(written)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        if found:
            return found
    return ""


def _iso(written: str) -> str:
    parts = _ISO.match(written)
    if not parts or (not parts[2] and len(parts[3] + parts[4]) != 4):
        return ""
    year, month, day = int(parts[1]), int(parts[3]), int(parts[4])
    if parts[5] is None:
        return _day(year, month, day)
    moment = datetime(
        year, month, day, int(parts[5]), int(parts[6]), int(parts[7] or 0), tzinfo=_zone(parts[8])
    )
    return _moment(moment)


def _stamp(written: str) -> str:
    parts = _SECONDS.fullmatch(written)
    return _moment(datetime.fromtimestamp(int(parts[1]), timezone.utc)) if parts else ""  # noqa: UP017


def _dotted(written: str) -> str:
    parts = _DOTTED.match(written)
    if not parts:
        return ""
    day, month, year = (int(part) for part in parts.groups()[:3])
    if parts[4] is None:
        return _day(year, month, day)
    return _moment(datetime(year, month, day, int(parts[4]), int(parts[5])))


def _english(written: str) -> str:
    parts = _ENGLISH.search(written.lower())
    if not parts or ":" in written or not (parts[1] or parts[3]):
        return ""
    return _day(int(parts[4]), _MONTHS.index(parts[2]) + 1, int(parts[1] or parts[3]))


def _mail(written: str) -> str:
    return _moment(parsedate_to_datetime(written))


def _zone(written: str | None) -> timezone | None:
    if written is None:
        return None
    digits = re.sub(r"\D", "", written)
    offset = timedelta(hours=int(digits[:2] or 0), minutes=int(digits[2:] or 0))
    return timezone(-offset if written.startswith("-") else offset)


def _day(year: int, month: int, day: int) -> str:
    return _moment(datetime(year, month, day)).partition("T")[0]


def _moment(moment: datetime) -> str:
    if not EARLIEST <= moment.year <= LATEST or (moment.year, moment.month, moment.day) == (1970, 1, 1):
        return ""
    return moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")
