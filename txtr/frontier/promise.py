"""The promise of a link: the usability, 0 to 1, that we expect of the document behind it.

Several things tell it before the document is fetched: the page on which the link was found, its *parent*
(pages link to their own language); what its domain has brought so far; and the language that the link names,
by hreflang or its text (clean/links.py) or by its URL (/en/, en.example.org, lang=en). A domain's history
counts like a few pages at most, however long it is: a large domain has several languages, and there the
parent tells more.
"""

import re
from collections.abc import Collection

from txtr.data import table

PARENT_WEIGHT = 3.0  # weight of the parent, in documents of the domain
MOST_HISTORY = 6.0  # weight of the domain's history, at most: twice the parent's
FOREIGN_SHARE = 0.2  # what is left of the promise when the URL names another language

_SEGMENTS = re.compile(r"/([A-Za-z]{2,3})(?:[-_][A-Za-z]{2,4})?(?=[/?.]|$)")
_PARAMETER = re.compile(
    r"[?&;](?:lang|language|lng|locale|hl|jazyk|sprache|idioma|langue)=([A-Za-z]{2,3})(?![A-Za-z])",
    re.IGNORECASE,
)
_MOST_SEGMENTS = 2  # of a path in which a language is looked for: /en/news, /shop/en; deeper ones are words


def expect_usability(parent: float, documents: int, usability: float, cue: bool | None) -> float:
    """The promise of a link, from its parent's usability, the sum of its domain's, and its URL."""
    weight = min(documents, MOST_HISTORY)
    mean = usability / documents if documents else 0.0
    expected = (PARENT_WEIGHT * parent + weight * mean) / (PARENT_WEIGHT + weight)
    if cue is None:
        return expected
    return (1.0 + expected) / 2 if cue else FOREIGN_SHARE * expected


class Cues:
    """Compares the languages that URLs name with those that are wanted."""

    def __init__(self, wanted: Collection[str]) -> None:
        self.wanted = frozenset(wanted)

    def cue(self, domain: str, path: str) -> bool | None:
        """Does this URL name a wanted language? None when it names none, or any would do."""
        if not self.wanted:
            return None
        languages = _by_parameter(path) or _by_segment(path) or _by_label(domain)
        return None if languages is None else not self.wanted.isdisjoint(languages)

    def names_wanted(self, code: str) -> bool | None:
        """Is this the code of a wanted language? None when it is no code, or any would do."""
        languages = CODES.get(code.replace("_", "-").partition("-")[0].lower())
        return None if not self.wanted or languages is None else not self.wanted.isdisjoint(languages)


def _by_parameter(path: str) -> frozenset[str] | None:
    found = _PARAMETER.search(path) if "?" in path else None
    return CODES.get(found[1].lower()) if found else None


def _by_segment(path: str) -> frozenset[str] | None:
    start = path.find("/")
    for _ in range(_MOST_SEGMENTS):
        found = _SEGMENTS.match(path, start)
        if found and found[1].lower() in PLAIN:
            return CODES[found[1].lower()]
        start = path.find("/", start + 1)
        if start < 0:
            return None
    return None


def _by_label(domain: str) -> frozenset[str] | None:
    label, _, rest = domain.partition(".")
    return CODES[label] if label in PLAIN and "." in rest else None


def _read_codes(text: str) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The lines of languages.txt: code -> languages, and the codes that are no ordinary words."""
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    codes = {row[0].rstrip("*"): frozenset(row[1:] or [row[0].rstrip("*")]) for row in rows}
    return codes, frozenset(row[0] for row in rows if not row[0].endswith("*"))


CODES, PLAIN = _read_codes(table("frontier/languages.txt"))
