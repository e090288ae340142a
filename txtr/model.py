"""What travels between the stations of the loop: values only, no behaviour.

A *link* is found, a *request* is to be fetched, a *document* was fetched. A URL is everywhere the pair
(domain, path). The domain is the server's name. The path begins with the *door* by which one enters the
server, which is empty for plain HTTP on its usual port:

    http://example.cz/a?b          example.cz   /a?b
    https://example.cz/a           example.cz   s/a
    https://example.cz:8443/a      example.cz   s:8443/a

So all doors of one server are one domain for manners. urls.py splits and joins.

The values are structs, not dataclasses. A struct is made six times as fast (0.11 microseconds instead of
0.64), and a batch has tens of thousands. The class of a struct is made fifty times as fast, whenever a
program starts.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Literal

import msgspec

# Code of a language, loosely as in RFC 5646; '' when it is not known. Other texts are no codes.
Language = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{0,35}\Z")]


class Purpose(StrEnum):
    """Why a request is made."""

    PAGE = "page"
    ROBOTS = "robots"


class Trouble(StrEnum):
    """What can go wrong with a request; manners/remedies.py says what is done about it."""

    DNS = "dns"  # the name cannot be resolved just now
    NO_SUCH_DOMAIN = "no-such-domain"  # the name does not exist
    GUARDED = "guarded-address"  # the name resolves to an address that is not public
    CONNECT = "connect"  # refused, unreachable
    TLS = "tls"  # certificate or handshake
    TIMED_OUT = "timed-out"
    STALLED = "stalled"  # the answer brought too few bytes, while others waited for the memory that it held
    DROPPED = "dropped"  # the connection ended before the answer did
    KEPT_WAITING = "kept-waiting"  # the same, after we had no room for the rest of the answer
    NOT_HTTP = "not-http"  # the answer makes no sense
    BUSY = "busy"  # 429, 503
    SERVER_ERROR = "server-error"  # the other 5xx
    GONE = "gone"  # 404, 410
    DENIED = "denied"  # the other 4xx
    TOO_LARGE = "too-large"
    UNWANTED = "unwanted-type"  # neither HTML nor a kind of file that is put aside
    BAD_REDIRECT = "bad-redirect"  # no location, or a location that is no link
    UNREADABLE = "unreadable"  # our own processing of the answer failed


class Link(msgspec.Struct, frozen=True):
    """A canonical URL that was found somewhere; not yet admitted to the queue."""

    domain: str
    path: str
    depth: int
    usability: float = 1.0  # of the document in which it was found
    hops: int = 0  # redirects that led to it
    language: str = ""  # code of its document's language, as the page says; a hint
    source: str = ""  # URL of the page on which it was found; '' for a start address


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One path to fetch, with what the harvester needs to know."""

    path: str
    purpose: Purpose = Purpose.PAGE


class Visit(msgspec.Struct, frozen=True):
    """One domain's requests in a row, in order: the domain's name is not repeated."""

    domain: str
    address: str  # where to connect, and nowhere else
    delay: float  # between two requests to this domain: req-delay or longer
    requests: list[Request]


class Batch(msgspec.Struct, frozen=True):
    """A ragged table of requests: filled by rows, emptied by columns."""

    number: int
    rows: list[list[Visit]]


Fate = Literal["kept", "rejected", "aside", "noindex", "duplicate", "empty"]
Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]  # what a database and JSON can hold


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page or file that was fetched and, unless its fate says otherwise, kept."""

    domain: str
    path: str
    fate: Fate
    usability: float
    status: Count
    size_bytes: Count
    took: float  # from sending the request to the first byte of the answer
    title: str = ""
    fetched: float = 0.0  # wall time
    modified: float | None = None  # wall time, as the server says
    valid_until: float | None = None  # wall time, as the server says
    links: list[str] = []  # canonical URLs; none when nofollow
    language: Language = ""  # of most of the text, as the segmenter says; '' when it does not know
    text_bytes: Count = 0  # of the text, in UTF-8, whatever its fate; to be compared with size_bytes
    hints: dict[str, str] = {}  # link -> code of the language it is said to have
    first: str = ""  # of a duplicate, the URL whose text is kept
    refused: Count = 0  # number of other links, to servers that --include and --exclude refuse


class Redirect(msgspec.Struct, frozen=True):
    """An answer that leads elsewhere: its target is a link for the queue, and is never followed blindly."""

    domain: str
    path: str
    target: str  # canonical URL
    status: int
    took: float


class Failure(msgspec.Struct, frozen=True):
    """A request that brought no document."""

    domain: str
    path: str
    trouble: Trouble
    detail: str = ""
    took: float = 0.0
    retry_after: float | None = None  # seconds, as the server asks


class RobotsFile(msgspec.Struct, frozen=True):
    """The answer to a request for robots.txt; text is empty unless the status is 2xx."""

    domain: str
    path: str
    status: int
    text: str
    took: float
    target: str = ""  # canonical URL, when the status is 3xx
    retry_after: float | None = None  # seconds, as the server asks


class Unvisited(msgspec.Struct, frozen=True):
    """Requests of a batch that the harvester did not try: they go back unchanged."""

    domain: str
    paths: list[str]


Answer = Document | Redirect | Failure | RobotsFile | Unvisited  # what can come of a request


class Report(msgspec.Struct, frozen=True):
    """What came of some requests of a batch; a batch is reported in many reports."""

    batch: int
    documents: list[Document] = []
    redirects: list[Redirect] = []
    failures: list[Failure] = []
    robots: list[RobotsFile] = []
    unvisited: list[Unvisited] = []

    def add(self, answer: Answer) -> None:
        match answer:
            case Document():
                self.documents.append(answer)
            case Redirect():
                self.redirects.append(answer)
            case Failure():
                self.failures.append(answer)
            case RobotsFile():
                self.robots.append(answer)
            case Unvisited():
                self.unvisited.append(answer)

    def answers(self) -> Iterator[Answer]:
        """All answers, in the order in which they are taken in."""
        yield from self.robots
        yield from self.documents
        yield from self.redirects
        yield from self.failures
        yield from self.unvisited


class Resolution(msgspec.Struct, frozen=True):
    """What a harvester found out about a new domain: its addresses or its trouble."""

    domain: str
    addresses: list[str] = []
    trouble: Trouble | None = None
    detail: str = ""


class Figures(msgspec.Struct, frozen=True):
    """The yield of a domain, of a language or of a whole crawl."""

    documents: int = 0  # that were judged
    kept: int = 0
    raw_bytes: int = 0  # downloaded
    kept_bytes: int = 0  # of text

    def share(self) -> float:
        """The yield: text kept per byte downloaded."""
        return self.kept_bytes / self.raw_bytes if self.raw_bytes else 0.0


class Event(msgspec.Struct, frozen=True):
    """One line of the diary: what happened to whom. The core returns events, and edges write them."""

    what: str  # a word of the vocabulary in diary/events.py
    whom: str = ""  # a URL, a domain, an address, a harvester
    facts: dict[str, object] = {}
