"""A fetched page on its way through clean → segment → corpus, as values.

The answer of a server becomes a Processed page, with a question for the segmenter. The judgement of the
segmenter decides whether the text becomes a record of the corpus; the Document goes into the report. A page
that asks not to be indexed is read and judged as well, since its links may be followed, but its text is not
kept.
"""

from dataclasses import dataclass
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import replace

from txtr import media, urls
from txtr.clean import page as cleaning
from txtr.clean.metadata import Metadata
from txtr.corpus.record import Text, digest, encode_text
from txtr.documents.links import find_links as links_of_document
from txtr.fetch import outcome
from txtr.fetch.outcome import Failed, Outcome, Page, RedirectTo
from txtr.manners import directives, robots
from txtr.model import Answer, Document, Failure, Purpose, Redirect, RobotsFile
from txtr.segment.language import canonical
from txtr.segment.protocol import Question
from txtr.segment.usability import Judgement

MOST_LINK_BYTES = 4 * 1024 * 1024  # of links reported from one page: a quarter of the largest frame
MOSTLY = 0.5  # share of a paragraph's characters that must be in good lines if it is to stay


class Processed(Struct, frozen=True):
    """A page that was read; it is not yet judged, and its text may be a duplicate."""

    document: Document  # with the fate that it has unless its text is useless or a duplicate
    text: Text
    digest: str
    metadata: dict[str, object]
    wants_nofollow: bool = False
    question: Question | None = None  # for the segmenter; None: there is no text to be judged


@dataclass(frozen=True, slots=True)
class Demands:
    """The demands of the corpus on a text."""

    min_usability: float = 0.0
    paragraphs: bool = False  # only good paragraphs are kept


def is_html(page: Page) -> bool:
    """Is the page to be cleaned, rather than stored as a file?"""
    return media.is_html(page.content_type, page.body[:1024])


def answer_without_page(
    domain: str, path: str, purpose: Purpose, found: Outcome, took: float
) -> Answer | None:
    """The answer to report for a request; None: it has brought a page, which must be read first."""
    is_robots = purpose is Purpose.ROBOTS
    match found:
        case Page() as page if is_robots:
            return RobotsFile(domain, path, page.status, robots.decode(page.body), took)
        case Page():
            return None
        case RedirectTo(target, status) if is_robots:
            return RobotsFile(domain, path, status, "", took, target)
        case RedirectTo(target, status):
            return Redirect(domain, path, target, status, took)
        case Failed() as failed if failed.status and is_robots:
            return RobotsFile(domain, path, failed.status, "", took, retry_after=failed.retry_after)
        case Failed(trouble, detail, retry_after):
            return Failure(domain, path, trouble, detail, took, retry_after)


def process(
    domain: str, path: str, page: Page, took: float, fetched: float, agent: str, text: str = "main"
) -> Processed:
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
        modified=outcome.read_modified(page.headers),
        valid_until=outcome.read_valid_until(page.headers, fetched),
    )
    wishes = directives.from_headers(page.headers.get("x-robots-tag", []), agent)
    if is_html(page):
        return _html(document, page, wishes, agent, text)
    return _aside(document, page, wishes)


def _html(document: Document, page: Page, wishes: directives.Directives, agent: str, text: str) -> Processed:
    url = urls.join(document.domain, document.path)
    reading = cleaning.clean(page.body, url, page.content_type, text, agent)
    kept = encode_text(reading.text)
    wishes = wishes & reading.directives
    fate = "kept" if kept else "empty"
    document = replace(
        document,
        fate=fate if wishes.index else "noindex",
        title=reading.title,
        links=_bounded(reading.links) if wishes.follow else [],
        hints=reading.hints if wishes.follow else {},
        text_bytes=len(kept),
    )
    sum_of_text = digest(kept)
    metadata: dict[str, object] = {
        "url": url,
        "title": reading.title,
        "language": reading.language,
        "declared_language": reading.language,
        "charset": reading.charset,
        "charset_source": reading.charset_source,
        "size_bytes": document.size_bytes,
        **_said(reading.metadata),
        "paragraphs": reading.counts,
        "digest": sum_of_text,
    }
    return Processed(
        document,
        kept,
        sum_of_text,
        metadata,
        not wishes.follow,
        _question(url, reading, document.size_bytes) if kept else None,
    )


