"""Parts: what the elements of a pruned page are to somebody who walks through it.

Whatever is not named here is a part of the text around it, as <span> is.
"""

from txtr.clean.html.elements import BLOCKS, PREFORMATTED
from txtr.clean.html.prune import UNREAD

BREAK, RULE = "br", "hr"
BOXES = (BLOCKS | {"noscript"}) - {BREAK, RULE, *UNREAD}
LINK = "a"
STRONG = frozenset({"b", "strong"})
ROOTS = frozenset({"html", "body"})  # around everything, so they mean nothing
CELLS = frozenset({"td", "th"})
LISTS = frozenset({"ul", "ol", "dl", "menu", "dir", "nav", "div", "table", "tr", "footer", "header", "aside"})
VERBATIM = PREFORMATTED & BOXES  # boxes in which the lines of the source are lines of the text

MOST_BLOCKS = 20_000  # of one page that are looked at; the longest page of 4,500 has 9,000
FEWEST_ENTRIES, MOST_ENTRIES = 3, 200  # blocks that make a menu
MENU = 0.85  # of a menu's characters at least are links
LONGEST_ENTRY = 60  # characters on average, of what is no list by its tag
