"""What is written in C finds what its twin in Python finds."""

import json
import lzma
import re
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import escape
from pathlib import Path

import pytest
import turbohtml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from txtr import clock, urls
from txtr.clean import clean, links
from txtr.clean.charset.normal import normalize
from txtr.clean.content import alike, features, main, walk
from txtr.clean.content.blocks import Blocks
from txtr.clean.html import costly, elements
from txtr.clean.html.bare import Bare
from txtr.clean.html.notes import find_notable, read_notes
from txtr.clean.html.prune import ZEROS, prune
from txtr.clean.html.tree import _with_whole_head, parse
from txtr.clean.metadata import read_metadata
from txtr.clean.native import alike as native_alike
from txtr.clean.native import costly as burden
from txtr.clean.native import links as leads
from txtr.clean.native import plain, trees
from txtr.clean.native import prune as native_prune
from txtr.clean.native import sentences as sight
from txtr.clean.native import walk as native
from txtr.clean.page import _metas
from txtr.clean.text import sentences, split
from txtr.native import library

SAMPLE = Path(__file__).parents[1] / "pages" / "sample" / "pages.jsonl.xz"

pytestmark = pytest.mark.skipif(library.library() is None, reason="there is no C compiler")

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
ITEMS = [
    "<div class='post-1 x'><p>eins</p></div>",
    "<div class='\N{NO-BREAK SPACE}post-22'><p>zwei</p><div class=1>x</div></div>",
    "<div class=' \N{IDEOGRAPHIC SPACE}post-3\ny'><p>drei</p></div>",
    "<li class='&amp;nbsp;x7'>x<li class='&amp;nbsp;x8'>y<li class='&amp;nbsp;x'>z",
]


SEEN = [
    *(
        f"<{tag}>"
        for tag in ("dialog", "dialog open", "p hidden", "p hidden=until-found", "div hidden id=S:1")
    ),
    *(
        "<p style='x;display :none'>",
        "<p style='&quot;display:none'>",
        "<p style='xdisplay:none'>",
        "<a href=x>",
    ),
    *(
        "One. Two",
        "A? B",
        "3.5",
        "…a",
        "Konec。次",
        "x; y",
        "\x85",
        "\u200d",
        "\ufb01",
        "e\u0301",
        "字! 字",
        "U.S. A",
    ),
]
MARKED = [
    *(
        ">",
        ">x",
        ">English",
        "> English<b>",
        "><!--c-->česky",
        "><?php echo 1 ?>English",
        "><!--c--><?x?><!--d-->English",
        "><b>English</b>",
        f">{'x' * 41}",
        " hreflang=cs>x",
    ),
    *(
        ">ČESKY\n",
        ">\N{KELVIN SIGN}orean",
        ">İtaliano",
        ">Tiếng Việt",
        ">Tiếng&nbsp;Việt",
        f">{' ' * 33}English",
        f">{' ' * 34}English",
        "><!--c--><!--c-->日本語",
        ">日本字",
        " hreflang='x y'>Česky",
        " hreflang=''>cs",
    ),
    *(
        " rel=nofollow>",
        " rel='x\u2003NoFollow'>",
        " rel='nofollowed'>",
        " rel='&nbsp;nofollow&nbsp;'>Deutsch",
    ),
]


COSTLY = [
    *(
        "<",
        "<a",
        "<A ",
        "<b>",
        "<B/",
        "<big x",
        "<body",
        "<html\xa0",
        "<strong ",
        "<STRIKE>",
        "<tt\x0c",
        "<s\x1c",
    ),
    *(
        ">",
        "/",
        " ",
        '"',
        "'",
        "x=1",
        "é",
        "字",
        "😀",
        "<small",
        "<h1>",
        "<ſmall>",
        "<nobr>",
        "=",
        "\n",
        "<i",
        "<br>",
    ),
]


def tags():
    starts = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
    return starts | st.builds("</{}>".format, st.sampled_from(TAGS))


def both(markup):
    """What the twins find."""
    tree, written = bare(markup)
    pruned = native_prune.prune_markup(written)
    prune(tree)
    assert pruned == sentences.write_out(tree)
    return columns(walk.find_blocks(tree)), columns(native.find_blocks(pruned))


