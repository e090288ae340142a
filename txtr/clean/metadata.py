"""Metadata: what a page says about itself, in the words of its head.

Invariant: nothing raises, and the work is bounded, whatever a page holds. Every value is one line of normal
text, or '' when the page does not say it. Nothing is guessed from the visible text.

A page has metadata in up to four places: JSON-LD for search engines, Open Graph and other meta tags, the
title and lang of HTML, and time elements. JSON-LD comes first where it describes the article itself, since it
is the most exact. Broken JSON-LD, which is common, is passed over.
"""

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from txtr import urls
from txtr.clean import dates
from txtr.clean.charset.normal import normalize
from txtr.clean.html.notes import Note

LONGEST_VALUES = {
    "title": 1000,
    "description": 5000,
    "author": 300,
    "site": 300,
}  # characters; a longer value is an accident
LONGEST_JSON = 1_000_000  # characters of JSON-LD that are read of one page
MOST_NODES = 2000  # of JSON-LD that are looked at
FEW_TIMES = 3  # time elements of a page about one thing; a list has more, none of which is the page's date

_LANGUAGE = re.compile(
    r"(?!utf-)[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}", re.IGNORECASE | re.ASCII
)  # RFC 5646, loosely
_TAGS = re.compile(r"<[a-z/!][^<>]*>", re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_ARTICLES = re.compile(
    r"article|posting|report|recipe|product|question|qapage|book|event|course|movie|howto", re.I
)
_PAGES = re.compile(r"page$|website|creativework", re.I)
_PUBLISHED = re.compile(r"publi|entry-date|posted|created|pubdate", re.I)
_MODIFIED = re.compile(r"modif|updated", re.I)

_LOGIN = re.compile(r"[a-z_.-]*\d[a-z\d_.-]*|(?:[\w-]+\.)+[a-z]{2,}")  # express1, nieuwsblad.be
_NAMES = ("name", "property", "itemprop", "http-equiv")  # attributes that say what a meta tag is about


def _each(names: str) -> tuple[str, ...]:
    return tuple(names.split())


PUBLISHED = _each("""
    article:published_time og:article:published_time og:published_time datepublished article.published
    parsely-pub-date sailthru.date citation_publication_date citation_online_date citation_date
    dcterms.issued dc.date.issued dcterms.created dc.date.created dcterms.date dc.date dc.date.x-metadatadate
    pubdate publishdate publish-date publish_date publication_date published date datecreated created
""")
MODIFIED = _each("""
    article:modified_time og:article:modified_time og:updated_time datemodified article.updated
    dcterms.modified dc.date.modified last-modified lastmod revised modified
""")
AUTHOR = _each(
    "author article:author dc.creator dcterms.creator parsely-author sailthru.author citation_author byl"
)
DESCRIPTION = _each("description og:description twitter:description dc.description dcterms.description")
SITE = _each("og:site_name application-name dc.publisher")
TITLE = _each("og:title twitter:title dc.title dcterms.title citation_title")
LANGUAGE = _each("content-language og:locale inlanguage dc.language")
ADDRESS = _each("og:url")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself; '' where it does not."""

    title: str = ""
    language: str = ""  # of html lang, Content-Language or og:locale, such as cs or pt-BR
    description: str = ""
    author: str = ""  # several are separated by commas
    published: str = ""  # ISO 8601, as exact as the page is
    modified: str = ""
    site: str = ""  # the name of the site
    canonical: str = ""  # the URL that the page gives itself, unchecked


@dataclass(slots=True)
class _Said:
    """What a page says, by the kind of element that says it."""

    metas: dict[str, list[str]] = field(default_factory=dict)  # by name, property or itemprop
    nodes: list[dict[str, object]] = field(default_factory=list)  # of JSON-LD, articles first
    times: list[tuple[str, str]] = field(default_factory=list)  # time elements: class and the like, and date
    languages: list[str] = field(default_factory=list)  # of the page's root
    title: str = ""
    canonical: str = ""

    def meta(self, names: tuple[str, ...]) -> str:
        """The content of the first of these meta tags that the page has, or ''."""
        return next((self.metas[name][0] for name in names if name in self.metas), "")


def read_metadata(url: str, notes: Iterable[Note]) -> Metadata:
    """The metadata of the page that was fetched from this URL and has these notes."""
    said = _said(notes)
    return Metadata(
        title=_line(said.title, "title")
        or _plain(said.meta(TITLE) or _spoken(said.nodes, "headline"), "title"),
        language=_language(said),
        description=_plain(said.meta(DESCRIPTION) or _spoken(said.nodes, "description"), "description"),
        author=_plain(_names(said.nodes, "author", _is_person) or _authors(said), "author"),
        published=_date(said, "datePublished", PUBLISHED, _PUBLISHED) or _only_time(said),
        modified=_date(said, "dateModified", MODIFIED, _MODIFIED),
        site=_plain(_site(said), "site"),
        canonical=_canonical(said.canonical or said.meta(ADDRESS), url),
    )


def _said(notes: Iterable[Note]) -> _Said:
    said = _Said()
    room = LONGEST_JSON
    for note in notes:
        tag = note.tag
        if tag == "meta":
            _note(note.attributes, said.metas)
        elif tag == "html":
            said.languages = [note.attr("lang"), note.attr("xml:lang")]
        elif tag == "script":
            if "ld+json" in note.attr("type") and room > 0:
                room -= len(note.text)
                said.nodes.extend(_nodes(note.text) if room >= 0 else ())
        elif tag == "time":
            if written := note.attr("datetime"):
                marks = f"{note.attr('class')} {note.attr('itemprop')} {note.attr('pubdate')}"
                said.times.append((marks, written))
        elif tag == "link":
            if "canonical" in note.attr("rel").lower().split():
                said.canonical = said.canonical or note.attr("href").strip()
        elif not said.title:
            said.title = note.text
    said.nodes.sort(key=_rank)
    return said


def _note(attributes: dict[str, str], metas: dict[str, list[str]]) -> None:
    content = attributes.get("content", "").strip()
    if not content:
        return
    for attribute in _NAMES:
        if name := attributes.get(attribute):
            metas.setdefault(name.strip().lower(), []).append(content)


def _nodes(text: str) -> list[dict[str, object]]:
    """The things that a script of JSON-LD describes: the outermost things, and their main subjects."""
    found: list[dict[str, object]] = []
    waiting: list[object] = [_loaded(text)]
    while waiting and len(found) < MOST_NODES:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node[:MOST_NODES]))
        elif isinstance(node, dict):
            found.append(node)
            waiting.extend(node[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in node)
    return found


def _loaded(text: str) -> object:
    """The value of the JSON, with the commonest mistakes forgiven; None when it cannot be read."""
    text = text.replace("<![CDATA[", "").replace("]]>", "")
    text = text.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
    for attempt in (text, _TRAILING_COMMA.sub("", text)):
        try:
            return json.loads(attempt, strict=False)  # line feeds inside strings are common
        except (ValueError, RecursionError):
            continue
    return None


def _rank(node: dict[str, object]) -> int:
    """Articles and their like before pages, pages before the rest."""
    kinds = node.get("@type")
    kind = " ".join(map(str, kinds)) if isinstance(kinds, list) else str(kinds)
    return 0 if _ARTICLES.search(kind) else 1 if _PAGES.search(kind) else 2


def _spoken(nodes: Iterable[dict[str, object]], key: str) -> str:
    """The first text under this key of an article or a page."""
    found = (node.get(key) for node in nodes if _rank(node) < 2)
    return next((text for text in found if isinstance(text, str) and text.strip()), "")


def _names(nodes: list[dict[str, object]], key: str, is_name: Callable[[str], bool]) -> str:
    """The names of the people or organisations under this key, separated by commas."""
    by_id = {str(node["@id"]): node for node in nodes if "@id" in node}
    for node in nodes:
        names = [name for name in _people(node.get(key), by_id) if is_name(name)]
        if names and _rank(node) < 2:
            return ", ".join(dict.fromkeys(names))
    return ""


def _people(value: object, by_id: dict[str, dict[str, object]]) -> Iterator[str]:
    for one in value[:20] if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            name = one.get("name") or by_id.get(str(one.get("@id")), {}).get("name")
            one = ", ".join(map(str, name)) if isinstance(name, list) else name
        if isinstance(one, str) and one.strip():
            yield " ".join(one.split())


def _authors(said: _Said) -> str:
    for name in AUTHOR:
        names = [author for author in said.metas.get(name, ()) if _is_person(author)]
        if names:
            return ", ".join(dict.fromkeys(names[:20]))
    return ""


def _site(said: _Said) -> str:
    """The site's name; a URL is no name, but a domain may be one."""
    name = said.meta(SITE)
    return name if name and not _is_address(name) else _names(said.nodes, "publisher", _is_site)


def _is_site(name: str) -> bool:
    return not _is_address(name)


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://", "/", "@"))


def _is_person(name: str) -> bool:
    """May this be somebody's name, rather than a URL, a domain or a login?"""
    return not _is_address(name) and _LOGIN.fullmatch(name.strip()) is None


def _date(said: _Said, key: str, names: tuple[str, ...], marks: re.Pattern[str]) -> str:
    written = [_spoken([node], key) for node in said.nodes]
    written += [said.metas[name][0] for name in names if name in said.metas]
    written += [date for mark, date in said.times[: 10 * FEW_TIMES] if marks.search(mark)]
    return next(filter(None, map(dates.to_iso, filter(None, written))), "")


def _only_time(said: _Said) -> str:
    """The first date of a page with few time elements, unless it is marked as a date of change."""
    if not 0 < len(said.times) <= FEW_TIMES or _MODIFIED.search(said.times[0][0]):
        return ""
    return dates.to_iso(said.times[0][1])


def _language(said: _Said) -> str:
    """The first code that is well-formed: templates leave {lang} behind."""
    written = [*said.languages, said.meta(LANGUAGE), _spoken(said.nodes, "inLanguage")]
    for language in filter(None, written):
        code = language.replace("_", "-").partition(",")[0].strip()
        if _LANGUAGE.fullmatch(code):
            return code
    return ""


def _canonical(link: str, url: str) -> str:
    return (urls.canonical(link, url) or "") if link else ""


def _plain(text: str, name: str) -> str:
    """One line, without the markup and entities that some authors put into metadata."""
    text = text[: 4 * LONGEST_VALUES[name]]
    if "&" in text:
        text = html.unescape(text)
    return _line(_TAGS.sub(" ", text) if "<" in text else text, name)


def _line(text: str, name: str) -> str:
    """One line of normal text."""
    return " ".join(normalize(text[: 4 * LONGEST_VALUES[name]]).split())[: LONGEST_VALUES[name]].rstrip()
