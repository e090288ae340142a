"""Clean: bytes become sentences and links.

    from txtr.clean import clean

    page = clean(data, url="http://example.cz/a")
    page.text, page.title, page.language, page.charset, page.links, page.metadata

decode     bytes -> text
twins      character sets that differ in few letters
normal     characters: one spelling for what looks the same
tree       text -> tree, however broken; tame: what would take the parser too long, by its costly tags
bare       text -> its markup, and a tree where there must be one; notes of what it says about itself
main       bare page -> paragraphs of the main content (how: prune and walk give blocks, with parts and hints;
           features and trees judge them; alike, wholes and companions keep what belongs together)
swift      the dearest of that in C
notable    the few elements that say something about a page or lead elsewhere
sentences  tree -> lines of all that can be seen; a block ends a sentence (visible: which elements are what)
split      a line -> its sentences
links      tree -> links (pointers: which elements lead elsewhere)
metadata   tree -> what the page says about itself; dates: ISO 8601 out of them
aside      files that are not HTML: their links
page       all of that for one page: the station's door
process    the command: python -m txtr.clean
"""

from txtr.clean.page import Cleaned, clean

__all__ = ["Cleaned", "clean"]