def columns(page):
    return [list(getattr(page, column)) for column in Blocks.__slots__]


@settings(max_examples=500, deadline=None)
@given(st.lists(tags() | st.sampled_from(PIECES), max_size=60).map("".join))
@example("<pre>\n\nx</pre><pre>\ny</pre><a><pre>\n</pre></a>")
@example("<plaintext></plaintext><b>x")
@example("<div class='coo\N{KELVIN SIGN}ie WIK\u0130' hidden>x")
@example("<frameset><frame><frame></frameset>")
@example("<svg><style><g>a</g></style><title>t</title></svg>x")
@example("<a href=#x> ¶</a><a href=#x>¶<img></a><a href=x>¶</a><nav><a href=#x>¶</a></nav>")
def test_any_markup_has_the_same_blocks(markup):
    plain, quick = both(markup)
    assert quick == plain


MARKED_TEXTS = [
    *("<sup>", "</sup>", "<a href=#n>", "<a href='#n?x'>", "<a href='?#n'>", "</a>", "<b>", "</b>", "<br>"),
    *("<ruby>", "<rp>", "</rp>", "<rt>", "</rt>", "<rtc>", "</ruby>", "<main>", "</main>", "<nav>", "</nav>"),
    *("<!--c-->", "<textarea>", "</textarea>", "¶", "#", "🔗", "[", "(", ")", "]", "1", "23", "456", "-7"),
    *("٣", "۴۵", "९", "𝟏", "†", "*", "a", "ab", "字", " ", "\n", "&nbsp;", "&amp;", "\x85", " " * 400, "<p>"),
]


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(MARKED_TEXTS), max_size=30).map("".join))
@example("<sup><a href=#n>12</a></sup><a href=#n><sup>[3]</sup></a><sup><a href=#n>4</a><b></b></sup>")
@example("<ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp>字<rt>ji</rt></ruby>")
@example("<sup>1<!---->2<sup>-3</sup></sup>")
def test_any_marks_are_pruned_alike(markup):
    """Footnotes, exponents, how characters are read, and links of headings to themselves."""
    plain, quick = both(markup)
    assert quick == plain


def test_marks_in_marks_take_time_as_their_length():
    """Each is judged by its text alone, however deep it lies."""
    deep = ('<a href="#x"><sup>' * 100_000 + "1").encode()
    assert native_prune.prune_markup(deep) == deep[:-1] + "¹".encode()
    begun, long = clock.processor(), deep[:-1] + b"x " * 200_000
    assert native_prune.prune_markup(long) == long
    assert clock.processor() - begun < 2, "it took more than a minute"


def test_digits_are_those_of_all_scripts():
    known = [chr(point) for point in range(0x10000) if unicodedata.decimal(chr(point), None) == 0]
    assert "".join(known) == ZEROS


