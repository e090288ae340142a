"""A page is read as blocks of text in boxes."""

import pytest

from txtr.clean.content.blocks import LINE
from txtr.clean.content.walk import read
from txtr.clean.html.bare import Bare
from txtr.clean.html.parts import MOST_BLOCKS


def texts(markup):
    return list(read(Bare(markup)).texts)


def test_a_block_element_ends_a_block_and_an_inline_one_does_not():
    """Spec 3: a change of weight is no end of a sentence, and adds no blank."""
    assert texts("<div>a <b>b</b>c<p>d</p>e</div>") == ["a bc", "d", "e"]


def test_one_line_break_ends_a_line_two_end_a_block():
    """Old pages separate paragraphs by two of them."""
    assert texts("<p>a<br>b<br><br>c") == [f"a{LINE}b", "c"]
    assert texts("<pre>a\n  b</pre>") == [f"a{LINE}b"]


def test_a_menu_is_one_block():
    """It is wanted or not as a whole."""
    menu = "".join(f"<li><a href={entry}>{entry}</a>" for entry in "abcd")
    page = read(Bare(f"<p>x</p><ul>{menu}</ul><p>y</p>"))
    assert list(page.texts) == ["x", LINE.join("abcd"), "y"]
    assert page.links[1] == 4
    assert "li" not in page.tag


@pytest.mark.parametrize("before", ["", "<div></div>", "</head><svg><title>x</title></svg>", "<cloud>"])
def test_the_title_counts_wherever_the_head_ended(before):
    """One page in a hundred has something before it that belongs into the body."""
    assert read(Bare(f"<head>{before}<title> a\nb </title><p>c")).title == "a b"


@pytest.mark.parametrize("strange", ["", "<b><p>x</b>"])
def test_what_scripts_say_of_a_page_is_heard_before_they_are_emptied(strange):
    """Blocks are found in markup without scripts; what kind of page it is stands in them."""
    data = '<script type=application/ld+json>{"@type": "NewsArticle"}</script>'
    page = read(Bare(f"<title>T</title><meta property=og:type content=article>{data}{strange}"))
    assert (page.kinds, page.title) == ({"NewsArticle", "og:article"}, "T")


def test_formatting_that_the_parser_is_spared_counts_nowhere():
    """A page must not be read in another way where there is a compiler."""
    page = read(Bare("".join(f"<p><b class=c{number}>Word</b> and more</p>" for number in range(2000))))
    assert not any(page.strong)


def test_what_nobody_reads_is_left_out():
    """Scripts, tools, and the fringe of a page; but not what stands in its centre."""
    assert texts("<script>x</script><select><option>x</select><nav>x</nav><p>a<footer>x</footer>") == ["a"]
    assert texts("<main><nav>a</nav><footer>b</footer></main>") == ["a", "b"]
    assert texts("<noscript><p>a</p></noscript>") == ["a"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<h2>Quickstart<a class="headerlink" href="#quickstart">¶</a></h2>', "Quickstart"),
        ('Fußnote<sup><a href="#fn1">1</a></sup> hier', "Fußnote hier"),
        ('Fußnote<a href="#fn1"><sup>[12]</sup></a> hier', "Fußnote hier"),
        ("E=mc<sup>2</sup>, 10<sup>−3</sup> m", "E=mc², 10⁻³ m"),
        ("the 5<sup>th</sup> of May, H<sub>2</sub>O", "the 5th of May, H2O"),
        ('see <sup><a href="http://example.org/">12</a></sup> there', "see 12 there"),
        ('<a href="#top">§</a><p>§ 5</p>', "§ 5"),
    ],
)
def test_marks_that_are_no_part_of_the_text_go_and_exponents_stay_exponents(markup, text):
    """A corpus wants neither Quickstart¶ nor Fußnote1 nor mc2."""
    assert texts(markup) == [text]


def test_a_link_that_was_not_closed_ends_at_a_cell():
    """As browsers have it: else the whole article is one link, and part of the menu before it."""
    page = read(
        Bare("<ul><li><a href=1>Menu<li><a href=2>Mapa<li><a href=3>RSS<table><td><p>Text</p></table>")
    )
    assert dict(zip(page.texts, page.linked, strict=True))["Text"] == 0


def test_no_blank_comes_between_two_wide_characters_where_a_line_of_the_source_ends():
    """Chinese and Japanese have none; Korean and everybody else has."""
    assert texts("<p>这是第二段，\n  有换行的\r\n文字。") == ["这是第二段，有换行的文字。"]
    assert texts("<p>한국어\n문장 a\nb 字\nc") == ["한국어 문장 a b 字 c"]


def test_how_characters_are_read_stays_out_of_words():
    """Ruby: 漢かん字じ is no word; in brackets, as old browsers would show it, it can be read."""
    assert texts("<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>を読む</p>") == ["漢字を読む"]
    assert texts("<p><ruby>漢字<rp>（</rp><rt>かんじ</rt><rp>）</rp></ruby>を</p>") == ["漢字（かんじ）を"]


def test_each_box_knows_its_blocks():
    """The range of a box holds all that is inside it, and nothing else."""
    page = read(Bare("<body><div><p>a<p>b</div><div>c</div></body>"))
    inside = {
        tag: [*page.texts[first:end]] for tag, first, end in zip(page.tag, page.first, page.end, strict=True)
    }
    assert inside["body"] == ["a", "b", "c"]
    assert inside["div"] == ["c"]  # the last one


@pytest.mark.parametrize("piece", ["x<hr>", "x<br><br>", "<p>x", "<pre>x</pre>"])
def test_a_page_has_so_many_blocks_and_no_more(piece):
    """Whatever separates them; 2,000,000 of them took two gigabytes."""
    assert len(read(Bare(piece * (MOST_BLOCKS + 10))).texts) == MOST_BLOCKS