def _question(url: str, reading: cleaning.Cleaned, size_bytes: int) -> Question:
    return Question(url, reading.text, reading.title, reading.language, size_bytes, tuple(reading.counts))


def apply_judgement(processed: Processed, judgement: Judgement, demands: Demands) -> Processed:
    """The page with the fate and the text that it has after this judgement."""
    declared = str(processed.metadata.get("declared_language", ""))
    usability, language = judgement.usability, judgement.language or canonical(declared)
    document = replace(processed.document, usability=usability, language=language)
    metadata = {
        **processed.metadata,
        "usability": usability,
        "reasons": list(judgement.reasons),
        "language": language,
    }
    if document.fate == "kept" and (usability <= 0 or usability < demands.min_usability):
        document = replace(document, fate="rejected")
    elif demands.paragraphs and judgement.kept is not None:
        return _cut(replace(processed, document=document, metadata=metadata), judgement.kept)
    return replace(processed, document=document, metadata=metadata)


def _cut(processed: Processed, good_lines: tuple[int, ...]) -> Processed:
    """The page with only the paragraphs that are mostly good lines; with all, where all or none are."""
    paragraphs = _paragraphs(processed)
    good = frozenset(good_lines)
    kept = [[line for _, line in paragraph] for paragraph in paragraphs if _is_good(paragraph, good)]
    cut = len(paragraphs) - len(kept)
    if not kept or not cut:
        return processed
    text = encode_text("\n".join(line for paragraph in kept for line in paragraph))
    document = replace(processed.document, text_bytes=len(text))
    sum_of_text = digest(text)
    counts = [len(paragraph) for paragraph in kept]
    metadata = {**processed.metadata, "paragraphs": counts, "cut": cut, "digest": sum_of_text}
    return replace(processed, document=document, text=text, digest=sum_of_text, metadata=metadata)


def _paragraphs(processed: Processed) -> list[list[tuple[int, str]]]:
    """The text's paragraphs, as numbered lines."""
    if processed.question is None:
        return []
    lines = list(enumerate(processed.question.text.split("\n")))
    counts = processed.question.paragraphs
    return [lines[begin:end] for begin, end in pairwise(accumulate(counts, initial=0))]


def _is_good(paragraph: list[tuple[int, str]], good_lines: frozenset[int]) -> bool:
    """Are most of its lines good? One sentence is easily mistaken for one of a neighbouring language."""
    good = sum(len(line) for number, line in paragraph if number in good_lines)
    return good >= MOSTLY * sum(len(line) for _, line in paragraph)


def _said(about: Metadata) -> dict[str, object]:
    """The metadata of a page that are not empty."""
    said = {
        "description": about.description,
        "author": about.author,
        "published": about.published,
        "modified": about.modified,
        "site": about.site,
        "canonical": about.canonical,
    }
    return {name: value for name, value in said.items() if value}


def _aside(document: Document, page: Page, wishes: directives.Directives) -> Processed:
    """A file that is stored as it is; its links count, and its usability cannot be judged yet."""
    url = urls.join(document.domain, document.path)
    links = links_of_document(page.body, page.content_type) if wishes.follow else []
    document = replace(
        document, fate="aside" if wishes.index else "noindex", usability=1.0, links=_bounded(links)
    )
    metadata: dict[str, object] = {"url": url, "content_type": page.content_type}
    return Processed(document, Text(b""), "", metadata, not wishes.follow)


def _bounded(links: list[str]) -> list[str]:
    """As many of the links as fit into a report."""
    if sum(map(len, links)) <= MOST_LINK_BYTES:
        return links
    sizes = accumulate(map(len, links))
    return [link for link, size_bytes in zip(links, sizes, strict=True) if size_bytes <= MOST_LINK_BYTES]