def test_pages_have_the_same_blocks_scores_and_places():
    with lzma.open(SAMPLE, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    for page in pages:
        plain, quick = both(page["html"])
        assert quick == plain, page["id"]
        assert_same_scores(page["html"])
        assert_same_ways(page["html"])
        assert_same_sight(page["html"])
        assert_same_leads(page["html"])
        assert_same_page(page["html"])
        assert burden.weigh(page["html"].encode()) == costly.weigh(page["html"])


def bare(markup):
    tree = parse(markup)
    sentences.make_bare(find_notable(tree))
    return tree, sentences.write_out(tree)


def assert_same_sight(markup):
    tree, written = bare(markup)
    for flags in ((False, False), (True, False), (False, True)):
        plain, _, _ = sentences.look(tree, *flags)
        quick, counts, is_normal = sight.find_visible(written, *flags)
        assert quick.replace(sentences.SPLIT, " ") == plain
        assert not is_normal or normalize(quick) == quick
        lines = quick.split("\n")[:-1]
        assert len(lines) == len(counts)
        for line, count in zip(lines, counts, strict=True):
            assert_same_sentences(line, count)


def assert_same_sentences(line, count):
    plain, found = line.replace(sentences.SPLIT, " "), line.split(sentences.SPLIT)
    if count and normalize(plain) == plain:
        assert count == len(found)
        assert all(split.sentences(plain, language) == found for language in split._KNOWN)
    assert count or len(found) == 1


@settings(max_examples=500, deadline=None)
@given(st.lists(tags() | st.sampled_from([*PIECES, *SEEN]), max_size=60).map("".join))
@example("<math><style><style>x</style>y</style>z<mi><style><b></style></mi></math>w")
@example("<sup>-456</sup><sup>1234</sup><sup>−1<!---->+2</sup><sup> 3</sup><sup>4<b>5</b></sup>")
@example("<a>字</a><a>字</a><a>x</a><a>y</a> <a></a><a>z</a><pre><a>x</a><a>y</a></pre>")
@example("<listing hidden><math><input role=x><li><a>drei")
def test_any_markup_looks_the_same(markup):
    assert_same_sight(markup)


def assert_same_line(line):
    text, counts, _ = sight.find_visible(f"<p>{line}</p>".encode(), False, False)
    for found, count in zip(text.split("\n"), counts, strict=False):
        assert_same_sentences(found, count)
    return counts


WORDS = [
    *(
        "Word",
        "word",
        "I",
        "x",
        "str",
        "Hauptstr",
        "Prof",
        "tzv",
        "vlk",
        "Příliš",
        "žluť",
        "слово",
        "г",
        "λέξη",
        "字",
    ),
    *(
        "1999",
        "12",
        ": 1999",
        "3",
        "×",
        "a÷b",
        "don't",
        "-x",
        "x-",
        "well-known",
        "“He",
        "(He",
        "‘he",
        "„He",
        "a-str",
        "U.S",
        "Inc",
        "LLC",
        "Yahoo",
        "a" * 21,
        "é" * 11,
        "»",
    ),
]
MARKS = [*".!?;:", "...", "?!", '."', ".)", ".”", "!’", ".[1]", "…", ". .", ".”.", "·", ";.", "。", ""]


@settings(max_examples=2000, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS), st.sampled_from([" ", " ", ""]))))
def test_any_line_has_the_same_sentences(pieces):
    assert_same_line("".join(map("".join, pieces)))


def test_no_abbreviation_and_no_letter_is_mistaken():
    for word in split.ABBREVIATIONS:
        assert_same_line(f"Some {word}. Words")
    for point in range(0x21, 0x600):
        assert_same_line(f"Some words. {chr(point)}x")
        assert_same_line(f"Some words{chr(point)}. Others")
    assert assert_same_line("Some words. Others? None! “He didn't. Yes.") == [5]


def test_what_passes_for_normal_is():
    """Every character of three planes, alone and after a letter with which it might become another."""
    for point in {*range(0x30000)} - {*range(0xD800, 0xE000)}:
        text, _, is_normal = sight.find_visible(f"<p>e{chr(point)} {chr(point)}</p>".encode(), False, False)
        assert not is_normal or normalize(text) == text, hex(point)


