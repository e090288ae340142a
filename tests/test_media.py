"""Media types: what is a page, what is kept beside pages, and what is not worth reading."""

from random import Random

import pytest

from txtr.clean import clean
from txtr.media import is_binary, is_document, is_html, media_type

PDF, DOCX = "application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("content_type", "head", "expected"),
    [
        ("text/html", b"", True),
        ("Text/HTML; charset=utf-8", b"%PDF", True),
        ("application/xhtml+xml", b"", True),
        ("", b" \n<!DOCTYPE html>", True),
        ("", b"<!-- x --><HTML lang=cs>", True),
        ("", "<html>".encode("utf-16"), True),
        ("", b"%PDF-1.4", False),
        ("", b"", False),
        ("text/plain", b"<!doctype html>", False),
        ("application/pdf", b"<html>", False),
    ],
)
def test_a_page_is_what_the_server_calls_one(content_type, head, expected):
    """Only when it calls it nothing, the first bytes are asked."""
    assert is_html(content_type, head) is expected


@pytest.mark.parametrize(
    "content_type",
    [
        *(
            PDF,
            DOCX,
            "application/msword",
            "application/rtf",
            "text/rtf",
            "text/plain; charset=utf-8",
            "TEXT/XML",
        ),
        *("application/vnd.oasis.opendocument.text", "application/epub+zip", "application/postscript"),
        *("application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/rss+xml"),
        *("application/vnd.ms-powerpoint", "application/vnd.ms-excel"),
    ],
)
def test_documents_are_kept_aside(content_type):
    """Spec 3: pdf, odt, rtf, doc ... are stored aside."""
    assert is_document(content_type)


@pytest.mark.parametrize(
    "content_type",
    [
        *(
            "text/html",
            "image/png",
            "image/svg+xml",
            "audio/mpeg",
            "video/mp4",
            "application/zip",
            "text/css",
            "",
        ),
        *(
            "application/javascript",
            "text/javascript",
            "application/json",
            "font/woff2",
            "application/octet-stream",
        ),
        *(
            "application/x-gzip",
            "application/x-shockwave-flash",
            "application/vnd.oasis.opendocument.graphics",
        ),
    ],
)
def test_what_holds_no_text_is_not_kept(content_type):
    """Pictures, sounds, archives, styles, scripts, data and fonts."""
    assert not is_document(content_type)


@pytest.mark.parametrize(
    "data",
    [b"%PDF-1.4 <html>", b"\x89PNG\r\n\x1a\n", b"\x7fELF\2\1\1", b"PK\x03\x04", Random(1).randbytes(5000)],
)
def test_what_is_no_text_is_known_by_its_bytes(data):
    """Servers send pictures and archives as text/html."""
    assert is_binary(data)
    assert clean(data, content_type="text/html").text == clean(data, text="all").text == ""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<p>a\0b\0c",
        b"<p>\x01\x02\x03 short and damaged",
        "<p>žluťoučký".encode("utf-16"),
        b"\x1b$B$3$s\x1b(B" * 100,
        b"\x1b$)C" + b"\x0eGQ\x0f " * 100,
        b"<p>" + bytes(range(128, 256)) * 20,
    ],
)
def test_a_damaged_page_is_still_a_page(data):
    """NULs, a few control characters, escape sequences and any letters are in texts."""
    assert not is_binary(data)


def test_the_media_type_is_lower_case_and_without_parameters():
    """So that the stations compare one spelling."""
    assert media_type(" Text/HTML ;charset=x") == "text/html"
