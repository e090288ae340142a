"""Aside: files that are not HTML. They are kept as they are; here their links are found.

Invariant: nothing raises, and the work is bounded whatever a file claims to contain.

No format is understood, only searched: text and RTF for anything that looks like an http(s)
URL, XML for its text and for the attributes that hold links, PDF for its URI objects (those
in compressed object streams stay unseen), the old office formats for URLs in two-byte
characters, and the zip-based formats (docx, odt, epub ...) for the XML inside them.
"""

import html
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from txtr import urls
from txtr.clean.links import MOST, collect, wanted

MOST_WRITTEN = 2 * MOST  # links of one file, as they are written, that are looked at
UNPACKED_BYTES = 5_000_000  # of all members of one archive together
# How members of office files are packed (ISO 29500-2, ISO 26300-3, EPUB); others Python unpacks in one go.
PACKINGS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
PIECE_BYTES = 65_536  # unpacked at once: so many of a damaged member are not counted
MOST_MEMBERS = 2000  # of one archive that are opened
HEAD_BYTES = 4096  # by which a file is known to be no text
CONTROLS_PER_HEAD = 0.04  # chance makes 0.09 of its bytes control characters; a damaged page has hardly any

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
KEPT_TYPES = frozenset(
    {
        "application/pdf",
        "application/x-pdf",
        "application/msword",
        "application/rtf",
        "application/x-rtf",
        "text/rtf",
        "text/richtext",
        "application/postscript",
        "application/epub+zip",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.ms-word",
        "text/plain",
        "text/markdown",
        "text/xml",
        "application/xml",
        "application/rss+xml",
        "application/atom+xml",
        "image/vnd.djvu",
        "image/x.djvu",
    }
)
KEPT_FAMILIES = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.ms-word.",
    "application/vnd.ms-powerpoint.",
    "application/vnd.ms-excel.",
)

# Names of formats, which look like links and lead nowhere.
SCHEMAS = frozenset(
    {
        "schemas.openxmlformats.org",
        "schemas.microsoft.com",
        "schemas.xmlsoap.org",
        "ns.adobe.com",
        "purl.oclc.org",
    }
)

# How files begin that are sent as pages by mistake (WHATWG MIME Sniffing, sections 6 and 7).
SIGNATURES = (
    b"%PDF-", b"%!PS-", b"PK\x03\x04", b"\x1f\x8b\x08", b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c",
    b"\x89PNG\r\n", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"RIFF", b"\0\0\1\0",
    b"ID3", b"OggS\0", b"\x1aE\xdf\xa3", b"\x7fELF", b"MZ\x90\0", b"\xd0\xcf\x11\xe0", b"wOFF", b"wOF2",
)  # fmt: skip
_CONTROLS = bytes([*range(1, 9), 11, *range(16, 27), *range(28, 32)])

_URL = re.compile(rb"https?://[^\x00-\x20\x7f\"'<>\\(){}\[\]|^`]{1,2000}", re.IGNORECASE)
_WIDE_URL = re.compile(rb"h\0t\0t\0p\0(?:s\0)?:\0/\0/\0(?:[\x21\x23-\x26\x2a-\x3b=?-Z_a-z~]\0){1,2000}")
_PDF_URI = re.compile(rb"/URI\s{0,20}\(((?:[^\\()]|\\.){1,4000})\)", re.DOTALL)
_PDF_ESCAPE = re.compile(rb"\\(\r\n|.)", re.DOTALL)
_XML_TAG = re.compile(rb"<[^<>]*>")
_XML_LINK = re.compile(
    rb"\b(?:href|src|target|url|about)\s{0,9}=\s{0,9}[\"'](https?://[^\"'<>]{1,2000})", re.IGNORECASE
)
_XML_MEMBER = re.compile(r"\.(?:xml|rels|xhtml|html?|opf|ncx)$", re.IGNORECASE)
_HTML_START = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)


def is_binary(data: bytes) -> bool:
    """Is this no text at all, whatever it is called? NULs and shifts between sets may be in texts."""
    head = data[:HEAD_BYTES]
    if head.startswith(SIGNATURES):
        return True
    return len(head) - len(head.translate(None, _CONTROLS)) > CONTROLS_PER_HEAD * max(len(head), 500)


