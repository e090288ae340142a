"""What a page's author asks of robots."""

import pytest

from txtr.manners.directives import Directives, from_headers, from_meta

ALL = Directives(index=True, follow=True)
NO_INDEX = Directives(index=False, follow=True)
NO_FOLLOW = Directives(index=True, follow=False)
NONE = Directives(index=False, follow=False)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], ALL),
        ([("robots", "noindex")], NO_INDEX),
        ([("ROBOTS", " NoFollow ")], NO_FOLLOW),
        ([("robots", "noindex,nofollow")], NONE),
        ([("robots", "noindex nofollow")], NONE),
        ([("robots", "NONE")], NONE),
        ([("robots", "all")], ALL),
        ([("robots", "index, follow, noarchive, max-snippet:-1")], ALL),
        ([("robots", "all"), ("robots", "noindex")], NO_INDEX),
        ([("texttractor", "noindex"), ("robots", "nofollow")], NONE),
        ([("TextTractor", "nofollow")], NO_FOLLOW),
        ([("texttractor", "all"), ("robots", "noindex")], NO_INDEX),
        ([("otherbot", "none"), ("description", "noindex")], ALL),
    ],
)
def test_meta_tags_speak_to_all_robots_or_to_ours(pairs, expected):
    """Spec 2: the robots meta tags are obeyed without exception."""
    assert from_meta(pairs, "texttractor") == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], ALL),
        (["noindex"], NO_INDEX),
        (["NoIndex, NoFollow"], NONE),
        (["none"], NONE),
        (["otherbot: noindex"], ALL),
        (["otherbot: noindex, nofollow"], ALL),
        (["texttractor: nofollow"], NO_FOLLOW),
        (["TextTractor : nofollow"], NO_FOLLOW),
        (["otherbot: noindex, texttractor: nofollow"], NO_FOLLOW),
        (["otherbot: none", "noindex"], NO_INDEX),
        (["*: noindex"], NO_INDEX),
        (["unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"], NO_INDEX),
        (["unavailable_after: Wednesday, 03-Jul-30 15:00:00 GMT, noindex"], NO_INDEX),
        (["unavailable_after: 2030-06-25T15:00:00, nofollow"], NO_FOLLOW),
        (["otherbot: unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"], ALL),
        (["max-snippet: 20, noindex"], NO_INDEX),
        ([",,: , "], ALL),
    ],
)
def test_x_robots_tag_may_name_its_addressee(values, expected):
    """Spec 2, beyond: X-Robots-Tag."""
    assert from_headers(values, "texttractor") == expected


def test_our_name_may_carry_a_version():
    """Only the product counts, as in robots.txt."""
    assert from_headers(["texttractor: none"], "TextTractor/1.0") == NONE


def test_the_strictest_wins():
    """Directives of header and page combine."""
    assert NO_INDEX & NO_FOLLOW == NONE
    assert ALL & NO_FOLLOW == NO_FOLLOW
    assert ALL & ALL == ALL
