"""A page's reading, whole: the pages of tests/pages, and whatever bytes come."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from txtr.clean.page import read
from txtr.manners.directives import Directives

PAGES = sorted((Path(__file__).parent.parent / "pages").glob("*.html"))
URL = "http://example.cz/a/b.html"


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
    reading = read(body, content_type, URL, "texttractor")
    for line in reading.text.split("\n") if reading.text else []:
        assert line == " ".join(line.split()) != ""
        assert "\0" not in line
        line.encode("utf-8")
    assert all(link.startswith(("http://", "https://")) for link in reading.links)
