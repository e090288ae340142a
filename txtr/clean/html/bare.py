"""A bare page: what is left of it when scripts, styles and the like are empty.

Invariant: `markup`, where there is any, is what the tree would be written out as (but for drawings, which may
be empty, too; and unless the weight of letters counts, comments may be empty, and attributes be left out that
tell neither what can be seen nor where it leads), and the notes say the same in the attributes that speak of
a page, whoever has found them.

Most pages are plain: their markup is found without a tree (native/src/plain.c), which takes a quarter of the
time. The tree is there for all others, and for whoever asks for it.

Where the weight of letters counts, a page whose formatting the parser must be spared (tame.py) is not plain.
"""

from turbohtml import Element

from txtr.clean.html.notes import Note, notable, notes
from txtr.clean.html.tame import tamed
from txtr.clean.html.tree import LONG, has_sections, is_light, parse
from txtr.clean.native import plain
from txtr.clean.text import sentences
from txtr.native.library import library


class Bare:
    def __init__(self, text: str, utf8: bytes | None = None, is_weighed: bool = True) -> None:
        """The text has no NUL; utf8 is the same, if somebody has it.

        is_weighed: does the weight of letters count?
        """
        self._text, self._utf8 = text, utf8
        self._tree: Element | None = None
        self.notes: list[Note] = []
        self.markup: bytes | None = None
        quick = self._plain(is_weighed)
        if quick is not None:
            self.markup, self.notes = quick
        elif library() is not None and is_light(text):
            self.markup = sentences.written_out(self._parsed())  # the tree may go: it takes ten times as much
        else:
            self._tree = self._parsed()

    def _plain(self, is_weighed: bool) -> tuple[bytes, list[Note]] | None:
        if len(self._text) > LONG or has_sections(self._text):  # the parser is shown another text than that
            return None
        if self._utf8 is None:
            self._utf8 = self._text.encode("utf-8", "replace")
        if is_weighed and tamed(self._text, self._utf8) is not self._text:
            return None
        return plain.read(self._utf8, is_whole=is_weighed)  # weights go by classes and the like

    def tree(self) -> Element:
        """The tree, bare; where there is markup, hardly anybody needs it."""
        if self._tree is None:
            self._tree = self._parsed()
        return self._tree

    def _parsed(self) -> Element:
        tree = parse(self._text, self._utf8)
        elements = notable(tree)
        self.notes = notes(tree, elements)
        sentences.bare(elements)
        return tree
