"""The tree: a page's markup, however broken, as lxml sees it.

Invariant: every text becomes a tree or None (nothing in it), in time proportional to its
length; nothing raises. Comments and processing instructions are gone.

The parser is libxml2's. Where it would lose text or time, the text is changed before it
sees it: it forgets what follows </html>, it reads CDATA as a comment, it stops at 2048
nested elements, and a tag with very many attributes takes it quadratic time.
"""

import re
from itertools import islice
from typing import Any

from lxml import etree

from txtr.clean.sentences import BLOCKS

DEEPEST = 2040  # elements within each other; libxml2 stops reading at 2048
WIDEST = 1000  # attributes of one tag: 200,000 took 50 s, 1000 take 1 ms
SAMPLES, SAMPLE, BETWEEN_SAMPLES = 4, 2000, 10_000  # bytes; a tag that escapes has 10,000 attributes: 0.3 s
LONG_TAG = 8000  # characters; a shorter tag has 2500 attributes at most, which is 10 ms

_CONTROLS = bytes([*range(9), 11, *range(14, 32), 127])
_NO_CHARACTERS = ("\ufffe", "\uffff")
_END_OF_PAGE = re.compile(rb"<(?:/(?:html|body)[^<>]*|html\s*/)>", re.IGNORECASE)
_TAG = re.compile(r"<[a-z](?:[^>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*+", re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_NO_SIGNS = bytes(set(range(256)) - set(b"<>=\"'"))
_QUOTED_END = re.compile(rb">[<>]*[\"']+=")
_BETWEEN_ATTRIBUTES = re.compile(r"[\s/\"']")
_ANY_TAG = re.compile(r"</?([a-z][^\s/<>]*)[^<>]*>", re.IGNORECASE)

# What a page flattened for its depth keeps: links, and what must not become text.
_KEPT = frozenset({"a", "area", "base", "frame", "frameset", "iframe", "link", "meta", "br", "img"})
_KEPT |= {"html", "head", "body", "title", "script", "style", "noscript", "textarea"}


def parse(text: str) -> etree._Element | None:
    """The root of the page's tree, or None when there is nothing in it."""
    if "<![CDATA[" in text:
        text = text.replace("<![CDATA[", "").replace("]]>", "")
    root = _parsed(text)
    if root is not None and _depth_of_end(root) >= DEEPEST:
        root = _parsed(_ANY_TAG.sub(_flattened, text))
    return root


def _parsed(text: str) -> etree._Element | None:
    data = _END_OF_PAGE.sub(b"", _without_controls(text))
    target: Any = _Narrow() if _may_be_wide(data) and _is_wide(text) else None
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        recover=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,  # nobody asks for them, and they take 5 % of the time
        target=target,
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.LxmlError, AssertionError):  # an empty page; and TreeBuilder asserts that there was a tag
        return None


def _without_controls(text: str) -> bytes:
    """The text's bytes without what no tree may contain: from bytes it goes ten times as fast."""
    for character in _NO_CHARACTERS:
        if character in text:
            text = text.replace(character, "")
    return text.encode("utf-8", "replace").translate(None, _CONTROLS)


def _may_be_wide(data: bytes) -> bool:
    """Quick, and true of every page with a tag that would take long.

    Inside a tag there is no >, unless quoted: samples in a row show a tag as long as they are apart.
    """
    samples = (data[at : at + SAMPLE] for at in range(0, len(data) - SAMPLE, BETWEEN_SAMPLES))
    in_a_row = 0
    for sample in samples:
        in_a_row = in_a_row + 1 if _may_be_in_tag(sample) else 0
        if in_a_row == SAMPLES:
            return True
    return False


def _may_be_in_tag(sample: bytes) -> bool:
    return b">" not in sample or _QUOTED_END.search(sample.translate(None, _NO_SIGNS)) is not None


def _is_wide(text: str) -> bool:
    """Does some tag seem to have more attributes than it should?"""
    return any(
        len(_BETWEEN_ATTRIBUTES.findall(_QUOTED.sub('"', tag[0]))) > WIDEST
        for tag in _TAG.finditer(text)
        if tag.end() - tag.start() > LONG_TAG
    )


class _Narrow:
    """Builds the tree through Python, slower, but with few attributes per element."""

    def __init__(self) -> None:
        self.builder = etree.TreeBuilder()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        sound = ((name, value) for name, value in attributes.items() if _NAME.fullmatch(name))
        self.builder.start(self._named(tag), dict(islice(sound, WIDEST)))

    def end(self, tag: str) -> None:
        self.builder.end(self._named(tag))

    @staticmethod
    def _named(tag: str) -> str:
        return tag if _NAME.fullmatch(tag) else "span"  # the builder refuses names like p"

    def data(self, data: str) -> None:
        self.builder.data(data)

    def close(self) -> Any:
        return self.builder.close()


def _depth_of_end(root: etree._Element) -> int:
    """How deep the page was where it ended: there the parser stopped, if it stopped."""
    depth, element = 1, root
    while len(element):
        depth, element = depth + 1, element[-1]
    return depth


def _flattened(tag: re.Match[str]) -> str:
    """A page that is too deep loses its containers; the ends of sentences remain."""
    name = tag[1].lower()
    if name in _KEPT:
        return tag[0]
    return "<br>" if name in BLOCKS else ""
