"""Outcomes: what the head of an answer means, before any of its body is read.

Invariant: every status and every header, however odd, means exactly one of four things: read the
body, a redirect, a failure with its trouble, or (only the socket can tell) a page.

The body is what costs the server its line and us our time. So whatever can be known from the head
alone is decided here, and an answer we do not want ends with a closed connection, unread.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache

from msgspec import Struct

from txtr import urls
from txtr.media import media_type
from txtr.model import Purpose, Trouble

Headers = dict[str, list[str]]  # lower-case name -> its values, in the order of the answer

# The headers that mean something to us; a page keeps these and no others.
KEPT = frozenset(
    {
        "cache-control",
        "content-encoding",
        "content-language",
        "content-length",
        "content-type",
        "date",
        "expires",
        "last-modified",
        "location",
        "retry-after",
        "x-robots-tag",
    }
)

CODINGS = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd"})  # what we can undo
# Met on the web where no coding is meant; the body is as it is.
NO_CODINGS = frozenset({"", "identity", "none", "utf-8", "utf8", "8bit", "binary"})

_MOVED = frozenset({301, 302, 303, 307, 308})
_BODILESS = frozenset({204, 205, 206})  # successes that bring no whole document
_SECONDS = re.compile(r"\d{1,9}", re.ASCII)
_MAX_AGE = re.compile(r"""(?:^|[,\s])max-age\s*=\s*"?(\d{1,9})(?!\d)""", re.ASCII | re.IGNORECASE)
_NOT_KEPT = re.compile(r"(?:^|[,\s])no-(?:store|cache)\b", re.IGNORECASE)


class Page(Struct, frozen=True):
    """A document, whole unless it says otherwise."""

    status: int
    content_type: str  # as the server wrote it, parameters included
    headers: Headers
    body: bytes  # decompressed
    truncated: bool = False  # only a robots.txt is: we read no more of it than counts


class RedirectTo(Struct, frozen=True):
    """The server sends us elsewhere."""

    target: str  # canonical URL
    status: int


class Failed(Struct, frozen=True):
    """No document, and why. Status is 0 unless the server's status itself is the trouble."""

    trouble: Trouble
    detail: str = ""
    retry_after: float | None = None  # seconds, as the server asks
    status: int = 0


Outcome = Page | RedirectTo | Failed


def kept(pairs: Iterable[tuple[str, str]]) -> Headers:
    """The headers that mean something to us, of all that were sent."""
    found: Headers = {}
    for name, value in pairs:
        if (name := name.lower()) in KEPT:
            found.setdefault(name, []).append(value.strip())
    return found


def before_body(
    url: str,
    status: int,
    headers: Headers,
    *,
    purpose: Purpose,
    is_wanted: Callable[[str], bool],
    max_size_bytes: int,
    wall: float,
) -> RedirectTo | Failed | None:
    """What the head of an answer says is to be done; None: read the body."""
    if status in _MOVED:
        return _redirect(url, status, headers)
    if purpose is Purpose.ROBOTS and 200 <= status < 300:
        return _undecodable(headers)
    if not 200 <= status < 300 or status in _BODILESS:
        return _failure(status, headers, wall)
    return _undecodable(headers) or _unwanted(headers, is_wanted) or _too_large(headers, max_size_bytes)


def value(headers: Headers, name: str) -> str:
    """The last value of a header, as browsers take it; empty when it was not sent."""
    return headers.get(name, [""])[-1]


def modified(headers: Headers) -> float | None:
    """When the document was last modified, as the server says: wall time."""
    return _date(value(headers, "last-modified"))


def valid_until(headers: Headers, fetched: float) -> float | None:
    """How long the document is valid, as the server says (RFC 9111): wall time."""
    control = ",".join(headers.get("cache-control", []))
    if _NOT_KEPT.search(control):
        return fetched
    if age := _MAX_AGE.search(control):
        return fetched + int(age[1])
    if "expires" not in headers:
        return None
    expires = _date(value(headers, "expires"))
    if expires is None:
        return fetched  # "Expires: 0" means at once
    # The server's own clock may be wrong: its date tells what it meant.
    return max(fetched, fetched + expires - (_date(value(headers, "date")) or fetched))


def _redirect(url: str, status: int, headers: Headers) -> RedirectTo | Failed:
    location = "".join(map(_spelled, value(headers, "location")))
    target = urls.canonical(location, url) if location else None
    if target is None:
        return Failed(Trouble.BAD_REDIRECT, f"status {status} to {location[:200]!r}")
    if target == url:
        return Failed(Trouble.BAD_REDIRECT, f"status {status} to itself")
    return RedirectTo(target, status)


def _spelled(character: str) -> str:
    """A byte that is not UTF-8 (it comes as a lone surrogate) as its percent-encoding."""
    return f"%{ord(character) - 0xDC00:02X}" if "\udc80" <= character <= "\udcff" else character


def _failure(status: int, headers: Headers, wall: float) -> Failed:
    retry_after = _retry_after(value(headers, "retry-after"), wall)
    return Failed(_trouble(status), f"status {status}", retry_after, status)


def _trouble(status: int) -> Trouble:
    if status in (429, 503):
        return Trouble.BUSY
    if status in (404, 410):
        return Trouble.GONE
    if 500 <= status < 600:
        return Trouble.SERVER_ERROR
    return Trouble.DENIED if 200 <= status < 500 else Trouble.NOT_HTTP


def _undecodable(headers: Headers) -> Failed | None:
    coding = ", ".join(headers.get("content-encoding", [])).lower()
    if coding in CODINGS or coding in NO_CODINGS:
        return None
    return Failed(Trouble.NOT_HTTP, f"content-encoding {coding[:60]!r}")


def _unwanted(headers: Headers, is_wanted: Callable[[str], bool]) -> Failed | None:
    found = media_type(value(headers, "content-type"))
    return None if is_wanted(found) else Failed(Trouble.UNWANTED, found[:100] or "no content-type")


def _too_large(headers: Headers, most: int) -> Failed | None:
    length = value(headers, "content-length")
    if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > most):
        return Failed(Trouble.TOO_LARGE, f"content-length {length[:20]}, the most is {most}")
    return None


def _retry_after(text: str, wall: float) -> float | None:
    """Seconds to wait: a number, or until a date (RFC 9110, 10.2.3)."""
    if _SECONDS.fullmatch(text):
        return float(text)
    moment = _date(text)
    return None if moment is None else max(0.0, moment - wall)


@lru_cache(256)  # the same come again: of this second, and of all files that were put on a server together
def _date(text: str) -> float | None:
    """An HTTP date as wall time; servers write all sorts of dates, and none of them may stop us."""
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
