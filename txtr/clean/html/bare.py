"""A bare page: a page in which scripts, styles and the like are empty.

Invariant: `markup`, where there is any, is the tree as it would be written out, but for two things. Drawings
may be empty, too. And unless the weight of letters counts, comments may be empty, and attributes may be
missing that say neither what can be seen nor where it leads. The notes have the same attributes about the
page, whether they were found in the markup or in the tree.

Most pages are plain: their markup is found without a tree (native/src/plain.c), in a quarter of the time. All
other pages have a tree, and a plain page gets one when it is asked for.

Where the weight of letters counts, a page with formatting from which the parser must be spared (tame.py) is
not plain.
"""

from turbohtml import Element

from txtr.clean.html.notes import Note, find_notable, read_notes
from txtr.clean.html.tame import tame
from txtr.clean.html.tree import LONG, has_sections, is_light, parse
from txtr.clean.native import plain
from txtr.clean.text import sentences
from txtr.native.library import library


class Bare:
    def __init__(self, text: str, utf8: bytes | None = None, is_weighed: bool = True) -> None:
        """The text has no NUL; utf8 is the same text in UTF-8, if that is at hand.

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
            self.markup = sentences.write_out(self._parsed())  # the tree may go: it is ten times as large
        else:
            self._tree = self._parsed()

    def _plain(self, is_weighed: bool) -> tuple[bytes, list[Note]] | None:
        if len(self._text) > LONG or has_sections(self._text):  # the parser is shown a changed text
            return None
        if self._utf8 is None:
            self._utf8 = self._text.encode("utf-8", "replace")
        if is_weighed and tame(self._text, self._utf8) is not self._text:
            return None
        return plain.write_plain(self._utf8, is_whole=is_weighed)  # the trees ask for classes and the like

    def tree(self) -> Element:
        """The bare tree; where there is markup, it is seldom needed."""
        if self._tree is None:
            self._tree = self._parsed()
        return self._tree

    def _parsed(self) -> Element:
        tree = parse(self._text, self._utf8)
        elements = find_notable(tree)
        self.notes = read_notes(tree, elements)
        sentences.make_bare(elements)
        return tree