def is_html(content_type: str, head: bytes = b"") -> bool:
    """Is this a page? A server that gives no type is judged by the first bytes.

    text/plain is taken at its word: who shows the source of a page means the source.
    """
    kind = _media_type(content_type)
    if kind in ("", "unknown/unknown", "application/unknown"):
        return _HTML_START.search(head[:2048].replace(b"\0", b"")) is not None
    return kind in HTML_TYPES


def is_aside(content_type: str) -> bool:
    """Is this a document that is worth keeping, though not a page?"""
    kind = _media_type(content_type)
    return kind in KEPT_TYPES or kind.startswith(KEPT_FAMILIES)


def links(data: bytes, content_type: str = "") -> list[str]:
    """The links of a file, canonical, wanted, each once."""
    written = islice(_once(_written(data, _media_type(content_type))), MOST_WRITTEN)
    return collect(wanted(link) for link in _canonical(written) if not _is_schema(link))


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _once(written: Iterable[bytes]) -> Iterator[bytes]:
    """Each once: to make it canonical takes twenty times as long as to know it again."""
    known: set[bytes] = set()
    for word in written:
        if word not in known:
            known.add(word)
            yield word


def _canonical(written: Iterable[bytes]) -> Iterator[str]:
    for word in written:
        text = word.decode("utf-8", "replace").rstrip(".,;:!?*_~")  # the end of a sentence, not of the link
        link = urls.canonical(text)
        if link is not None:
            yield link


def _is_schema(link: str) -> bool:
    return urls.split(link)[0] in SCHEMAS


def _written(data: bytes, kind: str) -> Iterator[bytes]:
    """The links as they are written; what the file is, its first bytes say best."""
    if data.startswith(b"%PDF-") or kind.endswith("pdf"):
        return _in_pdf(data)
    if data.startswith(b"PK\x03\x04"):
        return _in_zip(data)
    if data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or kind.endswith("xml"):
        return _in_xml(data)
    return _in_text(data)


def _in_text(data: bytes) -> Iterator[bytes]:
    for found in _URL.finditer(data):
        yield found[0]
    for found in _WIDE_URL.finditer(data):
        yield found[0].replace(b"\0", b"")


def _in_pdf(data: bytes) -> Iterator[bytes]:
    for found in _PDF_URI.finditer(data):
        yield _PDF_ESCAPE.sub(_unescaped, found[1])


def _unescaped(escape: re.Match[bytes]) -> bytes:
    return b"" if escape[1] in (b"\n", b"\r", b"\r\n") else escape[1]


def _in_xml(data: bytes) -> Iterator[bytes]:
    attributes = (found[1] for found in _XML_LINK.finditer(data))
    texts = (found[0] for found in _URL.finditer(_XML_TAG.sub(b" ", data)))
    return map(_resolved, _once(chain(attributes, texts)))


def _resolved(word: bytes) -> bytes:
    """Without entities: & is &amp; in XML, and only there."""
    return html.unescape(word.decode("utf-8", "replace")).encode("utf-8") if b"&" in word else word


def _in_zip(data: bytes) -> Iterator[bytes]:
    for member in _members(data):
        yield from _in_xml(member)


def _members(data: bytes) -> Iterator[bytes]:
    """The XML members of an archive, not more of them than is decent; none that overlap."""
    left, packed = UNPACKED_BYTES, len(data)  # bytes: to be unpacked, and that members can have together
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in islice(filter(_is_xml, archive.infolist()), MOST_MEMBERS):
                packed -= info.compress_size
                if left <= 0 or packed < 0:
                    return
                content = _content(archive, info, left)
                left -= len(content)
                yield content
    except (
        zipfile.BadZipFile,
        ValueError,
        OSError,
        EOFError,
        NotImplementedError,
        OverflowError,
        struct.error,
    ):
        return


def _is_xml(info: zipfile.ZipInfo) -> bool:
    return info.compress_type in PACKINGS and _XML_MEMBER.search(info.filename) is not None


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """At most so many bytes of a member, whatever size it claims; of a damaged one, those before."""
    pieces: list[bytes] = []
    try:
        with archive.open(info) as member:
            while most > 0 and (piece := member.read(min(most, PIECE_BYTES))):
                pieces.append(piece)
                most -= len(piece)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, OSError, EOFError):
        pass  # damaged, or encrypted
    return b"".join(pieces)
