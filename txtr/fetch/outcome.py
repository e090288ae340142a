"""Outcomes: what the head of an answer means, before any of its body is read.

Invariant: every status with its headers, however odd, means exactly one of three things: read the body, a
redirect, or a failure with its trouble. A page is what comes of a body that was read.

The body is what costs the server its bandwidth and the robot its time. So whatever the head alone tells is
decided here. An answer that is not wanted is left unread, and its connection is closed.
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

# The headers that are used; a page keeps these and no others.
KEPT_HEADERS = frozenset(
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

CODINGS = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd"})  # that can be unpacked
# Words that servers write where they mean no coding; such a body is not packed.
NO_CODINGS = frozenset({"", "identity", "none", "utf-8", "utf8", "8bit", "binary"})

_MOVED = frozenset({301, 302, 303, 307, 308})
_BODILESS = frozenset({204, 205, 206})  # successes that bring no whole document
_SECONDS = re.compile(r"\d{1,9}", re.ASCII)
_MAX_AGE = re.compile(r"""(?:^|[,\s])max-age\s*=\s*"?(\d{1,9})(?!\d)""", re.ASCII | re.IGNORECASE)
_NOT_KEPT = re.compile(r"(?:^|[,\s])no-(?:store|cache)\b", re.IGNORECASE)


class Page(Struct, frozen=True):
    """A document that was fetched, whole unless `truncated`."""

    status: int
    content_type: str  # as the server wrote it, with its parameters
    headers: Headers
    body: bytes  # unpacked
    truncated: bool = False  # only a robots.txt may be: no more of it is read than counts


class RedirectTo(Struct, frozen=True):
    """The server says that the document is elsewhere."""

    target: str  # canonical URL
    status: int


class Failed(Struct, frozen=True):
    """No document, and why."""

    trouble: Trouble
    detail: str = ""
    retry_after: float | None = None  # seconds, as the server asks
    status: int = 0  # of the answer; 0 unless the status itself is the trouble


Outcome = Page | RedirectTo | Failed


def keep_headers(pairs: Iterable[tuple[str, str]]) -> Headers:
    """The headers that are used, of all that were sent."""
    found: Headers = {}
    for name, value in pairs:
        if (name := name.lower()) in KEPT_HEADERS:
            found.setdefault(name, []).append(value.strip())
    return found


def judge_head(
    url: str,
    status: int,
    headers: Headers,
    *,
    purpose: Purpose,
    is_wanted: Callable[[str], bool],
    max_size_bytes: int,
    wall: float,
) -> RedirectTo | Failed | None:
    """What the head of an answer means, if that is a redirect or a failure; None: the body is to be read."""
    if status in _MOVED:
        return _redirect(url, status, headers)
    if purpose is Purpose.ROBOTS and 200 <= status < 300:
        return _undecodable(headers)
    if not 200 <= status < 300 or status in _BODILESS:
        return _failure(status, headers, wall)
    return _undecodable(headers) or _unwanted(headers, is_wanted) or _too_large(headers, max_size_bytes)


def header_value(headers: Headers, name: str) -> str:
    """The last value of a header, which browsers take too; empty if the header was not sent."""
    return headers.get(name, [""])[-1]


def read_modified(headers: Headers) -> float | None:
    """When the document was last modified, by what the server says, as wall time."""
    return _date(header_value(headers, "last-modified"))


def read_valid_until(headers: Headers, fetched: float) -> float | None:
    """How long the document is valid, by what the server says (RFC 9111), as wall time."""
    control = ",".join(headers.get("cache-control", []))
    if _NOT_KEPT.search(control):
        return fetched
    if age := _MAX_AGE.search(control):
        return fetched + int(age[1])
    if "expires" not in headers:
        return None
    expires = _date(header_value(headers, "expires"))
    if expires is None:
        return fetched  # "Expires: 0" means that it is valid no longer
    # The server's clock may be wrong: from its own date to the end of validity is what it means.
    return max(fetched, fetched + expires - (_date(header_value(headers, "date")) or fetched))


def _redirect(url: str, status: int, headers: Headers) -> RedirectTo | Failed:
    location = "".join(map(_spelled, header_value(headers, "location")))
    target = urls.canonical(location, url) if location else None
    if target is None:
        return Failed(Trouble.BAD_REDIRECT, f"status {status} to {location[:200]!r}")
    if target == url:
        return Failed(Trouble.BAD_REDIRECT, f"status {status} to itself")
    return RedirectTo(target, status)


def _spelled(character: str) -> str:
    """A character as it stands in a URL: a lone surrogate is a byte that is not UTF-8, and is encoded."""
    return f"%{ord(character) - 0xDC00:02X}" if "\udc80" <= character <= "\udcff" else character


def _failure(status: int, headers: Headers, wall: float) -> Failed:
    retry_after = _retry_after(header_value(headers, "retry-after"), wall)
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
    found = media_type(header_value(headers, "content-type"))
    return None if is_wanted(found) else Failed(Trouble.UNWANTED, found[:100] or "no content-type")


def _too_large(headers: Headers, most: int) -> Failed | None:
    length = header_value(headers, "content-length")
    if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > most):
        return Failed(Trouble.TOO_LARGE, f"content-length {length[:20]}, the most is {most}")
    return None


def _retry_after(text: str, wall: float) -> float | None:
    """Seconds to wait: the header is a number, or a date to wait for (RFC 9110, 10.2.3)."""
    if _SECONDS.fullmatch(text):
        return float(text)
    moment = _date(text)
    return None if moment is None else max(0.0, moment - wall)


@lru_cache(256)  # dates come again: of this second, and of files that were put on a server together
def _date(text: str) -> float | None:
    """An HTTP date as wall time; None if it cannot be read. Servers write all sorts of dates."""
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
