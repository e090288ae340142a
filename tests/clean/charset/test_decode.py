"""Bytes become text."""

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.clean.charset.decode import SEARCH_BYTES, decode

CZECH = (
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Vláda dnes schválila nový zákon o dani z příjmů, "
    "který začne platit od ledna; opozice s ním nesouhlasí a žádá, aby se o něm ještě hlasovalo."
)
META = '<html><head><meta http-equiv="Content-Type" content="text/html; charset={}">'


@pytest.mark.parametrize(
    ("mark", "codec", "charset"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16le"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16be"),
    ],
)
def test_a_byte_order_mark_beats_every_declaration(mark, codec, charset):
    """Charset by BOM, HTTP header, meta, detection."""
    decoded = decode(mark + CZECH.encode(codec), "text/html; charset=windows-1250")
    assert (decoded.text, decoded.charset, decoded.source) == (CZECH, charset, "bom")


def test_the_header_beats_the_meta_tag():
    """The order of the HTML standard."""
    page = META.format("windows-1251") + CZECH
    decoded = decode(page.encode("cp1250"), 'text/html; Charset="Windows-1250"')
    assert (decoded.text, decoded.charset, decoded.source) == (page, "windows-1250", "header")


@pytest.mark.parametrize(
    "head",
    [
        META.format("iso-8859-2"),
        "<META CHARSET=ISO_8859-2>",
        "<meta charset='latin2'/>",
        '<?xml version="1.0" encoding="ISO-8859-2"?>',
        "<!-- <meta charset=utf-8> --><meta charset = 'l2'>",
        "<script>" + "x" * 3000 + "</script><meta charset=iso8859-2>",
    ],
)
def test_the_page_may_say_its_character_set(head):
    """A meta tag or an XML declaration, written in any of the known ways."""
    decoded = decode((head + CZECH).encode("iso-8859-2"), "text/html")
    assert (decoded.text, decoded.charset, decoded.source) == (head + CZECH, "iso-8859-2", "meta")


@pytest.mark.parametrize(
    ("label", "codec", "charset"),
    [
        ("iso-8859-1", "cp1252", "windows-1252"),
        ("ASCII", "cp1252", "windows-1252"),
        ("latin5", "cp1254", "windows-1254"),
        ("ks_c_5601-1987", "cp949", "euc-kr"),
        ("gb2312", "gb18030", "gbk"),
        ("x-sjis", "cp932", "shift_jis"),
        ("koi8", "koi8-r", "koi8-r"),
    ],
)
def test_labels_mean_what_their_authors_meant(label, codec, charset):
    """WHATWG Encoding Standard: latin1 is windows-1252, and so on."""
    text = {
        "gbk": "中文网页的内容",
        "euc-kr": "한국어 문서",
        "shift_jis": "日本語の文書",
        "koi8-r": "русский",
    }
    page = text.get(charset, "“naïve” café – €" if charset == "windows-1252" else "ığdır şeker")
    decoded = decode(page.encode(codec), f"text/html; charset={label}")
    assert (decoded.text, decoded.charset, decoded.source) == (page, charset, "header")


@pytest.mark.parametrize("label", ["utf-8", "nonsense", "", "idna", "utf-7"])
def test_a_declared_set_that_cannot_be_is_found_out(label):
    """Bytes that are no UTF-8 refute it; an unknown label says nothing."""
    decoded = decode(CZECH.encode("cp1250"), f"text/html; charset={label}")
    assert (decoded.text, decoded.charset, decoded.source) == (CZECH, "windows-1250", "content")


@pytest.mark.parametrize("label", ["windows-1250", "iso-8859-1", "gbk", "euc-jp"])
def test_good_utf_8_is_utf_8_whatever_it_is_called(label):
    """Chance does not write valid UTF-8."""
    decoded = decode(CZECH.encode(), f"text/html; charset={label}")
    assert (decoded.text, decoded.charset, decoded.source) == (CZECH, "utf-8", "content")


def test_the_header_may_lie_and_the_meta_tag_not():
    """The first declaration that the bytes do not refute counts."""
    page = META.format("windows-1250") + CZECH
    decoded = decode(page.encode("cp1250"), "text/html; charset=UTF-8")
    assert (decoded.text, decoded.charset, decoded.source) == (page, "windows-1250", "meta")


def test_windows_1250_that_is_called_latin2_is_found_out():
    """The old confusion of the Czech web: š, ť and ž are elsewhere."""
    decoded = decode(CZECH.encode("cp1250"), "text/html; charset=iso-8859-2")
    assert (decoded.text, decoded.charset) == (CZECH, "windows-1250")