LINKS = [
    *(
        "http://example.org",
        "https://Example.org/x",
        "http://a.b/",
        "http://www.x-y.cz/A~b",
        "//cdn.example.cz/z",
    ),
    *(
        "http://xn--a.cz/",
        "http://-a.cz/",
        "http://a..cz/",
        "http://a.cz./",
        "http://1.2.3.4/",
        "http://a.cz:80/",
    ),
    *(
        "http://u@a.cz/",
        "http://a.c1/",
        f"http://{'a' * 64}.cz/",
        f"http://{'a.' * 126}cz/",
        f"/{'x' * 1990}",
    ),
    *(
        "/x",
        "/x.PDF",
        "/x.jpg",
        "/.jpg",
        "/x.",
        "/a/../b",
        "/a/.",
        "/./x",
        "x.html",
        "x:y",
        "?q=1",
        "#f",
        "",
        " ",
        ".",
    ),
    *(
        "/x#f",
        "/x?q",
        "/x?",
        "/x?a=b&&c",
        "/x?utm_source=a",
        "/x?a=1&amp;SID=0123456789abcdef",
        "/x?amp;sid=1",
    ),
    *(
        "/x?s=1",
        "/x?utm",
        "/x?q=a/./b",
        "/x?q='",
        "/x'y",
        "/x;y",
        "/%41",
        "/%2f",
        "/%2F",
        "/%C3",
        "/%c3",
        "/%",
        "/a%2E",
    ),
    *(
        "javascript:void(0)",
        "mailto:a@b.cz",
        "HTTP://a.cz/",
        "http:x",
        "https:/x",
        "x-y:z",
        "java\tscript:x",
        "httpd",
    ),
    *(
        "é",
        "/é?é",
        "http://é.cz/",
        "http://a.cz/x y",
        "\n/x",
        "x&amp;y",
        "&nbsp;/x",
        "\x1e",
        "http://a.cz?x",
        "//",
        "/",
    ),
    *(
        "./x",
        "../x",
        "../../../x",
        "..",
        "a/..",
        "/a//../b",
        "/.x/",
        "/..x",
        "/a/%2e%2E/b",
        "/a/.%2e",
        "_x",
        "a/b:c",
    ),
    *(
        "HTTPS://A.cz/X",
        "http://WWW.X-Y.cz",
        "http://a.cz\\x",
        "/a\\b",
        "/x?a\\b",
        "\t /x\n?\ty ",
        "ht\ntp://a.cz/",
    ),
    *(
        "/a;b",
        "/a.jpg;b",
        "/a;jsessionid=1",
        "/a;b;SID=0123456789abcdef/c",
        "/a;utm_x/../b",
        "/..;sid",
        "/a;x&y",
    ),
    *(
        "/x?&",
        "/x?utm_a&",
        "/x?&utm_a",
        "/x?utm_a&b&UTM_c=d",
        "/x?utm_a=b;c",
        "/x?utm_a/b",
        "/x?amp;Utm_a&amp;b",
    ),
    *("/x?sid=2528", "/x?s=0123456789abcdef0123456789abcdef", "/x?CFID=123", "/x?cfid=1234&CFTOKEN=12-a4f"),
    *(
        "/x?sid_a=0123456789ABCDEF",
        "/x?sid",
        "/x?SESS=",
        f"/x?{'s' * 40}=1",
        f"/x?utm_{'s' * 40}=1",
        "/x?ut%6D_a=b",
    ),
    *(
        "/[x]|y",
        "/^",
        "/{x}`",
        "/x?[x]|{y}^`",
        "/a b",
        "/x?a b",
        "/&lt;x&gt;&quot;",
        "/x?&lt;x&gt;&quot;",
        "/x%4é",
        "/x%é",
    ),
    *(
        f"/x#{'y' * 7990}",
        f"/x#{'y' * 8010}",
        f"/{'é' * 400}",
        f"/x?{'utm_a&' * 400}",
        f"/{' ' * 700}",
        "&#127;",
        "/\x1fx",
    ),
]
ELEMENTS = [
    *("<ul><li<!-- menu -->one</ul>", "<div><span<!-- x -->y</div>", "<p><b<?x>y</p>", "</i<!-->"),
    *(
        "<base href=/c/d/>",
        "<base target=x>",
        "<base href='http://a.cz/e/f?g'>",
        "<base href='x:y'>",
        "<base>",
    ),
    *(
        f"<link rel='{rel}' href='/l?utm_a'>"
        for rel in ("next", "x\u2003PREV", "Canonical", "stylesheet next", "nexts")
    ),
    *(
        f"<link rel=alternate type='{kind}' href=/k>"
        for kind in ("", " ", "text/HTML", "\xa0text/html ", "text/htmlx")
    ),
    *(
        "<link rel=canonical href='&nbsp;/c'>",
        "<link rel=canonical href='\u3000'>",
        "<link rel=canonical href=/m.jpg>",
    ),
    *(
        "<link rel=canonical>",
        "<link rel='alternate nofollow' href=/n hreflang=de>",
        "<link hreflang=de href=/x>",
    ),
    *("<link rel=alternate hreflang=' de-AT ' href=./x>", "<link rel=alternate hreflang='??' href=/x>"),
    *(
        f"<meta http-equiv='{name}' content='0; url=/r'>"
        for name in ("refresh", " Refresh\xa0", "refresh x", "x")
    ),
    *(
        "<meta http-equiv=refresh content=5>",
        "<meta http-equiv=refresh>",
        "<meta http-equiv=refresh content='1;#x'>",
    ),
    *(
        "<area href=/x hreflang=cs>English",
        "<area href=/y rel=nofollow>",
        "<iframe src='f#g'></iframe>",
        "<frame src=f>",
    ),
]


COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


def assert_same_page(markup):
    """What is written out without a tree is what its tree is written as, but for drawings and comments."""
    utf8 = markup.replace("\0", "").replace("<![CDATA[", "").encode("utf-8", "replace")
    quick = plain.write_plain(utf8)
    if quick is None:
        return False
    whole = _with_whole_head(utf8.decode())
    tree = turbohtml.parse(whole, allow_declarative_shadow_roots=False).root
    said = read_notes(tree, find_notable(tree))
    sentences.make_bare(find_notable(tree))
    for drawing in list(tree.iter_elements(("svg",))):
        drawing.clear()
        for name in list(drawing.attrs):
            del drawing.attrs[name]
    written, found = quick
    assert COMMENT.sub(b"", written) == COMMENT.sub(b"", tree.html.encode("utf-8", "replace"))
    assert read_metadata("http://a.cz/", found) == read_metadata("http://a.cz/", said)
    assert list(_metas(found)) == list(_metas(said))
    return True


_PLAIN_TAGS = """
    a b i font p div span table tr td th tbody ul ol li dl dt dd h1 h2 form select option optgroup br hr img
    input button pre textarea title script style svg path iframe object caption col colgroup body html head
    meta link label center em strong section article nobr time math ruby rt g desc sup code dialog listing
    template noscript
"""
PLAIN_TAGS = _PLAIN_TAGS.split()
PLAIN_ATTRIBUTES = [
    *(
        "",
        " class=x",
        ' id="y" ID=z',
        " hidden",
        " rel=Canonical href=/x",
        " name=robots content='&quot;no&quot;'",
    ),
    *(
        " datetime=2020",
        ' type="application/ld+json"',
        " a='x\"y'b",
        " checked/",
        " title=a&copy=1&copy;&#150;",
    ),
]
PLAIN_PIECES = [
    *(
        "&amp;",
        "&nbsp;",
        "&copy",
        "&notit;",
        "&#x41",
        "&#0;",
        "&",
        " ",
        "\n",
        "\r\n",
        "\r",
        "text",
        "ž字😀\xa0",
    ),
    *(
        "<!--c-->",
        "<!-->",
        "<!--->",
        "<!--a--!>",
        "<!x>",
        "</>",
        "</ x>",
        "< b",
        "<3",
        "<?x?>",
        "<!doctype html>",
    ),
    *(
        "<script>a<b</script>",
        "<style>p>a{}</style>",
        "<textarea>\n\n&lt;</textarea>",
        "<title>a&amp;b</title>",
    ),
    *(
        "<svg/>",
        "<svg><path d=1/><title>x</title></svg>",
        "<svg><style>a</style><g></g></svg>",
        "<pre>\n\n",
        "<a",
        "<p x='",
    ),
    *("</p>", "</br>", "</body>", "</html>", "</head>", "<body a=1>", "<html b=2>"),
]


def plain_tags():
    opened = st.builds("<{}{}>".format, st.sampled_from(PLAIN_TAGS), st.sampled_from(PLAIN_ATTRIBUTES))
    return opened | st.sampled_from(PLAIN_TAGS).map("</{}>".format)


