"""Text becomes a tree, however broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.clean.tree import parse


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
    assert [script.text for script in tree.iter("script")] == ["x"]


@pytest.mark.parametrize("between", [" ", "/", "=1 ", '="1"', "='>' "])
def test_a_tag_with_very_many_attributes_takes_no_time(between):
    """libxml2 needs quadratic time: 100,000 attributes took a quarter of a minute."""
    attributes = between.join(f"a{number}" for number in range(100_000))
    assert text_of(f'<p x" {attributes}>Text<b>{"</b>Text" * 2}').endswith("Text")
    assert text_of(f"<p {attributes}>Text") == "Text"


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
    parse("<p>" + piece * (1_000_000 // len(piece)))


@given(st.text())
def test_any_text_can_be_parsed(text):
    """Never raises."""
    parse(text)
