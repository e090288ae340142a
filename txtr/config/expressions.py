"""Regular expressions that the user keeps in a file: `--exclude=@blocked.txt`, one a line.

Lists of servers are long, and a shell hands over no argument of more than 128 KiB. Blank lines and lines that
begin with # do not count. What any line finds is found: an option's value is all of them with | between.

No server has an @ in its name, so no expression for servers is lost to this meaning of the sign.
"""

import re

from txtr.errors import UserMistake

SIGN = "@"
COMMENT = "#"
_NUMBERED = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")  # means one of the line's own groups, by number or name
_ALONE = re.compile(r"\^?(?:[\w.-]|\\[.-])+\$?")  # what means the same beside others as alone


def joined(content: str, culprit: str) -> str:
    """The one expression that is all lines of a file; the culprit is named before what is wrong."""
    lines = _lines(content)
    if not lines:
        raise UserMistake(f"{culprit}: no regular expression in it")
    if len(lines) == 1 and not lines[0][1].startswith(SIGN):
        return lines[0][1]
    for number, line in lines:
        if _NUMBERED.search(line):
            raise UserMistake(f"{culprit}: line {number}: a line in a list cannot refer to its own groups")
    return "|".join(f"(?:{line})" if _is_of_several(line) else line for _, line in lines)


def _is_of_several(line: str) -> bool:
    return not _ALONE.fullmatch(line)


def mistake(content: str) -> str:
    """Which line is no regular expression, and why; empty when every one is."""
    for number, line in _lines(content):
        try:
            re.compile(line)
        except (re.error, OverflowError, RecursionError) as error:
            return f"line {number}: bad regular expression: {error}"
    return ""


def _lines(content: str) -> list[tuple[int, str]]:
    stripped = enumerate(map(str.strip, content.removeprefix("\ufeff").splitlines()), start=1)
    return [(number, line) for number, line in stripped if line and not line.startswith(COMMENT)]
