"""Decoding: the bytes of a page become text.

Invariant: every byte string becomes a text without NULs; nothing raises.

A page shows its character set in four places. They are asked in the order of the HTML standard: byte order
mark, HTTP header, meta tag or XML declaration, and last the bytes themselves. A declared set is believed
unless the bytes refute it. Bytes refute a set in five ways:
- they are good UTF-8, which chance does not write;
- they make nonsense in the declared multibyte set;
- they have the commonest characters of another multibyte set (east_asian.py);
- they use the letters of a set that agrees with the declared one but for a few letters (lookalikes.py), the
  old confusion of the Czech web;
- they read like text in another set: "pøíli¹" has a sign inside a word.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import chardet

from txtr.clean.charset.east_asian import choose_east_asian
from txtr.clean.charset.lookalikes import MARGIN, choose_lookalike
from txtr.data import table

PRESCAN_BYTES = 4096  # where a meta tag is looked for; the standard's 1024 are often used up by scripts
SAMPLE_BYTES = 65_536  # text shown to the detector: more makes it slower, not surer
SEARCH_BYTES = 1_000_000  # searched for that text, starting at the first byte that is not ASCII
GOOD_PER_BAD = 20  # foreign characters per wrong one: a text with more good ones than that is only damaged
MANY_LETTERS = 30  # enough to overrule a declared windows-1252
SOME_LETTERS = 10  # enough to ask whether another script was meant
FEW_LETTERS = 2  # with fewer, only windows-1252 is guessed: one ñ makes no Baltic text
DOUBTS = 5  # oddities from which on the detector is asked although a page says its character set

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32le"),  # before UTF-16: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
_SINGLE_BYTE = re.compile(r"(?:iso-8859|windows|koi8|ibm|macintosh|x-mac)")  # these decode any bytes
_UNLIKELY = re.compile(r"iso-8859-(?:3|4|10|13|14|16)$|windows-1258|utf-")  # where a page does not say it

_OTHER_SCRIPT = re.compile(r"iso-8859-[5-8]$|windows-(?:125[1356]|874)|koi8|ibm8[56][56]|x-mac-cyrillic")
_RUNS = re.compile(rb"[\x80-\xff]{3,}")  # Latin script has hardly any, other scripts hardly anything else
# Quotes, dashes and signs that the sets of Windows have in the same places.
_TYPOGRAPHY = bytes([*range(0x82, 0x86), *range(0x91, 0x98), 0x99, *b"\xa0\xa7\xa9\xab\xae\xb0\xb7\xbb"])
_APOSTROPHE_OF_MACS = re.compile(rb"[a-z]\xd5[a-z]")  # elsewhere a capital
_DASH_OF_WINDOWS = re.compile(rb"\s\x96\s|[\s>][\x84\x93][A-Za-z]")  # elsewhere a letter: ñ ì
# No part of these gives a blank back: blanks that neighbours could share would be tried in every possible
# way.
_HEADER = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([^\s\"';,]+)", re.IGNORECASE)
_JAPANESE_ESCAPE = re.compile(rb"\x1b\$[@B]")  # to Japanese; Korean has \x1b$)C
_META = re.compile(rb"<meta\b[^>]*+", re.IGNORECASE)  # up to its end, so that each byte is in one tag at most
_CHARSET = re.compile(rb"\bcharset\s*+=\s*+[\"']?+\s*+([^\s\"'/>;]+)", re.IGNORECASE)
_XML = re.compile(rb"\s*+<\?xml\b[^>]*?\bencoding\s*+=\s*+[\"']([^\"']+)", re.IGNORECASE)
_FOREIGN = re.compile(rb"[\x80-\xff]")
_MARKUP = bytes.maketrans(b"<>", b"\n\n")

# Things that are odd in a text that was read right: signs inside words, control characters, small letters
# before capitals, many accented letters together, Danish and Italian letters in one word or near each other.
_ODD = re.compile(
    r"[^\W\d_][¹²³¾¼½¿±¶µ»©®¤¦¨¬ˇ][a-zß-ÿ]|[\x80-\x9f\ufffd]|[ß-öø-ÿа-яα-ω][À-ÖØ-ÞА-ЯΑ-Ω]|[À-ÖØ-öø-ÿ]{4}"
    r"|ø\w*[ìèù]|[ìèù]\w*ø"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and how it was read."""

    text: str
    charset: str  # its WHATWG name
    source: str  # where the charset was said: bom, header, meta, content; or nowhere: default
    utf8: bytes | None = None  # the same text in UTF-8, if the page came in UTF-8


def decode(data: bytes, content_type: str = "") -> Decoded:
    """The text of these bytes, under the declared character set or a better one."""
    marked = _marked(data)
    if marked is not None:
        return marked
    declared = list(_declared(data, content_type))
    if not _is_escaped(data, declared):
        is_said = any(charset == "utf-8" for charset, _ in declared)
        text, is_exact = _utf8(data, good_per_bad=1 if is_said else GOOD_PER_BAD)
        if text is not None:
            return Decoded(text, *_credit(data, declared), data if is_exact else None)
    elif _JAPANESE_ESCAPE.search(data):
        return _decoded(data, *_credited(declared, "iso-2022-jp"))
    return _obeyed(data, declared) or _detected(data, _sample(data))


