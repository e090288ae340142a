"""Regular expressions that the user keeps in a file: `--exclude=@blocked.txt`, one a line.

Lists of servers are long, and a shell hands over no argument of more than 128 KiB. Blank lines and lines that
begin with # do not count. What any line finds is found: an option's value is all of them with | between.

Invariant: a line means the same in the list as alone, and a line that means nothing alone is refused by its
number. So each is compiled by itself: two wrong ones, `(a` and `b)`, may be right with | between. Flags at
the beginning of a line hold for that line, and names of groups belong to their line.

No server has an @ in its name, so no expression for servers is lost to this meaning of the sign.
"""

import re

from txtr.alternatives import without_captures
from txtr.config.options import LONGEST_EXPRESSION
from txtr.config.values import shown
from txtr.errors import UserMistake

SIGN = "@"
COMMENT = "#"
_NUMBERED = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")  # means one of the line's own groups, by number or name
_ALONE = re.compile(r"\^?(?:[\w.-]|\\[.-])+\$?")  # what means the same beside others as alone
_FLAGS = re.compile(r"(?:\(\?[a-zA-Z]+\))+")
_LETTERS_AND_GROUPS = re.compile(r"(?:[\w.^$|()*+?-]|\(\?:|\\[.-])+", re.ASCII)


def joined(content: str, culprit: str) -> str:
    """The one expression that is all lines of a file; the culprit is named before what is wrong."""
    lines = _lines(content)
    if not lines:
        raise UserMistake(f"{culprit}: no regular expression in it")
    is_list = len(lines) > 1 or lines[0][1].startswith(SIGN)
    expression = "|".join(_part(line) for _, line in lines) if is_list else lines[0][1]
    if len(expression) <= LONGEST_EXPRESSION:
        for number, line in lines:
            if wrong := _mistake(line) or (_mistake_in_list(line) if is_list else ""):
                raise UserMistake(f"{culprit}: line {number}: {wrong}")
    return expression


def _part(line: str) -> str:
    """A line as it is written between others."""
    if _ALONE.fullmatch(line):
        return line
    flags = _FLAGS.match(line)
    if flags is None:
        return f"(?:{without_captures(line)})"
    letters = "".join(sorted(set(flags[0]) - set("(?)")))
    line = without_captures(line[flags.end() :])
    if letters == "i" and _LETTERS_AND_GROUPS.fullmatch(line):
        return (
            f"(?:{line.lower()})"  # as names of servers are: it is found sooner than without regard to case
        )
    return f"(?{letters}:{line})"


def _mistake(line: str) -> str:
    """Why a line is no regular expression; empty when it is one."""
    if not line.isprintable():
        return f"{shown(line)}: holds a control character"
    try:
        re.compile(line)
    except (re.error, OverflowError, RecursionError) as error:
        return f"bad regular expression: {error}"
    return ""


def _mistake_in_list(line: str) -> str:
    """Why a regular expression cannot stand beside others."""
    if _NUMBERED.search(line):
        return "a line in a list cannot refer to its own groups"
    flags = _FLAGS.match(line)
    return "a line in a list cannot have the flag x" if flags and "x" in flags[0] else ""


def _lines(content: str) -> list[tuple[int, str]]:
    stripped = enumerate(map(str.strip, content.removeprefix("\ufeff").split("\n")), start=1)
    return [(number, line) for number, line in stripped if line and not line.startswith(COMMENT)]