@pytest.mark.parametrize(
    ("codec", "charset"),
    [
        ("utf-8", "utf-8"),
        ("cp1250", "windows-1250"),
        ("iso-8859-2", "iso-8859-2"),
        ("utf-16-le", "utf-16le"),
        ("utf-16-be", "utf-16be"),
    ],
)
def test_the_bytes_themselves_tell_most(codec, charset):
    """Detection comes last, and looks past the markup."""
    page = "<html><body>" + "<div class='x'></div>" * 5000 + f"<p>{CZECH}</p>"
    decoded = decode(page.encode(codec))
    assert (decoded.text, decoded.charset, decoded.source) == (page, charset, "content")


def test_damaged_utf_8_stays_utf_8():
    """A few bad bytes, or a cut-off end, are no other character set."""
    data = (CZECH * 3).encode()
    cut = decode(data + "ž".encode()[:1])
    assert (cut.text, cut.charset) == (CZECH * 3, "utf-8")
    damaged = decode(data[:100] + b"\xff" + data[100:])
    assert damaged.charset == "utf-8"
    assert damaged.text.count("\ufffd") <= 2


def test_plain_ascii_is_what_it_was_called():
    """There is nothing to find out, and nothing to claim."""
    assert decode(b"a", "text/html; charset=iso-8859-2").charset == "iso-8859-2"
    assert (decode(b"a").charset, decode(b"a").source) == ("utf-8", "default")
    assert decode(b"<meta charset=utf-16>").charset == "utf-8"


def test_japanese_in_escape_sequences_is_no_ascii():
    """ISO-2022-JP has only seven bits, and is text nevertheless."""
    text = "これは日本語の文書です。" * 5
    assert decode(text.encode("iso2022-jp")).text == text


def test_text_that_begins_late_is_found():
    """Scripts may fill the first megabyte."""
    page = "<script>" + "x" * SEARCH_BYTES + "</script>" + CZECH
    assert decode(page.encode("cp1250")).charset == "windows-1250"


def test_no_escape_sequence_is_too_strange():
    """Python's decoder raises RuntimeError at a single shift to this set."""
    assert decode(b"Text \x1b.J\x1bN\x88", "text/html; charset=iso-2022-jp").text.startswith("Text ")


@given(st.binary(max_size=400), st.text(max_size=30))
def test_any_bytes_become_text_without_nuls(data, content_type):
    """Never raises."""
    assert "\0" not in decode(data, content_type).text


@pytest.mark.parametrize("content_type", ["", "text/html; charset=euc-jp"])
def test_ten_megabytes_of_rubbish_take_no_time(content_type):
    """Bounded: the detector sees a sample only. (A second, were it all looked at.)"""
    rubbish = bytes(range(256)) * 40_000
    assert len(decode(rubbish, content_type).text) > 1_000_000


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (b"<meta" * 273 + b" charset=" + b" " * 2700, ""),
        (b"<meta charset=" + b" " * 4000, ""),
        (b"<?xml" + b" encoding=" * 400, ""),
        (b"<!--" * 1024, ""),
        (b"x", "text/html; charset=" + " " * 30_000 + ";"),
        (b"x", "text/html;" + " charset" * 4000),
    ],
)
def test_declarations_without_end_take_no_time(data, content_type):
    """Two of these took 8 and 13 seconds, in which the harvester listened to nobody."""
    began = time.thread_time()
    for _ in range(10):
        decode(data, content_type)
    assert time.thread_time() - began < 0.1


@pytest.mark.parametrize(
    "head",
    [
        b"<meta name=x><meta\ncharset = ' windows-1250 '>",
        b"<!-- <meta charset=koi8-r> --><meta charset=windows-1250>",
        b"<!--><meta charset=koi8-r>--><meta charset=windows-1250>",
        b"<meta charset=windows-1250><!-- <meta charset=koi8-r>",
        b"<p charset=koi8-r><meta <meta charset=windows-1250>",
        b"<meta data-charset=windows-1250>",
        b'<META HTTP-EQUIV=Content-Type CONTENT="text/html;charset=windows-1250"/>',
    ],
)
def test_a_declaration_is_found_wherever_it_stands(head):
    assert decode(head + CZECH.encode("cp1250")).source == "meta"
    assert decode(head + CZECH.encode("cp1250")).charset == "windows-1250"
