"""The tree: a page's markup, however broken, as a browser sees it.

Invariant: every text becomes a tree with html at its root, in time and memory proportional to its length;
nothing raises.

The parser is turbohtml's, which builds what the HTML standard says (why: docs/decisions/0008). The standard
would lose text in two cases, so the markup is changed before. CDATA would be read as a comment (one page in
three has CDATA in scripts, where it does not matter). And noscript in the head would end the head and show
what browsers with scripts do not show. Markup that would take the parser too long is tamed (tame.py).
"""

import re

import turbohtml
from turbohtml import Element

from txtr.clean.html.tame import tame

LONG = 2_000_000  # characters; a shorter page, written out, takes little memory whatever it holds
MOST_ESCAPED = 5_000_000  # characters that escapes add; ten million quotes took 400 MB
_ESCAPED = {"&": 4, '"': 5, "\xa0": 5, "<": 3, ">": 3}  # character -> how many more its escape has

_SECTION, _SECTION_END = "<![CDATA[", "]]>"
_SCRIPT_ENDS = re.compile(r"[^<]*+</(?:script|style)[\s/>]", re.IGNORECASE)
_HEAD_ENDS = re.compile(r"<(?:/head|body)[ \n\t\r\f/>]", re.IGNORECASE)
_NOSCRIPT = re.compile(
    r"<noscript(?=[ \n\t\r\f/>])([^<>]*+>[^<]*+(?:<(?!/?noscript)[^<]*+)*+)</noscript(?=[ \n\t\r\f/>])",
    re.IGNORECASE,
)


def parse(text: str, utf8: bytes | None = None) -> Element:
    """The root of the page's tree; utf8 is the same text in UTF-8, if that is at hand."""
    if has_sections(text):
        text, utf8 = text.replace(_SECTION, "").replace(_SECTION_END, ""), None
    whole = _with_whole_head(text)
    fit = tame(whole, utf8 if whole is text else None)
    root = turbohtml.parse(fit, allow_declarative_shadow_roots=False).root
    assert root is not None  # the standard gives every text one
    return root


def is_light(text: str) -> bool:
    """Is the tree of this text, written out, not much longer than the text?"""
    return (
        len(text) <= LONG or sum(more * text.count(sign) for sign, more in _ESCAPED.items()) <= MOST_ESCAPED
    )


def has_sections(text: str) -> bool:
    """Is there CDATA that does not end where a script or style ends?"""
    start = text.find(_SECTION)
    while start >= 0:
        end = text.find(_SECTION_END, start)
        if end < 0 or not _SCRIPT_ENDS.match(text, end):
            return True
        start = text.find(_SECTION, end)
    return False


def _with_whole_head(text: str) -> str:
    """The text with templates for noscript in the head: a template may hold anything, and is not seen."""
    place = _HEAD_ENDS.search(text)
    end = place.start() if place else 0
    if text.find("<noscript", 0, end) < 0:
        return text
    return _NOSCRIPT.sub(r"<template\1</template", text[:end]) + text[end:]
