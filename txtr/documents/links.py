"""The links of files that are not HTML.

Invariant: nothing raises, and the work is bounded, whatever a file claims to contain.

Files are searched without understanding their formats: text and RTF for anything that looks like an http(s)
URL; XML for its text and for the attributes that hold links; PDF for its URI objects (those in compressed
object streams stay unseen); the old office formats for URLs in two-byte characters; and the zip-based formats
(docx, odt, epub ...) for the XML inside them.
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
from txtr.clean.links import MOST_LINKS, collect_links, keep_if_wanted
from txtr.media import media_type

MOST_WRITTEN = 2 * MOST_LINKS  # links of one file, as they are written, that are looked at
UNPACKED_BYTES = 5_000_000  # of all members of one archive together
# Packings of the members of office files (ISO 29500-2, ISO 26300-3, EPUB); Python unpacks others in one go.
PACKINGS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
PIECE_BYTES = 65_536  # unpacked at once: at most so many bytes of a damaged member are not counted
MOST_MEMBERS = 2000  # of one archive that are opened

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

_URL = re.compile(rb"https?://[^\x00-\x20\x7f\"'<>\\(){}\[\]|^`]{1,2000}", re.IGNORECASE)
_WIDE_URL = re.compile(rb"h\0t\0t\0p\0(?:s\0)?:\0/\0/\0(?:[\x21\x23-\x26\x2a-\x3b=?-Z_a-z~]\0){1,2000}")
_PDF_URI = re.compile(rb"/URI\s{0,20}\(((?:[^\\()]|\\.){1,4000})\)", re.DOTALL)
_PDF_ESCAPE = re.compile(rb"\\(\r\n|.)", re.DOTALL)
_XML_TAG = re.compile(rb"<[^<>]*>")
_XML_LINK = re.compile(
    rb"\b(?:href|src|target|url|about)\s{0,9}=\s{0,9}[\"'](https?://[^\"'<>]{1,2000})", re.IGNORECASE
)
_XML_MEMBER = re.compile(r"\.(?:xml|rels|xhtml|html?|opf|ncx)$", re.IGNORECASE)


def find_links(data: bytes, content_type: str = "") -> list[str]:
    """The links of a file that are wanted, canonical, each once."""
    written = islice(_once(_written(data, media_type(content_type))), MOST_WRITTEN)
    return collect_links(keep_if_wanted(link) for link in _canonical(written) if not _is_schema(link))


def _once(written: Iterable[bytes]) -> Iterator[bytes]:
    """Each link once: to make a link canonical takes twenty times as long as to recognise it."""
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
    """The links as they are written; the first bytes of a file say best what kind of file it is."""
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
    """The link without entities: & is &amp; in XML, and only there."""
    return html.unescape(word.decode("utf-8", "replace")).encode("utf-8") if b"&" in word else word


def _in_zip(data: bytes) -> Iterator[bytes]:
    for member in _members(data):
        yield from _in_xml(member)


def _members(data: bytes) -> Iterator[bytes]:
    """The XML members of an archive, up to MOST_MEMBERS and UNPACKED_BYTES; none that overlap."""
    left, packed = UNPACKED_BYTES, len(data)  # bytes: still to be unpacked; that members can have
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
    """At most `most` bytes of a member, whatever size it claims; of a damaged member, the bytes before."""
    pieces: list[bytes] = []
    try:
        with archive.open(info) as member:
            while most > 0 and (piece := member.read(min(most, PIECE_BYTES))):
                pieces.append(piece)
                most -= len(piece)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, OSError, EOFError):
        pass  # damaged, or encrypted
    return b"".join(pieces)
