"""Hints: what the names and the tag of an element say about its content.

Invariant: a set of hints is the bits of a number. Reading a name takes little time, whatever the name holds.

The words are those of people who build web sites, which are English all over the world.
"""

import re
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_
from string import ascii_lowercase, ascii_uppercase

MOST_NAMES = 20_000  # classes and ids whose hints are remembered
LONGEST_NAME = 300  # characters of a class or id that are read

# What class, id, role and itemprop say of an element: a bit per line, set by any of the words.
_HINTS = """
    navigation: nav menu breadcrumb crumb topbar toolbar pagin pager prev next skip tabs tablist
    footer: footer foot- bottom copyright legal colophon disclaimer
    side: sidebar side rail aside secondary widget complementary column-right right-col rightcol
    comment: comment disqus respond discuss livefyre fb-comm
    related: related recommend similar also- more- -more popular trending most-read mostread latest readmore
    teaser: teaser card tile grid carousel slider swiper thumb promo listing gallery
    share: share sharing social facebook twitter follow addthis
    consent: cookie consent gdpr privacy modal popup overlay dialog notice alert
    sign: newsletter subscri signup sign-up login paywall register cta donate
    form: form search input button btn filter sort
    data: meta byline author date time publish credit updated tags tag- keyword categor label
    caption: caption figure photo image media video
    main: main primary content- -content contents maincol
    content: content
    article: article story news entry post- -post blog hentry
    body: body text copy prose richtext wysiwyg markdown paragraph rte
    forum: forum thread message reply topic answer question viewtopic postbody
    person: user profile avatar signature member poster
    hidden: hidden hide screen-reader sr-only print visually noprint
    list: list item row
    wiki: toc reference infobox navbox wiki footnote
    comments: comments
    block: block section container wrapper inner
"""
_WORDS = dict(line.strip().split(": ") for line in _HINTS.strip().splitlines())
HINT_BITS = {hint: 1 << number for number, hint in enumerate(_WORDS)}
WORD_BITS = {word: HINT_BITS[hint] for hint, words in _WORDS.items() for word in words.split()}


def _longest_of(words: Iterable[str]) -> str:
    """An expression for the longest of these words, letter by letter: four times as fast as a list."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[:1], []).append(word[1:])
    branches = [re.escape(letter) + _longest_of(rest) for letter, rest in rests.items() if letter]
    return f"(?:{'|'.join(branches)}){'?' if '' in rests else ''}" if branches else ""


_WORD = re.compile(_longest_of(WORD_BITS))
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)  # a Kelvin sign is no k, nor has İ anything of an i

# What the tag of an element says: a bit per tag.
_TAGS = """
    article main nav header footer aside form ul dl table figure blockquote p li td pre dd figcaption noscript
    hidden
"""  # hidden is no tag, but an attribute or a style
TAG_BITS = {tag: 1 << number for number, tag in enumerate(_TAGS.split())}
TAG_BITS |= {"menu": TAG_BITS["ul"], "dir": TAG_BITS["ul"], "search": TAG_BITS["form"]}


def any_of(table: dict[str, int], names: str) -> int:
    """The bits of these hints or tags together."""
    return sum(table[name] for name in names.split())


# Elements with these names or tags are no part of the text around them.
STRANGE = any_of(
    HINT_BITS, "navigation footer side related teaser share consent sign form comment comments person hidden"
)
STRANGE_TAGS = any_of(TAG_BITS, "form aside nav hidden noscript")


def bits(name: str | None) -> int:
    """The hints in a name, as bits."""
    if not name:
        return 0
    name = name[:LONGEST_NAME]
    return _bits(name.lower() if name.isascii() else name.translate(_LOWER))


@lru_cache(maxsize=MOST_NAMES)  # sites repeat themselves
def _bits(name: str) -> int:
    return reduce(or_, map(WORD_BITS.__getitem__, _WORD.findall(name)), 0)
