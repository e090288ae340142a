"""The text a reader sees, one assumed sentence per line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element

from txtr.clean.html.tree import parse
from txtr.clean.text.sentences import lines

BLOCKS = "p div li h1 h6 dt dd blockquote option section address"
INLINE = "b i em strong span a font u sub code abbr label my-tag o:p nobr"


@pytest.mark.parametrize("tag", BLOCKS.split())
def test_a_block_ends_a_sentence(tag):
    """Spec 3: the start of a paragraph implies the end of a sentence."""
    assert lines(parse(f"<div>před<{tag}>uvnitř</{tag}>po</div>")) == ["před", "uvnitř", "po"]


def test_a_cell_ends_a_sentence():
    """So do rows, captions and the table itself, wherever a browser sees one."""
    table = "<table><caption>c<tr><th>d<td>e<tr><td>f</table>"
    assert lines(parse(f"<div>před{table}po</div>")) == ["před", "c", "d", "e", "f", "po"]


@pytest.mark.parametrize(
    ("markup", "line"),
    [
        ("<a href=1>Domů</a><a href=2>Sport</a><a href=3>Kultura</a>", "Domů Sport Kultura"),
        ("<span><a href=1>Domů</a></span><span><a href=2>Sport</a></span>", "Domů Sport"),
        ("slo<a href=1>vo</a>u<a href=2>nka</a>", "slovounka"),
        ("před<a name=k></a><a href=1>pona</a>", "předpona"),
        ("<a href=1>北京</a><a href=2>大学</a>", "北京大学"),
        ("<pre><a href=1>os</a><a href=2>.path</a></pre>", "os.path"),
    ],
)
def test_links_side_by_side_are_words_of_their_own(markup, line):
    """Menus were one long word; style sheets keep their entries apart."""
    assert lines(parse(f"<div>{markup}</div>")) == [line]


@pytest.mark.parametrize("tag", ["br", "hr", "br/"])
def test_a_break_ends_a_sentence(tag):
    """Spec 3: so does <br>."""
    assert lines(parse(f"jedna<{tag}>dvě")) == ["jedna", "dvě"]


@pytest.mark.parametrize("tag", INLINE.split())
def test_a_change_of_weight_does_not(tag):
    """Spec 3: an inline element neither ends a sentence nor makes a blank; nor does an unknown one."""
    assert lines(parse(f"<p>sl<{tag}>ov</{tag}>o <{tag}>a</{tag}> slovo")) == ["slovo a slovo"]


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<noscript>x</noscript>",
        "<template>x</template>",
        "<!-- x -->",
        "<textarea>x</textarea>",
        "<iframe>x</iframe>",
        "<math><annotation encoding=tex>x</annotation></math>",
        "<span hidden>x</span>",
        "<span style='a:b;display:none'>x<b>x</b></span>",
        "<span style='visibility: hidden'>x</span>",
    ],
)
def test_what_nobody_sees_is_left_out(markup):
    """Spec 3: nothing but text may pass."""
    assert lines(parse(f"<p>před{markup}po")) == ["předpo"]


@pytest.mark.parametrize("shown", ["<p>Zapněte skripty.</p>", "<img src=x>Zapněte", "<div>x<title>y</title>"])
def test_nobody_sees_what_the_head_says_without_scripts(shown):
    """It would end the head, and be part of the page."""
    tree = parse(f"<html><head><noscript>{shown}</noscript><title>Název</title></head><body><p>Text")
    assert lines(tree) == ["Text"]
    assert [element.tag for element in tree.find("head").children if isinstance(element, Element)][
        -1
    ] == "title"


@pytest.mark.parametrize("attribute", ["aria-hidden=true", "style='display:block'", "hidden=until-found"])
def test_what_is_only_called_hidden_stays(attribute):
    """aria-hidden hides from screen readers, not from readers."""
    assert lines(parse(f"<p>před<span {attribute}>X</span>po")) == ["předXpo"]


@pytest.mark.parametrize(
    "markup",
    [
        "<body style='display:none'><p>Text",
        "<body><div style='visibility:hidden'><p>Text</div><script>x</script>",
        "<body><div hidden><p>Text</div><textarea>x</textarea>",
        "<div hidden id='S:1'>Text</div>",
    ],
)
def test_a_page_that_waits_for_its_script_is_seen(markup):
    """Some pages hide themselves, or their parts, until they are loaded."""
    assert lines(parse(markup)) == ["Text"]


def test_white_space_is_collapsed_and_edges_are_bare():
    """Spec 3: white space is collapsed; no empty lines, no blanks at line edges."""
    page = "<p>  a \n\t b&nbsp;&nbsp;c\u2003d\u3000e\u2028f </p><p>&nbsp;</p><p> <b> </b> </p>g"
    assert lines(parse(page)) == ["a b c d e f", "g"]


def test_preformatted_line_breaks_are_line_breaks():
    """In <pre> the author's lines are lines; elsewhere they are blanks."""
    page = "a\nb<pre>c\n  d <b>e\nf</b></pre>g\nh<pre hidden>x</pre>i\nj"
    assert lines(parse(page)) == ["a b", "c", "d e", "f", "g h", "i j"]


def test_invisible_characters_go():
    """Soft hyphens, zero-width blanks, marks of direction and control characters are no text."""
    assert lines(parse("slo\u00advo\u200b, \u202aslo\u2060vo\ufeff &#8205;x&#1;")) == ["slovo, slovo x"]


def test_joiners_stay_where_a_script_needs_them():
    """Persian without its non-joiners is misspelt."""
    assert lines(parse("<p>می\u200cخواهم<p>a\u200cb")) == ["می\u200cخواهم", "ab"]


def test_references_to_control_characters_mean_windows_1252():
    """&#150; is a dash in every browser; \\x84 likewise."""
    assert lines(parse("a &#150; \x84b\x93")) == ["a – „b“"]


def test_the_text_is_in_normal_form_c():
    """One spelling for one letter."""
    assert lines(parse("Pr\u030ci\u0301lis\u030c")) == ["Příliš"]


def test_the_title_is_no_part_of_the_text():
    """It is kept beside it, on one line."""
    tree = parse("<head><title> Ž&amp;lu\n\tť </title></head><body>Text")
    assert lines(tree) == ["Text"]
    assert lines(parse("")) == []


@given(st.text(st.characters() | st.sampled_from("<>/pb &;#x\n\t \u00a0\u200b\u00ad")))
def test_every_line_is_clean(text):
    """The invariant of sentences.py."""
    for line in lines(parse(text)):
        assert line
        assert line == " ".join(line.split())
        assert unicodedata.is_normalized("NFC", line)
        assert not any(unicodedata.category(character) == "Cc" for character in line)


def test_a_page_that_a_script_would_fill_is_read_as_readers_without_one_see_it():
    """Many forums put the whole conversation into noscript; elsewhere it only asks for JavaScript."""
    forum = "<p>Loading</p><noscript><p>Dobrý den, kdo poradí?<p>Já vím jak.</noscript>"
    assert lines(parse(forum)) == ["Loading", "Dobrý den, kdo poradí?", "Já vím jak."]
    page = "<p>Tady je dost textu, který čtenář vidí i bez skriptu.</p><noscript>Zapněte skripty.</noscript>"
    assert lines(parse(page)) == ["Tady je dost textu, který čtenář vidí i bez skriptu."]
