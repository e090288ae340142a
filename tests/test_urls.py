"""Canonical addresses: one document, one spelling."""

import ada_url
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from txtr import urls

GOV_SI = [  # the test cases of the gov.si spider, seed G
    ("http://cs.indiana.edu:80/", "http://cs.indiana.edu/"),
    ("https://cs.indiana.edu:443/", "https://cs.indiana.edu/"),
    ("http://cs.indiana.edu", "http://cs.indiana.edu/"),
    ("http://cs.indiana.edu/People", "http://cs.indiana.edu/People"),  # a directory's slash is not guessed
    ("http://cs.indiana.edu/faq.html#3", "http://cs.indiana.edu/faq.html"),
    ("http://cs.indiana.edu/a/./../b/", "http://cs.indiana.edu/b/"),
    ("http://cs.indiana.edu/index.html", "http://cs.indiana.edu/index.html"),  # nor a default file name
    ("http://cs.indiana.edu/%7Efil/", "http://cs.indiana.edu/~fil/"),
    ("http://cs.indiana.edu/My File.htm", "http://cs.indiana.edu/My%20File.htm"),
    ("http://CS.INDIANA.EDU/People", "http://cs.indiana.edu/People"),
]


@pytest.mark.parametrize(("link", "expected"), GOV_SI)
def test_the_cases_of_the_gov_si_spider(link, expected):
    """Spec 2, G: canonicalisation."""
    assert urls.canonical(link) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("  http://example.cz/a\n\tb ", "http://example.cz/ab"),
        ("http://www.háčkyčárky.cz/", "http://www.xn--hkyrky-ptac70bc.cz/"),
        ("HTTP://EXAMPLE.cz:8080/A", "http://example.cz:8080/A"),
        ("http://example.cz./a", "http://example.cz/a"),
        ("http://example.cz?", "http://example.cz/"),
        ("http://example.cz/?#x", "http://example.cz/"),
        ("http://example.cz/?b=2&a=1", "http://example.cz/?b=2&a=1"),
        ("http://jan:heslo@example.cz/", "http://example.cz/"),
        ("http://example.cz/%c5%99%2f%2F%41", "http://example.cz/%C5%99%2F%2FA"),
        ("http://example.cz/řeka?q=ř", "http://example.cz/%C5%99eka?q=%C5%99"),
        ("http://example.cz/100%", "http://example.cz/100%25"),
        ("http://example.cz/?a=%7e%2", "http://example.cz/?a=~%252"),
        ("http://example.cz\\a\\b", "http://example.cz/a/b"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]:80/a", "http://[::1]/a"),
        ("http://my_shop.example.cz/", "http://my_shop.example.cz/"),
    ],
)
def test_a_link_has_one_spelling(link, expected):
    """Canonical by the WHATWG URL standard, and beyond it."""
    assert urls.canonical(link) == expected
    assert urls.canonical(expected) == expected


@pytest.mark.parametrize(
    "link",
    [
        *("mailto:a@example.cz", "javascript:void(0)", "ftp://example.cz/", "data:text/html,x", "tel:+420"),
        *(
            "",
            "a/b",
            "http://",
            "http:///",
            "http://exa mple.cz/",
            "http://a..cz/",
            "http://./",
            "http://[::1",
        ),
        *('http://a"b.cz/', "http://example.cz:99999/", "http://\ud800.cz/"),
        "http://" + "a" * 64 + ".cz/",
        "http://" + ".".join(["a" * 60] * 5) + ".cz/",
    ],
)
def test_what_is_no_link_to_a_server_is_none(link):
    """A link that cannot be a request never enters the queue."""
    assert urls.canonical(link) is None


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("b.html", "https://example.cz/x/b.html"),
        ("../b", "https://example.cz/b"),
        ("/b?c", "https://example.cz/b?c"),
        ("//jiny.cz", "https://jiny.cz/"),
        ("?p=2", "https://example.cz/x/y?p=2"),
        ("#top", "https://example.cz/x/y?p=1"),
        ("http://jiny.cz/", "http://jiny.cz/"),
        ("mailto:a@example.cz", None),
    ],
)
def test_a_relative_link_is_resolved_against_its_base(link, expected):
    """WHATWG URL, basic URL parser with a base."""
    assert urls.canonical(link, "https://example.cz/x/y?p=1") == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/?utm_source=a&id=1&UTM_Medium=b", "/?id=1"),
        ("/?gclid=x", "/"),
        ("/?fbclid=x&a", "/?a"),
        ("/a.php?PHPSESSID=0123456789abcdef&b=1", "/a.php?b=1"),
        ("/a.php?b=1&amp;PHPSESSID=0123456789abcdef", "/a.php?b=1"),
        ("/a.jsp;jsessionid=8F3A.node1?b=1", "/a.jsp?b=1"),
        ("/a;jsessionid=1/b", "/a/b"),
        ("/x/..;jsessionid=1/b", "/b"),
        ("/?sid=0123456789abcdef0123456789abcdef", "/"),
        ("/?sid=42", "/?sid=42"),
        ("/?s=zprávy", "/?s=zpr%C3%A1vy"),
        ("/a;v=1?x;y", "/a;v=1?x;y"),
        ("/?my_utm_source=1", "/?my_utm_source=1"),
    ],
)
def test_parameters_that_only_name_the_visitor_are_dropped(link, expected):
    """Session-id and tracking parameters dropped (list is data)."""
    assert urls.canonical(link, "http://example.cz/") == "http://example.cz" + expected


