"""Directives: what a page's author asks of robots, in meta tags and in X-Robots-Tag headers.

Invariant: a directive can only forbid; when several apply, the strictest wins. No RFC describes them. This is
the convention of the large robots: the name `robots` addresses all robots, another name the robot that has
it, and unknown words mean nothing.

`index` decides whether the text may enter the corpus, `follow` whether the links may enter the queue.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Directives:
    """What a page allows."""

    index: bool = True
    follow: bool = True

    def __and__(self, other: "Directives") -> "Directives":
        return Directives(self.index and other.index, self.follow and other.follow)


NO_INDEX = frozenset({"noindex", "none"})
NO_FOLLOW = frozenset({"nofollow", "none"})
ALL_ROBOTS = frozenset({"robots", "*"})

# Words that stand before a colon and are no robot's name.
WITH_VALUE = frozenset(
    {
        "unavailable_after",
        "max-snippet",
        "max-image-preview",
        "max-video-preview",
        "noindex",
        "nofollow",
        "none",
    }
)
_ADDRESSEE = re.compile(r"\s*([a-z*][\w.*/-]*)\s*:(?!//)", re.ASCII)  # no date ("03-Jul-09 15:00") matches
_SEPARATOR = re.compile(r"[\s,;:]+")


def from_meta(pairs: Iterable[tuple[str, str]], agent: str) -> Directives:
    """The directives in a page's (meta name, content) pairs that are meant for this agent."""
    addressees = ALL_ROBOTS | {_product_name(agent)}
    words: set[str] = set()
    for name, content in pairs:
        if name.strip().lower() in addressees:
            words.update(_words(content))
    return _directives(words)


def from_headers(values: Iterable[str], agent: str) -> Directives:
    """The directives in X-Robots-Tag values that are meant for this agent.

    A value may name the robot that it addresses (`otherbot: noindex, nofollow`). All directives up to the
    next name are for that robot, as servers and proxies join several such values with commas.
    """
    addressees = ALL_ROBOTS | {_product_name(agent)}
    words: set[str] = set()
    for value in values:
        is_ours = True
        for part in value.lower().split(","):
            named = _ADDRESSEE.match(part)
            if named and named[1] not in WITH_VALUE:
                is_ours, part = _product_name(named[1]) in addressees, part[named.end() :]
            if is_ours:
                words.update(_words(part))
    return _directives(words)


def _product_name(agent: str) -> str:
    return agent.strip().lower().partition("/")[0]


def _words(content: str) -> list[str]:
    return _SEPARATOR.split(content.lower())


def _directives(words: set[str]) -> Directives:
    return Directives(index=words.isdisjoint(NO_INDEX), follow=words.isdisjoint(NO_FOLLOW))
