"""Decision 0005, wholes: what belongs together is kept together, whatever the trees thought of its parts."""

import pytest

from txtr.clean.content import repair, walk
from txtr.clean.html.bare import Bare

FIRST = "Konvice Vřes uvaří litr vody za tři minuty."
LAST = "Filtr se dá mýt v myčce a držadlo zůstává studené."


def completed(markup: str, kept: set[str], title: str = "", probability: float = 0.3) -> list[str]:
    """What is kept of this page when the trees would keep these blocks, and think so well of the others."""
    head = f"<head><title>{title}</title></head>"
    page = walk.read(Bare(f"<html>{head}<body><main>{markup}</main></body></html>"))
    wanted = [number for number, text in enumerate(page.texts) if text in kept]
    assert len(wanted) == len(kept)
    probable = [probability] * len(page.texts)
    return [page.texts[number] for number in repair.complete(page, wanted, probable)]


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><th>Výkon</th><td>2200 W</td></tr></table>",
        "<dl><dt>Výkon</dt><dd>2200 W</dd></dl>",
    ],
)
def test_a_table_between_kept_blocks_stays_with_the_heading_in_its_wrapper(table):
    """Product pages put each table into a box of its own, below its heading."""
    markup = f'<p>{FIRST}</p><div id="p"><h2>Parametry</h2>{table}</div><div><p>{LAST}</p></div>'
    assert completed(markup, {FIRST, LAST}) == [FIRST, "Parametry", "Výkon", "2200 W", LAST]


def test_a_summary_is_the_heading_of_what_unfolds():
    """Shops fold up the parameters."""
    folded = "<details><summary>Údaje</summary><div><dl><dt>Výkon</dt><dd>2200 W</dd></dl></div></details>"
    markup = f"<p>{FIRST}</p>{folded}<details><summary>Péče</summary><p>{LAST}</p></details>"
    assert completed(markup, {FIRST, LAST}) == [FIRST, "Údaje", "Výkon", "2200 W", "Péče", LAST]


def test_a_list_with_a_heading_in_one_wrapper_is_not_added():
    """That is how related articles look as well."""
    markup = f"<p>{FIRST}</p><div><h2>Také čtěte</h2><ul><li>Požár</li></ul></div><p>{LAST}</p>"
    assert completed(markup, {FIRST, LAST}) == [FIRST, LAST]


def test_code_at_the_end_of_a_section_is_kept():
    """What a program prints is the last of its section; nobody puts boilerplate into pre."""
    code = '<div class="highlight-text notranslate"><pre>/login</pre></div>'
    markup = f"<section><p>{FIRST}</p>{code}</section><section><h2>Dále</h2><p>{LAST}</p></section>"
    assert completed(markup, {FIRST, LAST}) == [FIRST, "/login", "Dále", LAST]


def test_a_list_of_links_is_whole_when_half_of_it_is_kept():
    """Its items were kept or not by their lengths."""
    items = ["Měřicí přístroj Alfa", "Kleště Beta"]  # three would be a menu, and one block
    listed = "".join(f"<li><h2><a href=/{item}>{item}</a></h2></li>" for item in items)
    markup = f"<p>{FIRST}</p><ul>{listed}</ul><p>{LAST}</p>"
    assert completed(markup, {FIRST, items[0], LAST}) == [FIRST, *items, LAST]
    assert completed(markup, {FIRST, items[1], LAST}) == [FIRST, items[1], LAST]


HEADLINES = ["Vláda schválila rozpočet", "Sparta porazila Plzeň", "V Brně otevřeli terminál"]
TEXTS = ["Schodek má být menší.", "Rozhodl gól z konce zápasu.", "Cestující tam mohou od středy."]
TEASERS = [
    f"<div class=teaser><a href=/{number}><h2>{headline}</h2></a><p>{text}</p></div>"
    for number, (headline, text) in enumerate(zip(HEADLINES, TEXTS, strict=True))
]


