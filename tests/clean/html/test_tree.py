"""Text becomes a tree, however broken."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element

from txtr.clean.charset.normal import normalize
from txtr.clean.html.tame import MOST_ROOTS, MOST_TAGS, tame
from txtr.clean.html.tree import parse

PIECES = [
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<svg",
    "</svg>",
    "/>",
    ">",
    "<p a='",
    '"',
    "=",
    "x",
    " ",
    "\0",
]
PIECES += [
    "<title>",
    "</title>",
    "<style ",
    "</style",
    "</html>",
    "<html/",
    "<a <b",
    "<![CDATA[",
    "<?",
    "&lt;",
]


def text_of(markup):
    return normalize(parse(markup).text)


@pytest.mark.parametrize("markup", ["", " \n", "<!-- a -->", "<!--", "<?x", "\0", "<!DOCTYPE html>", "</p>"])
def test_nothing_is_parsed_as_nothing(markup):
    """A tree without text; never an error."""
    assert text_of(markup).strip() == ""


@pytest.mark.parametrize(
    "markup",
    [
        "Text",
        "<p>Text",
        "</div>Text</p></p>",
        "<html><body></body></html>Text",
        "</html></body>Text",
        "<html/>Text",
        "<body/>Text",
        "<p>Te\0x\x01t",
        "<!-- a --->Text<!-- b -->",
        "<?php echo 1 ?>Text",
        '<?xml version="1.0" encoding="iso-8859-2"?><html>Text',
        "<![CDATA[Text]]>",
        "<p a='1' a=2 \"=3 <b>Text",
        "\ufeffText",
        "<meta charset=windows-1250>Text",
    ],
)
def test_no_text_is_lost_in_broken_markup(markup):
    """Spec 3: broken HTML must come out clean too."""
    assert text_of(markup) == "Text"


@pytest.mark.parametrize(
    "script", ["<script>//<![CDATA[\nx()\n//]]></script>", "<STYLE><![CDATA[a]]></STYLE >"]
)
@pytest.mark.parametrize(
    "page", ["{}<p><![CDATA[Text]]>", "<![CDATA[Text]]>{}", "{0}<svg><![CDATA[Text]]></svg>{0}"]
)
def test_cdata_is_read_beside_a_script_that_has_it(script, page):
    """In a script it means nothing, and a page that has it nowhere else is left as it is."""
    assert "Text" in text_of(page.format(script))


def test_a_str_is_text_whatever_it_declares():
    """Decoding is over; a declaration left in the text means nothing any more."""
    assert text_of("<?xml version='1.0' encoding='utf-16'?><meta charset=koi8-r><p>žluť") == "žluť"
    assert text_of("a\ud800b") == "ab"


@pytest.mark.parametrize("tag", ["div", "font", "b", "table><tr><td", "ul><li", "blockquote", "x-y"])
def test_no_nesting_is_too_deep(tag):
    """30,000 open elements, and the text after them is still there."""
    assert (
        text_of("<p>before" + f"<{tag}>" * 30_000 + "inside" + "</div>" * 10 + "<p>after")
        == "beforeinsideafter"
    )


@pytest.mark.parametrize("between", [" ", "/", "=1 ", '="1"', "='>' "])
def test_a_tag_with_very_many_attributes_takes_no_time(between):
    """However many there are, they are looked up, not searched through."""
    attributes = between.join(f"a{number}" for number in range(100_000))
    assert "Text" in text_of(f"<p {attributes}>Text</p>")


@pytest.mark.parametrize("tag", ["html", "BODY", "body/", "hTml\t"])
def test_very_many_roots_take_no_time(tag):
    """Each copies the attributes of all before it: 20,000 of them took 8 seconds and 5 GB."""
    markup = "".join(f"<{tag} a{number}=1>x" for number in range(50_000))
    tree = parse(markup)
    assert tree.text == "x" * 50_000
    assert len(tree.attrs) + len(tree.find("body").attrs) == MOST_ROOTS


@pytest.mark.parametrize("before", ["", "x", "<html><body>"])
def test_a_root_with_very_many_attributes_takes_no_time(before):
    """Each is compared with all that the root has: ten roots of a megabyte took more than a minute."""
    wide = "".join(f"<{tag} {' '.join(f'{tag}{n}' for n in range(100_000))}>" for tag in ("html", "body"))
    assert parse(before + wide * 2 + "<p>Text").find("p").text == "Text"


@pytest.mark.parametrize("root", ["<html ", "<html <h", "<body x='"])
def test_roots_without_end_take_no_time(root):
    """Each had looked at a thousand of those behind it: 300 KB took five seconds."""
    began = time.thread_time()
    assert "x-root" in tame(root * (300_000 // len(root)))
    assert time.thread_time() - began < 1


WIDE = " ".join(f"a{number}" for number in range(1000))


@pytest.mark.parametrize(
    "unclosed",
    [
        "".join(f"<b id={number}>" for number in range(600)),
        "".join(f"<FONT\ncolor='>{number}'>" for number in range(600)),
        '<!-- <b x=" -->' + "".join(f"<u id={number}>" for number in range(600)),
        "<b><big><code><em><font><i><nobr><s><small><strike><strong><tt><u>" * 3,
        "".join(f"<i id={number} {WIDE}>" for number in range(20)),
        f"<a b='>' {WIDE} href=x>",
    ],
)
def test_formatting_that_nobody_closes_is_not_copied_without_end(unclosed):
    """Browsers open it again in every paragraph: 10 MB of <p><b id=1>x<p><b id=2>x took all memory."""
    tree = parse("<p>" + unclosed + "<p>x" * 30_000)
    elements = list(tree.iter_elements(("a", "b", "font", "i", "s", "tt", "u")))
    assert len(elements) + sum(len(element.attrs) for element in elements) < 1_000_000
    assert sum(p.text == "x" for p in tree.iter_elements("p")) >= 30_000


def test_formatting_is_left_alone_on_other_pages():
    """Links and weight are as the page has them, though it is as large as the largest."""
    tree = parse("<p><b class=x>a</b> <a href=y>b</a> <font size=1>c</font>" * 3000)
    assert sum(1 for _ in tree.iter_elements(("a", "b", "font"))) == 9000


def test_a_page_that_begins_again_is_read_on():
    """Pages that are put together from pages have some roots each."""
    page = "<!DOCTYPE html><html lang=cs><head><title>t</title></head><body class=a><p>x</p></body></html>"
    tree = parse(page * 20)
    assert [p.text for p in tree.iter_elements("p")] == ["x"] * 20
    assert tree.attr("lang") == "cs"


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<!", "<!--", "</", "&", '<a href="', "<a \"'", "</b>", "<script>", "]]>"]
)
def test_a_megabyte_of_rubbish_takes_no_time(piece):
    """Time is proportional to length, whatever is repeated."""
    markup = "<p>" + piece * (1_000_000 // len(piece))
    assert len(text_of(markup)) <= len(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<script>if (a<b) x()</script>",
        "<SCRIPT type='text/javascript'><!-- document.write('<script><\\/script>') --></Script >",
        "<style>p > a {}</style>",
        "<svg><title>x</title></svg>",
        "<svg><svg></svg><text>x</text></svg>",
        "<!-- <script> -->",
        "<!-->",
        "<!--->",
        "<!-- a --!>",
    ],
)
def test_what_is_no_text_leaves_the_text_around_it(markup):
    """Comments, scripts, styles and drawings end where they end for a browser."""
    tree = parse(f"<p>before{markup}after<p>end<!-- -->").remove("script, style, svg")
    assert tree.text == "beforeafterend"


@pytest.mark.parametrize(
    "markup",
    [
        "<title>How to use <script> and <!--</title><p>Text<!-- --><script></script>",
        "<textarea><style></textarea><p>Text<style></style>",
        "<a title='<!--'>Text</a><!-- -->",
        '<a title="<script>">Text</a><script></script>',
        "<svg/><p>Text<svg></svg>",
        "<!-- --!><p>Text<!-- -->",
        "<scripture><p>Text</scripture><script></script>",
        '<div style="x><script src="y"></script><p>Text</p><p id="z">',
    ],
)
def test_what_only_looks_like_a_script_or_comment_hides_no_text(markup):
    """Titles, attributes and half-closed comments may hold anything."""
    assert "Text" in [text.strip() for text in parse(markup).strings]


def test_data_and_links_of_drawings_are_in_the_tree():
    """JSON-LD is metadata, and a link is a link."""
    tree = parse("<script type='application/ld+json'>{}</script><svg><a href='x'></a></svg><p>y")
    assert tree.find("script").text == "{}"
    assert tree.find("a").attr("href") == "x"


def test_a_shadow_tree_stays_a_template():
    """Nothing of the page may be where no walk over the tree leads."""
    tree = parse("<div><template shadowrootmode=open><p>x</p></template></div>")
    assert [p.text for p in tree.iter_elements("p")] == ["x"]


def test_a_page_with_too_many_tags_is_read_up_to_a_point():
    """10 MB of <p> were 300 MB in memory."""
    tree = parse("<p>x" * (MOST_TAGS + 1000))
    assert sum(1 for _ in tree.iter_elements("p")) == MOST_TAGS


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_can_be_parsed(text):
    """Never raises, and what comes out is a whole page."""
    tree = parse(text)
    assert tree.tag == "html"
    assert next(child.tag for child in tree if isinstance(child, Element)) == "head"


@pytest.mark.parametrize(
    "text", ["word " * 500_000, "x > y " * 400_000, "a&amp;b" * 320_000, "ř" * 2_200_000]
)
def test_a_very_long_text_stays_one_text(text):
    """It is interrupted for the parser's sake only."""
    assert text_of(f"<p>{text}</p>") == text.replace("&amp;", "&")


def test_a_very_long_attribute_stays_one_attribute():
    """Only text is interrupted."""
    assert parse(f"<img src='data:,{'x' * 2_200_000}'>").find("img").attr("src") == "data:," + "x" * 2_200_000


@pytest.mark.parametrize("count,wide", [(1500, 1), (700, 20), (10, 7000), (3, 1100)])
def test_few_roots_with_much_in_them_take_no_time_either(count, wide):
    """Ten with 7,000 attributes each took seven seconds."""
    roots = (f"<body {' '.join(f'a{root}x{number}' for number in range(wide))}>x" for root in range(count))
    assert text_of("".join(roots)) == "x" * count
