r"""Long expressions: `--exclude` may be a list of twenty thousand servers with | between.

Python tries the alternatives of an expression one after the other, at every letter: of 300 KB, that takes a
millisecond to seconds for a server, and a page may name thousands of servers. So an alternative is taken
apart: a *run* of letters that it cannot do without, what it says before them, and what it says after them. Of
`(^|\.)example\.cz$` these are `example.cz`, `(^|\.)` and `$`. Alternatives are kept under a *piece* of their
run: only those are tried of which the server's name holds the piece. Those without a run are one expression.

Invariant: found is what `re.search` finds with the whole expression, in names without line ends. What cannot
be taken apart without reading it (global flags, references to groups, comments) is left whole.
"""

import re
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

LONG = 2000  # letters: ten microseconds
LONGEST_PIECE = 4  # letters; a shorter one is in too many names, and serves only who has no longer one
SHORTEST_PIECE = 2
MOST_AROUND = 50  # letters that are written again for each alternative of a long group between them
MOST_COMPILED = 10_000  # beginnings and ends: lists have few different ones, mostly

_WHOLE = re.compile(r"\\[1-9]|\(\?(?:P=|\(|#|[a-zA-Z]*x|[a-zA-Z-]+\))")
_TOKENS = re.compile(
    r"""(?P<escape>  \\[^a-zA-Z0-9])    # stands for the letter itself
    |   (?P<kind>    \\[bBdDsSwWAZ])    # a kind of letter or place
    |   (?P<strange> \\.)
    |   (?P<set>     \[\^?\]?(?:\\.|[^\]\\])*\]?)
    |   (?P<open>    \((?:\?(?::|P<\w+>))?)
    |   (?P<close>   \))
    |   (?P<repeat>  (?:[*+?]|\{[\d,]*\})[?+]?)
    |   (?P<bar>     \|)
    |   (?P<place>   [.^$\{])
    |   (?P<letter>  .)""",
    re.DOTALL | re.VERBOSE,
)
_BRACKETS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|[()|]", re.DOTALL)
_CAPTURING = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?)|\((?!\?)|\(\?P<\w+>", re.DOTALL)
_GROUP = re.compile(r"\((?:\?:|\?P<\w+>|(?!\?))")
_ANYTHING = re.compile(r"\A\^?\.\*\??(?!\+)")
# As most lines of lists are: perhaps a group, then letters, perhaps a dot for any letter, perhaps $.
_USUAL = re.compile(
    r"(\^?(?:\((?:\?:)?(?:[\w.^|-]|\\\.|(?<=[\w.])[*+](?!\+))*\)\??)?)"
    r"((?:[\w-]|\\[.-])+)((?:(?<=[\w.-]{4})\.[\w-]+)?\$?)"
)
# What means the same in a name that ends there.
_MAY_END = re.compile(
    r"(?:\\[^bBZ]|\[\^?\]?(?:\\.|[^\]\\])*\]?|\((?:\?[a-zA-Z-]*:|\?P<\w+>|(?!\?))|[*+?}](?!\+)|[^\\\[$(*+?}])*",
    re.DOTALL,
)


class Taken(NamedTuple):
    """An alternative that was taken apart."""

    offset: int  # of the piece in the run
    run: str
    before: str  # an expression that what is before the run ends with; "" finds always
    after: str  # an expression that what is after the run begins with
    whole: str  # the alternative, if it has to be asked as it is; else ""

    def is_in(self, name: str, place: int) -> bool:
        """Is it found in a name that has the piece at this place?"""
        begin = place - self.offset
        if begin < 0 or not name.startswith(self.run, begin):
            return False
        if self.whole:
            return _compiled(self.whole).search(name) is not None
        end = begin + len(self.run)
        is_end = not self.after or _compiled(self.after).match(name, end)
        return bool(is_end and (not self.before or _compiled(self.before).search(name, 0, begin)))


class Expression:
    """Does it find a server's name?"""

    def __init__(self, pattern: str, long: int = LONG) -> None:
        self.pattern = pattern
        self.by_piece: dict[str, list[Taken]] = {}
        rest = [pattern]
        if len(pattern) >= long and not _WHOLE.search(pattern):
            rest = [without_captures(text) for text in _alternatives(pattern, long) if not self._take(text)]
        self.rest = re.compile("|".join(rest)) if rest else None
        self.lengths = sorted(set(map(len, self.by_piece)))

    def finds(self, name: str) -> bool:
        if self.rest is not None and self.rest.search(name):
            return True
        return any(self._finds_taken(name, length) for length in self.lengths)

    def _finds_taken(self, name: str, length: int) -> bool:
        by_piece = self.by_piece
        for place in range(len(name) - length + 1):
            for taken in by_piece.get(name[place : place + length], ()):
                if taken.is_in(name, place):
                    return True
        return False

    def _take(self, alternative: str) -> bool:
        """Keep it under that of its longest pieces which fewest others have, if it has any."""
        runs = _runs(alternative)
        length = min(LONGEST_PIECE, max((len(run) for _, run, _ in runs), default=0))
        if length < SHORTEST_PIECE:
            return False
        places = [(parts, at) for parts in runs for at in range(len(parts[1]) - length + 1)]
        (before, run, after), at = min(places, key=lambda known: self._others(known[0][1], known[1], length))
        self.by_piece.setdefault(run[at : at + length], []).append(
            _taken(alternative, at, before, run, after)
        )
        return True

    def _others(self, run: str, at: int, length: int) -> int:
        """How many are kept under this piece?"""
        return len(self.by_piece.get(run[at : at + length], ()))


_Parts = tuple[str, str, str]  # what is before a run of letters, the run, what is after it


def _taken(alternative: str, offset: int, before: str, run: str, after: str) -> Taken:
    ending = _ending(before)
    if ending is None:
        return Taken(offset, run, "", "", alternative)
    return Taken(offset, run, ending, after, "")


@lru_cache(MOST_COMPILED)
def _ending(before: str) -> str | None:
    """An expression for a name that is cut off behind this part of an alternative; None if there is none."""
    before = _ANYTHING.sub("", before, count=1)
    if not _MAY_END.fullmatch(before):
        return None
    return before and rf"(?:{before})\Z"


def _runs(alternative: str) -> list[_Parts]:
    """Letters one after the other without which the alternative finds nothing."""
    if usual := _USUAL.fullmatch(alternative):
        return [(usual[1], usual[2].replace("\\", ""), usual[3])]
    found, begin = [], 0
    for is_letters, some in groupby(_elements(alternative), key=_is_letter):
        text = "".join(some)
        end = begin + len(text)
        if is_letters:
            found.append((alternative[:begin], re.sub(r"\\(.)", r"\1", text), alternative[end:]))
        begin = end
    return found


def _is_letter(element: str) -> bool:
    token = _TOKENS.fullmatch(element)
    return token is not None and token.lastgroup in ("escape", "letter")


def _elements(alternative: str) -> list[str]:
    """What is written one after the other on its outermost level, each with how often it comes.

    Nothing if that cannot be told."""
    elements: list[str] = []
    depth = begin = 0
    for token in _TOKENS.finditer(alternative):
        match token.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case "strange":
                return []
            case "repeat" if not depth and elements:
                elements[-1] += token[0]
                begin = token.end()
                continue
        if depth < 0:
            return []
        if not depth:
            elements.append(alternative[begin : token.end()])
            begin = token.end()
    return elements if not depth else []


def _alternatives(pattern: str, long: int) -> list[str]:
    """What stands between the outermost |, also in groups that are all of an alternative, or nearly."""
    if "(" not in pattern and "[" not in pattern and "\\|" not in pattern:
        return pattern.split("|")
    found = []
    for text in _split(pattern) or [pattern]:
        before, inner, after = _group(text, long)
        found += [part for some in inner for part in _alternatives(before + some + after, long)] or [text]
    return found


def _group(alternative: str, long: int) -> tuple[str, list[str], str]:
    """The alternatives in the group that it consists of but for little; what is before it, and after it."""
    opened = _GROUP.match(alternative)
    if opened and alternative.endswith(")") and not alternative.endswith("\\)"):
        inner = _split(alternative[opened.end() : -1])
        if inner:
            return "", inner, ""
    begin = 0
    for element in _elements(alternative) if len(alternative) >= long else []:
        end = begin + len(element)
        opened = _GROUP.match(element)
        if (
            opened
            and element[-1] == ")"
            and len(element) >= long
            and end - begin + MOST_AROUND >= len(alternative)
        ):
            return alternative[:begin], _split(element[opened.end() : -1]), alternative[end:]
        begin = end
    return "", [], ""


def _split(pattern: str) -> list[str]:
    """Alternatives of the outermost level; none if a bracket closes that was not opened."""
    found, depth, begin = [], 0, 0
    for token in _BRACKETS.finditer(pattern):
        match token[0]:
            case "(":
                depth += 1
            case ")":
                depth -= 1
                if depth < 0:
                    return []
            case "|" if not depth:
                found.append(pattern[begin : token.start()])
                begin = token.end()
    return [*found, pattern[begin:]]


def without_captures(pattern: str) -> str:
    """The same, if nothing refers to its groups; to remember each of them takes time."""
    return _CAPTURING.sub(lambda found: found[1] or "(?:", pattern)


@lru_cache(MOST_COMPILED)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
