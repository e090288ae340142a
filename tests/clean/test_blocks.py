"""A page is read as blocks of text in boxes."""

import pytest

from txtr.clean.blocks import LINE, MOST_BLOCKS, read
from txtr.clean.tree import parse


def texts(markup):
    return list(read(parse(markup)).texts)


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
    page = read(parse(f"<p>x</p><ul>{menu}</ul><p>y</p>"))
    assert list(page.texts) == ["x", LINE.join("abcd"), "y"]
    assert page.links[1] == 4
    assert "li" not in page.tag


def test_what_nobody_reads_is_left_out():
    """Scripts, tools, and the fringe of a page; but not what stands in its centre."""
    assert texts("<script>x</script><select><option>x</select><nav>x</nav><p>a<footer>x</footer>") == ["a"]
    assert texts("<main><nav>a</nav><footer>b</footer></main>") == ["a", "b"]
    assert texts("<noscript><p>a</p></noscript>") == ["a"]


def test_each_box_knows_its_blocks():
    """The range of a box holds all that is inside it, and nothing else."""
    page = read(parse("<body><div><p>a<p>b</div><div>c</div></body>"))
    inside = {
        tag: page.texts[first:end] for tag, first, end in zip(page.tag, page.first, page.end, strict=True)
    }
    assert inside["body"] == ("a", "b", "c")
    assert inside["div"] == ("c",)  # the last one


@pytest.mark.parametrize("piece", ["x<hr>", "x<br><br>", "<p>x", "<pre>x</pre>"])
def test_a_page_has_so_many_blocks_and_no_more(piece):
    """Whatever separates them; 2,000,000 of them took two gigabytes."""
    assert len(read(parse(piece * (MOST_BLOCKS + 10))).texts) == MOST_BLOCKS
