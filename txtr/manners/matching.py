"""Matching: compares paths with the rules of one robots.txt (RFC 9309, 2.2.2 and 2.2.3).

Of the rules that match a path the longest decides, and of two equally long ones the one that allows. Rules
are kept as text (robots.py); a `Matcher` has them ready for as long as they are in use.

Invariant: comparing one path takes no more than MOST_STEPS, beside the steps of its spelling, whatever the
rules and the path are. The steps are known beforehand: letters of the path times the *weight* of the rules
with wild cards. If there are more rules than that allows, the shortest are compared only up to their first
asterisk. Then a rule that forbids forbids more than is written, and a rule that allows is overlooked. Only
the rules and the path decide this, not the other paths that are compared with it.
"""

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import methodcaller
from typing import NamedTuple

# A step is about a nanosecond on two cores of an AMD EPYC with Python 3.11.
MOST_STEPS = 2_000_000  # for a path: 528 rules, the most of 2110 well-known sites, with a path of 800 letters
STEPS_AT_ONCE = 4_000_000  # for the paths that are compared together
_STEPS_OF_PART = 250  # to search for a part, beside the steps for letters
_STEPS_OF_PREFIX = 100  # to look up a beginning of the path
_STEPS_OF_REFUSAL = 10_000  # for what follows when a path is forbidden: it is stored
_STEPS_OF_READING = 40  # for a byte of rules, to make them ready
_STEPS_OF_SPELLING = 200  # for a letter of a path that may be spelled otherwise
_STEPS_OF_LETTER = 10  # for a letter of any path
_FEW_PREFIXES = 50  # so many are tried one by one as fast as they are looked up
LONGEST_PATH = 2000  # characters; see urls.LONGEST
MOST_READY_BYTES = 16 * 1024 * 1024  # of matchers in memory, about
_BYTES_OF_RULE = 400  # of a rule with wild cards, about, beside its letters
_BYTES_OF_PREFIX = 130


class Judgement(NamedTuple):
    """The result of comparing several paths with the rules."""

    forbidden: dict[str, str]  # path -> the rule that forbids it, as it is written
    left: list[str]  # paths that were not compared, because that would have taken too long
    steps: int  # that this took, at most


class Rule(NamedTuple):
    """One line with `*` or `$`. Rules are ordered by what decides: length, then whether they allow."""

    length: int
    allows: bool
    written: str
    parts: tuple[str, ...]  # the text between the asterisks
    ends: bool  # has it a `$`: may nothing follow?
    longest_part: str
    weight: float  # how many steps a letter of the path takes, at most

    def matches(self, path: str) -> bool:
        first, *others = self.parts
        if not path.startswith(first):
            return False
        at = len(first)
        for part in others[:-1] if self.ends else others:
            at = path.find(part, at)
            if at < 0:
                return False
            at += len(part)
        if not self.ends:
            return True
        # Without an asterisk the first part must be the whole path.
        return path[at:].endswith(others[-1]) if others else len(path) == at


def _weight(part: str) -> float:
    """How many steps a letter takes of a text in which this part is searched for.

    `str.find` begins anew at every letter, and compares as much of the part as is there. That is more than a
    few letters each time only if the part repeats itself, which it cannot before its first letter comes
    again.
    """
    again = part.find(part[:1], 1)
    return 4 + (len(part) / (5 * again) if again > 0 else 0)


