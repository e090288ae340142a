"""A page's reading: everything the robot wants to know of an HTML page, from one parse.

This is the station's door for HTML; invariant: it takes any bytes and never raises.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from txtr.clean import links, sentences
from txtr.clean.decode import decode
from txtr.clean.tree import parse
from txtr.manners.directives import Directives, from_meta

LONGEST_LANGUAGE = 35  # characters; RFC 5646, 4.4.1
LONGEST_TITLE = 1000  # characters; beyond it is no title but an accident


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read off a page. Headers may forbid more than its own directives do."""

    text: str  # assumed sentences, one per line
    title: str
    charset: str
    charset_source: str
    language: str  # as the page says; '' when it does not
    links: list[str]  # canonical URLs; whether they may be followed is for the directives to say
    canonical: str  # the page's own address, when it gives another than the one fetched
    directives: Directives


def read(body: bytes, content_type: str, url: str, agent: str) -> Reading:
    """Read the page that was fetched from this canonical URL."""
    decoded = decode(body, content_type)
    tree = parse(decoded.text)
    found = links.links(tree, url, decoded.charset)
    return Reading(
        text="\n".join(sentences.lines(tree)),
        title=sentences.title(tree)[:LONGEST_TITLE],
        charset=decoded.charset,
        charset_source=decoded.source,
        language=_language(tree),
        links=found.links,
        canonical=found.canonical,
        directives=from_meta(_metas(tree), agent),
    )


def _metas(tree: etree._Element | None) -> Iterator[tuple[str, str]]:
    if tree is not None:
        for meta in tree.iter("meta"):
            yield meta.get("name", ""), meta.get("content", "")


def _language(tree: etree._Element | None) -> str:
    if tree is None:
        return ""
    language = tree.get("lang") or tree.get("xml:lang") or ""
    return "".join(language.split())[:LONGEST_LANGUAGE]
