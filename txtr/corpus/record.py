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

import codecs
import json
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from txtr.errors import TheirMistake

END = b"\n\n"  # of a record
DIGEST_BYTES = 16  # 128 bits: among 10^9 texts the chance of one clash is below 10^-20

# What typography becomes where the encoding has no such character (ISO-8859-2 has hardly any). Other
# characters are decomposed, which takes a foreign accent off its letter; what is left is a question mark.
PLAIN = {
    **dict.fromkeys("‘’‚‛‹›′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f", " "),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
    "…": "...",
    "•": "*",
    "™": "(TM)",
    "©": "(C)",
    "®": "(R)",
    "€": "EUR",
}


def encode(metadata: dict[str, object], text: str, encoding: str) -> bytes:
    """One whole record. The JSON is pure ASCII unless the encoding is UTF-8."""
    lines = [line for line in (_encode(line.strip(), encoding).strip() for line in text.splitlines()) if line]
    about = {**metadata, "digest": metadata.get("digest") or digest(text), "lines": len(lines)}
    first = json.dumps(about, ensure_ascii=not _is_utf_8(encoding))
    return b"\n".join([_encode(first, encoding), *lines]) + END


def digest(text: str) -> str:
    """The same for texts that differ in white space only."""
    return blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=DIGEST_BYTES).hexdigest()


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


def extends_ascii(encoding: str) -> bool:
    """Can records be written in this encoding? UTF-16, say, has other line ends."""
    ascii_text = "".join(map(chr, range(32, 127))) + "\n"
    return ascii_text.encode(encoding, "replace") == ascii_text.encode("ascii")


def _metadata(line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise TheirMistake(f"expected a record's line of JSON, found {line[:60]!r}") from error
    if not isinstance(found, dict):
        raise TheirMistake(f"expected a JSON object, found {line[:60]!r}")
    return found


def _is_utf_8(encoding: str) -> bool:
    return codecs.lookup(encoding).name == "utf-8"


def _encode(text: str, encoding: str) -> bytes:
    return text.encode(encoding, "txtr-plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """For characters that an encoding lacks: what stands in for them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(PLAIN[found] if found in PLAIN else _bare(found) for found in missing), error.end


def _bare(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character)
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    return bare if bare.isascii() and bare.isprintable() and bare else "?"


codecs.register_error("txtr-plain", _plain)
