"""Where a page leads."""

import pytest

from txtr.clean.html.notes import find_notable
from txtr.clean.html.tree import parse
from txtr.clean.links import MOST_CHARACTERS, MOST_HINTS, MOST_LINKS, find_links
from txtr.clean.text import sentences

URL = "http://example.cz/a/b.html"


def leads(markup, url=URL, charset="utf-8"):
    """What is found, by tree and by markup."""
    tree = parse(markup)
    sentences.make_bare(find_notable(tree))
    by_tree = find_links(lambda: tree, url, charset)
    assert find_links(lambda: tree, url, charset, sentences.write_out(tree)) == by_tree
    return by_tree


def found(markup, url=URL):
    return leads(markup, url).links


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=x>",
        "<A HREF='./x'>text",
        "<map><area href=x></map>",
        "<frameset><frame src=x></frameset>",
        "<iframe src=x></iframe>",
        "<link rel=next href=x>",
        "<link rel='Prev' href=x>",
        "<link rel=alternate hreflang=sk href=x>",
        "<link rel=alternate type='text/html' href=x>",
        "<link rel=canonical href=x>",
        "<meta http-equiv=Refresh content='0; URL=x'>",
        "<meta http-equiv=refresh content=\"5;url='x'\">",
        "<meta http-equiv=refresh content='3,x'>",
        "<noscript><a href=x>text</a></noscript>",
        "<head><noscript><p><a href=x>text</a></noscript></head>",
        "<p hidden><a href=' x\n'>",
    ],
)
def test_a_link_is_found_wherever_pages_put_one(markup):
    """A, area, frame, iframe, link rel=next/canonical/alternate, meta refresh."""
    assert found(markup) == ["http://example.cz/a/x"]


@pytest.mark.parametrize(
    "markup",
    [
        "<a name=x>",
        "<a href=''>",
        "<a href='#top'>",
        "<a href='mailto:a@example.cz'>",
        "<a href='javascript:x()'>",
        "<a rel=nofollow href=x>",
        "<a rel='external NoFollow' href=x>",
        "<area rel=nofollow href=x>",
        "<link rel=stylesheet href=x>",
        "<link rel='alternate stylesheet' href=x>",
        "<link rel=alternate type='application/rss+xml' href=x>",
        "<link rel=icon href=x>",
        "<meta http-equiv=refresh content=60>",
        "<meta name=refresh content='0; url=x'>",
        "<img src=x><script src=x></script><form action=x>",
        "<!-- <a href=x> -->",
        "<base href='http://jinde.cz/'>",
    ],
)
def test_what_is_no_link_to_follow_is_not_found(markup):
    """rel=nofollow is not followed; styles, feeds and pictures are no pages."""
    assert found(markup) == []


@pytest.mark.parametrize("rel", ["ugc", "sponsored", "noopener noreferrer"])
def test_only_nofollow_forbids_to_follow(rel):
    """The other relations say who wrote the link, not what to do."""
    assert found(f"<a rel='{rel}' href=x>") == ["http://example.cz/a/x"]


def test_links_are_canonical_given_once_and_in_order():
    """One document, one link."""
    page = "<a href=/c><a href=HTTP://EXAMPLE.cz:80/c#x><a href=b><a href=/c?utm_source=y><a href='//d.cz'>"
    assert found(page) == ["http://example.cz/c", "http://example.cz/a/b", "http://d.cz/"]


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("<base href='http://jinde.cz/d/'>", "http://jinde.cz/d/x"),
        ("<base href=/e/>", "http://example.cz/e/x"),
        ("<base target=_top><base href=/e/><base href=/f/>", "http://example.cz/e/x"),
        ("<base href='javascript:x'>", "http://example.cz/a/x"),
        ("<base href=''>", "http://example.cz/a/x"),
    ],
)
def test_base_is_obeyed(base, expected):
    """HTML: the first base with a href counts, wherever the link stands."""
    assert found(base + "<a href=x>") == [expected]
    assert found("<a href=x>" + base) == [expected]


UNWANTED = "a.jpg b.PNG c.mp4 d.mp3 e.zip f.tar.gz g.css h.js?v=1 i.woff2 j.exe k.iso l.json"
WANTED = "a.pdf b.doc c.docx d.odt e.rtf f.ppt g.xls h.txt i.html j.php k l.aspx?f=x.jpg m.com"


