"""The page: one answer on its way through clean → segment → corpus, as values.

What a server sent becomes a Reading, a Reading a record for the corpus and a Document for the
report. A page that asks not to be indexed is read all the same (its links may be followed), but
its text goes nowhere.
"""

from dataclasses import dataclass, replace

from txtr import urls
from txtr.clean import aside
from txtr.clean import page as cleaning
from txtr.corpus.record import digest
from txtr.fetch import outcome
from txtr.fetch.outcome import Page
from txtr.manners import directives
from txtr.model import Document
from txtr.segment.usability import judge

MOST_LINK_BYTES = 4 * 1024 * 1024  # of links reported from one page: a quarter of the largest frame


@dataclass(frozen=True, slots=True)
class Processed:
    """A page that was read, before it is decided whether its text is new."""

    document: Document  # with the fate it has unless its text turns out a duplicate
    text: str
    digest: str
    own_address: str  # canonical link or URL
    metadata: dict[str, object]
    wants_nofollow: bool = False


def is_wanted(content_type: str) -> bool:
    """Is a body of this type worth reading?"""
    return not content_type or aside.is_html(content_type, b"") or aside.is_aside(content_type)


def process(domain: str, path: str, page: Page, took: float, fetched: float, agent: str) -> Processed:
    """Read a page or a file that is not HTML; values only, any bytes."""
    document = Document(
        domain=domain,
        path=path,
        fate="empty",
        usability=0.0,
        status=page.status,
        size_bytes=len(page.body),
        took=took,
        fetched=fetched,
        modified=outcome.modified(page.headers),
        valid_until=outcome.valid_until(page.headers, fetched),
    )
    wishes = directives.from_headers(page.headers.get("x-robots-tag", []), agent)
    if aside.is_html(page.content_type, page.body[:1024]):
        return _html(document, page, wishes, agent)
    return _aside(document, page, wishes)


def _html(document: Document, page: Page, wishes: directives.Directives, agent: str) -> Processed:
    url = urls.join(document.domain, document.path)
    reading = cleaning.read(page.body, page.content_type, url, agent)
    wishes = wishes & reading.directives
    usability = judge(reading.text).usability
    fate = "kept" if reading.text else "empty"
    document = replace(
        document,
        fate=fate if wishes.index else "noindex",
        usability=usability,
        title=reading.title,
        links=_bounded(reading.links) if wishes.follow else [],
    )
    metadata = {
        "url": url,
        "title": reading.title,
        "usability": usability,
        "language": reading.language,
        "charset": reading.charset,
        "charset_source": reading.charset_source,
        "size_bytes": document.size_bytes,
    }
    return Processed(
        document, reading.text, digest(reading.text), reading.canonical or url, metadata, not wishes.follow
    )


def _aside(document: Document, page: Page, wishes: directives.Directives) -> Processed:
    """A file to be stored as it is; its links count, its usability cannot be judged yet."""
    url = urls.join(document.domain, document.path)
    links = aside.links(page.body, page.content_type) if wishes.follow else []
    document = replace(
        document, fate="aside" if wishes.index else "noindex", usability=1.0, links=_bounded(links)
    )
    metadata: dict[str, object] = {"url": url, "content_type": page.content_type}
    return Processed(document, "", "", url, metadata, not wishes.follow)


def _bounded(links: list[str]) -> list[str]:
    """As many links as fit into a report."""
    size_bytes = 0
    for number, link in enumerate(links):
        size_bytes += len(link)
        if size_bytes > MOST_LINK_BYTES:
            return links[:number]
    return links