def test_an_overlong_link_is_none():
    """Nobody writes them on purpose; traps do."""
    assert urls.canonical("http://example.cz/" + "a" * 1982) is not None
    assert urls.canonical("http://example.cz/" + "a" * 1983) is None
    assert urls.canonical("http://example.cz/?" + "ř" * 1000) is None
    assert urls.canonical("http://example.cz/a#" + "a" * 3000) == "http://example.cz/a"


WRITTEN = r"""http: https: // / example.cz EXAMPLE xn-- ř . .. %2e % %7 %7e %25 ; jsessionid=1 sid= ? & =
    0123456789abcdef utm_a=1 amp; # @ :80 : [::1] \ 1 0x7f a - ' " | ß İ"""
PIECES = st.sampled_from([*WRITTEN.split(), " ", "\t", "\u200d"])


@given(st.lists(PIECES).map("".join) | st.text())
@example("%2%65")
@example("/..;jsessionid=1;jsessionid=2/./x")
def test_canonical_twice_is_canonical_once(link):
    """The invariant of urls.py, with and without the fast path."""
    for base in ("", "http://example.cz/a/b?c"):
        url = urls.canonical("http://" + link if not base else link, base)
        if url is not None:
            assert urls.canonical(url) == url
            assert urls.join(*urls.split(url)) == url
            assert url.isascii()


BASES = """http://example.cz/a/b?c https://example.cz http://example.cz/a;b/c http://example.cz/%7ea/c#d/e
    http://example.cz/a?b=/c http://example.cz/./a/b https://1.2.3.4:80/ http://xn--a.cz/ ftp://example.cz/a/b"""


@settings(max_examples=1000)
@given(
    st.lists(PIECES).map("".join),
    st.sampled_from(["", "/", "//example.cz", "http://example.cz/", "a"]),
    st.sampled_from(["", *BASES.split()]),
)
@example("//example.cz/a", "", "http://example.cz/")
@example("?a='", "/", "http://example.cz/")
@example(".../x", "/", "http://example.cz/")
@example("/%2e%2e/x", "a", "http://example.cz/")
@example("?b", "", "http://example.cz/a")
@example("b:c", "a", "http://example.cz/a")
def test_the_short_ways_of_plain_links_change_nothing(link, beginning, base):
    """What is made canonical without the library is what the library would have made of it."""
    assert urls.canonical(beginning + link, base) == urls._parsed(beginning + link, base)


@pytest.mark.parametrize(
    ("url", "domain", "path"),
    [
        ("http://example.cz/a?b", "example.cz", "/a?b"),
        ("https://example.cz/a", "example.cz", "s/a"),
        ("https://example.cz:8443/a", "example.cz", "s:8443/a"),
        ("http://example.cz:8080/", "example.cz", ":8080/"),
        ("http://[::1]/a:b", "[::1]", "/a:b"),
        ("https://[2001:db8::7]:81/", "[2001:db8::7]", "s:81/"),
    ],
)
def test_a_url_is_a_domain_and_a_path_that_begins_with_its_door(url, domain, path):
    """model.py: all doors of one server are one domain for manners."""
    assert urls.split(url) == (domain, path)
    assert urls.join(domain, path) == url
    assert urls.door(path) == path[: path.index("/")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a.PDF", "pdf"),
        ("s:81/a.b/c.tar.gz?x=y.zip", "gz"),
        ("/a.b/c", ""),
        ("/a.jsp;v=1.2", "jsp"),
        ("/.htaccess", ""),
        ("http://example.com/", ""),
        ("/?a.pdf", ""),
    ],
)
def test_the_extension_is_that_of_the_file(path, expected):
    """Spec 2, G: links are filtered by extension first."""
    assert urls.extension(path) == expected


BASES = [
    "http://a.cz/x/y",
    "https://a.cz/",
    "http://a.cz:81/x",
    "http://a.cz",
    "http://a.cz?/x",
    "http://á.cz/",
    "x",
]
PATHS = ["/", "/a/b.html", "//b.cz/c", "/../a", "/a//b", "/%61", "/a?b", "/.a", "/a;b", "/a/"]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("link", PATHS)
def test_a_path_is_what_the_library_makes_of_it(base, link):
    """What looks plain takes a short way, to the same place."""
    try:
        expected = urls.canonical(ada_url.join_url(base, link))
    except ValueError:
        expected = None
    assert urls.canonical(link, base) == expected


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://a.cz/", "http://a.cz/"),
        ("https://a.cz:8443/x/y?z=/", "https://a.cz:8443/"),
        ("http://[::1]/x", "http://[::1]/"),
        ("http://a.cz", ""),
        ("", ""),
    ],
)
def test_links_of_one_door_begin_alike(url, server):
    """Both programs sort a page's links by it."""
    assert urls.server_of(url) == server
