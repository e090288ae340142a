"""Long expressions: `--exclude` may be a list of twenty thousand servers with | between.

Python tries the alternatives of an expression one after the other, at every letter: of 300 KB, that takes a
millisecond for a server, and a page may name thousands of servers. So those alternatives that are plain
(letters, \\. and . for any letter, perhaps between ^ and $) are found by a piece of each that a server's name
must hold to be found; the rest is an expression as before.

Invariant: found is what `re.search` finds with the whole expression. An expression that cannot be taken apart
without reading it (flags, references to groups) is left whole.
"""

import re

LONG = 2000  # letters: ten microseconds
PIECE = 4  # letters
ANY = "\n"  # stands for any letter; no server has it in its name
_WHOLE = re.compile(r"\(\?(?!:)|\\[1-9]")
_PLAIN = re.compile(r"(\^?)((?:[A-Za-z0-9_-]|\\[.-]|\.)+)(\$?)")
_TOKENS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*|[()|]", re.DOTALL)  # a class but for its last bracket


class Expression:
    """Does it find a server's name?"""

    def __init__(self, pattern: str, long: int = LONG) -> None:
        self.pattern = pattern
        self.by_piece: dict[str, list[tuple[int, str, bool, bool]]] = {}  # piece -> plain ones that have it
        rest = [pattern]
        if len(pattern) >= long and not _WHOLE.search(pattern):
            rest = [text for text in _alternatives(pattern) if not self._is_plain(text)]
        self.rest = re.compile("|".join(rest)) if rest else None

    def finds(self, name: str) -> bool:
        if self.rest is not None and self.rest.search(name):
            return True
        return bool(self.by_piece) and self._finds_plain(name)

    def _finds_plain(self, name: str) -> bool:
        by_piece = self.by_piece
        for place in range(len(name) - PIECE + 1):
            for offset, text, is_first, is_last in by_piece.get(name[place : place + PIECE], ()):
                begin = place - offset
                end = begin + len(text)
                if begin < 0 or end > len(name) or (is_first and begin) or (is_last and end < len(name)):
                    continue
                if ANY not in text and name.startswith(text, begin):
                    return True
                if ANY in text and all(a in (ANY, b) for a, b in zip(text, name[begin:end], strict=True)):
                    return True
        return False

    def _is_plain(self, alternative: str) -> bool:
        """If it is, it is taken in, under that of its pieces which fewest others have."""
        found = _PLAIN.fullmatch(alternative)
        if found is None:
            return False
        text = found[2].replace("\\.", "\0").replace(".", ANY).replace("\0", ".").replace("\\-", "-")
        pieces = [(text[at : at + PIECE], at) for at in range(len(text) - PIECE + 1)]
        pieces = [(piece, at) for piece, at in pieces if ANY not in piece]
        if not pieces:
            return False
        piece, at = min(pieces, key=lambda known: len(self.by_piece.get(known[0], ())))
        self.by_piece.setdefault(piece, []).append((at, text, bool(found[1]), bool(found[3])))
        return True


def _alternatives(pattern: str) -> list[str]:
    """What stands between the outermost |, also inside of (?:...) that are whole alternatives."""
    if "(" not in pattern and "[" not in pattern and "\\|" not in pattern:
        return pattern.split("|")
    found = []
    for text in _split(pattern):
        is_group = text.startswith("(?:") and text.endswith(")") and not text.endswith("\\)")
        inner = _split(text[3:-1]) if is_group else []
        found += [part for some in inner for part in _alternatives(some)] if inner else [text]
    return found


def _split(pattern: str) -> list[str]:
    """Alternatives of the outermost level; none if a bracket closes that was not opened."""
    found, depth, begin = [], 0, 0
    for token in _TOKENS.finditer(pattern):
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
