"""Notes: what a page says about itself in a few of its elements.

Those elements, and the elements that lead elsewhere, are *notable*.
Notable elements are found in one walk, since every search takes time in proportion to the tree. A *note* is a
value: one that was read from the tree equals one that C read from the markup.
"""

from collections.abc import Iterable
from typing import NamedTuple

from turbohtml import Element, Namespace

from txtr.clean.html.elements import OTHERS

RAW = ("script", "style", "iframe", "noembed", "noframes")  # unseen elements in which < means itself
SEEN_RAW = ("xmp", "plaintext")  # seen elements in which < means itself
_TAGS = tuple({*OTHERS, *RAW, *SEEN_RAW, "title", "time"})
_SAYING = {  # elements that say something about the page -> the attributes that say it
    "html": ("lang", "xml:lang"),
    "link": ("rel", "href"),
    "meta": ("name", "property", "itemprop", "http-equiv", "content"),
    "script": ("type",),
    "time": ("datetime", "class", "itemprop", "pubdate"),
    "title": (),
}
ATTRIBUTES = frozenset().union(*_SAYING.values())
_TELLING = {"script": ("type", "ld+json"), "link": ("rel", "canonical"), "time": ("datetime", "")}
_SPOKEN = ("script", "title")  # elements whose text says it


class Note(NamedTuple):
    """What an element says about the page."""

    tag: str
    text: str
    attributes: dict[str, str]
    is_in_head: bool

    def attr(self, name: str) -> str:
        return self.attributes.get(name, "")


def find_notable(tree: Element) -> list[Element]:
    """The notable elements in the order of the page."""
    return list(tree.iter_elements(_TAGS))


def read_notes(tree: Element, elements: Iterable[Element]) -> list[Note]:
    """The notes of the root and of these elements, in the order of the page."""
    return [_note(element) for element in (tree, *elements) if _is_telling(element)]


def _is_telling(element: Element) -> bool:
    tag = element.tag
    if tag == "title":
        return element.namespace is Namespace.HTML  # drawings have titles of their own
    if tag not in _TELLING:
        return tag in _SAYING
    name, word = _TELLING[tag]
    return word in (element.attr(name) or "").lower() and element.attr(name) is not None


def _note(element: Element) -> Note:
    tag = element.tag
    attributes = {name: value for name in _SAYING[tag] if (value := element.attr(name)) is not None}
    around = element.parent
    is_in_head = isinstance(around, Element) and around.tag == "head"
    return Note(tag, element.text if tag in _SPOKEN else "", attributes, is_in_head)
