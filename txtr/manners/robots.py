"""robots.txt, RFC 9309: text in, verdicts out.

Invariant: whatever the file holds, reading it never fails, takes a time that grows with its length only,
and leaves no more than 56 KB to be remembered; what exceeds our bounds is read as more forbidden, never as
more allowed. What a check takes is bounded, too (matching.py).

A file is groups: one or more user-agent lines, then rules. Only the groups that name our product
token count, all of them together; those for `*` count only if none names us. Of the rules that
match a path the longest decides, and of two equally long ones the one that allows.

The parser is ours, although protego is a fine one, because obedience is the one thing we must be
able to prove. Of the 81 cases in our test protego 0.7 misses 9: it lets a group for `text` bind
`texttractor`, overlooks one for `texttractor/1.0`, ends a group at any unknown line, and takes all
percent-encoded bytes that are not UTF-8 (old Czech sites) for one and the same. On 2110 real files
the two agree but for two, where protego allows more than is written; ours is no slower.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from math import inf
from sys import getsizeof

import msgspec

from txtr.manners.matching import Judgement, matcher, normalize, plain_beginning

FRESH = 24 * 3600.0  # seconds: RFC 9309 2.4, a file is not used for longer than this
MOST_BYTES = 500 * 1024  # RFC 9309 2.5: at least so much is parsed; the rest is as if not written
MOST_HOPS = 5  # RFC 9309 2.3.1.2: redirects followed before the file counts as unavailable
# Of 2110 well-known sites none has over 528 rules. What a file says is kept for thousands of domains.
MOST_PARTS = 1500  # between the asterisks of all rules together
LONGEST_RULE = 4000  # characters; a link has 2000
MOST_KEPT_BYTES = 40 * 1024  # of rules that are kept as they are
MOST_EXCESS_BYTES = 8 * 1024  # of beginnings of those that are not
MOST_SITEMAPS_BYTES = 8 * 1024  # as objects, see `_size_bytes`
MANY_PATHS = 1_000_000  # more than are judged together

_BUSY = 429  # "too many requests" is a server in trouble, not one without robots.txt


class Verdict(Enum):
    """What the status of the answer for robots.txt means (RFC 9309 2.3.1)."""

    PARSE = "parse"
    FOLLOW = "follow"  # at most MOST_HOPS times, then as ALLOW
    ALLOW = "allow"  # there is no robots.txt: everything is allowed
    DISALLOW = "disallow"  # nobody knows: nothing is allowed


def verdict(status: int) -> Verdict:
    """The meaning of an HTTP status; 0 stands for a server that could not be reached."""
    if 200 <= status < 300:
        return Verdict.PARSE
    if 300 <= status < 400:
        return Verdict.FOLLOW
    if 400 <= status < 500 and status != _BUSY:
        return Verdict.ALLOW
    return Verdict.DISALLOW


class Robots(msgspec.Struct, frozen=True):
    """What one robots.txt says to us."""

    rules: bytes = b""  # a line each: `-` forbids, `+` allows, `!` forbids whatever allows; see `_Kept`
    crawl_delay: float | None = None  # seconds
    sitemaps: list[str] = []

    def may_fetch(self, path: str) -> bool:
        """May we fetch this path (it begins with `/`, the query belongs to it)?"""
        return not self.rule_for(path)

    def rule_for(self, path: str) -> str:
        """The rule that forbids this path, as it is written; empty when it is allowed."""
        return matcher(self.rules).rule_against(path) if self.rules else ""

    def judge(self, paths: Sequence[str], start: int, most_steps: float = inf) -> Judgement:
        """Which of several paths may we not fetch? Each begins at this place of its text.

        A step is about a nanosecond, and to write down what is forbidden counts, too. After so many the other
        paths are left; some are always judged."""
        if not self.rules or not paths:
            return NOTHING_FORBIDDEN
        return matcher(self.rules).judge(paths, start, most_steps)

    def most_paths(self, steps: float) -> int:
        """How many paths can be judged in so many steps, whatever they are; never less than one."""
        return matcher(self.rules).most_paths(steps) if self.rules else MANY_PATHS

    def size_bytes(self) -> int:
        """What it takes to remember this."""
        return len(self.rules) + sum(map(_size_bytes, self.sitemaps))


def parse(text: str, agent: str) -> Robots:
    """Read a robots.txt for the robot of this name; never fails."""
    rules, delays, sitemaps = _ours(_records(text), token(agent))
    return Robots(_kept(rules), max(delays, default=None), sitemaps)


_ENCODED = {0xDC00 + byte: f"%{byte:02X}" for byte in range(0x80, 0x100)}  # surrogates of single bytes


def decode(body: bytes) -> str:
    """The body of a robots.txt as text: UTF-8, and any other byte as its percent-encoding.

    A line that the size limit cuts in two is left out: half a rule is another rule.
    """
    if len(body) >= MOST_BYTES:
        body = body[:MOST_BYTES]
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    text = body.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return text.translate(_ENCODED)


# --- reading ------------------------------------------------------------------------------

_AGENT, _ALLOW, _DISALLOW, _DELAY, _SITEMAP = "user-agent", "allow", "disallow", "crawl-delay", "sitemap"

# The spellings under which the five words are met; a misspelt prohibition is still meant as one.
_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), _AGENT),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), _DISALLOW),
    **dict.fromkeys(("crawl-delay", "crawldelay", "crawl delay"), _DELAY),
    **dict.fromkeys(("sitemap", "site-map"), _SITEMAP),
    "allow": _ALLOW,
}

_LINE_END = re.compile(r"\r\n|\r|\n")  # not splitlines(): a form feed ends no line here
_TOKEN = re.compile(r"[^\s/;,(*]+")  # the name without version, comment, stray asterisk
_SECONDS = re.compile(r"\d{1,9}(\.\d{0,9})?|\.\d{1,9}", re.ASCII)

_Record = tuple[str, str]
_Written = tuple[bool, str]  # does it allow? and what
_Group = tuple[dict[_Written, None], list[float]]  # rules, each once and in their order; delays
_BEGINNINGS = ("/", "*")  # of rules: any other matches no path


def _records(text: str) -> Iterator[_Record]:
    """The lines that mean something, as (field, value)."""
    text = text.removeprefix("\ufeff")
    if len(text) > MOST_BYTES // 4:  # a character is at most four bytes
        text = text.encode("utf-8", "surrogatepass")[:MOST_BYTES].decode("utf-8", "ignore")
    for line in _LINE_END.split(text):
        line = line.partition("#")[0].strip(" \t\0\ufeff")
        name, colon, value = line.partition(":")
        if not colon:  # "Disallow /private" is met as well
            name, _, value = line.partition(" ")
        if word := _FIELDS.get(name.strip().lower()):
            yield word, value.strip()


def token(agent: str) -> str:
    """The product token of a user-agent line, or of our own name."""
    if agent.split()[:1] == ["*"]:
        return "*"
    found = _TOKEN.match(agent.strip().lstrip("*"))
    return found[0].lower() if found else ""


def _ours(records: Iterator[_Record], agent: str) -> tuple[Iterable[_Written], list[float], list[str]]:
    """The rules and delays of our groups, or else of those for everybody; all sitemaps."""
    groups: dict[str, _Group] = {}
    everybody: _Group = ({}, [])
    current: set[str] = set()  # whom the group is for, of us and everybody
    naming = False  # are we among the user-agent lines that open a group?
    sitemaps: list[str] = []
    room = MOST_SITEMAPS_BYTES
    for word, value in records:
        if word == _AGENT:
            if not naming:
                current.clear()
            naming = True
            if (name := token(value)) in (agent, "*"):
                current.add(name)
            if agent in current:
                groups.setdefault(agent, ({}, []))
        elif word == _SITEMAP:
            if value and room >= (size_bytes := _size_bytes(value)):
                sitemaps.append(value)
                room -= size_bytes
        else:
            # Unknown records and sitemaps do not end the naming (RFC 9309 2.2.4); a crawl delay
            # does, for it is a rule to those who write it: "*, Crawl-delay: 5; BadBot, Disallow: /".
            naming = False
            for name in current:
                _add(everybody if name == "*" else groups[agent], word, value)
    rules, delays = groups.get(agent, everybody)
    return rules, delays, sitemaps


def _size_bytes(sitemap: str) -> int:
    """Of one in a list: a text of a single letter takes fifty bytes, and its place eight."""
    return getsizeof(sitemap) + 8


def _add(group: _Group, word: str, value: str) -> None:
    rules, delays = group
    if word == _DELAY:
        if _SECONDS.fullmatch(value):
            delays.append(float(value))
    elif value.startswith(_BEGINNINGS):
        rules[word == _ALLOW, value] = None


# --- keeping


def _kept(rules: Iterable[_Written]) -> bytes:
    """The rules as they are remembered: in our spelling, then as written where that differs.

    What is more than we keep is widened: of a prohibition its beginning is kept, and nothing that allows
    may allow anything there; what allows is left out.
    """
    lines: list[bytes] = []
    excess: list[str] = []
    room, parts = MOST_KEPT_BYTES, MOST_PARTS
    for allows, written in rules:
        if len(written) <= LONGEST_RULE and room > 0:
            line, wild_parts = _line(allows, written)
            if len(line) <= room and wild_parts <= parts:
                lines.append(line)
                room -= len(line) + 1
                parts -= wild_parts
                continue
        if not allows:
            excess.append(plain_beginning(written[:LONGEST_RULE]))
    if not excess and not any(line.startswith(b"-") for line in lines):
        return b""  # what forbids nothing need not allow anything
    return b"\n".join([*lines, *(f"!{beginning}".encode() for beginning in _shortened(excess))])


def _line(allows: bool, written: str) -> tuple[bytes, int]:
    """A rule as it is remembered, and of how many parts it is if it has wild cards."""
    pattern = normalize(written.removesuffix("$"), kept="*")
    parts = pattern.count("*") + 1
    if written.endswith("$"):
        pattern += "$"
    elif parts == 1:
        parts = 0
    line = pattern if pattern == written else f"{pattern}\t{written}"
    return f"{'+' if allows else '-'}{line}".encode("utf-8", "surrogatepass"), parts


def _shortened(beginnings: Iterable[str]) -> list[str]:
    """As many letters of each as there is room for, each once."""
    some = set(beginnings)

    def size_bytes(letters: int) -> int:
        return sum(len(beginning) + 2 for beginning in {beginning[:letters] for beginning in some})

    letters = bisect_right(range(1, LONGEST_RULE + 1), MOST_EXCESS_BYTES, key=size_bytes)
    return sorted({beginning[:letters] for beginning in some})


ALLOW_ALL = Robots()
DISALLOW_ALL = parse("user-agent: *\ndisallow: /", "anybody")
NOTHING_FORBIDDEN = Judgement({}, [], 0)
