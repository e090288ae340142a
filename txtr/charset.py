"""Encoding: texts become bytes of the encoding that the user wants, whatever characters they have.

Invariant: nothing raises but LookupError, for an encoding that does not exist. Characters that the encoding
can express stay as they are. All others are replaced by one rule, in this order:

1. typography by its plain form: „ by ", – by -, … by ..., € by EUR (PLAIN);
2. a letter by the letter without marks and ligatures: ã by a, ﬁ by fi (ISO-8859-2 has no ã);
3. a mark that stands on such a letter by nothing;
4. each of the rest by a question mark.
"""

import codecs
import unicodedata
from functools import lru_cache

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


def encode(text: str, encoding: str) -> bytes:
    """The text in this encoding."""
    return text.encode(encoding, "txtr-plain")


@lru_cache(4)  # every record asks twice
def is_utf8(encoding: str) -> bool:
    """Is the encoding UTF-8? No other encoding that extends ASCII can express every character."""
    return codecs.lookup(encoding).name == "utf-8"


def extends_ascii(encoding: str) -> bool:
    """Are the line ends and blanks of the encoding those of ASCII? UTF-16, say, has others."""
    ascii_text = "".join(map(chr, range(32, 127))) + "\n"
    return ascii_text.encode(encoding, "replace") == ascii_text.encode("ascii")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The replacement for characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(PLAIN[found] if found in PLAIN else _bare(found) for found in missing), error.end


def _bare(character: str) -> str:
    if unicodedata.combining(character):
        return ""
    parts = unicodedata.normalize("NFKD", character)
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    return bare if bare.isascii() and bare.isprintable() and bare else "?"


codecs.register_error("txtr-plain", _plain)
