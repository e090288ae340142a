"""The tree: a page's markup, however broken, as lxml sees it.

Invariant: every text becomes a tree or None (nothing in it), in time proportional to its
length; nothing raises. Comments and processing instructions are gone.

The parser is libxml2's. Where it would lose text or time, the markup is changed before it
sees it: it forgets what follows </html>, it reads CDATA as a comment, it stops at 2048
nested elements, and a tag with very many attributes takes it quadratic time. Half of an
average page is comments, scripts, styles and drawings, in which nobody reads: they are cut out
first, which takes as long as parsing them would, and spares whoever walks over the tree.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml import etree

from txtr.clean.sentences import BLOCKS

DEEPEST = 2040  # elements within each other; libxml2 stops reading at 2048
MOST_TAGS = 400_000  # of one page that are read, 400 bytes each; the most of 5,200 pages is 21,646
LARGE = 300_000  # bytes; a smaller page has no room for a tag that takes more than two seconds
WIDEST = 1000  # attributes of one tag: 200,000 took 50 s, 1000 take 1 ms
LONG_TAG = 4000  # bytes; a shorter tag has 1300 attributes at most
NEAR = 2000  # bytes before a tag in which one is looked for that it may stand in

_CONTROLS = bytes([*range(9), 11, *range(14, 32), 127])
_NO_CHARACTERS = ("\ufffe", "\uffff")
_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
_ANY_TAG = re.compile(rb"</?([a-z][^\s/<>]*)[^<>]*>", re.IGNORECASE)

# In small letters: what is cut out, and what holds text that only looks like markup.
_CUT = (b"script", b"style", b"svg")
_RAW = rb"t(?:itle|extarea)|xmp|iframe|no(?:embed|frames)|plaintext"
_PLACE = re.compile(
    rb"<(?:!--|(s(?:cript|tyle|vg)|%b)(?=[\s/>])([^<>]*+)>|/(?:html|body)[^<>]*+>|html\s*+/>)" % _RAW
)
_AFTER_NAME = b" \t\n\f\r/>"

# A tag as the HTML standard reads it: quotes count after an equals sign only, unless that begins a name.
_ATTRIBUTES = (
    rb"(?P<attributes>(?:[\s/]++|[^\s/>][^\s/>=]*+"
    rb"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|(?![\"'>])[^\s>]++)?+)?+)*+)"
)
_TOKEN = re.compile(
    rb"<(?:[!?][^>]*+|/[^a-z>][^>]*+|(?:(?P<raw>script|style|%b)(?=[\s/>])|/?[a-z][^\s/>]*+)%b"
    rb"(?(raw)>(?:[^<]++|<(?!/(?P=raw)[\s/>]))*+))" % (_RAW, _ATTRIBUTES)
)
_BETWEEN_ATTRIBUTES = re.compile(rb"[\s/\"']")

# What a page flattened for its depth keeps: links, and what must not become text.
_KEPT = frozenset({"a", "area", "base", "frame", "frameset", "iframe", "link", "meta", "br", "img"})
_KEPT |= {"html", "head", "body", "title", "script", "style", "noscript", "textarea"}


def parse(text: str) -> etree._Element | None:
    """The root of the page's tree, or None when there is nothing in it."""
    if "<![CDATA[" in text:
        text = text.replace("<![CDATA[", "").replace("]]>", "")
    data = _bounded(b"".join(_read(_encoded(text))).translate(None, _CONTROLS))
    root = _parsed(data)
    if root is not None and _depth_of_end(root) >= DEEPEST:
        root = _parsed(_ANY_TAG.sub(_flattened, data))
    return root


def _parsed(data: bytes) -> etree._Element | None:
    target: Any = _Narrow() if len(data) > LARGE and _is_wide(data.lower()) else None
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


def _encoded(text: str) -> bytes:
    """The text's bytes, in which the rest goes ten times as fast."""
    for character in _NO_CHARACTERS:
        if character in text:
            text = text.replace(character, "")
    return text.encode("utf-8", "replace")


def _read(data: bytes) -> Iterator[bytes]:
    """The pieces of a page that are read. Wherever it is doubtful what is to be cut out, nothing is."""
    small = data.lower()
    done = at = 0
    while (place := _PLACE.search(small, at)) is not None:
        at, is_cut = _extent(small, place)
        if at == 0:
            break  # it goes on to the end of the page
        if is_cut and not _is_inside_tag(small, place.start()):
            yield data[done : place.start()]
            done = at
    yield data[done:]


def _extent(small: bytes, place: re.Match[bytes]) -> tuple[int, bool]:
    """Where that which begins here ends, 0 when it does not; and is it to be cut out?"""
    name, tag = place.groups()
    start, inside = place.span()
    if name is not None:
        close = small.find(b"</" + name, inside)
        end = small.find(b">", close) + 1 if close >= 0 else 0
        is_cut = name in _CUT and end > 0 and small[close + 2 + len(name)] in _AFTER_NAME
        return end, is_cut and _is_unread(small, name, tag, inside, close)
    if inside - start > len(b"<!--"):
        return inside, True  # </html>
    end = small.find(b"-->", start + 2)
    return (end + 3, small.find(b"--!>", start, end) < 0) if end >= 0 else (0, False)


def _is_unread(small: bytes, name: bytes, tag: bytes, inside: int, close: int) -> bool:
    """Is this script, style or drawing nothing else? JSON-LD is data, drawings may have links."""
    if tag.endswith(b"/") or (b"json" in tag and b"ld" in tag):
        return False
    if name == b"svg":
        return small.find(b"<svg", inside, close) < 0 and small.find(b"<a ", inside, close) < 0
    # A comment inside a script may hide the end of a script inside that.
    return small.find(b"<!--", inside, close) < 0 or small.find(b"<script", inside, close) < 0


def _is_inside_tag(small: bytes, at: int) -> bool:
    """May this be part of an attribute, which may hold any markup, or follow an open quote?"""
    start = small.rfind(b"<", max(0, at - NEAR), at)
    if start < 0:
        return False
    tag = small[start:at]
    return b">" not in tag or tag.count(b'"') % 2 == 1


def _bounded(data: bytes) -> bytes:
    """As much of a page as is read at all."""
    if data.count(b"<") <= MOST_TAGS:
        return data
    return b"<".join(data.split(b"<", MOST_TAGS + 1)[: MOST_TAGS + 1])


def _is_wide(small: bytes) -> bool:
    """May some tag have more attributes than it should? A comment that was not cut may hide anything."""
    if b"<!--" in small:
        return True
    return any(
        len(_BETWEEN_ATTRIBUTES.findall(token["attributes"])) > WIDEST
        for token in _TOKEN.finditer(small)
        if token.end() - token.start() > LONG_TAG and token["attributes"]
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


def _flattened(tag: re.Match[bytes]) -> bytes:
    """A page that is too deep loses its containers; the ends of sentences remain."""
    name = tag[1].lower().decode("utf-8", "replace")
    if name in _KEPT:
        return tag[0]
    return b"<br>" if name in BLOCKS else b""
