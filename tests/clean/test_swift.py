"""What is written in C finds what its twin in Python finds."""

import json
import lzma
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from txtr.clean import features, main, walk
from txtr.clean.prune import prune
from txtr.clean.swift import disk, scores
from txtr.clean.swift import walk as swift
from txtr.clean.tree import parse

SAMPLE = Path(__file__).parents[1] / "pages" / "sample" / "pages.jsonl.xz"

pytestmark = pytest.mark.skipif(disk.library() is None, reason="there is no C compiler")

_TAGS = """
    a b strong br hr div p ul li table tr td pre listing xmp plaintext span sup ruby rt rp nav main article
    footer select option svg math script style noscript template textarea title head body html form button
    iframe object input dl dt dd frameset frame x-unknown
"""
TAGS = _TAGS.split()
ATTRIBUTES = [
    "",
    " class=nav",
    " class='menu Cookie &amp; \"x\"' hidden",
    " id=consent aria-hidden=true",
    " class='&lt;&gt;&quot;&nbsp;&amp;lt;'",
    " style='DISPLAY : none'",
    " style='visibility:\thidden; color:red'",
    " role=navigation itemprop=articleBody",
    " href=#x",
    " class='coo\N{KELVIN SIGN}ie WIK\u0130' hidden",
    " a<b='>'",
    " =x",
    f" class='{'&' * 299}nav'",
    "/",
]
PIECES = [
    *(" ", "\n", "\t", "\r\n", "&#13;\n", "\x0c", "\x1f", "\u2003", "\u3000", "\ufeff", "&nbsp;"),
    *("&amp;", "&lt;", "&", "<", "</", "<!--c-->", "<?p>", "<![CDATA[x]]>"),
    *("x", "Word", "é", "😀", "¶", "[1]", "2", "字", "語\n語", "字\n 字", "字 \n字"),
    "<ul><li><a>eins</a><li><a>zwei</a><li><a>drei</a></ul>",
]


def tags():
    starts = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
    return starts | st.builds("</{}>".format, st.sampled_from(TAGS))


def both(markup):
    """What the twins find."""
    found = []
    for walked in (walk.walked, swift.walked):
        tree = parse(markup)
        prune(tree)
        page = walked(tree)
        found.append([list(getattr(page, column)) for column in page.__slots__])
    return found


@settings(max_examples=500, deadline=None)
@given(st.lists(tags() | st.sampled_from(PIECES), max_size=60).map("".join))
@example("<pre>\n\nx</pre><pre>\ny</pre><a><pre>\n</pre></a>")
@example("<plaintext></plaintext><b>x")
@example("<div class='coo\N{KELVIN SIGN}ie WIK\u0130' hidden>x")
@example("<frameset><frame><frame></frameset>")
@example("<svg><style><g>a</g></style><title>t</title></svg>x")
def test_any_markup_has_the_same_blocks(markup):
    plain, quick = both(markup)
    assert quick == plain


def test_pages_have_the_same_blocks_and_scores():
    with lzma.open(SAMPLE, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    for page in pages:
        plain, quick = both(page["html"])
        assert quick == plain, page["id"]
        assert_same_scores(page["html"])


@settings(max_examples=500, deadline=None)
@given(
    st.lists(tags() | st.sampled_from([*PIECES, "A sentence, long enough to be prose. " * 5]), max_size=60)
)
def test_any_blocks_have_the_same_scores(pieces):
    """To the last bit: what is kept must not depend on a compiler."""
    assert_same_scores("<title>Word eins</title>" + "".join(pieces))


def test_a_forest_over_columns_that_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="column 127"):
        scores.forest(["127<1 0.5 0.25"], 6, 2.0)


def assert_same_scores(markup):
    page = walk.read(parse(markup))
    expected = main._judge()(*features.rows(page))
    assert scores.scores(page, main._forest()) == (expected or None)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["<", ">", "</", "<p", ' class="', '"', "=", "<!--", "&", "字", "\0"])))
def test_what_is_no_markup_does_no_harm(pieces):
    """The C code relies on nothing, and never looks beyond the end."""

    class Tree:
        html = "".join(pieces)

    assert swift.walked(Tree()) is not None


def test_a_library_of_other_sources_is_not_used(tmp_path, monkeypatch):
    """Its tables and rows may be others."""
    monkeypatch.setattr(disk, "PLACE", tmp_path)
    (tmp_path / "swift.c").write_bytes(disk.sources() + b" ")
    assert disk.library.__wrapped__() is None


def test_who_walks_while_another_thread_begins_to_finds_the_same():
    """A harvester reads long pages in a thread of their own: both may be the first to prepare the tables."""
    tree = parse("<div>" + "<p>Word</p><ul><li>eins</li></ul>" * 2000)
    expected = swift.walked(tree)
    with ThreadPoolExecutor(1) as other:
        walks = other.submit(lambda: [swift.walked(tree) == expected for _ in range(50)])
        while not walks.done():
            swift._prepared.__wrapped__()
    assert all(walks.result())
