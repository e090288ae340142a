"""Canonical addresses: one document, one spelling; and their two levels, domain and path.

Invariant: canonical() of a canonical URL is that URL, and join(*split(url)) == url.

A canonical URL is what the WHATWG standard makes of a link (the ada library does that part:
white space, IDN, dot segments, default ports, root slash), and beyond it: no fragment, no
credentials, no final dot of the host, no needless or illegal percent signs, no parameters
that only say who is visiting (parameters.txt). Not guessed: slashes of directories, default
file names, order of parameters; two spellings cost a request, a wrong guess a document.

Most links are spelt canonically already, but for a fragment, a query, or the server that their page is on.
_PLAIN and its parts recognise those, and only the others pay for the library.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import ada_url

LONGEST = 2000  # characters; what servers and browsers agree to take (sitemaps.org: 2048)
LONGEST_LINK = 4 * LONGEST  # as written: white space and fragments may still go; data: URIs stop here

_PARTS = re.compile(r"(https?://)(?:[^/?#]*@)?([^/?#:\[]+|\[[0-9a-f:.]+\])(:\d+)?(/[^?#]*)(?:\?([^#]*))?")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# What the whole of canonical() would leave alone; they say no when in doubt.
_SERVER = rf"https?://(?=[^/]{{1,253}}/)(?!xn--)(?:{_LABEL}\.(?!xn--))+[a-z]{{2,63}}"  # no port, number, IDN
_WAY = r"(?:/(?!\.)[\w.~!$&'()*+,=:@-]*)+"  # no segment begins with a dot; no % ; \ or query
_PLAIN = re.compile(_SERVER + _WAY, re.ASCII)
_PLAIN_SERVER = re.compile(rf"({_SERVER})/", re.ASCII)
_PLAIN_WAY = re.compile(r"(?!//)" + _WAY, re.ASCII)  # two slashes begin a server
_PLAIN_QUERY = re.compile(r"[\w.~!$&()*+,;=:@/-]*", re.ASCII)  # the standard would escape an apostrophe
_HOST = re.compile(
    r"(?!.{254})(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}|\[.*\]"
)  # RFC 1035, and the underscore
_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")  # RFC 3986, 2.3


def canonical(link: str, base: str = "") -> str | None:
    """The link as an absolute canonical URL, or None when it is no http(s) link."""
    if len(link) > LONGEST_LINK:
        return None
    if link.startswith("http") and _PLAIN.fullmatch(link):
        return link if len(link) <= LONGEST else None
    return _nearly_plain(link, base) or _parsed(link, base)


def _nearly_plain(link: str, base: str) -> str | None:
    """The link, if only the page's server, a fragment and a query keep it from being plain."""
    way, _, query = link.partition("#")[0].partition("?")
    is_way = way.startswith("/")
    server = _server(base) if is_way else ""
    is_plain = server and _PLAIN_WAY.fullmatch(way) if is_way else _PLAIN.fullmatch(way)
    if not is_plain or not _PLAIN_QUERY.fullmatch(query):
        return None
    if query:
        query = _tidy_query(query)
    url = f"{server}{way}?{query}" if query else server + way
    return url if len(url) <= LONGEST else None


@lru_cache(maxsize=16)
def _server(base: str) -> str:
    """The beginning of a URL up to the path, if it is plain."""
    found = _PLAIN_SERVER.match(base)
    return found[1] if found else ""


def _parsed(link: str, base: str) -> str | None:
    try:
        parsed = ada_url.join_url(base, link) if base else ada_url.normalize_url(link)
    except ValueError:  # unparsable, or not even Unicode
        return None
    return _tidy(parsed)


def _tidy(parsed: str) -> str | None:
    """What is left to do after the standard."""
    parts = _PARTS.match(parsed)
    if parts is None:
        return None
    scheme, host, port, path, query = parts.groups("")
    if host.endswith("."):
        host = host[:-1]
    if not _HOST.fullmatch(host):
        return None
    if "%" in path:
        path = _PERCENT.sub(_respell, path)
    if ";" in path and (kept := _PATH_PARAMETER.sub("", path)) != path:
        return canonical(f"{scheme}{host}{port}{kept}?{query}")  # "..;x" may have become a dot segment
    if query:
        query = _tidy_query(query)
    url = scheme + host + port + path + ("?" + query if query else "")
    return url if len(url) <= LONGEST else None


def _tidy_query(query: str) -> str:
    if "%" in query:
        query = _PERCENT.sub(_respell, query)
    return "&".join(part for part in query.split("&") if not _PARAMETER.fullmatch(part))


def _respell(escape: re.Match[str]) -> str:
    return _ESCAPES[escape[0].upper()]


def _escapes() -> Iterator[tuple[str, str]]:
    """How each escape is written: unreserved characters plain, others in upper case."""
    yield "%", "%25"  # a percent sign that escapes nothing is illegal
    for code in range(256):
        escape = f"%{code:02X}"
        yield escape, chr(code) if chr(code) in _UNRESERVED else escape


def _parameters(text: str) -> Iterator[str]:
    """The lines of parameters.txt as expressions for name=value."""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, *value = line.split(None, 1)
        pattern = re.escape(name).replace(r"\*", "[^=&;/]*")
        yield rf"{pattern}=(?:{value[0].strip()})" if value else rf"{pattern}(?:=[^&;/]*)?"


_ESCAPES = dict(_escapes())
_EITHER = "|".join(_parameters(Path(__file__).with_name("parameters.txt").read_text("utf-8")))
_PARAMETER = re.compile(rf"(?:amp;)?(?:{_EITHER})", re.ASCII | re.IGNORECASE)  # amp; was escaped twice
_PATH_PARAMETER = re.compile(rf";(?:{_EITHER})(?=[;/]|$)", re.ASCII | re.IGNORECASE)


def split(url: str) -> tuple[str, str]:
    """A canonical URL as its domain and its path, which begins with the door (see model.py)."""
    scheme, _, rest = url.partition("://")
    server, _, path = rest.partition("/")
    end = server.find(":", server.rfind("]") + 1)
    domain, port = (server, "") if end < 0 else (server[:end], server[end:])
    return domain, f"{'s' if scheme == 'https' else ''}{port}/{path}"


def join(domain: str, path: str) -> str:
    """The canonical URL of a domain's path: the inverse of split."""
    way, slash, rest = path.partition("/")
    scheme, port = ("https", way[1:]) if way.startswith("s") else ("http", way)
    return f"{scheme}://{domain}{port}{slash}{rest}"


def door(path: str) -> str:
    """How the server is entered: what stands before the path's first slash."""
    return path.partition("/")[0]


def extension(path: str) -> str:
    """The lower-case file extension of a path or URL, '' when it has none."""
    name = path.partition("?")[0].partition(";")[0].rpartition("/")[2]
    stem, _, last = name.rpartition(".")
    return last.lower() if stem else ""
