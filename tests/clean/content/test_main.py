"""--text=main: what a page is for stays, what surrounds it goes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.clean.content import main
from txtr.clean.html.bare import Bare
from txtr.clean.html.tree import parse
from txtr.clean.text.sentences import lines as all_lines

MENU = """<nav><ul><li><a href="/">Úvod</a></li><li><a href="/urad">Úřad</a></li>
<li><a href="/mapa">Mapa stránek</a></li><li><a href="/kontakt">Kontakt</a></li></ul></nav>"""
FOOTER = """<footer class="footer"><p>© 2024 Všechna práva vyhrazena</p><ul><li><a href="/p">Podmínky</a></li>
<li><a href="/o">Ochrana soukromí</a></li><li><a href="/rss">RSS</a></li></ul></footer>"""
COOKIES = """<div class="cookie-consent" id="cookies"><p>Tento web používá soubory cookie.</p>
<button>Souhlasím</button> <a href="/cookies">Více informací</a></div>"""
BUDGET = "Zastupitelstvo města na svém zasedání schválilo rozpočet na příští rok, a to velkou většinou hlasů."
ROADS = "Nejvíce peněz, téměř čtyřicet milionů korun, půjde na opravy silnic, chodníků a veřejného osvětlení."
SCHOOL = (
    "Starostka Jana Nováková řekla, že se začne rekonstrukcí základní školy, na niž město dostalo dotaci."
)
QUOTE = "„Stavba by měla být hotová do konce srpna, aby děti mohly v září nastoupit,“ dodala starostka."


def page(body, title="Rozpočet schválen"):
    return f'<!DOCTYPE html><html lang="cs"><head><title>{title}</title></head><body>{body}</body></html>'


NEWS = page(f"""{COOKIES}<header><a href="/">Zpravodaj</a></header>{MENU}
<main><article class="clanek"><h1>Rozpočet schválen</h1><p class="perex">{BUDGET}</p><p>{ROADS}</p>
<h2>Nejdřív škola</h2><p>{SCHOOL}</p><blockquote><p>{QUOTE}</p></blockquote>
<ul><li>Základní škola: oprava střechy a výměna všech oken v hlavní budově</li><li>Ulice Dlouhá: nový povrch
vozovky i chodníků od náměstí až k nádraží</li></ul></article></main>
<aside class="sidebar"><h3>Nejčtenější</h3><ul><li><a href="/1">Požár na sídlišti</a></li>
<li><a href="/2">Hokejisté vyhráli</a></li><li><a href="/3">Počasí na víkend</a></li></ul></aside>{FOOTER}""")

SHOP = page(
    f"""{COOKIES}{MENU}<div class="product-detail"><h1>Horské kolo Sokol 29</h1>
<div class="product-description">
<p>Sokol je celoodpružené horské kolo pro náročný terén, s hliníkovým rámem a hydraulickými brzdami.</p>
<p>Hodí se na celodenní výlety i na rychlé sjezdy, váží třináct kilogramů a unese jezdce do 120 kg.</p>
</div>
<table class="parametry"><tr><th>Hmotnost</th><td>13,2 kg</td></tr>
<tr><th>Velikost kol</th><td>29 palců</td></tr></table></div>
<div class="related-products"><h2>Mohlo by se vám líbit</h2><ul><li><a href="/a">Přilba Orel</a></li>
<li><a href="/b">Zámek Pevný</a></li><li><a href="/c">Světlo Maják</a></li></ul></div>{FOOTER}""",
    "Horské kolo Sokol 29 | Kola a spol.",
)

POSTS = [
    "Dobrý den, prosím o radu, jak nejlépe přezimovat oleandr v bytě, kde není světlá chodba ani sklep.",
    "My ho máme celou zimu na schodišti u okna, zaléváme jednou za čtrnáct dní a na jaře krásně obrazí.",
    "Pozor na svilušky, v suchém vzduchu se množí rychle. Pomáhá rosení listů a občas sprcha.",
]
FORUM = page(
    MENU
    + '<div id="forum"><h1>Přezimování oleandru</h1>'
    + "".join(
        f'<div class="post"><div class="author"><a href="/u/{number}">uživatel{number}</a></div>'
        f'<div class="postbody"><p>{post}</p></div></div>'
        for number, post in enumerate(POSTS)
    )
    + f"</div>{FOOTER}",
    "Přezimování oleandru - Zahradnické fórum",
)

COUNCIL = page(
    f"""<div id="hlavicka"><a href="/">Obec Lhota</a></div><div id="menu">{MENU}</div><div id="obsah">
<h1>Oznámenie o prerušení dodávky vody</h1><p>Obecný úrad oznamuje občanom, že v stredu bude od ôsmej
do štrnástej hodiny prerušená dodávka pitnej vody v celej obci.</p><p>Dôvodom je oprava hlavného uzáveru
pri škole; prosíme, aby ste sa vopred zásobili vodou a za pochopenie ďakujeme.</p></div>{FOOTER}""",
    "Oznámenie | Obec Lhota",
)


@pytest.mark.parametrize(
    ("markup", "kept", "dropped"),
    [
        (
            NEWS,
            [BUDGET, ROADS, "Nejdřív škola", SCHOOL, QUOTE, "Ulice Dlouhá"],
            ["Požár", "Kontakt", "cookie", "RSS"],
        ),
        (SHOP, ["celoodpružené", "unese jezdce"], ["Přilba Orel", "Kontakt", "Souhlasím", "Podmínky"]),
        (FORUM, POSTS, ["Mapa stránek", "Podmínky"]),
        (COUNCIL, ["prerušená dodávka pitnej vody", "za pochopenie ďakujeme"], ["Kontakt", "Ochrana"]),
    ],
    ids=["news", "shop", "forum", "council"],
)
def test_what_a_page_is_for_stays_and_what_surrounds_it_goes(markup, kept, dropped):
    """Not only articles, and without a list of any language's words."""
    text = "\n".join(main.lines(markup))
    assert [part for part in kept if part not in text] == []
    assert [part for part in dropped if part in text] == []


