"""Links: the addresses to which a page leads, as canonical URLs.

Invariant: every link is canonical and given once, in the order of the page. A link that its author marked
nofollow is left out, unless the page also has it unmarked.

Links are filtered by their file extension, which is the cheapest filter there is. Pictures, sounds, programs
and the like would only be fetched to be thrown away. Documents stay.

Some links say the language of the page to which they lead, by hreflang or by their text ("English"). That is
a hint for the frontier, and it may be wrong.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import quote_from_bytes

from turbohtml import Comment, Element, Text

from txtr import urls
from txtr.clean.html.elements import ANCHOR, LANGUAGES, LONGEST_NAME, OTHERS, UNWANTED
from txtr.clean.native import links as native

MOST_LINKS = 20_000  # links of one page; the largest honest index pages have some thousands
MOST_HINTS = 200  # of one page; honest pages have a few dozen languages
MOST_CHARACTERS = 4_000_000  # of all links of one page, so that the report of a page stays small

_POINTERS = (ANCHOR, *OTHERS)
_LEADING = frozenset({"next", "prev", "canonical", "alternate"})
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}")  # RFC 5646, simplified
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})
_REFRESH = re.compile(
    r"\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.+))", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Found:
    """The links of a page, and the URL that it gives itself."""

    links: list[str]
    canonical: str = ""  # the URL that the page gives itself, if that is believable and not the URL fetched
    base: str = ""  # the URL to which its links were relative
    hints: dict[str, str] = field(default_factory=dict)  # link -> code of the language it is said to have


def find_links(tree: Callable[[], Element], url: str, charset: str, markup: bytes | None = None) -> Found:
    """The links of the page that was fetched from this canonical URL.

    markup is the page's tree as it would be written out, if that is known: then the tree is seldom asked for.
    """
    found = _found_in(markup, url, charset) if markup is not None else None
    return found or _found(tree(), url, charset)


def _found(tree: Element, url: str, charset: str) -> Found:
    """What the tree holds."""
    others = list(tree.iter_elements(OTHERS))
    base = _base(others, url)
    pointers = list(tree.iter_elements(_POINTERS))
    written = dict.fromkeys(_written(pointers))  # each once: to make links canonical takes the most time
    found = collect_links(keep_if_wanted(urls.canonical(_encoded(link, charset), base)) for link in written)
    hints = _hints(_sayings(pointers), found, base, charset)
    own = ((pointer.attr("href") or "") for pointer in others if _is_own(pointer))
    return Found(found, _canonical(own, url, base), base, hints)


def _found_in(markup: bytes, url: str, charset: str) -> Found | None:
    """What the markup holds, which is the same; None if markup alone does not tell."""
    base, is_utf8 = url, _is_unicode(charset)
    leads = native.read_leads(markup, urls.find_place(url), is_utf8, may_have_base=True)
    if leads is not None and leads.base is not None:
        base = urls.canonical(leads.base, url) or url
        leads = native.read_leads(markup, urls.find_place(base), is_utf8, may_have_base=False)
    if leads is None or len(leads.items) > MOST_LINKS:
        return None
    found = leads.items
    if not leads.are_canonical or leads.length > MOST_CHARACTERS:
        found = collect_links(_canonical_leads(found, base, charset))
    sayings = zip(*[iter(leads.hints)] * 3, strict=True)
    hints = _hints(sayings, found, base, charset) if leads.hints else {}
    return Found(found, _canonical(leads.own, url, base) if leads.own else "", base, hints)


def _canonical_leads(items: list[str], base: str, charset: str) -> Iterator[str | None]:
    """These links as C found them, all made canonical, in the order of the page; None for unwanted ones."""
    for item in items:
        if item[0] == "h":
            yield item
            continue
        link = _target(item[1:]) if item[0] == native.REFRESH else item[1:]
        yield keep_if_wanted(urls.canonical(_encoded(link, charset), base)) if _is_elsewhere(link) else None


def keep_if_wanted(link: str | None) -> str | None:
    """The link, unless its extension says that there is no text."""
    return None if link is None or urls.extension(link) in UNWANTED else link


def collect_links(found: Iterable[str | None]) -> list[str]:
    """These canonical URLs, each once, up to MOST_LINKS and MOST_CHARACTERS."""
    once: dict[str, None] = {}
    characters = 0
    for link in found:
        if link is None or link in once:
            continue
        characters += len(link)
        if len(once) >= MOST_LINKS or characters > MOST_CHARACTERS:
            break
        once[link] = None
    return list(once)


def _base(others: Iterable[Element], url: str) -> str:
    """The URL to which links are relative: the first base with a href counts, if its href is a URL."""
    for pointer in others:
        if pointer.tag == "base" and (href := pointer.attr("href")) is not None:
            return urls.canonical(href, url) or url
    return url


def _written(pointers: Iterable[Element]) -> Iterator[str]:
    """The links to be followed, as they are written in the page."""
    return filter(None, map(_to_follow, pointers))


def _to_follow(pointer: Element) -> str:
    """The link as it is written; '' if the element has no link that may be followed."""
    link = _TO_FOLLOW[pointer.tag](pointer)
    return link if link and _is_elsewhere(link) else ""


def _is_elsewhere(link: str) -> bool:
    return link != "" and not link.startswith("#")


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
    return _target(pointer.attr("content") or "")


def _target(content: str) -> str:
    """Where a refresh leads."""
    target = _REFRESH.match(content)
    return next(filter(None, target.groups()), "") if target else ""


def _nothing(pointer: Element) -> None:
    return None


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


def _sayings(pointers: Iterable[Element]) -> Iterator[tuple[str, str, str]]:
    """What links say of languages, by three: hreflang, the text with which an anchor begins, the link."""
    for pointer in pointers:
        declared, name = pointer.attr("hreflang") or "", _name(pointer)
        if declared or name in LANGUAGES:
            yield declared, name, pointer.attr("href") or ""


def _name(pointer: Element) -> str:
    """The text with which an anchor begins, in small letters, if it is short."""
    text = next(iter(pointer), None) if pointer.tag == "a" else None
    if isinstance(text, Comment):  # scripts leave comments behind
        text = next((node for node in pointer if not isinstance(node, Comment)), None)
    if not isinstance(text, Text) or len(text.data) > LONGEST_NAME:
        return ""
    return text.data.strip().lower()


def _hints(
    sayings: Iterable[tuple[str, str, str]], found: list[str], base: str, charset: str
) -> dict[str, str]:
    """The language of each link that names one; where one link has two hints, the first counts."""
    said = ((_code(declared.strip(), name), written) for declared, name, written in sayings)
    coded = [(urls.canonical(_encoded(written, charset), base), code) for code, written in said if code]
    links = frozenset(found if coded else ())
    hints: dict[str, str] = {}
    for link, code in coded:
        if link is not None and link in links and len(hints) < MOST_HINTS:
            hints.setdefault(link, code)
    return hints


def _code(declared: str, name: str) -> str:
    """The code of the language, '' when none is said."""
    return declared if _CODE.fullmatch(declared) else LANGUAGES.get(name.lower(), "")


def _is_own(pointer: Element) -> bool:
    return pointer.tag == "link" and "canonical" in _relations(pointer)


def _canonical(written: Iterable[str], url: str, base: str) -> str:
    """The URL that the page gives itself; '' when it gives none, several, or the root of the site.

    Careless templates give the root to every page of a site: to believe them would lose the site.
    """
    links = dict.fromkeys(link for link in map(str.strip, written) if link)
    given = {urls.canonical(link, base) for link in islice(links, MOST_HINTS)}
    only = given.pop() if len(given) == 1 else None
    if only is None or (_is_root(only) and not _is_root(url)):
        return ""
    return only


def _is_root(url: str) -> bool:
    return urls.split(url)[1].partition("/")[2] == ""


def _is_unicode(charset: str) -> bool:
    """Is it a form of Unicode? Then queries are sent as UTF-8, even those of pages in UTF-16."""
    return charset.startswith("utf-")


def _encoded(link: str, charset: str) -> str:
    """The link with its query in the page's own character set, as browsers send it."""
    if _is_unicode(charset) or link.isascii() or "?" not in link:
        return link
    path, _, query = link.partition("?")
    try:
        return path + "?" + quote_from_bytes(query.encode(charset), safe="".join(map(chr, range(33, 127))))
    except (UnicodeEncodeError, LookupError):
        return link
