"""What the head of an answer means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.fetch.outcome import (
    Failed,
    RedirectTo,
    judge_head,
    keep_headers,
    read_modified,
    read_valid_until,
)
from txtr.model import Purpose, Trouble

URL = "http://a.test/dir/page"
NOON = 1_700_000_000.0  # 2023-11-14T22:13:20Z


def head(status, *pairs, purpose=Purpose.PAGE, url=URL):
    return judge_head(
        url,
        status,
        keep_headers(pairs),
        purpose=purpose,
        is_wanted=lambda kind: kind == "text/html",
        max_size_bytes=1000,
        wall=NOON,
    )


HTML = ("Content-Type", "text/html")


@pytest.mark.parametrize("status", [200, 201, 203])
def test_the_body_of_a_wanted_page_is_read(status):
    """The issue: content-type check before the body is read."""
    assert head(status, ("CONTENT-TYPE", "Text/HTML; charset=iso-8859-2"), ("Content-Length", "1000")) is None


@pytest.mark.parametrize(
    ("status", "trouble"),
    [
        (204, Trouble.DENIED),
        (206, Trouble.DENIED),
        (300, Trouble.DENIED),
        (304, Trouble.DENIED),
        (400, Trouble.DENIED),
        (401, Trouble.DENIED),
        (403, Trouble.DENIED),
        (404, Trouble.GONE),
        (410, Trouble.GONE),
        (429, Trouble.BUSY),
        (451, Trouble.DENIED),
        (500, Trouble.SERVER_ERROR),
        (502, Trouble.SERVER_ERROR),
        (503, Trouble.BUSY),
        (599, Trouble.SERVER_ERROR),
        (101, Trouble.NOT_HTTP),
        (600, Trouble.NOT_HTTP),
        (999, Trouble.NOT_HTTP),
    ],
)
def test_every_other_status_is_a_failure_with_its_trouble(status, trouble):
    """One table: the remedy depends on the trouble."""
    answer = head(status, HTML)
    assert isinstance(answer, Failed)
    assert (answer.trouble, answer.status, answer.detail) == (trouble, status, f"status {status}")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_names_its_target_canonically(status):
    """Spec 5: both addresses of a redirect count."""
    assert head(status, ("Location", "../other?x#y")) == RedirectTo("http://a.test/other?x", status)


@pytest.mark.parametrize("location", ["", "mailto:a@b.cz", "http://", "javascript:x", "http://a b/"])
def test_a_redirect_to_nowhere_is_trouble(location):
    """BAD_REDIRECT: no location, or one that is no link."""
    assert head(302, ("Location", location)).trouble is Trouble.BAD_REDIRECT
    assert head(302).trouble is Trouble.BAD_REDIRECT


def test_a_redirect_to_itself_is_trouble():
    """It would be queued and fetched for ever."""
    assert head(302, ("Location", "page#top")).trouble is Trouble.BAD_REDIRECT


def test_raw_bytes_in_a_location_are_percent_encoded():
    """Old servers send their own encoding; the byte is what they mean."""
    raw = "/\udce8esky"  # as the HTTP library hands over b"/\xe8esky"
    assert head(302, ("Location", raw)) == RedirectTo("http://a.test/%E8esky", 302)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:12:20 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("9" * 400, None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(written, seconds):
    """RFC 9110, 10.2.3."""
    assert head(503, ("Retry-After", written)).retry_after == seconds


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "", "text/html2"])
def test_an_unwanted_type_is_refused_by_name(kind):
    """UNWANTED: the body stays unread."""
    answer = head(200, ("Content-Type", kind))
    assert answer.trouble is Trouble.UNWANTED
    assert answer.detail == (kind or "no content-type")


@pytest.mark.parametrize("length", ["1001", "9" * 5000])
def test_a_document_that_announces_too_much_is_refused(length):
    """--max-size."""
    assert head(200, HTML, ("Content-Length", length)).trouble is Trouble.TOO_LARGE


@pytest.mark.parametrize("length", ["-1", "many", "٣٣٣٣"])
def test_a_length_that_is_no_number_announces_nothing(length):
    """The read itself is bounded anyway."""
    assert head(200, HTML, ("Content-Length", length)) is None


@pytest.mark.parametrize("coding", ["compress", "gzip, br", "snappy"])
def test_a_coding_we_cannot_undo_is_no_text(coding):
    """Compressed bytes must not pass for a document."""
    assert head(200, HTML, ("Content-Encoding", coding)).trouble is Trouble.NOT_HTTP


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "deflate", "br", "zstd", "identity", "", "UTF-8", "none"])
def test_a_coding_we_can_undo_is_fine(coding):
    """And so are the words that servers write there for none."""
    assert head(200, HTML, ("Content-Encoding", coding)) is None


def test_robots_txt_is_read_whatever_its_type_and_size():
    """RFC 9309: the body is cut at 500 KiB, not refused."""
    assert (
        head(200, ("Content-Type", "image/png"), ("Content-Length", "9999"), purpose=Purpose.ROBOTS) is None
    )
    assert head(204, purpose=Purpose.ROBOTS) is None
    assert head(404, purpose=Purpose.ROBOTS).status == 404
    assert head(301, ("Location", "/r"), purpose=Purpose.ROBOTS) == RedirectTo("http://a.test/r", 301)


def test_repeated_headers_keep_all_their_values():
    """Two X-Robots-Tag lines must not melt into one: a name in the first would claim the second."""
    headers = keep_headers(
        [("X-Robots-Tag", "otherbot: nofollow"), ("x-robots-tag", " noindex "), ("Set-Cookie", "a=b")]
    )
    assert headers == {"x-robots-tag": ["otherbot: nofollow", "noindex"]}


def test_last_modified_is_a_wall_time():
    """Spec 5: when the document was last modified."""
    assert read_modified({"last-modified": ["Tue, 14 Nov 2023 22:13:20 GMT"]}) == NOON
    assert read_modified({"last-modified": ["yesterday"]}) is None
    assert read_modified({}) is None


@pytest.mark.parametrize(
    ("headers", "until"),
    [
        ({}, None),
        ({"cache-control": ["public, max-age=60"]}, NOON + 60),
        ({"cache-control": ["public", 'Max-Age="60"']}, NOON + 60),
        ({"cache-control": ["s-maxage=9, private"]}, None),
        ({"cache-control": ["no-store, max-age=60"]}, NOON),
        ({"cache-control": ["max-age=60"], "expires": ["Tue, 14 Nov 2023 23:13:20 GMT"]}, NOON + 60),
        ({"expires": ["Tue, 14 Nov 2023 23:13:20 GMT"]}, NOON + 3600),
        ({"expires": ["Tue, 14 Nov 2023 21:13:20 GMT"]}, NOON),
        (
            {"expires": ["Sat, 01 Jan 2000 01:00:00 GMT"], "date": ["Sat, 01 Jan 2000 00:00:00 GMT"]},
            NOON + 3600,
        ),
        ({"expires": ["0"]}, NOON),
    ],
)
def test_a_document_is_valid_for_as_long_as_the_server_says(headers, until):
    """Spec 5, RFC 9111: max-age before Expires; a server's wrong clock does not matter."""
    assert read_valid_until(headers, NOON) == until


@given(
    st.integers(0, 1000),
    st.lists(
        st.tuples(
            st.sampled_from(
                sorted(
                    [
                        "location",
                        "expires",
                        "date",
                        "cache-control",
                        "retry-after",
                        "content-length",
                        "content-type",
                        "last-modified",
                    ]
                )
            ),
            st.text(),
        )
    ),
)
def test_no_head_makes_us_fail(status, pairs):
    """However odd, it means something: a body is read after a success only, and dates are dates."""
    for purpose in (Purpose.PAGE, Purpose.ROBOTS):
        meaning = head(status, *pairs, purpose=purpose)
        assert isinstance(meaning, RedirectTo | Failed) or (meaning is None and 200 <= status < 300)
    for date in (read_modified(keep_headers(pairs)), read_valid_until(keep_headers(pairs), NOON)):
        assert date is None or isinstance(date, float)
