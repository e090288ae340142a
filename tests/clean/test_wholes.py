"""Decision 0005, wholes: what belongs together is kept together, whatever the trees thought of its parts."""

import pytest

from txtr.clean import walk, wholes
from txtr.clean.tree import parse

FIRST = "Konvice Vřes uvaří litr vody za tři minuty."
LAST = "Filtr se dá mýt v myčce a držadlo zůstává studené."


def completed(markup: str, kept: set[str]) -> list[str]:
    """What is kept of this page when the trees would keep these blocks."""
    page = walk.read(parse(f"<html><body><main>{markup}</main></body></html>"))
    wanted = [number for number, text in enumerate(page.texts) if text in kept]
    assert len(wanted) == len(kept)
    return [page.texts[number] for number in wholes.completed(page, wanted)]


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


def test_a_headline_of_a_front_page_is_kept_where_others_are():
    """Headings that are links are part of the text where two others are kept; one alone is a teaser."""
    headlines = ["Vláda schválila rozpočet", "Sparta porazila Plzeň", "V Brně otevřeli terminál"]
    texts = ["Schodek má být menší.", "Rozhodl gól z konce zápasu.", "Cestující tam mohou od středy."]
    markup = "".join(
        f"<div class=teaser><a href=/{number}><h2>{headline}</h2></a><p>{text}</p></div>"
        for number, (headline, text) in enumerate(zip(headlines, texts, strict=True))
    )
    front = [line for pair in zip(headlines, texts, strict=True) for line in pair]
    assert completed(markup, set(front) - {headlines[1]}) == front
    assert headlines[1] not in completed(markup, {headlines[0], *texts})
