"""Links: where a page leads, as canonical URLs.

Invariant: every link is canonical and given once, in the order of the page; a link that its
author marked nofollow is not among them unless the page has it unmarked as well.

Links are filtered by their file extension, the cheapest filter there is: pictures, sounds,
programs and the like would only be fetched to be thrown away. Documents stay.

Some links say which language they lead to, by hreflang or by their text ("English"): a hint for
the frontier, which may be wrong.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import quote_from_bytes

from turbohtml import Comment, Element, Text

from txtr import urls
from txtr.clean.pointers import ANCHOR, LONGEST_NAME, OTHERS, UNWANTED
from txtr.clean.swift import leads as swift

MOST = 20_000  # links of one page; the largest honest index pages have some thousands
MOST_HINTS = 200  # of one page; honest ones have a few dozen languages
MOST_CHARACTERS = 4_000_000  # of all links of one page, so that a report of it stays small

_POINTERS = (ANCHOR, *OTHERS)
_LEADING = frozenset({"next", "prev", "canonical", "alternate"})
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}")  # RFC 5646, as far as we care
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})
_REFRESH = re.compile(
    r"\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.+))", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Found:
    """Where a page leads, and what it says of its own address."""

    links: list[str]
    canonical: str = ""  # the page's address, if it believably says that it has another
    base: str = ""  # what its links were relative to
    hints: dict[str, str] = field(default_factory=dict)  # link -> code of the language it is said to be in


def links(
    tree: Element, url: str, charset: str, elements: Iterable[Element], markup: bytes | None = None
) -> Found:
    """The links of the page that was fetched from this canonical URL.

    elements are the notable ones of the tree; markup is what it was written out as, if anybody did.
    """
    others = [element for element in elements if element.tag in OTHERS]
    base = _base(others, url)
    leads = swift.leads(markup, urls.place(base)) if markup is not None else None
    if leads is None or len(leads.items) > MOST:
        pointers = list(tree.iter_elements(_POINTERS))
        written = dict.fromkeys(_written(pointers))  # each once: making them canonical is the dearest part
        found = collect(wanted(urls.canonical(_encoded(link, charset), base)) for link in written)
    else:
        has_hints = leads.has_languages or not _NAMES.keys().isdisjoint(leads.names)
        pointers = list(tree.iter_elements(_POINTERS)) if has_hints else others
        found = list(dict.fromkeys(filter(None, _canonical_leads(leads.items, others, base, charset))))
        found = found if sum(map(len, found)) <= MOST_CHARACTERS else collect(found)
    hints = _hints(pointers, frozenset(found), base, charset)
    return Found(found, _canonical(others, url, base), base, hints)


def _canonical_leads(
    items: list[str], others: Iterable[Element], base: str, charset: str
) -> Iterator[str | None]:
    """The leads, all of them canonical, in the order of the page."""
    known: dict[str, str | None] = {}
    written = map(_to_follow, others)
    for item in items:
        if item[0] == "h":
            yield item
            continue
        link = next(written) if item == swift.ELSEWHERE else item[1:]
        if link not in known:
            known[link] = wanted(urls.canonical(_encoded(link, charset), base)) if link else None
        yield known[link]


def wanted(link: str | None) -> str | None:
    """The link, unless its extension says that there is no text."""
    return None if link is None or urls.extension(link) in UNWANTED else link


def collect(found: Iterable[str | None]) -> list[str]:
    """These canonical URLs, each once, up to a decent number."""
    once: dict[str, None] = {}
    characters = 0
    for link in found:
        if link is None or link in once:
            continue
        characters += len(link)
        if len(once) >= MOST or characters > MOST_CHARACTERS:
            break
        once[link] = None
    return list(once)


def _base(others: Iterable[Element], url: str) -> str:
    """What links are relative to: the first base with a href counts, if it is any good."""
    for pointer in others:
        if pointer.tag == "base" and (href := pointer.attr("href")) is not None:
            return urls.canonical(href, url) or url
    return url


def _written(pointers: Iterable[Element]) -> Iterator[str]:
    """The links to be followed, as they are written in the page."""
    return filter(None, map(_to_follow, pointers))


def _to_follow(pointer: Element) -> str:
    """The link as it is written, '' if there is none to be followed."""
    link = _TO_FOLLOW[pointer.tag](pointer)
    return link if link and not link.startswith("#") else ""


def _anchor(pointer: Element) -> str | None:
    is_marked = pointer.attr("rel") is not None and "nofollow" in _relations(pointer)
    return None if is_marked else pointer.attr("href")


def _frame(pointer: Element) -> str | None:
    return pointer.attr("src")


def _relative(pointer: Element) -> str | None:
    """The href of a link element, if it leads to another page."""
    relations = _relations(pointer)
    if relations.isdisjoint(_LEADING) or not relations.isdisjoint({"nofollow", "stylesheet"}):
        return None
    if "alternate" in relations and (pointer.attr("type") or "").strip().lower() not in _HTML:
        return None  # a feed
    return pointer.attr("href")


def _refresh(pointer: Element) -> str | None:
    if (pointer.attr("http-equiv") or "").strip().lower() != "refresh":
        return None
    target = _REFRESH.match(pointer.attr("content") or "")
    return next(filter(None, target.groups()), None) if target else None


def _nothing(pointer: Element) -> None:
    return None


def _names(text: str) -> Iterator[tuple[str, str]]:
    """The lines of language_names.txt: word -> code."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, *words = line.split()
            yield from ((word.replace("_", " "), code) for word in words)


