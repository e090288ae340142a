"""Parts: the part that each element of a pruned page plays on a walk through the page.

An element that is not named here is a part of the text around it, as <span> is.
"""

from txtr.clean.html.elements import BLOCKS, PREFORMATTED
from txtr.clean.html.prune import UNREAD

BREAK, RULE = "br", "hr"
BOXES = (BLOCKS | {"noscript"}) - {BREAK, RULE, *UNREAD}
LINK = "a"
STRONG = frozenset({"b", "strong"})
ROOTS = frozenset({"html", "body"})  # around everything, so their names say nothing
CELLS = frozenset({"td", "th"})
LISTS = frozenset({"ul", "ol", "dl", "menu", "dir", "nav", "div", "table", "tr", "footer", "header", "aside"})
VERBATIM = PREFORMATTED & BOXES  # boxes in which the lines of the source are lines of the text

MOST_BLOCKS = 20_000  # of one page that are looked at; the longest page of 4,500 has 9,000
FEWEST_ENTRIES, MOST_ENTRIES = 3, 200  # blocks that make a menu
MENU = 0.85  # the least share of links in a menu's characters
LONGEST_ENTRY = 60  # characters on average, in a menu that is a div and no list by its tag
