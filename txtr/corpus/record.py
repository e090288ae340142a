"""The corpus record: the metadata that are kept of a document, with its text.

    {"url": "http://example.cz/a", "title": "Ahoj", "fetched": "2026-11-16T01:00:03.127Z", ...}
    First sentence.
    Second sentence.
                                      <- one empty line ends the record

A record is one line of JSON, then the text, one line per sentence, then an empty line.

Invariant: there is no other empty line, whatever text encode_text() is given. So the empty line alone tells
whole records from half a record at the end of a file. `awk 'BEGIN { RS = "" } ...'` reads such a file record
by record, and files may be concatenated.

Why not one file per document: a hundred million small files are slower to write, copy and count than a
thousand large files.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NewType

import msgspec

from txtr.charset import encode, is_utf8
from txtr.errors import TheirMistake

END = b"\n\n"  # of a record
DIGEST_BYTES = 16  # 128 bits: among 10^9 texts the chance of one clash is below 10^-20


Text = NewType("Text", bytes)  # UTF-8: cleaned lines, none of them empty; made by encode_text()


def encode_text(text: str) -> Text:
    """A cleaned text as bytes. Its lines are tidy, and empty lines are taken out, whatever made them."""
    found = encode(text, "utf-8")
    if END in found or found.startswith(b"\n") or found.endswith(b"\n"):
        found = b"\n".join(filter(None, found.split(b"\n")))
    return Text(found)


def encode_record(metadata: dict[str, object], text: Text, encoding: str) -> bytes:
    """One whole record. The JSON is pure ASCII unless the encoding is UTF-8."""
    lines = text if is_utf8(encoding) else _replaced(text.decode(), encoding)
    number = lines.count(b"\n") + 1 if lines else 0
    about = {**metadata, "digest": metadata.get("digest") or digest(text), "lines": number}
    return b"\n".join(filter(None, (_json(about, encoding), lines))) + END


def _json(about: dict[str, object], encoding: str) -> bytes:
    """One line with the blanks of json.dumps, which takes longer than msgspec, but writes anything."""
    if not is_utf8(encoding):
        return json.dumps(about).encode()
    try:
        return msgspec.json.format(msgspec.json.encode(about), indent=0)
    except UnicodeEncodeError:  # half a character
        return encode(json.dumps(about, ensure_ascii=False), encoding)


def _replaced(text: str, encoding: str) -> bytes:
    """The text in an encoding that lacks characters; lines that are empty without these are taken out."""
    lines = (encode(line, encoding).strip() for line in text.split("\n"))
    return b"\n".join(filter(None, lines))


def digest(text: Text) -> str:
    """A digest of the text: texts with the same words have the same, whatever their lines."""
    words = text.replace(b"\n", b" ")
    return blake2b(words, digest_size=DIGEST_BYTES).hexdigest()


def complete_length(tail: bytes, end: bytes = END) -> int | None:
    """The length of the whole records among the last bytes of a file; None: no record ends there."""
    at = tail.rfind(end)
    return None if at < 0 else at + len(end)


def read_records(lines: Iterable[str]) -> Iterator[tuple[dict[str, object], str]]:
    """The records of a file, as (metadata, text); half a record at the end is left out."""
    record: list[str] = []
    for line in lines:
        if line := line.rstrip("\n"):
            record.append(line)
        elif record:
            yield _metadata(record[0]), "\n".join(record[1:])
            record = []


def _metadata(line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise TheirMistake(f"expected a record's line of JSON, found {line[:60]!r}") from error
    if not isinstance(found, dict):
        raise TheirMistake(f"expected a JSON object, found {line[:60]!r}")
    return found