def _is_escaped(data: bytes, declared: list[tuple[str, str]]) -> bool:
    """Do sequences of ASCII stand for other characters? Then the bytes are no UTF-8."""
    return data.isascii() and (b"\x1b" in data or any(charset == "hz-gb-2312" for charset, _ in declared))


def _marked(data: bytes) -> Decoded | None:
    """The text of bytes that show their set: UTF-16, UTF-32, and UTF-8 with a byte order mark."""
    for mark, charset in _BOMS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], charset, "bom")
    if b"\0" not in data[:PRESCAN_BYTES]:
        return None
    charset = _four_bytes(data[:PRESCAN_BYTES]) or _two_bytes(data[:PRESCAN_BYTES])
    return _decoded(data, charset, "content") if charset else None


def _four_bytes(head: bytes) -> str:
    """UTF-32: every fourth byte is zero, its neighbour at most 16, the number of planes."""
    quarter = len(head) // 4
    for charset, zero, plane in (("utf-32le", 3, 2), ("utf-32be", 0, 1)):
        if quarter > 2 and head[zero::4].count(0) >= quarter and max(head[plane : quarter * 4 : 4]) <= 16:
            return charset
    return ""


def _two_bytes(head: bytes) -> str:
    """UTF-16: Latin letters and markup have one byte that is zero."""
    low, high = head[::2].count(0), head[1::2].count(0)
    if abs(low - high) * 5 <= max(len(head[::2]), 16):
        return ""
    return "utf-16le" if high > low else "utf-16be"


def _declared(data: bytes, content_type: str) -> Iterator[tuple[str, str]]:
    """Known character sets that header, XML declaration and meta tag name, each with its source."""
    head = _without_comments(data[:PRESCAN_BYTES])
    header, xml = _HEADER.search(content_type), _XML.match(head)
    tags = _META.finditer(head)
    meta = next(filter(None, (_CHARSET.search(head, *tag.span()) for tag in tags)), None)
    if header and (charset := _NAMES.get(_bare(header[1]))):
        yield charset, "header"
    for inside in filter(None, (xml, meta)):
        charset = _NAMES.get(_bare(inside[1].decode("latin-1")))
        if charset:
            is_wide = charset.startswith(("utf-16", "utf-32"))
            yield ("utf-8" if is_wide else charset), "meta"  # it was read byte by byte


def _without_comments(head: bytes) -> bytes:
    """The markup between comments; a comment that does not end is kept, and looked at once."""
    kept, at = [], 0
    while (start := head.find(b"<!--", at)) >= 0 and (end := head.find(b"-->", start + 4)) >= 0:
        kept.append(head[at:start])
        at = end + 3
    return b"".join([*kept, head[at:]])


def _utf8(data: bytes, good_per_bad: int) -> tuple[str | None, bool]:
    """The bytes as UTF-8 or None, and whether nothing is lost: the end or some damaged bytes may be."""
    try:
        text, used = codecs.utf_8_decode(data)
    except UnicodeDecodeError:
        text, used = data.decode("utf-8", "replace"), 0
        if not _is_sound(text, good_per_bad):
            return None, False
    tidy = _without_nul(text, data)
    return tidy, tidy is text and used == len(data)


def _is_sound(text: str, good_per_bad: int) -> bool:
    bad = text.count("\ufffd")
    return len(text) - len(text.encode("ascii", "ignore")) - bad >= good_per_bad * bad


def _credit(data: bytes, declared: list[tuple[str, str]]) -> tuple[str, str]:
    """The name and the source for a text that is UTF-8. Pure ASCII keeps the name that was declared."""
    for charset, source in declared:
        if charset == "utf-8" or (data.isascii() and not charset.startswith("utf-")):
            return charset, source
    return "utf-8", "default" if data.isascii() else "content"


def _credited(declared: list[tuple[str, str]], found: str) -> tuple[str, str]:
    """A set that shows itself, and where it was declared as well."""
    return found, next((source for charset, source in declared if charset == found), "content")


def _obeyed(data: bytes, declared: list[tuple[str, str]]) -> Decoded | None:
    """The text under the first declared set, other than Unicode, in which it makes sense."""
    for charset, source in declared:
        if charset.startswith("utf-"):
            continue
        if _SINGLE_BYTE.match(charset):
            return _doubted(data, charset, source)
        better = choose_east_asian(charset, _sample(data))
        decoded = _decoded(data, better, source if better == charset else "content")
        if _is_sound(decoded.text, GOOD_PER_BAD):
            return decoded
    return None


