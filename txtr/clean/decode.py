"""Decoding: the bytes of a page become text.

Invariant: every byte string becomes a text without NULs; nothing raises.

A page may say its character set in four places, and they are asked in the order of the HTML
standard: byte order mark, HTTP header, meta tag or XML declaration, and last the bytes
themselves. What is declared is believed unless the bytes refute it, which they can do in
three ways: they are good UTF-8 (chance does not write that), they make nonsense in the
declared multibyte set, or they use, in a page called ISO-8859-2, the places of the letters
of windows-1250, the old confusion of the Czech web.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chardet

PRESCAN_BYTES = 4096  # where a meta tag is looked for; the standard's 1024 are often used up by scripts
SAMPLE_BYTES = 65_536  # text shown to the detector: more makes it slower, not surer
SEARCH_BYTES = 1_000_000  # where that text is taken from, starting at the first byte that is not ASCII
GOOD_PER_BAD = 20  # a text whose foreign characters are wrong more rarely than this is only damaged

_ERAS = chardet.EncodingEra.MODERN_WEB | chardet.EncodingEra.LEGACY_ISO  # no DOS, no mainframes
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_SINGLE_BYTE = re.compile(r"(?:iso-8859|windows|koi8|ibm866|macintosh|x-mac)")  # these decode any bytes

_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_FOREIGN = re.compile(rb"[\x80-\xff]")
_MARKUP = re.compile(rb"[<>\n]")

# Where windows-1250 has Š Ś Ť Ž Ź š ś ť ž ź, ISO-8859-2 has control characters; and where
# ISO-8859-2 has ą ľ ś ť ź, windows-1250 has signs that do not stand inside words.
_LETTERS_1250 = re.compile(rb"[\x8a\x8c-\x8f\x9a\x9c-\x9f]")
_LETTERS_8859_2 = re.compile(rb"[a-z\xe0-\xfe][\xb1\xb5\xb6\xbb\xbc][a-z\xe0-\xfe]")
_EITHER_LETTER = re.compile(rb"[a-z\xe0-\xfe][\xb9\xbe][a-z\xe0-\xfe]")  # š ž, or in windows-1250 ą ľ


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and how it was read."""

    text: str
    charset: str  # its WHATWG name
    source: str  # who told us: bom, header, meta, content, or nobody: default


def decode(data: bytes, content_type: str = "") -> Decoded:
    """The text of these bytes, under the declared character set or a better one."""
    marked = _marked(data)
    if marked is not None:
        return marked
    declared = list(_declared(data, content_type))
    if b"\x1b" not in data or not data.isascii():  # escape sequences are ASCII and yet no UTF-8
        is_said = any(charset == "utf-8" for charset, _ in declared)
        text = _utf8(data, good_per_bad=1 if is_said else GOOD_PER_BAD)
        if text is not None:
            return Decoded(text, *_credit(data, declared))
    return _obeyed(data, declared) or _detected(data)


def _marked(data: bytes) -> Decoded | None:
    """Two-byte sets and marked UTF-8 show themselves."""
    for mark, charset in _BOMS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], charset, "bom")
    head = data[:PRESCAN_BYTES]
    low, high = head[::2].count(0), head[1::2].count(0)
    if abs(low - high) * 5 > max(len(head[::2]), 16):  # Latin letters and markup have one byte that is zero
        return _decoded(data, "utf-16le" if high > low else "utf-16be", "content")
    return None


def _declared(data: bytes, content_type: str) -> Iterator[tuple[str, str]]:
    """Known character sets that header, XML declaration and meta tag name, and which of them."""
    head = _COMMENT.sub(b"", data[:PRESCAN_BYTES])
    header, xml, meta = _HEADER.search(content_type), _XML.match(head), _META.search(head)
    if header and (charset := _NAMES.get(_bare(header[1]))):
        yield charset, "header"
    for inside in filter(None, (xml, meta)):
        charset = _NAMES.get(_bare(inside[1].decode("latin-1")))
        if charset:
            yield ("utf-8" if charset.startswith("utf-16") else charset), "meta"  # it was read byte by byte


def _utf8(data: bytes, good_per_bad: int) -> str | None:
    """The bytes as UTF-8, if they are: the end may be cut off, a few bytes may be damaged."""
    try:
        return _without_nul(codecs.getincrementaldecoder("utf-8")().decode(data))
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    return _without_nul(text) if _is_sound(text, good_per_bad) else None


def _is_sound(text: str, good_per_bad: int) -> bool:
    bad = text.count("\ufffd")
    return len(text) - len(text.encode("ascii", "ignore")) - bad >= good_per_bad * bad


def _credit(data: bytes, declared: list[tuple[str, str]]) -> tuple[str, str]:
    """Who told us that this is UTF-8. Pure ASCII is whatever it was called."""
    for charset, source in declared:
        if charset == "utf-8" or (data.isascii() and not charset.startswith("utf-16")):
            return charset, source
    return "utf-8", "default" if data.isascii() else "content"


def _obeyed(data: bytes, declared: list[tuple[str, str]]) -> Decoded | None:
    """The text under the first declared set, other than Unicode, in which it makes sense."""
    for charset, source in declared:
        if charset.startswith("utf-"):
            continue
        if charset == "iso-8859-2" and _LETTERS_1250.search(data):
            return _decoded(data, "windows-1250", "content")
        decoded = _decoded(data, charset, source)
        if _SINGLE_BYTE.match(charset) or _is_sound(decoded.text, GOOD_PER_BAD):
            return decoded
    return None


def _detected(data: bytes) -> Decoded:
    """The text under the character set that its own letters suggest."""
    sample = _sample(data)
    guess = chardet.detect(sample, encoding_era=_ERAS, compat_names=False)
    charset = _NAMES.get(_bare(guess["encoding"] or ""), "")
    if charset in ("windows-1250", "iso-8859-2"):
        charset = _central_european(sample, guess["language"] or "")
    return _decoded(data, charset, "content") if charset else _decoded(data, "windows-1252", "default")


def _sample(data: bytes) -> bytes:
    """Pieces of text with letters beyond ASCII; the markup between them would only dilute them."""
    first = _FOREIGN.search(data)
    if first is None:
        return data[:SAMPLE_BYTES]
    start = max(0, first.start() - 100)
    pieces = _MARKUP.split(data[start : start + SEARCH_BYTES])
    return b"\n".join(piece for piece in pieces if not piece.isascii())[:SAMPLE_BYTES]


def _central_european(sample: bytes, language: str) -> str:
    """Which of the two sets that differ only in š, ť, ž and their like."""
    if _LETTERS_1250.search(sample):
        return "windows-1250"
    if _LETTERS_8859_2.search(sample) or (language != "pl" and _EITHER_LETTER.search(sample)):
        return "iso-8859-2"
    return "windows-1250"


def _decoded(data: bytes, charset: str, source: str) -> Decoded:
    return Decoded(_without_nul(data.decode(_CODECS[charset], "replace")), charset, source)


def _without_nul(text: str) -> str:
    return text.replace("\0", "")


def _bare(label: str) -> str:
    """A label without case, blanks and punctuation."""
    return "".join(filter(str.isalnum, label.lower()))


def _encodings() -> Iterator[tuple[str, str, list[str]]]:
    """The lines of labels.txt: name, codec, labels."""
    for line in Path(__file__).with_name("labels.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, codec, *labels = line.split()
            yield name, codec, labels


_CODECS = {name: codec for name, codec, _ in _encodings()}
_NAMES = {_bare(label): name for name, _, labels in _encodings() for label in (name, *labels)}
