"""Cleaning: bytes become sentences and links.

    from txtr.clean import clean

    page = clean(data, url="http://example.cz/a")
    page.text, page.title, page.language, page.charset, page.links, page.metadata

In the order in which a page goes through:

charset/  bytes become text, and each character gets one spelling
html/     text becomes a tree, or markup that needs no tree; parts that nobody reads are taken out
content/  which blocks are the main content?
text/     blocks become sentences
links     the addresses to which a page leads
metadata  what a page says about itself; dates: as ISO 8601
page      the entrance: all of that for one page
command   edge: `python -m txtr.clean`
native/   the slowest steps, in C

Invariant: any bytes give a page, in time that grows with their number and with nothing else.
"""

from txtr.clean.page import Cleaned, clean

__all__ = ["Cleaned", "clean"]
