"""Escapes: what strangers wrote, as a line on a terminal, in a log or in a table may show it.

Invariant: one text stays one line, in the order in which it is written, and commands no terminal and no
spreadsheet. Titles, rules of robots.txt, codes of languages, reasons: whatever came over a line, or stood
in a file that another program wrote, passes here where it is shown.

An escape is spelled as in JSON (`\\u001b`), so that a line of JSON means the same before and after. All other
letters stay: titles of half of the world need joiners and wide blanks.
"""

import json
import re

# Controls, line separators, marks that turn the direction of what follows, annotations, halves of letters.
_COMMANDS = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_FORMULAS = tuple("=+-@\t\r＝＋－＠")  # what a cell begins with that a spreadsheet reckons out


def escaped(text: str) -> str:
    """The text as one harmless line."""
    return _COMMANDS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def json_line(value: object) -> str:
    """The value as one line of JSON that a terminal may show."""
    return escaped(json.dumps(value, ensure_ascii=False))


def cell(value: object) -> object:
    """The value as a cell of CSV, perhaps of several lines; what looks like a formula gets an apostrophe."""
    if not isinstance(value, str):
        return value
    return "'" * value.startswith(_FORMULAS) + "\n".join(map(escaped, value.split("\n")))
