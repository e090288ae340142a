"""The start list."""

from hypothesis import given
from hypothesis import strategies as st

from txtr.seeds.startlist import read


def test_urls_are_separated_by_white_space_and_given_once():
    """Spec 8, --urls: whole URLs, separated by white space."""
    links, rejected = read("http://a.cz http://b.cz/x\n\thttps://a.cz/\r\nHTTP://A.CZ:80/\n")
    assert links == ["http://a.cz/", "http://b.cz/x", "https://a.cz/"]
    assert rejected == []


def test_comments_are_left_out_and_fragments_are_no_comments():
    """A line of the list may explain itself."""
    links, rejected = read("\ufeff# start here\n  #and here\nhttp://a.cz/#top http://b.cz # why\n")
    assert links == ["http://a.cz/", "http://b.cz/"]
    assert rejected == []


def test_a_server_without_scheme_is_plain_http():
    """People write www.example.cz."""
    links, rejected = read("www.example.cz example.cz/a?b localhost:8080 www.žluť.cz [::1]:81/")
    assert links == [
        "http://www.example.cz/",
        "http://example.cz/a?b",
        "http://localhost:8080/",
        "http://www.xn--lu-yta1h.cz/",
        "http://[::1]:81/",
    ]
    assert rejected == []


def test_what_is_no_link_is_rejected_as_written():
    """Nothing the user wrote is lost in silence."""
    words = ["hello", "mailto:a@b.cz", "ftp://a.cz/", "http://", "/a/b", "a@b.cz", "javascript:1", "tel:112"]
    assert read(" ".join(words)) == ([], words)


@given(st.text())
def test_any_text_can_be_read(text):
    """A start list is whatever file the user named."""
    links, rejected = read(text)
    assert len(links) + len(rejected) <= len(text.split())
