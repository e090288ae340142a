"""A cleaned page: all that people and the robot want to know of a page, from one parse.

Other packages clean HTML by `clean` in this module.
Invariant: `clean` takes any bytes and never raises. No line of the text is empty, and each holds one
sentence. Bytes that are no text (a picture, an archive) give an empty page.

A page's text is a list of paragraphs, and a paragraph is a list of sentences. `text` is all sentences, one
per line. A paragraph is a block of the page; a <br> inside a paragraph ends a sentence. `counts` has the
number of sentences of each paragraph. In the text "all", every block and every line is a paragraph.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from txtr.clean import links
from txtr.clean.charset.decode import decode
from txtr.clean.charset.normal import collapse, may_be_encoded_twice, normalize, repair_encoded_twice
from txtr.clean.content import main
from txtr.clean.html.bare import Bare
from txtr.clean.html.notes import Note
from txtr.clean.metadata import Metadata, read_metadata
from txtr.clean.text import sentences, split
from txtr.manners.directives import Directives, from_meta
from txtr.media import is_binary

MAIN, ALL = "main", "all"  # the main content of a page; all text that a reader could see


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What was read off a page. HTTP headers may forbid more than the directives of the page do."""

    text: str  # one line is one sentence
    title: str
    language: str  # as the page says; '' when it does not
    charset: str  # its WHATWG name
    charset_source: str  # where the charset was said: bom, header, meta, content; or nowhere: default
    links: list[str]  # canonical URLs; the directives say whether links may be followed
    canonical: str  # the URL that the page gives itself, if that is believable and not the URL fetched
    directives: Directives
    metadata: Metadata = field(default_factory=Metadata)
    counts: list[int] = field(default_factory=list)  # of sentences in each paragraph
    hints: dict[str, str] = field(default_factory=dict)  # link -> code of the language it is said to have

    @property
    def paragraphs(self) -> list[list[str]]:
        """The sentences of each paragraph."""
        lines = iter(self.text.split("\n"))
        return [[next(lines) for _ in range(count)] for count in self.counts]


def clean(
    data: bytes, url: str = "", content_type: str = "", text: str = MAIN, agent: str = "texttractor"
) -> Cleaned:
    """Clean an HTML page: bytes become text, links and metadata.

    url is where the page comes from; without it, relative links lead nowhere. content_type is the HTTP
    header, text is "main" or "all", agent is the robot whose directives count.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(
            f"data is {type(data).__name__}, expected bytes as they came: encode it, or read as 'rb'"
        )
    if text not in (MAIN, ALL):
        raise ValueError(f"text is {text!r}, expected {MAIN!r} or {ALL!r}")
    for name, given in (("url", url), ("content_type", content_type)):
        if not isinstance(given, str):
            raise TypeError(f"{name} is {type(given).__name__}, expected a text; '' when it is not known")
    data = bytes(data)
    decoded = decode(b"" if is_binary(data) else data, content_type)
    is_doubtful = decoded.charset != "utf-8" or may_be_encoded_twice(data)
    markup = repair_encoded_twice(decoded.text) if is_doubtful else decoded.text
    page = Bare(markup, decoded.utf8 if markup is decoded.text else None, is_weighed=text == MAIN)
    about = read_metadata(url, page.notes)
    directives = from_meta(_metas(page.notes), agent)
    found = links.find_links(page.tree, url, decoded.charset, page.markup)
    if text == ALL:
        seen, counts = _all(sentences.find_visible(page.tree, page.markup), about.language)
    else:
        seen, counts = _main(main.paragraphs(page), about.language)
    return Cleaned(
        text=seen,
        title=about.title,
        language=about.language,
        charset=decoded.charset,
        charset_source=decoded.source,
        links=found.links,
        canonical=found.canonical,
        directives=directives,
        metadata=about,
        counts=counts,
        hints=found.hints,
    )


def _all(seen: sentences.Seen, language: str) -> tuple[str, list[int]]:
    """All visible text, a line per sentence; and how many sentences each line of `seen` has become."""
    text, counts = seen.text, list(seen.counts)
    if 0 in counts:
        lines = text.split("\n")
        for number, count in enumerate(counts):
            if not count:
                found = split.sentences(lines[number], language)
                lines[number], counts[number] = "\n".join(found), len(found)
        text = "\n".join(lines)
    return text[:-1].replace(sentences.SPLIT, "\n"), counts


def _main(found: list[list[str]], language: str) -> tuple[str, list[int]]:
    """The sentences of the main content, and how many each paragraph has."""
    divided = [
        [sentence for line in paragraph for sentence in split.sentences(line, language)]
        for paragraph in _paragraphs(found)
    ]
    return "\n".join([sentence for paragraph in divided for sentence in paragraph]), list(map(len, divided))


def _paragraphs(found: list[list[str]]) -> Iterable[list[str]]:
    """The paragraphs of the main content, each a list of lines in normal characters."""
    text = "\n".join([line for paragraph in found for line in paragraph])
    tidy = normalize(text)
    if tidy == text:
        return found
    lines = iter(tidy.split("\n"))
    return filter(None, ([line for line in _tidy(lines, len(paragraph)) if line] for paragraph in found))


def _tidy(lines: Iterator[str], count: int) -> Iterator[str]:
    """The next `count` lines, with single blanks: something invisible may have stood between two blanks."""
    return (collapse(next(lines)) for _ in range(count))


def _metas(notes: Iterable[Note]) -> Iterator[tuple[str, str]]:
    return (
        (note.attributes["name"], note.attr("content"))
        for note in notes
        if note.tag == "meta" and "name" in note.attributes
    )
