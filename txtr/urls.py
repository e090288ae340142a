"""Canonical URLs: one document has one spelling; and their two levels, domain and path.

Invariant: canonical() of a canonical URL is that URL, and join(*split(url)) == url.

A canonical URL is what the WHATWG standard makes of a link: white space, IDN, dot segments, default ports,
root slash. The ada library does that part. Beyond the standard, a canonical URL has no fragment, no
credentials, no final dot of the host, no needless or illegal percent signs, and no parameters that only say
who is visiting (parameters.txt). Slashes of directories, default file names and the order of parameters are
not guessed: two spellings cost a request, but a wrong guess costs a document.

Most links are written so *plainly* that the standard only completes them with the server or the directory of
their page. Plain links are recognised here, and only the others pay for the library.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import ada_url

from txtr.data import table

LONGEST_URL = 2000  # characters, which all servers and browsers take (sitemaps.org: 2048)
LONGEST_LINK = 4 * LONGEST_URL  # as written: white space and fragments may still go; data: URIs are longer

_PARTS = re.compile(r"(https?://)(?:[^/?#]*@)?([^/?#:\[]+|\[[0-9a-f:.]+\])(:\d+)?(/[^?#]*)(?:\?([^#]*))?")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# Plain texts, which the library would not change. In doubt, these expressions do not match.
_SERVER = re.compile(
    rf"https?://(?!.{{254}})(?!xn--)(?:{_LABEL}\.(?!xn--))+[a-z]{{2,63}}"
)  # no port, number, IDN
_PLAIN = re.compile(r"(https?://[a-z0-9.-]+)/[\w.~!$&'()*+,=:@/-]*", re.ASCII)
_NEARLY_PLAIN = re.compile(  # server, path, query (where the standard would escape an apostrophe); fragment
    r"(https?://[a-z0-9.-]+)(/[\w.~!$&'()*+,=:@%/-]*)?(?:\?([\w.~!$&()*+,;=:@%/?-]*))?(?:\#.*)?",
    re.ASCII | re.DOTALL,
)
_MOST_SERVERS = 4096  # seen last; their plainness is remembered: of this site, and those all link to
_HOST = re.compile(
    r"(?!.{254})(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}|\[.*\]"
)  # RFC 1035, and the underscore
_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")  # RFC 3986, 2.3


def canonical(link: str, base: str = "") -> str | None:
    """The link as an absolute canonical URL, or None when it is no http(s) link."""
    if len(link) > LONGEST_LINK:
        return None
    whole = link if link.startswith("http") else _completed(link, base)
    plain = _PLAIN.fullmatch(whole)
    if plain and "/." not in whole and _is_plain(plain[1]):
        return whole if len(whole) <= LONGEST_URL else None
    return _nearly_plain(whole) or _parsed(link, base)


def _nearly_plain(whole: str) -> str | None:
    """The canonical link, if it is plain but for fragment, query, percent signs or a missing root."""
    parts = _NEARLY_PLAIN.fullmatch(whole)
    if parts is None or "/." in whole or "/%2" in whole:  # perhaps a dot segment, or an escaped one
        return None
    server, path, query = parts.groups("")
    return _joined(server, _respelt(path) or "/", query) if _is_plain(server) else None


def _completed(link: str, base: str) -> str:
    """A relative link, completed; '' if that needs a closer look."""
    scheme, server, directory, _ = find_place(base)
    if link.startswith("/"):
        return scheme + link if link.startswith("//") else server + link
    is_name = link[:1].isalnum() and ":" not in link  # neither query, fragment or dots alone, nor a scheme
    return directory + link if is_name and directory else ""


class Place(NamedTuple):
    """The beginnings of a page's URL, which complete its relative links; '' if the URL is not plain."""

    scheme: str = ""
    server: str = ""  # with the scheme
    directory: str = ""  # with scheme and server
    page: str = ""  # the URL without its query


@lru_cache(maxsize=16)
def find_place(base: str) -> Place:
    """The place of the page with this URL."""
    parts = _NEARLY_PLAIN.fullmatch(base)
    if parts is None:
        return Place()
    server, path = parts.groups("")[:2]
    directory = server + path[: path.rfind("/") + 1] if path else ""
    return Place(server.partition("/")[0], server, directory, server + path)


@lru_cache(maxsize=_MOST_SERVERS)
def _is_plain(server: str) -> bool:
    return _SERVER.fullmatch(server) is not None


