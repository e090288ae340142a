"""A bare page: what is left of it when scripts, styles and the like are empty.

Invariant: `markup`, where there is any, is what the tree would be written out as (but for drawings, which may
be empty, too), and the notes say the same in the attributes that speak of a page, whoever has found them.

Most pages are plain: their markup is found without a tree (swift/plain.c), which takes a quarter of the time.
The tree is there for all others, and for whoever asks for it.
"""

from turbohtml import Element

from txtr.clean import sentences, walk
from txtr.clean.notable import Note, notable, notes
from txtr.clean.swift import plain
from txtr.clean.tree import LONG, is_light, parse
from txtr.swift.disk import library


class Bare:
    def __init__(self, text: str, utf8: bytes | None, wants_tree: bool) -> None:
        """utf8 is the same text, if somebody has it."""
        self._text, self._utf8 = text, utf8
        self.is_light = is_light(text)
        self.said: walk.Said | None = None  # by the scripts of a tree, before they were empty
        self._tree: Element | None = None
        self.elements: list[Element] = []  # the notable ones of the tree
        self.notes: list[Note] = []
        self.markup: bytes | None = None
        quick = None if wants_tree else self._plain()
        if quick is not None:
            self.markup, self.notes = quick
        else:
            self._parse()

    def _plain(self) -> tuple[bytes, list[Note]] | None:
        if self._utf8 is None and len(self._text) <= LONG:
            self._utf8 = self._text.encode("utf-8", "replace")
        return plain.read(self._utf8) if self._utf8 is not None else None

    def tree(self) -> Element:
        return self._tree if self._tree is not None else self._parse()

    def _parse(self) -> Element:
        self._tree = parse(self._text, self._utf8)
        self.elements = notable(self._tree)
        self.notes = notes(self._tree, self.elements)
        self.said = walk.said(self.elements)
        sentences.bare(self.elements)
        if self.markup is None and self.is_light and library() is not None:
            self.markup = sentences.written_out(self._tree)
        return self._tree