_NAMES = dict(_names(Path(__file__).with_name("language_names.txt").read_text("utf-8")))
_TO_FOLLOW = {
    "a": _anchor,
    "area": _anchor,
    "base": _nothing,
    "frame": _frame,
    "iframe": _frame,
    "link": _relative,
    "meta": _refresh,
}


def _relations(pointer: Element) -> frozenset[str]:
    return frozenset((pointer.attr("rel") or "").lower().split())


def _hints(pointers: list[Element], found: frozenset[str], base: str, charset: str) -> dict[str, str]:
    """The links that say which language they lead to; of two words for one link the first counts."""
    hints: dict[str, str] = {}
    for pointer in pointers:
        code = _hint(pointer)
        link = urls.canonical(_encoded(pointer.attr("href") or "", charset), base) if code else None
        if link is not None and link in found and len(hints) < MOST_HINTS:
            hints.setdefault(link, code)
    return hints


def _hint(pointer: Element) -> str:
    """'' when it says nothing, as most do."""
    declared = pointer.attr("hreflang")
    if declared and _CODE.fullmatch(declared.strip()):
        return declared.strip()
    text = next(iter(pointer), None) if pointer.tag == "a" else None
    if isinstance(text, Comment):  # scripts leave them behind
        text = next((node for node in pointer if not isinstance(node, Comment)), None)
    if not isinstance(text, Text) or len(text.data) > LONGEST_NAME:
        return ""
    return _NAMES.get(text.data.strip().lower(), "")


def _canonical(others: Iterable[Element], url: str, base: str) -> str:
    """The address that the page gives itself, '' when it gives none, several, or the site's root.

    Careless templates call every page of a site its root: believing them would lose the site.
    """
    written = {
        (pointer.attr("href") or "").strip()
        for pointer in others
        if pointer.tag == "link" and "canonical" in _relations(pointer)
    }
    given = {urls.canonical(link, base) for link in islice(filter(None, written), MOST_HINTS)}
    only = given.pop() if len(given) == 1 else None
    if only is None or (_is_root(only) and not _is_root(url)):
        return ""
    return only


def _is_root(url: str) -> bool:
    return urls.split(url)[1].partition("/")[2] == ""


def _encoded(link: str, charset: str) -> str:
    """The query in the page's own character set, as browsers send it."""
    if charset == "utf-8" or link.isascii() or "?" not in link:
        return link
    path, _, query = link.partition("?")
    try:
        return path + "?" + quote_from_bytes(query.encode(charset), safe="".join(map(chr, range(33, 127))))
    except (UnicodeEncodeError, LookupError):
        return link