def _parsed(link: str, base: str) -> str | None:
    try:
        parsed = ada_url.join_url(base, link) if base else ada_url.normalize_url(link)
    except ValueError:  # it cannot be parsed, or is not even Unicode
        return None
    return _tidy(parsed)


def _tidy(parsed: str) -> str | None:
    """The canonical URL of what the standard has made of a link."""
    parts = _PARTS.match(parsed)
    if parts is None:
        return None
    scheme, host, port, path, query = parts.groups("")
    if host.endswith("."):
        host = host[:-1]
    if not _HOST.fullmatch(host):
        return None
    path = _respelt(path)
    if ";" in path and (kept := _path_parameter().sub("", path)) != path:
        return canonical(f"{scheme}{host}{port}{kept}?{query}")  # "..;x" may have become a dot segment
    return _joined(scheme + host + port, path, query)


def _joined(server: str, path: str, query: str) -> str | None:
    """The URL of these parts, without the parameters that only say who is visiting."""
    if query:
        names_visitor = _parameter().fullmatch
        query = "&".join(part for part in _respelt(query).split("&") if not names_visitor(part))
    url = f"{server}{path}?{query}" if query else server + path
    return url if len(url) <= LONGEST_URL else None


def _respelt(text: str) -> str:
    return _PERCENT.sub(_respell, text) if "%" in text else text


def _respell(escape: re.Match[str]) -> str:
    return _ESCAPES[escape[0].upper()]


def _escapes() -> Iterator[tuple[str, str]]:
    """Each escape as it should be written: unreserved characters plain, others in upper case."""
    yield "%", "%25"  # a percent sign that escapes nothing is illegal
    for code in range(256):
        escape = f"%{code:02X}"
        yield escape, chr(code) if chr(code) in _UNRESERVED else escape


def _listed(text: str) -> Iterator[list[str]]:
    """The lines of parameters.txt: a name, and perhaps the form of its values."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split(None, 1)


def _expressions(parameters: list[list[str]]) -> Iterator[str]:
    """Expressions for name=value; parameters with the same form of values are in one expression."""
    names: dict[str, list[str]] = {}  # form of the value -> names
    for name, *value in parameters:
        pattern = re.escape(name).replace(r"\*", "[^=&;/]*")
        names.setdefault(f"=(?:{value[0].strip()})" if value else "(?:=[^&;/]*)?", []).append(pattern)
    return (f"(?:{'|'.join(patterns)}){value}" for value, patterns in names.items())


_ESCAPES = dict(_escapes())
_PARAMETERS = list(_listed(table("parameters.txt")))
VISITORS = tuple((name.lower(), "".join(value).strip()) for name, *value in _PARAMETERS)  # '': any value
_EITHER = "|".join(_expressions(_PARAMETERS))


@cache  # compiled when a link needs it, which hardly happens in the queuekeeper
def _parameter() -> re.Pattern[str]:
    return re.compile(rf"(?:amp;)?(?:{_EITHER})", re.ASCII | re.IGNORECASE)  # amp; was escaped twice


@cache
def _path_parameter() -> re.Pattern[str]:
    return re.compile(rf";(?:{_EITHER})(?=[;/]|$)", re.ASCII | re.IGNORECASE)


def split(url: str) -> tuple[str, str]:
    """A canonical URL as its domain and its path, which begins with the door (see model.py)."""
    scheme, _, rest = url.partition("://")
    server, _, path = rest.partition("/")
    way = "s" if scheme == "https" else ""
    port = server.find(":", server.rfind("]") + 1) if ":" in server else -1
    return (server, f"{way}/{path}") if port < 0 else (server[:port], f"{way}{server[port:]}/{path}")


def join(domain: str, path: str) -> str:
    """The canonical URL of a domain's path: the inverse of split."""
    way, slash, rest = path.partition("/")
    scheme, port = ("https", way[1:]) if way.startswith("s") else ("http", way)
    return f"{scheme}://{domain}{port}{slash}{rest}"


def server_of(url: str) -> str:
    """A canonical URL up to its path, '' if it has no path; all URLs of one door have the same."""
    return url[: url.find("/", len("https://")) + 1]


def door(path: str) -> str:
    """The door of a path: what stands before its first slash."""
    return path.partition("/")[0]


def extension(path: str) -> str:
    """The lower-case file extension of a path or URL, '' when it has none."""
    name = path.partition("?")[0].partition(";")[0].rpartition("/")[2]
    stem, _, last = name.rpartition(".")
    return last.lower() if stem else ""
