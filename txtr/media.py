"""Media types in one table: is a body a page, or a document that is kept beside pages, or not worth reading?

The server's word counts. Only a body that comes without a type is judged by its first bytes, and one that is
no text at all (a picture, an archive) is known by its bytes, whatever it is called.

Invariant: a type that is not in the table, or of one of its families, is not worth reading.
"""

import re
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    PAGE = "page"  # cleaned into text
    DOCUMENT = "document"  # kept as it is, for its links are found


class Type(NamedTuple):
    kind: Kind
    ending: str = ""  # of the name of a file that is kept; '': as in its URL


PAGE, DOCUMENT = Kind.PAGE, Kind.DOCUMENT
TYPES = {
    "text/html": Type(PAGE),
    "application/xhtml+xml": Type(PAGE),
    "application/pdf": Type(DOCUMENT, "pdf"),
    "application/x-pdf": Type(DOCUMENT),
    "application/msword": Type(DOCUMENT, "doc"),
    "application/rtf": Type(DOCUMENT, "rtf"),
    "application/x-rtf": Type(DOCUMENT),
    "text/rtf": Type(DOCUMENT, "rtf"),
    "text/richtext": Type(DOCUMENT),
    "application/postscript": Type(DOCUMENT, "ps"),
    "application/epub+zip": Type(DOCUMENT, "epub"),
    "application/vnd.ms-excel": Type(DOCUMENT, "xls"),
    "application/vnd.ms-powerpoint": Type(DOCUMENT, "ppt"),
    "application/vnd.ms-word": Type(DOCUMENT),
    "application/vnd.oasis.opendocument.presentation": Type(DOCUMENT, "odp"),
    "application/vnd.oasis.opendocument.spreadsheet": Type(DOCUMENT, "ods"),
    "application/vnd.oasis.opendocument.text": Type(DOCUMENT, "odt"),
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": Type(DOCUMENT, "pptx"),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Type(DOCUMENT, "xlsx"),
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Type(DOCUMENT, "docx"),
    "text/plain": Type(DOCUMENT, "txt"),
    "text/markdown": Type(DOCUMENT),
    "text/xml": Type(DOCUMENT),
    "application/xml": Type(DOCUMENT),
    "application/rss+xml": Type(DOCUMENT),
    "application/atom+xml": Type(DOCUMENT),
    "image/vnd.djvu": Type(DOCUMENT),
    "image/x.djvu": Type(DOCUMENT),
}
FAMILIES = (  # of documents: templates, slide shows, files with macros and others
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.ms-word.",
    "application/vnd.ms-powerpoint.",
    "application/vnd.ms-excel.",
)
UNKNOWN_TYPES = ("", "unknown/unknown", "application/unknown")

# How files begin that are sent as pages by mistake (WHATWG MIME Sniffing, sections 6 and 7).
SIGNATURES = (
    b"%PDF-", b"%!PS-", b"PK\x03\x04", b"\x1f\x8b\x08", b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c",
    b"\x89PNG\r\n", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"RIFF", b"\0\0\1\0",
    b"ID3", b"OggS\0", b"\x1aE\xdf\xa3", b"\x7fELF", b"MZ\x90\0", b"\xd0\xcf\x11\xe0", b"wOFF", b"wOF2",
)  # fmt: skip
HEAD_BYTES = 4096  # by which a file is known to be no text
CONTROLS_PER_HEAD = 0.04  # chance makes 0.09 of its bytes control characters; a damaged page has hardly any
_CONTROLS = bytes([*range(1, 9), 11, *range(16, 27), *range(28, 32)])
_HTML_START = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)


def media_type(content_type: str) -> str:
    """`text/html` of `Text/HTML; charset=utf-8`."""
    return content_type.partition(";")[0].strip().lower()


def is_html(content_type: str, head: bytes = b"") -> bool:
    """Is this a page? A server that gives no type is judged by the first bytes.

    text/plain is taken at its word: who shows the source of a page means the source.
    """
    name = media_type(content_type)
    if name in UNKNOWN_TYPES:
        return _HTML_START.search(head[:2048].replace(b"\0", b"")) is not None
    return kind(name) is PAGE


def is_document(content_type: str) -> bool:
    """Is this worth keeping, though it is no page?"""
    return kind(content_type) is DOCUMENT


def is_wanted(content_type: str) -> bool:
    """Is a body of this type worth reading? One without a type is read, and then judged."""
    return not content_type or kind(content_type) is not None


def kind(content_type: str) -> Kind | None:
    name = media_type(content_type)
    if name in TYPES:
        return TYPES[name].kind
    return DOCUMENT if name.startswith(FAMILIES) else None


def ending(content_type: str) -> str:
    """How the names of files of this type end, without the dot; '' when the type does not say."""
    name = media_type(content_type)
    return TYPES[name].ending if name in TYPES else ""


def is_binary(data: bytes) -> bool:
    """Is this no text at all, whatever it is called? NULs and shifts between sets may be in texts."""
    head = data[:HEAD_BYTES]
    if head.startswith(SIGNATURES):
        return True
    return len(head) - len(head.translate(None, _CONTROLS)) > CONTROLS_PER_HEAD * max(len(head), 500)