@settings(max_examples=2000, deadline=None)
@given(st.lists(plain_tags() | st.sampled_from(PLAIN_PIECES), max_size=40).map("".join))
@example("<table><td><strong><object></table> x")
@example("<pre></>\r")
@example("</body></template><!--c-->x")
@example("<head><template><p>a<b></template><title>t</title></head><b><template></b>x</template>y")
@example("<head><noscript a=b><p>x</p></noscript></head><body><noscript><p>y</noscript>z")
@example("<script><!-- <script> a </script> b --></script>c<script><!--></script>d")
@example("<meta name=x content='<noscript></noscript>'><body>")
@example("<p><b>x<p>y</b>z<i>u</p>v<td></i>w")
@example("<div><a href=1>x</div>y<a href=2>z")
@example("<p><b><i>x<p>y<table><td>z</table>u</i>v")
@example("<p><strong><pre>\n<br>x")
@example("<p><nobr>a<nobr>b<p>c</nobr>d")
@example("<b><b><b><b>x<p>y")
@example("<p><b>x<div>y<?xml:namespace a />z<?php echo 1 ?>")
@example('<script type="application/ld+json"><noscript></noscript><body></script>')
@example('<!doctype html"public "-//W3C//DTD XHTML 1.0 Transitional//EN"><p><table>')
@example("</html></body><!--c-->x")
@example("<path><svg></path></svg>x")
@example("<select><option>x</optgroup>y")
@example("</ul><!doctype html><p><table>")
@example("<p>a<table><tr><td>b</table>c")
@example("<title>a</title></head>\n<link rel=canonical href=x><body>")
@example("<q><isindex>x</q>y")
@example("<b><command>x</b>y")
@example("<a href=1>x<div>y<p><i>z<a href=2>u</div>v")
@example("<font><div><font><p>x</font>y</font>z")
@example("<b><pre></p>\n</b>x")
@example("<i><div><div><div><div><div><div><div><div>x</i>y")
@example("<table><input type=HIDDEN><tr><input type='hidden'><td>x")
def test_any_plain_markup_is_the_same_page(markup):
    assert_same_page(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<title>a<![CDATA[b]]></title><p>x",
        "<p>x<a href='/y<![CDATA[z]]>'>y</a>",
        "<script>/*<![CDATA[*/ 1 /*]]>*/ if (a < b) c()</script><p>x ]]> y",
    ],
)
def test_a_page_with_sections_reads_the_same_without_a_tree(markup, monkeypatch):
    """The parser never sees where CDATA begins and ends (tree.py), wherever it stands."""
    read = partial(clean, markup.encode(), "http://www.example.cz/a", text="all")
    quick = read()
    monkeypatch.setattr(plain, "write_plain", lambda text, is_whole: None)
    assert quick == read()


def test_most_pages_are_plain():
    """What takes a quarter of the time is of no use if it leaves pages to the parser."""
    with lzma.open(SAMPLE, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line)["html"] for line in lines]
    assert sum(map(assert_same_page, pages)) > 0.75 * len(pages)
    for page in pages:
        assert_same_of_less(page)


@pytest.mark.parametrize("tags", [1_000, 100_000])
@pytest.mark.parametrize(
    "tag", ["<b>", "<p>", "<html a{}=1>", "<body a{}=1>", "<table>", "<a x", "<!--", "<svg>", "&", "<td>"]
)
def test_no_page_is_too_long_to_be_looked_at(tag, tags):
    """It is left to the parser, or written within its room: six bytes for one, and some to spare."""
    page = "".join(tag.format(number) for number in range(tags)).encode()
    quick = plain.write_plain(page)
    assert quick is None or len(quick[0]) <= 6 * len(page) + 4096


@pytest.mark.parametrize("attribute", [" a=''", ' a=""', " a", " a=b", ' a="&amp;"', " ='"])
def test_a_tag_of_many_attributes_takes_no_longer_for_each(attribute):
    """However many there are, none is read twice: a page of three packed kilobytes took two minutes."""
    few, many = (f"<p{attribute * number}>x".encode() for number in (2_000, 200_000))
    assert seconds(few) * 100 * 10 + 0.2 > seconds(many)


def seconds(page):
    begun = clock.processor()
    plain.write_plain(page)
    return clock.processor() - begun


def anchors():
    return st.builds('<a href="{}"{}</a>'.format, st.sampled_from(LINKS), st.sampled_from(MARKED))


URLS = [
    "http://www.example.cz/a/b.html",
    "http://127.0.0.1:8080/a",
    "http://example.cz/?q=/x",
    "https://a.cz",
]


def assert_same_of_less(markup):
    """What is not whole shows the same, leads to the same, and says the same."""
    utf8 = markup.replace("\0", "").encode("utf-8", "replace")
    less, whole = plain.write_plain(utf8, is_whole=False), plain.write_plain(utf8)
    if less is None or whole is None:  # formatting is alike by what is written of it
        return
    assert less[1] == whole[1] and len(less[0]) <= len(whole[0])
    for ways in ((False, False), (True, False), (False, True)):
        assert sight.find_visible(less[0], *ways) == sight.find_visible(whole[0], *ways)
    for url in URLS:
        place = urls.find_place(url)
        assert leads.read_leads(less[0], place, True, True) == leads.read_leads(whole[0], place, True, True)