def _doubted(data: bytes, charset: str, source: str) -> Decoded:
    """The text in this set, which takes any bytes; or in another set, if it reads like text in that."""
    sample = _sample(data)
    better = choose_lookalike(charset, sample, MARGIN)
    if len(_FOREIGN.findall(sample.translate(None, _TYPOGRAPHY))) >= SOME_LETTERS:
        doubts = (_other_script, _not_western, _less_odd)
        better = next(filter(None, (doubt(charset, sample) for doubt in doubts)), better)
    return _decoded(data, better, source if better == charset else "content")


def _other_script(charset: str, sample: bytes) -> str:
    """The set of a text with Latin letters where another script is declared, or the reverse."""
    is_latin = _is_latin(sample)
    if is_latin != bool(_OTHER_SCRIPT.match(charset)):
        return ""
    other = _guess(sample)
    return other if is_latin or not _SINGLE_BYTE.match(other) or _OTHER_SCRIPT.match(other) else ""


def _not_western(charset: str, sample: bytes) -> str:
    """Another set for a text declared as windows-1252 or ISO-8859-1, which is what servers say by default."""
    if charset != "windows-1252" or len(_FOREIGN.findall(sample)) < MANY_LETTERS:
        return ""
    return _guess(sample)


def _less_odd(charset: str, sample: bytes) -> str:
    """A set in which the text has far fewer oddities than in the declared one."""
    odd = _oddities(sample, charset)
    other = _guess(sample) if odd >= DOUBTS else ""
    return other if other and _oddities(sample, other) * 4 < odd else ""


def _oddities(sample: bytes, charset: str) -> int:
    return len(_ODD.findall(_text(sample, charset)))


def _detected(data: bytes, sample: bytes) -> Decoded:
    """The text in the character set that its own letters suggest."""
    charset = _guess(sample)
    return _decoded(data, charset, "content") if charset else _decoded(data, "windows-1252", "default")


def _guess(sample: bytes) -> str:
    """The set that the detector suggests; '' when it suggests none."""
    letters = sample.translate(None, _TYPOGRAPHY)
    if b"\x1b" not in sample and len(_FOREIGN.findall(letters)) < FEW_LETTERS:
        return "macintosh" if _APOSTROPHE_OF_MACS.search(sample) else ""
    latin = _LATIN_OF_WINDOWS if _DASH_OF_WINDOWS.search(sample) else _LATIN
    candidates = latin if _is_latin(sample) else _DETECTABLE
    found = chardet.detect(sample, include_encodings=candidates, compat_names=False)
    return choose_lookalike(_NAMES.get(_bare(found["encoding"] or ""), ""), sample)


def _is_latin(sample: bytes) -> bool:
    """Do most letters beyond ASCII stand alone among ASCII letters?"""
    letters = sample.translate(None, _TYPOGRAPHY)
    foreign, in_runs = len(_FOREIGN.findall(letters)), sum(map(len, _RUNS.findall(letters)))
    return 3 * in_runs < foreign < len(letters) / 3


def _sample(data: bytes) -> bytes:
    """Pieces of text with letters beyond ASCII, without the markup between them, which would dilute them."""
    first = _FOREIGN.search(data)
    if first is None:
        return data[:SAMPLE_BYTES]
    start = max(0, first.start() - 100)
    pieces = data[start : start + SEARCH_BYTES].translate(_MARKUP).split(b"\n")
    return b"\n".join(piece for piece in pieces if not piece.isascii())[:SAMPLE_BYTES]


def _decoded(data: bytes, charset: str, source: str) -> Decoded:
    return Decoded(_without_nul(_text(data, charset), data), charset, source)


def _text(data: bytes, charset: str) -> str:
    try:
        return data.decode(_CODECS[charset], "replace")
    except RuntimeError:  # Python's decoders of ISO-2022 have bugs: a single shift to a set never named
        return data.decode("ascii", "replace")


def _without_nul(text: str, data: bytes) -> str:
    return text.replace("\0", "") if b"\0" in data else text  # bytes are searched twenty times faster


def _bare(label: str) -> str:
    """A label without case, blanks and punctuation."""
    return "".join(filter(str.isalnum, label.lower()))


def _encodings() -> Iterator[tuple[str, str, list[str]]]:
    """The lines of labels.txt: name, codec, labels."""
    for line in table("clean/charset/labels.txt").splitlines():
        if line and not line.startswith("#"):
            name, codec, *labels = line.split()
            yield name, codec, labels


_CODECS = {name: codec for name, codec, _ in _encodings()}
_NAMES = {_bare(label): name for name, _, labels in _encodings() for label in (name, *labels)}
_LATIN_OF_WINDOWS = ["cp1250", "cp1252", "cp1254", "cp1257"]
_LATIN = [*_LATIN_OF_WINDOWS, "cp852", "iso8859-2", "mac-roman"]
_DETECTABLE = [codec for name, codec in _CODECS.items() if not _UNLIKELY.match(name)]