def test_the_headlines_of_a_front_page_are_kept_above_three_kept_texts():
    """Headings that are links are part of such a page; one or two are teasers inside a text."""
    front = [line for pair in zip(HEADLINES, TEXTS, strict=True) for line in pair]
    assert completed("".join(TEASERS), set(TEXTS)) == front
    assert completed("".join(TEASERS[:2]), set(TEXTS[:2])) == TEXTS[:2]


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ('<table class="tabulka"><tr><th>Výkon</th><td>2200 W</td></tr></table>', ["Výkon", "2200 W"]),
        ('<dl class="std"><dt>Výkon</dt><dd>2200 W</dd></dl>', ["Výkon", "2200 W"]),
        ('<ul class="std"><li>Výkon</li><li>2200 W</li></ul>', []),
    ],
)
def test_data_at_the_end_of_a_section_stays_between_kept_sections(data, kept):
    """Tabs of product pages and sections of documentation end with a table; lists of links do, too."""
    markup = f"<div><h2>Popis</h2><p>{FIRST}</p>{data}</div><div><h2>Recenze</h2><p>{LAST}</p></div>"
    assert completed(markup, {FIRST, LAST}) == ["Popis", FIRST, *kept, "Recenze", LAST]


@pytest.mark.parametrize("tag", ["p", "ul", "table", "dl"])
def test_what_the_trees_think_hopeless_is_not_added(tag):
    """A menu between two paragraphs looks like any other list, but not to the trees."""
    cells = {"p": "A", "ul": "<li>A", "table": "<tr><td>A", "dl": "<dt>A"}[tag]
    markup = f"<p>{FIRST}</p><{tag}>{cells}</{tag}><p>{LAST}</p>"
    assert completed(markup, {FIRST, LAST}) == [FIRST, "A", LAST]
    assert completed(markup, {FIRST, LAST}, probability=0.07) == [FIRST, LAST]


def test_a_quotation_before_a_contribution_is_kept():
    """Forums wrap what somebody answers to, and give it names."""
    quotation = '<blockquote class="bbCode"><div class="title">Anna napsala:</div>Kolik váží?</blockquote>'
    markup = f"<div class=post>{quotation}{FIRST}</div><div class=post>{LAST}</div>"
    assert completed(markup, {FIRST, LAST}) == ["Anna napsala:", "Kolik váží?", FIRST, LAST]


def test_a_signature_of_a_member_is_no_contribution():
    """It is the same below all that he writes, and often as long."""
    said = "Kdo později brzdí, je déle rychlý."
    post = f'<div class="postbody"><div>{{}}</div><div class="signature">{said}</div></div>'
    assert completed(post.format(FIRST), {FIRST, said}) == [FIRST]
    assert completed(post.format(""), {said}) == []
    function = f'<div class="content"><p>{FIRST}</p><p class="signature">{said}</p></div>'
    assert completed(function, {FIRST, said}) == [FIRST, said]


def test_the_name_of_a_site_is_no_headline():
    """Many forums have it in h1, and what the page is called in h2."""
    markup = f"<h1>Čajové fórum</h1><h2>Která konvice?</h2><p>{FIRST}</p>"
    kept = {"Která konvice?", FIRST}
    assert completed(markup, kept, "Která konvice? - Čajové fórum") == ["Která konvice?", FIRST]
    markup = f"<h1>Konvice Vřes</h1><h2>Popis</h2><p>{FIRST}</p>"
    assert completed(markup, {"Popis", FIRST}, "Konvice Vřes") == ["Konvice Vřes", "Popis", FIRST]


def test_cells_that_are_all_that_is_kept_stay():
    """There was nothing beside the table to compare it with, and the search for it never ended."""
    rows = "".join(f"<tr><td>Obec {number}</td><td>Starosta {number}</td></tr>" for number in range(8))
    markup = f"<p>Menu</p><table><tr><th>Obec</th><th>Kdo</th></tr>{rows}</table><p>Patička</p>"
    assert completed(markup, {"Obec 0", "Starosta 0"}, probability=0.1) == ["Obec 0", "Starosta 0"]
