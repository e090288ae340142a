"""Text becomes a tree, however broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from txtr.clean.tree import MOST_TAGS, WIDEST, parse

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
    tree = parse(markup)
    return "" if tree is None else "".join(tree.itertext())


@pytest.mark.parametrize("markup", ["", " \n", "<!-- a -->", "<!--", "<?x", "\0", "<!DOCTYPE html>", "</p>"])
def test_nothing_is_parsed_as_nothing(markup):
    """None, or a tree without text; never an error."""
    assert text_of(markup) == ""


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


def test_a_str_is_text_whatever_it_declares():
    """Decoding is over; a declaration left in the text means nothing any more."""
    assert text_of("<?xml version='1.0' encoding='utf-16'?><meta charset=koi8-r><p>žluť") == "žluť"
    assert text_of("a\ud800b") == "a?b"


@pytest.mark.parametrize("tag", ["div", "font", "b", "table><tr><td", "ul><li", "blockquote", "x-y"])
def test_no_nesting_is_too_deep(tag):
    """30,000 open elements, and the text after them is still there."""
    assert (
        text_of("<p>before" + f"<{tag}>" * 30_000 + "inside" + "</div>" * 10 + "<p>after")
        == "beforeinsideafter"
    )


def test_a_deep_page_keeps_its_links_and_hides_its_scripts():
    """What is flattened are containers only."""
    tree = parse("<div>" * 5000 + "<script>x</script><title>t</title><a href='y'>z</a><p>q")
    assert [a.get("href") for a in tree.iter("a")] == ["y"]
    assert "".join(tree.itertext()) == "tzq"


@pytest.mark.parametrize("between", [" ", "/", "=1 ", '="1"', "='>' ", '=">=" ', '="><p y=" '])
@pytest.mark.parametrize("before", ["", 'x" ', '=" ', "='", "<i='", "</i a='>"])
def test_a_tag_with_very_many_attributes_takes_no_time(before, between):
    """libxml2 needs quadratic time: 100,000 attributes took a quarter of a minute."""
    attributes = between.join(f"a{number}" for number in range(100_000))
    tree = parse(f"<p {before}{attributes}>Text</p>")
    assert max(len(element.attrib) for element in tree.iter()) <= WIDEST


@pytest.mark.parametrize(
    "before",
    [
        "<!-- <i a=' --!>",
        "<title><i a='</title>",
        "<script type=ld+json><i a='</script>",
        "<!x <i a='>",
        "</3 <i a='>",
    ],
)
def test_no_text_hides_a_tag_with_very_many_attributes(before):
    """What looks like an open quote in a text quotes nothing."""
    attributes = " ".join(f"a{number}='>'" for number in range(50_000))
    tree = parse(f"{before}<p {attributes}>Text")
    assert max(len(element.attrib) for element in tree.iter()) <= WIDEST


def test_a_long_picture_in_an_attribute_is_not_many_attributes():
    """data: URIs are long, and harmless."""
    picture = "iVBOR/w0KGgo+" * 20_000
    tree = parse(f"<p><img src='data:image/png;base64,{picture}' alt='x'>Text")
    assert len(tree.find(".//img").get("src")) > 200_000


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
def test_what_is_cut_out_leaves_the_text_around_it(markup):
    """Comments, scripts, styles and drawings are not read."""
    tree = parse(f"<p>before{markup}after<p>end<!-- -->")
    etree.strip_elements(tree, "script", "style", "svg", with_tail=False)
    assert "".join(tree.itertext()) == "beforeafterend"


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
def test_nothing_that_can_be_read_is_cut_out(markup):
    """Wherever it is doubtful what a comment or script is, it is left to the parser."""
    assert "Text" in [text.strip() for text in parse(markup).itertext()]


def test_data_and_links_of_drawings_are_not_cut_out():
    """JSON-LD is metadata, and a link is a link."""
    tree = parse("<script type='application/ld+json'>{}</script><svg><a href='x'></a></svg><p>y")
    assert tree.findtext(".//script") == "{}"
    assert tree.find(".//a").get("href") == "x"


def test_a_page_with_too_many_tags_is_read_up_to_a_point():
    """10 MB of <p> were a gigabyte in memory."""
    tree = parse("<p>x" * (MOST_TAGS + 1000))
    assert sum(1 for _ in tree.iter("p")) == MOST_TAGS


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_can_be_parsed(text):
    """Never raises, and what comes out is a tree without comments."""
    tree = parse(text)
    assert tree is None or all(isinstance(element.tag, str) for element in tree.iter())
