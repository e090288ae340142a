"""Notable: the few elements of a page that say something about it or lead elsewhere.

They are found in one walk, since every search of a tree takes as long as the tree is large.
"""

from turbohtml import Element

from txtr.clean.pointers import OTHERS

RAW = ("script", "style", "iframe", "noembed", "noframes")  # < means itself in them, and nobody sees it
SEEN_RAW = ("xmp", "plaintext")  # the same, but seen
_TAGS = tuple({*OTHERS, *RAW, *SEEN_RAW, "title", "time"})


def notable(tree: Element) -> list[Element]:
    """In the order of the page."""
    return list(tree.iter_elements(_TAGS))