@settings(max_examples=1000, deadline=None)
@given(
    st.lists(
        plain_tags() | tags() | anchors() | st.sampled_from([*PLAIN_PIECES, *PIECES, *SEEN, *ELEMENTS]),
        max_size=15,
    ).map("".join)
)
@example("<div id='&#83;:1' hidden>a</div><div id=x hidden>b</div>")
@example("<img src=a.html href=b.html alt='<a href=c>'><a href=d name=e>English</a><!--x<a href=f>-->")
@example("<p>字<!-- a -->\n<!--b-->字<sup>1<!--c-->2</sup>")
@example("<b class=x><b class=y><b><b>x<p>y</p></b>")
@example("<b class=x><b class=x><b class=x><b hidden>y")
@example("<html hidden><body class=a><p>x<body style='display:none' id=S:0>")
def test_what_is_not_whole_shows_and_leads_to_the_same(markup):
    assert_same_of_less(markup)


def assert_same_leads(markup, charset="utf-8"):
    tree, written = bare(markup)
    for url in URLS:
        plain = links.find_links(lambda: tree, url, charset)
        assert links._found_in(written, url, charset) == plain


@settings(max_examples=500, deadline=None)
@given(
    st.lists(anchors() | st.sampled_from(ELEMENTS) | tags(), max_size=20).map("".join),
    st.sampled_from(["utf-8", "windows-1250"]),
)
@example("<math><script><iframe src=x></iframe><a href=y></script><iframe src=z>", "utf-8")
@example("<ul><li<!-- menu -->one</ul><a href=/h>two</a>", "utf-8")
@example("<a href=/x><?php echo 1 ?>English</a>", "utf-8")
def test_any_markup_leads_to_the_same(markup, charset):
    assert_same_leads(markup, charset)


@pytest.mark.parametrize("link", LINKS)
def test_any_link_becomes_the_same(link):
    assert_same_leads(f'<a href="{link}">')


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from([*"/?&=;.%#:é '<\\2eE\t", "..", "utm_x", "sid", "a" * 16, "x.jpg"])).map("".join)
)
def test_any_path_becomes_the_same(path):
    assert_same_leads(
        "".join(f"<a href='{escape(before + path)}'>" for before in ("", "/", "http://a.cz", "?"))
    )


def test_no_name_of_a_language_is_overlooked():
    """A letter and its small one have the same shape; but one becomes two, which are in no name."""
    for point in {*range(0x110000)} - {*range(0xD800, 0xE000), 0x130}:
        letter = "k" if point == 0x212A else chr(point)
        assert leads.shape(letter).lower() == leads.shape(letter.lower()), hex(point)
    assert not any("\N{COMBINING DOT ABOVE}" in name for name in elements.LANGUAGES)
    assert all(name == name.lower() and len(name) <= elements.LONGEST_NAME for name in elements.LANGUAGES)


@pytest.mark.parametrize("write", [str.lower, str.upper, str.title])
def test_names_of_languages_are_found_in_any_letters(write):
    for name in elements.LANGUAGES:
        markup = f'<a href="/x">{write(name)}</a>'.encode()
        found = leads.read_leads(markup, urls.find_place("http://a.cz/"), True, False)
        assert found.hints == ["", write(name), "/x"]


def test_what_stands_for_any_characters_stands_at_the_end():
    """Only there C looks for it."""
    assert not any("*" in name[:-1] for name, _ in urls.VISITORS)


def test_links_that_collide_take_little_time_and_are_given_once():
    """Whoever knows how links are found again may make them collide."""
    places: dict[int, list[str]] = {}
    for number in range(300_000):
        link = f"http://a.cz/{number:08}"  # two words of eight bytes, and the rest
        places.setdefault(link_slot(link) % 2048, []).append(link)
    colliding = max(places.values(), key=len)[:120]
    assert len(colliding) > 100
    markup = "".join(f'<a href="{link}"></a>' for link in [*colliding, *colliding])
    found = leads.read_leads(markup.encode(), urls.find_place("http://a.cz/"), True, False)
    assert not found.are_canonical and len(found.items) > len(colliding)
    assert (
        links.find_links(lambda: parse(markup), "http://a.cz/", "utf-8", markup.encode()).links == colliding
    )