class Matcher:
    """The rules of one robots.txt, ready to be compared with paths."""

    def __init__(self, kept: bytes) -> None:
        self.closed: tuple[str, ...] = ()  # beginnings of paths under which nothing is allowed, see robots.py
        self.plain: dict[str, bool] = {}  # beginning of a path -> is it allowed?
        self.spellings: dict[str, str] = {}  # such a beginning -> as it is written, where that differs
        self.wild: list[Rule] = []  # with `*` or `$`, the longest first
        self._read(kept.decode("utf-8", "surrogatepass"))
        self.begins = methodcaller("startswith", tuple(self.plain))
        self.lengths = sorted({len(prefix) for prefix in self.plain}, reverse=True)
        self.weights = list(accumulate(rule.weight for rule in self.wild))
        self.parts = list(accumulate(len(rule.parts) for rule in self.wild))
        self.weight = self.weights[-1] if self.wild else 0.0  # of all rules with wild cards
        self.steps_of_parts = _STEPS_OF_PART * self.parts[-1] if self.wild else 0
        looked_up = len(self.lengths) + len(self.closed) // 8
        self.steps_of_path = _STEPS_OF_PREFIX * looked_up + sum(self.lengths)
        self.steps_owed = _STEPS_OF_READING * len(kept)  # taken for reading the rules, not counted yet
        self.longest = self._longest()  # letters of a path that is still compared with all rules
        self.size_bytes = _BYTES_OF_RULE * len(self.wild) + _BYTES_OF_PREFIX * len(self.plain) + 2 * len(kept)

    def _read(self, kept: str) -> None:
        closed = []
        for line in kept.split("\n") if kept else ():
            pattern, _, written = line[1:].partition("\t")
            if line[0] == "!":
                closed.append(pattern)
            elif "*" in pattern or pattern.endswith("$"):
                self.wild.append(_read_wild_rule(pattern, line[0] == "+", written or pattern))
            else:
                self.plain[pattern] = line[0] == "+" or self.plain.get(pattern, False)
                if written:
                    self.spellings[pattern] = written
        self.closed = tuple(closed)
        self.wild.sort(reverse=True)

    def _longest(self) -> float:
        if not self.wild:
            return float("inf")
        return (MOST_STEPS - self.steps_of_parts) / self.weight

    # --- one path

    def rule_against(self, path: str) -> str:
        """The rule that forbids a path (it begins with `/`, the query belongs to it); '' if none does."""
        return self._rule_against(normalize(path), self.wild)

    def _rule_against(self, path: str, wild: Sequence[Rule]) -> str:
        """The rule that forbids a path in our spelling, given the rules with wild cards that may match it.

        For a path that is too long to be compared with all rules, these must be all of them."""
        if path == "/robots.txt":
            return ""  # RFC 9309 2.2.2: implicitly allowed
        if self.closed and path.startswith(self.closed):
            return next(prefix for prefix in self.closed if path.startswith(prefix)) + "*"
        prefix = self._longest_prefix(path)
        best = (len(prefix), self.plain[prefix]) if prefix is not None else (-1, True)
        compared = len(wild) if len(path) <= self.longest else self._compared(len(path))
        for number, rule in enumerate(wild):
            if rule[:2] <= best:
                break
            if number >= compared:
                if not rule.allows and path.startswith(rule.parts[0]):
                    return rule.written
            elif rule.matches(path):
                return "" if rule.allows else rule.written
        return "" if prefix is None or best[1] else self.spellings.get(prefix, prefix)

    def _longest_prefix(self, path: str) -> str | None:
        for length in self.lengths:
            if (prefix := path[:length]) in self.plain:
                return prefix
        return None

    def _compared(self, letters: int) -> int:
        """How many rules with wild cards are wholly compared with a path of so many letters."""

        def steps(number: int) -> int:
            return int(letters * self.weights[number]) + _STEPS_OF_PART * self.parts[number]

        return bisect_right(range(len(self.wild)), MOST_STEPS, key=steps)

    # --- many paths

    def judge(self, paths: Sequence[str], start: int, most_steps: float) -> Judgement:
        """Compare several paths, each from this place of its text on.

        After so many steps the other paths are left; some are always compared."""
        forbidden: dict[str, str] = {}
        left: list[str] = []
        steps, self.steps_owed = self.steps_owed, 0
        portions = self._together(paths)
        steps += self._judge(portions[0], start, forbidden)
        for some in portions[1:]:
            if steps < most_steps:
                steps += self._judge(some, start, forbidden)
            else:
                left += some
        return Judgement(forbidden, left, steps)

    def _may_begin(self, paths: Sequence[str]) -> bool:
        """May a path of these begin like a rule without wild cards? Yes when in doubt."""
        if self.closed or len(self.plain) > _FEW_PREFIXES:
            return True
        return any(map(self.begins, paths))

    def most_paths(self, steps: float) -> int:
        """How many paths can be compared in so many steps, whatever they are; never less than one."""
        a_path = LONGEST_PATH * _STEPS_OF_SPELLING + self.steps_of_path + _STEPS_OF_REFUSAL
        a_path += min(MOST_STEPS, int(LONGEST_PATH * self.weight) + self.steps_of_parts)
        return max(1, int(steps / a_path))

    def _together(self, paths: Sequence[str]) -> Sequence[Sequence[str]]:
        """Paths in portions, each of which takes no more than STEPS_AT_ONCE, or is a single path."""
        a_letter = _STEPS_OF_LETTER + self.weight
        a_path = self.steps_of_path + self.steps_of_parts + _STEPS_OF_REFUSAL
        if len(paths) * (LONGEST_PATH * a_letter + a_path) <= STEPS_AT_ONCE or len(paths) == 1:
            return (paths,)
        some: list[str] = []
        portions, room = [some], float(STEPS_AT_ONCE)
        for path in paths:
            steps = len(path) * a_letter + a_path
            if some and steps > room:
                some, room = [], STEPS_AT_ONCE
                portions.append(some)
            some.append(path)
            room -= steps
        return portions

    def _judge(self, paths: Sequence[str], start: int, forbidden: dict[str, str]) -> int:
        """Compare paths, first all at once, as most rules concern none of them. Return the steps taken."""
        together = "/".join(paths)
        spelled = [path[start:] for path in paths] if start else paths
        steps = len(together) * _STEPS_OF_LETTER
        if is_odd(together):
            spelled = list(map(normalize, spelled))
            together = "/".join(spelled)
            steps = len(together) * _STEPS_OF_SPELLING
        wild = self.wild
        weight, steps_of_parts = self.weight, self.steps_of_parts
        if wild and max(map(len, spelled)) <= self.longest:
            wild = [rule for rule in wild if rule.longest_part in together]
            steps += int(len(together) * weight) + steps_of_parts
            weight = sum(rule.weight for rule in wild) if wild else 0
            steps_of_parts = _STEPS_OF_PART * sum(len(rule.parts) for rule in wild) if wild else 0
        if not wild and not self._may_begin(spelled):
            return steps + _STEPS_OF_PREFIX * len(paths)
        for path, text in zip(paths, spelled, strict=True):
            if rule := self._rule_against(text, wild):
                forbidden[path] = rule
                steps += _STEPS_OF_REFUSAL
            steps += self.steps_of_path + min(MOST_STEPS, int(len(text) * weight) + steps_of_parts)
        return steps