def test_files_without_text_are_left_out_and_documents_stay():
    """Spec 2, G: links are filtered by extension first."""
    page = "".join(f"<a href='{name}'>" for name in (UNWANTED + " " + WANTED).split())
    assert found(page) == [f"http://example.cz/a/{name}" for name in WANTED.split()]


@pytest.mark.parametrize(
    ("url", "markup", "expected"),
    [
        (URL, "<link rel=canonical href=/c?d>", "http://example.cz/c?d"),
        (URL, "<link rel=Canonical href='https://jinde.cz/x#y'>", "https://jinde.cz/x"),
        (URL, "<link rel=canonical href=/>", ""),
        (URL, "<link rel=canonical href='https://www.example.cz'>", ""),
        ("http://example.cz/", "<link rel=canonical href='https://example.cz/'>", "https://example.cz/"),
        (URL, "<link rel=canonical href='mailto:x'>", ""),
        (URL, "<link rel=canonical href=''>", ""),
        (URL, "<link rel=canonical href=c><link rel=canonical href=d>", ""),
        (URL, "<link rel=canonical href=c><link rel=canonical href=./c>", "http://example.cz/a/c"),
        (URL, "<a rel=canonical href=c>", ""),
    ],
)
def test_a_page_may_say_its_own_address(url, markup, expected):
    """The canonical link counts, unless careless: a whole site that calls itself its root."""
    assert leads(markup, url).canonical == expected


def test_a_query_is_sent_in_the_character_set_of_its_page():
    """As browsers do: a server of windows-1250 pages expects windows-1250."""
    page = "<a href='/řeka?q=ř&amp;x=%41 b'>"
    assert leads(page, URL, "windows-1250").links == ["http://example.cz/%C5%99eka?q=%F8&x=A%20b"]
    assert leads(page, URL, "utf-8").links == ["http://example.cz/%C5%99eka?q=%C5%99&x=A%20b"]
    assert leads("<a href='?q=あ'>", URL, "windows-1250").links == [URL + "?q=%E3%81%82"]


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-16le", "utf-16be"])
def test_the_query_of_a_page_in_unicode_is_sent_as_utf_8(charset):
    """As browsers do; found by a reviewer: in UTF-16 it had a zero byte behind every letter."""
    assert leads("<a href='?q=é'>", URL, charset).links == [URL + "?q=%C3%A9"]


def test_a_page_cannot_flood_the_queue():
    """Link farms are cut off, by number and by length."""
    assert len(found("".join(f"<a href={number}>" for number in range(MOST_LINKS + 10)))) == MOST_LINKS
    long = found("".join(f"<a href={number}{'x' * 1900}>" for number in range(3000)))
    assert MOST_CHARACTERS - 2000 < sum(map(len, long)) <= MOST_CHARACTERS


def test_nothing_leads_nowhere():
    """An empty page leads nowhere."""
    assert found("") == []


@pytest.mark.parametrize(
    "markup,code",
    [
        ("<link rel=alternate hreflang=en-GB href=x>", "en-GB"),
        ("<a href=x hreflang=cs>jinak</a>", "cs"),
        ("<a href=x> English </a>", "en"),
        ("<a href=x>ČESKY</a>", "cs"),
        ("<a href=x><!--?part--><!-- -->Deutsch<!-- --></a>", "de"),
        ("<a href=x>CZ</a>", "cs"),
        ("<a href=x hreflang=x-default>Deutsch</a>", "de"),
        ("<a href=x hreflang=cs>1</a><a href=x>English</a>", "cs"),
    ],
)
def test_a_link_may_say_which_language_it_leads_to(markup, code):
    """Hreflang and anchor text, for the steering."""
    assert leads(markup).hints == {"http://example.cz/a/x": code}


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=x>IT</a>",  # a department
        "<a href=x>The English were here</a>",
        "<a href=x hreflang='; drop'>x</a>",
        "<a href=x rel=nofollow>English</a>",
        "<a href=x.png hreflang=en>x</a>",
        "<a hreflang=en>x</a>",
        "<a href=x></a>",
    ],
)
def test_most_links_say_nothing(markup):
    """A hint is only given for a link that may be followed."""
    assert leads(markup).hints == {}


def test_hints_are_bounded():
    """A page may name a language with every one of its links."""
    markup = "".join(f"<a href={number} hreflang=en>x</a>" for number in range(3 * MOST_HINTS))
    assert len(leads(markup).hints) == MOST_HINTS
