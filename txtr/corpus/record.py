"""The corpus record: what is kept of a document, together with its text.

    {"url": "http://example.cz/a", "title": "Ahoj", "fetched": "2026-11-16T01:00:03.127Z", ...}
    First sentence.
    Second sentence.
                                      <- one empty line ends the record

One line of JSON, then the text, one line per sentence, then an empty line. Invariant: there is no
other empty line, whatever encode() is given, so the empty line alone tells whole records from a half
one at the end of a file. `awk 'BEGIN { RS = "" } ...'` reads such a file record by record, and files
may be concatenated.

Why not one file per document: a hundred million small files are slower to write, copy and count
than a thousand large ones.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from txtr.encoding import encoded, is_unicode
from txtr.errors import TheirMistake

END = b"\n\n"  # of a record
# White space but the blank, as str.split() knows it: all of it is below this sign.
_OTHER_BLANKS = tuple(sign for sign in map(chr, range(0x3001)) if sign.isspace() and sign != " ")
DIGEST_BYTES = 16  # 128 bits: among 10^9 texts the chance of one clash is below 10^-20


def encode(metadata: dict[str, object], text: str, encoding: str) -> bytes:
    """One whole record. The JSON is pure ASCII unless the encoding is UTF-8."""
    lines = [line for line in (encoded(line.strip(), encoding).strip() for line in text.splitlines()) if line]
    about = {**metadata, "digest": metadata.get("digest") or digest(text), "lines": len(lines)}
    first = json.dumps(about, ensure_ascii=not is_unicode(encoding))
    return b"\n".join([encoded(first, encoding), *lines]) + END


def digest(text: str) -> str:
    """The same for texts that differ in white space only."""
    return blake2b(_single_blanks(text).encode("utf-8", "replace"), digest_size=DIGEST_BYTES).hexdigest()


def _single_blanks(text: str) -> str:
    """The words with one blank between two; a cleaned text has only its line ends to be replaced."""
    line = text.replace("\n", " ")
    is_clean = line == line.strip() and "  " not in line and not any(sign in line for sign in _OTHER_BLANKS)
    return line if is_clean else " ".join(line.split())


def complete_length(tail: bytes, end: bytes = END) -> int | None:
    """How much of the last bytes of a file is whole records; None: no record ends among them."""
    at = tail.rfind(end)
    return None if at < 0 else at + len(end)


def read(lines: Iterable[str]) -> Iterator[tuple[dict[str, object], str]]:
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