def _read_wild_rule(pattern: str, allows: bool, written: str) -> Rule:
    ends = pattern.endswith("$")
    parts = re.sub(r"\*+", "*", pattern.removesuffix("$")).split("*")
    # The search for a part begins where the one before it ends, so a letter is compared with one part only.
    weight = max(map(_weight, parts))
    return Rule(len(pattern), allows, written, tuple(parts), ends, max(parts, key=len), weight)


# --- matchers in use


class _Ready:
    """The matchers that were used last, as many as fit."""

    def __init__(self) -> None:
        self.matchers: OrderedDict[bytes, Matcher] = OrderedDict()  # rules as they are kept -> ready
        self.size_bytes = 0

    def matcher(self, kept: bytes) -> Matcher:
        found = self.matchers.get(kept)
        if found is not None:
            self.matchers.move_to_end(kept)
            return found
        found = self.matchers[kept] = Matcher(kept)
        self.size_bytes += found.size_bytes
        while self.size_bytes > MOST_READY_BYTES and len(self.matchers) > 1:
            self.size_bytes -= self.matchers.popitem(last=False)[1].size_bytes
        return found


matcher = _Ready().matcher


# --- spelling

# RFC 9309 2.2.2: a path and a rule are compared after both are spelled alike. Our spelling leaves ASCII that
# means nothing special as it is, and percent-encodes the rest. An encoded slash or question mark differs from
# a bare one in the path, but not in the query.
_HARMLESS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:@!&'()+,;=[]"
_ODD = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{re.escape(_HARMLESS)}/?]")
_PLAIN = (_HARMLESS + "/?").encode()
_PLAIN_BEGINNING = re.compile(rf"[{re.escape(_HARMLESS)}/?]*")


def is_odd(text: str) -> bool:
    """May a text be spelled otherwise? Does what _ODD.search does, in a tenth of the time for long texts."""
    return bool(text.encode("utf-8", "surrogatepass").translate(None, _PLAIN))


def plain_beginning(text: str) -> str:
    """As much of a rule as is in our spelling and has no wild cards."""
    found = _PLAIN_BEGINNING.match(text)
    return found[0] if found else ""


def normalize(text: str, kept: str = "") -> str:
    """One spelling for all spellings of a path; `kept` are characters not to be encoded."""
    if not _ODD.search(text):
        return text
    path, question, query = text.partition("?")
    return _spell(path, _HARMLESS, kept) + question + _spell(query, _HARMLESS + "/?", kept)


def _spell(text: str, bare: str, kept: str) -> str:
    return _ODD.sub(lambda odd: _spelled(odd[0], bare, kept), text)


@lru_cache(maxsize=4096)
def _spelled(odd: str, bare: str, kept: str) -> str:
    if len(odd) == 3:
        meant = chr(int(odd[1:], 16))
        return meant if meant in bare else odd.upper()
    if odd in kept:
        return odd
    return "".join(f"%{byte:02X}" for byte in odd.encode("utf-8", "surrogatepass"))