def test_a_line_break_ends_a_line_and_a_block_a_paragraph():
    """Paragraph boundaries stay recoverable."""
    markup = page(f"<article><p>{BUDGET}<br>{ROADS}</p><p>{SCHOOL}</p></article>")
    assert main.paragraphs(Bare(markup)) == [[BUDGET, ROADS], [SCHOOL]]


def test_what_a_page_says_twice_is_said_once():
    """Teasers, and copies for narrow screens."""
    markup = page(f"<article><p>{BUDGET}</p><p>{ROADS}</p><p>{SCHOOL}</p><p>{BUDGET}</p></article>")
    assert main.lines(markup).count(BUDGET) == 1


def test_a_short_line_between_copies_is_a_copy():
    """A subheading of an article that the page holds twice."""
    copy = f"<p>{BUDGET}</p><p>{ROADS}</p><p>Škola:</p><p>{SCHOOL}</p>"
    once = main.lines(page(f"<article>{copy}</article>"))
    assert main.lines(page(f"<article>{copy}</article><article>{copy}</article>")) == once


@pytest.mark.parametrize("label", ["Annonce", "ANZEIGE", "Реклама", "广告"])
def test_what_stands_over_an_advertisement_goes(label):
    """As a block of its own it is never text; inside a sentence it is a word."""
    markup = page(f"<article><p>{BUDGET}</p><p>{label}</p><p>{ROADS}</p><p>{label} je slovo.</p></article>")
    assert main.lines(markup) == [BUDGET, ROADS, f"{label} je slovo."]


@pytest.mark.parametrize(
    "markup", ["", " ", "<html>", "<script>x</script>", page(MENU + FOOTER), page(COOKIES)]
)
def test_a_page_with_nothing_worth_keeping_has_no_main_text(markup):
    """Empty text rather than noise."""
    assert main.lines(markup) == []


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 200_000 + "text",
        "<ul><li><a href=x>a</a>" * 20_000,
        "<table><tr><td>" * 20_000 + "x",
        "<p>" + "slovo " * 1_700_000,
        "<br>" * 100_000 + "x",
        "<p>x" * 100_000,
        "<div class='" + "nav-" * 500_000 + "'>x",
        "<b>" * 50_000 + "<a>" * 50_000 + "x",
        "<pre>" + "\n" * 1_000_000 + "x</pre>",
        "".join(f"<div class=c{number}><div hidden>x</div>" for number in range(20_000)),
        "<blockquote>" * 1900 + f"<p>{BUDGET}</p><form>x</form>" * 9_000,
    ],
    ids=[
        "deep",
        "lists",
        "tables",
        "line",
        "breaks",
        "paragraphs",
        "name",
        "inline",
        "preformatted",
        "names",
        "quotations",
    ],
)
def test_no_page_is_too_large(markup):
    """Adversarial pages take bounded time and memory; this ends, and nothing is made up."""
    assert sum(map(len, main.lines(markup))) <= len(markup)


_PIECES = [
    "<p>",
    "</p>",
    "<div class=nav>",
    "</div>",
    "<a href=x>",
    "</a>",
    "<br>",
    "<ul>",
    "<li>",
    "<pre>",
    "</pre>",
]
_PIECES += [
    "<td>",
    "<h1>",
    "<title>",
    "</title>",
    "<select>",
    "<noscript>",
    "<svg>",
    "<hr>",
    "<body>",
    "</html>",
    "<b>",
]
_PIECES += [
    "<script type='application/ld+json'>",
    "</script>",
    "<div style='display:none' hidden>",
    "\0",
    "&nbsp;",
]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=20), st.just("Slova a věty, delší. " * 5)))
)
def test_no_page_is_too_broken(pieces):
    """Whatever comes, it is lines with something in them, and words of the page."""
    markup = "".join(pieces).replace("\0", "")  # as decode() does
    for line in main.lines(markup):
        assert line == " ".join(line.split()) != ""


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([BUDGET, ROADS, SCHOOL, QUOTE]), min_size=1, max_size=6))
def test_the_main_text_is_part_of_all_text(sentences):
    """Nothing is made up."""
    markup = page(MENU + "".join(f"<p>{sentence}</p>" for sentence in sentences) + FOOTER)
    assert set(main.lines(markup)) <= set(all_lines(parse(markup)))


def test_signs_without_a_word_are_no_text_but_in_code():
    """Rules above signatures, arrows and stars are no sentences; brackets on lines of their own are code."""
    prose = "<p>A sentence of the text that is long enough to be prose, and then some more of it.</p>" * 3
    code = "<pre>int main() {\n}\n</pre>"
    found = main.lines(f"<article><h1>A text</h1>{prose}<p>__________</p><p>›</p>{code}{prose}</article>")
    assert "__________" not in found
    assert "›" not in found
    assert "}" in found
