"""What a page says about itself."""

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.clean.dates import EARLIEST, LATEST, to_iso
from txtr.clean.html.notes import find_notable, read_notes
from txtr.clean.html.tree import parse
from txtr.clean.metadata import Metadata, read_metadata

URL = "http://example.cz/a"


def said(head, body="", html="<html>"):
    tree = parse(f"{html}<head>{head}</head><body>{body}<p>x</p></body>")
    return read_metadata(URL, read_notes(tree, find_notable(tree)))


def ld(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def test_meta_tags_are_read():
    """Title, language, description, author, dates, site name, canonical URL."""
    found = said(
        """<title>Nadpis | Noviny</title><meta name=Description content=" O
        čem &amp;amp; proč "><meta name=author content="Jana Malá">
        <meta property="og:site_name" content=Noviny>
        <meta property="article:published_time" content="2020-05-01T10:00:00+02:00">
        <meta property="article:modified_time" content="2020-05-02T08:30:15Z">
        <link rel=canonical href="/b">""",
        html="<html lang=cs_CZ>",
    )
    assert found == Metadata(
        title="Nadpis | Noviny",
        language="cs-CZ",
        description="O čem & proč",
        author="Jana Malá",
        published="2020-05-01T10:00:00+02:00",
        modified="2020-05-02T08:30:15Z",
        site="Noviny",
        canonical="http://example.cz/b",
    )


def test_json_ld_of_the_article_comes_first():
    """Also in a graph, with references, and with others around it."""
    graph = [
        {"@type": "WebSite", "@id": "#s", "name": "Web"},
        {"@type": "Person", "@id": "#p", "name": "Jan Nový"},
        {"@type": "WebPage", "datePublished": "2001-01-01"},
        {
            "@type": ["NewsArticle"],
            "datePublished": "2019-03-04",
            "dateModified": "2019-03-05 12:00",
            "author": [{"@id": "#p"}, {"@type": "Person", "name": "Eva &amp; spol."}, "https://example.cz/x"],
            "publisher": {"name": "Deník"},
            "inLanguage": "cs",
        },
    ]
    found = said(ld({"@context": "https://schema.org", "@graph": graph}) + "<meta name=author content=admin>")
    assert (found.author, found.published) == ("Jan Nový, Eva & spol.", "2019-03-04")
    assert (found.modified, found.site, found.language) == ("2019-03-05T12:00:00", "Deník", "cs")


@pytest.mark.parametrize(
    "broken",
    [
        '{"@type": "Article", "datePublished": "2020-01-02",}',
        '<!-- {"@type": "Article", "datePublished": "2020-01-02"} -->',
        '<![CDATA[{"@type": "Article", "datePublished": "2020-01-02"}]]>',
        '[{"@type": "Article", "description": "one\ntwo", "datePublished": "2020-01-02"}];',
    ],
)
def test_common_mistakes_in_json_ld_are_forgiven(broken):
    """It is written by templates."""
    assert said(ld(broken)).published == "2020-01-02"


@pytest.mark.parametrize(
    "hostile",
    [
        "{" * 100_000,
        "[" * 100_000,
        "null",
        "7",
        '"x"',
        '{"@type": 5, "author": {"name": {"a": 1}}, "datePublished": ["x"]}',
        '{"@graph": {"@graph": {"@graph": 1}}}',
        '{"@type": "Article", "author": [[["x"]]], "publisher": 3, "datePublished": 20200101}',
        '{"x": ' + "9" * 5000 + "}",
        "[" + '{"@type": "Article"},' * 100_000 + "{}]",
    ],
)
def test_no_json_ld_is_too_broken(hostile):
    """Never raises; what is left of the page is read."""
    assert said(ld(hostile) + "<meta name=description content=d>").description == "d"


def test_the_language_is_the_first_that_is_well_formed():
    """Templates leave their own words behind."""
    assert said("<meta property=og:locale content=cs_CZ>", html="<html lang='{{lang}}'>").language == "cs-CZ"
    assert said("<meta http-equiv=Content-Language content='sk, cs'>").language == "sk"
    assert said("", html="<html xml:lang=pl>").language == "pl"
    assert said("", html="<html lang=english>").language == ""
    assert said("", html="<html lang=utf-8>").language == ""


def test_time_elements_date_a_page_that_has_few():
    """A list of articles has many dates and none of its own."""
    assert said("", "<time datetime=2020-05-06>6. května</time>").published == "2020-05-06"
    assert said("", "<time datetime=2020-05-06></time>" * 5).published == ""
    marked = "<time datetime=2020-05-06></time><time class=entry-date datetime=2021-01-01></time>"
    assert said("", marked * 5).published == "2021-01-01"
    assert said("", "<time class=updated datetime=2020-05-06></time>").published == ""
    assert said("", "<time class=updated datetime=2020-05-06></time>").modified == "2020-05-06"


def test_a_page_without_title_has_the_one_it_gives_others():
    """And the title of a drawing is not the page's."""
    assert said("<meta property=og:title content=T>", "<svg><title>menu</title></svg>").title == "T"
    assert said("<title>The &lt;div&gt; element &amp;nbsp;</title>").title == "The <div> element &nbsp;"


def test_an_address_is_no_author():
    """article:author is often a profile; then the next place is asked."""
    head = "<meta property=article:author content='https://x.example/y'><meta name=dc.creator content=Z>"
    assert said(head).author == "Z"


def test_nothing_is_nothing():
    """No words, no metadata."""
    assert said("") == Metadata()


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2020-05-01", "2020-05-01"),
        ("2020-5-1", "2020-05-01"),
        ("20200501", "2020-05-01"),
        ("2020/05/01", "2020-05-01"),
        ("2020-05-01T10:20", "2020-05-01T10:20:00"),
        ("2020-05-01 10:20:30 +0200", "2020-05-01T10:20:30+02:00"),
        ("2020-05-01T10:20:30.123Z", "2020-05-01T10:20:30Z"),
        ("1. 5. 2020", "2020-05-01"),
        ("01.05.2020 10:20", "2020-05-01T10:20:00"),
        ("May 1st, 2020", "2020-05-01"),
        ("1 May 2020", "2020-05-01"),
        ("Fri, 01 May 2020 10:20:30 GMT", "2020-05-01T10:20:30Z"),
        ("1588328430", "2020-05-01T10:20:30Z"),
        ("1588328430000", "2020-05-01T10:20:30Z"),
        ("03/04/2020", ""),
        ("2020-13-01", ""),
        ("2020-02-30", ""),
        ("0001-01-01T00:00:00", ""),
        ("1970-01-01", ""),
        ("yesterday", ""),
        ("", ""),
        ("2020-05-01T99:00", ""),
    ],
)
def test_dates_become_iso_or_nothing(written, date):
    """A date that can be read in two ways is none."""
    assert to_iso(written) == date


@given(st.text(alphabet="0123456789-/.:TZ +GMTayJnu,", max_size=40) | st.text(max_size=40))
def test_no_date_is_too_strange(written):
    """What comes out is nothing, or a date that exists, in years that are believable."""
    if date := to_iso(written):
        assert EARLIEST <= datetime.fromisoformat(date).year <= LATEST


@pytest.mark.parametrize("login", ["express1", "nieuwsblad.be", "user_12", "http://example.cz/jana"])
def test_a_login_or_a_domain_is_nobodys_name(login):
    """Content systems put their own accounts there."""
    assert said(f'<meta name=author content="{login}">').author == ""
    assert said(ld({"@type": "Article", "author": {"name": login}})).author == ""
    assert said('<meta name=author content="Jana 2. Malá">').author == "Jana 2. Malá"


def test_an_address_is_no_name_of_a_site():
    """Then the publisher may have one."""
    head = '<meta property="og:site_name" content="http://example.in/">'
    assert said(head).site == ""
    publisher = ld({"@type": "Article", "publisher": {"name": "Noviny.cz"}})
    assert said(head + publisher).site == "Noviny.cz"
