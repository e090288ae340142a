"""A page's reading, whole: the pages of tests/pages, and whatever bytes come."""

import unicodedata
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from txtr.clean import clean
from txtr.clean.html.tree import is_light
from txtr.manners.directives import Directives

PAGES = sorted((Path(__file__).parent.parent / "pages").glob("*.html"))
URL = "http://example.cz/a/b.html"


def read(body, content_type, url, agent, text="all"):
    """As the harvester has it cleaned."""
    return clean(body, url, content_type, text, agent)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_text_of_a_page_is_what_a_reader_sees(page):
    """Spec 3: nothing but text passes; broken HTML comes out clean too."""
    reading = read(page.read_bytes(), "text/html", URL, "texttractor")
    assert reading.text.splitlines() == page.with_suffix(".txt").read_text("utf-8").splitlines()


def test_everything_is_read_off_one_page():
    """Title, language, character set, links, own address and directives."""
    body = """<html lang="cs-CZ"><head><meta charset=windows-1250><title> Ž&amp;
        š </title><meta name="Robots" content="NoIndex"><meta name=texttractor content=nofollow>
        <link rel=canonical href="/c"></head><body>Text<a href=x>X</a>""".encode("cp1250")
    reading = read(body, "text/html", URL, "TextTractor")
    assert reading.text == "TextX"
    assert reading.title == "Ž& š"
    assert (reading.charset, reading.charset_source) == ("windows-1250", "meta")
    assert reading.language == "cs-CZ"
    assert reading.links == ["http://example.cz/c", "http://example.cz/a/x"]
    assert reading.canonical == "http://example.cz/c"
    assert reading.directives == Directives(index=False, follow=False)


def test_an_empty_page_is_read_as_nothing():
    """No bytes, no tree, no trouble."""
    for body in (b"", b"  \n", b"<!-- -->", b"\0", b"\xef\xbb\xbf"):
        reading = read(body, "", URL, "texttractor")
        assert (reading.text, reading.title, reading.links, reading.language) == ("", "", [], "")
        assert reading.directives == Directives(index=True, follow=True)


def test_the_language_may_be_said_as_in_xml():
    """XHTML has xml:lang."""
    assert read(b"<html xml:lang='sk'>x", "", URL, "texttractor").language == "sk"


ARTICLE = """<html lang=cs><head><title>Most v Týně</title><meta name=author content="J. Nová"></head><body>
    <nav><ul><li><a href=/>Domů</a><li><a href=/zpravy>Zprávy</a><li><a href=/kontakt>Kontakt</a></ul></nav>
    <article><h1>Most v Týně je opět průjezdný</h1>
    <p>Oprava mostu přes Vltavu v Týně skončila 5. května a řidiči už jezdí bez omezení. Stála 12,5 mil. Kč,
    tedy o třetinu víc, než město čekalo. Starosta K. Novák se omlouvá.</p>
    <p>Dělníci objevili pod vozovkou starší zdivo, které museli památkáři nejprve zdokumentovat.<br>Druhá
    etapa začne na jaře, kdy stavbaři vymění zábradlí i osvětlení.</p></article>
    <footer><a href=/gdpr>Ochrana údajů</a> <a href=/mapa>Mapa webu</a></footer></body></html>"""


def test_one_line_is_one_sentence_and_paragraphs_are_recoverable():
    """Block boundaries always, and inside a block the language's own sentence ends."""
    page = clean(ARTICLE.encode(), url=URL)
    assert page.paragraphs[-2:] == [
        [
            "Oprava mostu přes Vltavu v Týně skončila 5. května a řidiči už jezdí bez omezení.",
            "Stála 12,5 mil. Kč, tedy o třetinu víc, než město čekalo.",
            "Starosta K. Novák se omlouvá.",
        ],
        [
            "Dělníci objevili pod vozovkou starší zdivo, které museli památkáři nejprve zdokumentovat.",
            "Druhá etapa začne na jaře, kdy stavbaři vymění zábradlí i osvětlení.",
        ],
    ]
    assert page.text.split("\n") == [line for paragraph in page.paragraphs for line in paragraph]
    assert (page.title, page.language, page.metadata.author) == ("Most v Týně", "cs", "J. Nová")


def test_all_text_is_more_than_the_main_text():
    """--text=all: everything a reader could see; --text=main: without what surrounds it."""
    everything, main = clean(ARTICLE.encode(), text="all"), clean(ARTICLE.encode())
    assert "Ochrana údajů Mapa webu" in everything.text
    assert "Ochrana údajů" not in main.text
    assert set(main.text.split("\n")) <= set(everything.text.split("\n"))


def test_what_cannot_be_meant_is_refused_by_name():
    with pytest.raises(ValueError, match="'some'"):
        clean(b"", text="some")
    with pytest.raises(TypeError, match="content_type is NoneType"):
        clean(b"<p>a", content_type=None)
    with pytest.raises(TypeError, match="url is NoneType"):
        clean(b"<p>a", url=None)
    with pytest.raises(TypeError, match="data is str, expected bytes"):
        clean("<p>x</p>")
    assert clean(memoryview(b"<p>x</p>")).text == clean(bytearray(b"<p>x</p>")).text == "x"


