"""Costly tags: those that the parser compares or copies, and how many of them a page has.

What the standard asks of a parser with them: tame.py.
"""

import re
from typing import NamedTuple

LINKS, ROOTS = ("a",), ("html", "body")
FORMATS = tuple("b big code em font i nobr s small strike strong tt u".split())  # noqa: SIM905
FORMAT = (
    rf"(?=[bcefinstu])(?:{'|'.join(reversed(FORMATS))})"  # the longer of two that begin alike comes first
)

_TAG = re.compile(  # all of them, with their attributes; says rather too many
    rf"<(?=[a-cefhinstuA-CEFHINSTU])((?i:a|html|body|{FORMAT}))(?=[\s/>])"
    r"((?:[^\"'>]++|\"[^\"]*+\"?|'[^']*+'?)*+)",
    re.ASCII,
)


class Burden(NamedTuple):
    """The costly tags of a page, and how many characters their attributes have."""

    roots: int
    widest_root: int
    formats: int
    format_characters: int  # of all
    widest_link: int


def weighed(text: str) -> Burden:
    """The burden of a page's markup. The twin of native/costly.py."""
    roots = widest_root = formats = characters = widest_link = 0
    for name, attributes in _TAG.findall(text):
        width = len(attributes)
        if name.lower() in LINKS:
            widest_link = max(widest_link, width)
        elif name.lower() in ROOTS:
            roots += 1
            widest_root = max(widest_root, width)
        else:
            formats += 1
            characters += width
    return Burden(roots, widest_root, formats, characters, widest_link)
