"""Issue 3, --text=main: what a page is for stays, what surrounds it goes."""

from txtr.clean import main
from txtr.clean.tree import parse

SENTENCE = "Zastupitelstvo města na svém zasedání schválilo rozpočet na příští rok, a to většinou hlasů. "
PAGE = f"""<html><head><title>Rozpočet schválen</title></head><body>
<nav><ul><li><a href="/">Úvod</a></li><li><a href="/urad">Úřad</a></li><li><a href="/k">Kontakt</a></li></ul></nav>
<div class="content"><h1>Rozpočet schválen</h1><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}<br>{SENTENCE}</p></div>
<footer><a href="/mapa">Mapa stránek</a> <a href="/rss">RSS</a> © Město</footer></body></html>"""


def test_an_article_stays_and_the_navigation_around_it_goes():
    """Issue 3: boilerplate (navigation, footers) left out, headings kept."""
    lines = main.lines(parse(PAGE))
    assert lines == ["Rozpočet schválen", (SENTENCE * 3).strip(), (SENTENCE * 2).strip(), SENTENCE.strip()]


def test_an_empty_page_has_no_main_content():
    """Issue 3: pages with nothing worth keeping give empty text."""
    assert main.lines(parse("")) == []
    assert main.lines(None) == []