def link_slot(link):
    """Where leads.c looks for it first."""
    item = link.encode()
    found = len(item)
    for begin in range(0, len(item) + 1, 8):
        word = item[begin : begin + 8]
        found = (found ^ int.from_bytes(word, sys.byteorder)) * 0x9E3779B97F4A7C15 % 2**64
        found ^= found >> 29 if len(word) == 8 else 0
    return found >> 32


@settings(max_examples=500, deadline=None)
@given(
    st.lists(tags() | st.sampled_from([*PIECES, "A sentence, long enough to be prose. " * 5]), max_size=60)
)
def test_any_blocks_have_the_same_scores(pieces):
    """To the last bit: what is kept must not depend on a compiler."""
    assert_same_scores("<title>Word eins</title>" + "".join(pieces))


@settings(max_examples=500, deadline=None)
@given(st.lists(tags() | st.sampled_from([*PIECES, *ITEMS]), max_size=60).map("".join))
def test_any_boxes_have_the_same_places(markup):
    assert_same_ways(markup)


def test_names_that_collide_are_left_to_the_twin():
    """Whoever knows how looks are found may make them collide; that must not take quadratic time."""
    names = [f"x{number}x" for number in range(30_000)]
    colliding = [name for name in names if slot(name, around=1, tag="div") % 1024 < 40][:400]
    page = walk.read(Bare("".join(f"<div class={name}>x</div>" for name in colliding)))
    assert trees.scores(page, main._forest()) is None
    assert native_alike.find_places(page, alike._ITEMS, alike.FEWEST) is None


def slot(name, around, tag):
    """Where alike.c looks for it first."""
    found = 2166136261
    for byte in name.encode():
        found = (found ^ byte) * 16777619 % 2**32
    found = (found ^ around) * 2654435761 % 2**32
    found = (found ^ found >> 15 ^ native.TAGS.index(tag)) * 2654435761 % 2**32
    return found ^ found >> 15


def test_a_forest_over_columns_that_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="column 127"):
        trees.build_forest(["127<1 0.5 0.25"], 6, 2.0)


def assert_same_ways(markup):
    page = walk.read(Bare(markup))
    found = native_alike.find_places(page, alike._ITEMS, alike.FEWEST)
    assert (found or ([], [])) == alike.find_places(page)


def assert_same_scores(markup):
    page = walk.read(Bare(markup))
    expected = main._judge()(*features.rows(page))
    assert trees.scores(page, main._forest()) == (expected or None)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["<", ">", "</", "<p", ' class="', '"', "=", "<!--", "&", "字", "\0"])))
def test_what_is_no_markup_does_no_harm(pieces):
    """The C code relies on nothing, and never looks beyond the end."""
    written = "".join(pieces).encode()
    assert native_prune.prune_markup(written) is not None
    assert native.find_blocks(written) is not None
    assert sight.find_visible(written, False, False) is not None
    assert leads.read_leads(written, urls.find_place("http://example.cz/a"), True, False) is not None


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(COSTLY), max_size=40).map("".join))
def test_any_text_is_the_same_burden(text):
    assert burden.weigh(text.encode()) == costly.weigh(text)


def test_a_library_of_other_sources_is_not_used(tmp_path, monkeypatch):
    """Its tables and rows may be others."""
    monkeypatch.setattr(library, "PLACE", tmp_path)
    (tmp_path / "native.c").write_bytes(library.sources() + b" ")
    assert library.library.__wrapped__() is None


def test_who_walks_while_another_thread_begins_to_finds_the_same():
    """A harvester reads long pages in a thread of their own: both may be the first to prepare the tables."""
    markup = b"<div>" + b"<p>Word</p><ul><li>eins</li></ul>" * 2000 + b"</div>"
    expected = columns(native.find_blocks(markup))
    with ThreadPoolExecutor(1) as other:
        walks = other.submit(lambda: [columns(native.find_blocks(markup)) == expected for _ in range(50)])
        while not walks.done():
            native._prepared.__wrapped__()
    assert all(walks.result())
