"""Costly tags: the tags that the parser compares or copies, and how many of them a page has.

tame.py says what the standard asks of a parser that meets them.
"""

import re
from typing import NamedTuple

LINKS, ROOTS = ("a",), ("html", "body")
FORMATS = tuple("b big code em font i nobr s small strike strong tt u".split())  # noqa: SIM905
FORMAT = (
    rf"(?=[bcefinstu])(?:{'|'.join(reversed(FORMATS))})"  # the longer of two that begin alike comes first
)

_TAG = re.compile(  # all costly tags, with their attributes; finds rather too many
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


def weigh(text: str) -> Burden:
    """The burden of a page's markup, as native/costly.py finds it in C."""
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