def test_a_page_needs_no_address():
    """Then its relative links lead nowhere, and the others where they say."""
    page = clean(b"<a href=x>x</a><a href='http://example.org/y'>y</a><link rel=canonical href=/z>")
    assert (page.links, page.canonical) == (["http://example.org/y"], "")


def test_a_page_that_was_encoded_twice_is_repaired_as_a_whole():
    """Its title alone would be too little to be sure."""
    twice = "<title>Kůň</title><p>Příliš žluťoučký kůň úpěl ďábelské ódy.".encode().decode("latin-1").encode()
    page = clean(twice, content_type="text/html; charset=utf-8", text="all")
    assert (page.title, page.text) == ("Kůň", "Příliš žluťoučký kůň úpěl ďábelské ódy.")


MARKUP = rb"""<p> </p> <b> <a_href=" <a_href='x'> > < </ <!-- --> <!doctype <![CDATA[ ]]> <script> </script>
    <style> <table> <td> <meta_charset= <meta_http-equiv=refresh_content="0;url= utf-16" <base_href=" <html>
    </html> <body/> <frameset> <?xml_encoding=" ?> & &#x110000; &#xd800; &nbsp <svg> <pre> <textarea> <title>
    <select> <option> <plaintext> <a =" ' """
PIECES = [
    *(word.replace(b"_", b" ") for word in MARKUP.split()),
    "ř".encode(),
    b"\xff",
    b"\xfe\xff",
    b"\x1b$B",
    b"\0",
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=8)).map(b"".join), st.text(max_size=20))
@example(b"<!-", "charset=idna")
def test_no_bytes_are_too_broken(body, content_type):
    """Spec 3: broken HTML must come out clean too; and its text is always well-formed."""
    for text in ("main", "all"):
        assert_sound(read(body, content_type, URL, "texttractor", text))


def assert_sound(reading):
    about = (getattr(reading.metadata, field.name) for field in fields(reading.metadata))
    for value in (reading.title, reading.language, *about):
        assert value == " ".join(value.split())
        assert is_plain(value)
    assert sum(reading.counts) == len(reading.text.split("\n") if reading.text else [])
    for line in reading.text.split("\n") if reading.text else []:
        assert line == " ".join(line.split()) != ""
        assert is_plain(line)
        assert unicodedata.is_normalized("NFC", line)
    assert all(link.startswith(("http://", "https://")) for link in reading.links)


def is_plain(line):
    """No control characters, no halves of surrogate pairs."""
    return not any(unicodedata.category(character) in ("Cc", "Cs") for character in line)


MENU = '<div class="menu"><ul><li><a href=1>Domů</a><li><a href=2>Foto</a><li><a href=3>Mapa</a></ul></div>'
FOOTER = '<div id="footer">© 2024 Firma s. r. o. | <a href="/o">Ochrana údajů</a></div>'


@pytest.mark.parametrize(
    "markup",
    [
        "",
        '<div class="cookie">Používáme cookies. <button>Souhlasím</button></div>',
        "<form><h1>Přihlášení</h1>Jméno <input> Heslo <input><button>OK</button></form>",
        "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>",
    ],
)
def test_a_page_of_trimmings_only_is_empty(markup):
    """Pages with nothing worth keeping give empty text rather than noise."""
    assert clean(f"<html><body>{MENU}{markup}{FOOTER}</body></html>".encode()).text == ""


def test_a_form_around_a_whole_short_page_says_nothing():
    """Some systems put every page into one."""
    assert clean("<form><h1>Obec Lhota</h1><p>Zavřeno.</p></form>".encode()).text == "Obec Lhota\nZavřeno."


def test_a_page_with_a_line_or_two_keeps_them():
    """Too little to be judged: what is no link, and what no name or tag says is trimmings, is content."""
    page = b"<html><body><p>unique-marker-1 some text</p><a href='/a'>next page</a></body></html>"
    assert clean(page, text="main").text == "unique-marker-1 some text"
    assert clean(b"<html><body><a href='/a'>next page</a></body></html>", text="main").text == ""


@pytest.mark.parametrize("text", ["main", "all"])
def test_a_page_too_heavy_to_be_written_out_is_read_all_the_same(text, monkeypatch):
    """Ten million quotes in an attribute took 400 MB when they were escaped."""
    page = (
        "<p title='" + '"' * 3_000_000 + "'>Obec koupila nový kotel. Lidé jsou rádi.</p><a href=x>Dále</a>"
    ).encode()
    assert not is_light(page.decode())
    monkeypatch.setattr("txtr.clean.native.walk.find_blocks", None)  # nobody calls these
    monkeypatch.setattr("txtr.clean.native.sentences.find_visible", None)
    reading = clean(page, URL, text=text)
    assert reading.text.startswith("Obec koupila nový kotel.\nLidé jsou rádi.")
    assert reading.links == ["http://example.cz/a/x"]


@pytest.mark.parametrize("text", ["main", "all"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_without_a_compiler_everything_is_read_as_with_one(page, text, monkeypatch):
    """decisions/0010: a corpus must not depend on it."""
    reading = clean(page.read_bytes(), URL, text=text)
    monkeypatch.setattr("txtr.clean.html.bare.library", lambda: None)
    monkeypatch.setattr("txtr.clean.html.bare.plain.write_plain", lambda utf8, is_whole: None)
    assert clean(page.read_bytes(), URL, text=text) == reading
