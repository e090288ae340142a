"""Files that are not HTML."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr import urls
from txtr.clean.links import MOST_LINKS
from txtr.documents.links import (
    MOST_WRITTEN,
    PIECE_BYTES,
    UNPACKED_BYTES,
    find_links,
)

PDF, DOCX = "application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def packed(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return buffer.getvalue()


def test_links_in_plain_text_end_before_the_punctuation():
    """Spec 3: the links in them are found and queued as well."""
    text = b"See http://a.cz/x, (https://B.cz/y?a&copy=1) or <http://c.cz>. Not ftp://d.cz/ nor http:// http://a.cz/x!"
    assert find_links(text, "text/plain") == ["http://a.cz/x", "https://b.cz/y?a&copy=1", "http://c.cz/"]


def test_links_in_rtf_without_its_schemas():
    """Names of formats lead nowhere."""
    rtf = rb'{\rtf1{\*\xmlnstbl {\xmlns1 http://schemas.microsoft.com/office/word}}{HYPERLINK "http://a.cz/x"}\par}'
    assert find_links(rtf, "application/rtf") == ["http://a.cz/x"]


def test_links_in_pdf_are_its_uri_objects():
    """Not the names of schemas in its metadata."""
    pdf = b"""%PDF-1.4 <x xmlns="http://ns.adobe.com/pdf/1.3/" y="http://purl.org/dc/elements/1.1/">
        /A << /S /URI /URI (http://a.cz/x\\(1\\)) >> /URI(https://b.cz/) /URI (mailto:x@b.cz)"""
    assert find_links(pdf, PDF) == ["http://a.cz/x(1)", "https://b.cz/"]


def test_links_in_xml_are_text_and_link_attributes():
    """Feeds and the like; namespaces are no links."""
    xml = b"""<?xml version="1.0"?><rss xmlns="http://www.w3.org/ns"><link>http://a.cz/?x=1&amp;y=2</link>
        <l href="http://b.cz/"/><e url='http://c.cz/a.mp3'/></rss>"""
    assert find_links(xml, "application/rss+xml") == ["http://b.cz/", "http://a.cz/?x=1&y=2"]


def test_links_in_old_office_files_have_two_byte_characters():
    """doc, xls and ppt."""
    doc = b"\xd0\xcf\x11\xe0\0\0" + "x http://a.cz/Řx http://b.cz/y?z=1\0".encode("utf-16-le") + b"\0\xff"
    assert find_links(doc, "application/msword") == ["http://a.cz/", "http://b.cz/y?z=1"]


def test_links_in_zipped_office_files():
    """docx, odt, pptx, xlsx, epub: the XML inside."""
    rels = b'<R xmlns="http://schemas.openxmlformats.org/p"><L Type="http://schemas.openxmlformats.org/o" '
    rels += b'Target="http://a.cz/?x=1&amp;y=2" TargetMode="External"/></R>'
    content = b'<t xmlns:w="http://www.w3.org/"><a xlink:href="http://b.cz/x"/>Text http://c.cz/.</t>'
    data = packed(
        word___rels__document_dot_xml_dot_rels=rels, content_dot_xml=content, image_dot_png=b"http://d.cz/"
    )
    assert find_links(data, DOCX) == ["http://a.cz/?x=1&y=2", "http://b.cz/x", "http://c.cz/"]


def test_a_zip_bomb_does_not_go_off():
    """Not more is unpacked than is decent."""
    late = b"<t>http://late.cz/</t>"
    data = packed(a_dot_xml=b"<t>http://early.cz/</t>" + b" " * 4 * UNPACKED_BYTES, b_dot_xml=late)
    assert find_links(data, DOCX) == ["http://early.cz/"]


def spoiled(content, times, packing=zipfile.ZIP_DEFLATED):
    """An archive that has this member so many times, in the same place; its checksum is wrong."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        archive.writestr("a.xml", content)
        archive.filelist *= times
        archive.filelist[0].CRC ^= 1
    return buffer.getvalue()


def test_a_zip_bomb_does_not_go_off_because_it_is_damaged(monkeypatch):
    """What was unpacked counts, sound or not; two members cannot have the same place."""
    unpacked = []
    read = zipfile.ZipExtFile.read

    def counted(member, size=-1):
        unpacked.append(size)
        return read(member, size)

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    find_links(spoiled(bytes(UNPACKED_BYTES - 100_000), times=100), DOCX)
    assert sum(unpacked) <= UNPACKED_BYTES + PIECE_BYTES


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_no_office_packs_like_this_stays_packed(packing, monkeypatch):
    """Python unpacks these in one go: some hundred bytes became 600 MB; and damage in them raised."""
    data = spoiled(b"<t>http://a.cz/</t>", times=1, packing=packing)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    assert find_links(data, DOCX) == []


def test_a_link_that_is_written_again_and_again_is_looked_at_once(monkeypatch):
    """Ten thousand bytes of an archive hold half a million links: 3 seconds in which nobody is answered."""
    looked_at = []
    canonical = urls.canonical
    monkeypatch.setattr(urls, "canonical", lambda link: looked_at.append(link) or canonical(link))
    assert find_links(packed(a_dot_xml=b"http://a.cz/ " * 300_000), DOCX) == ["http://a.cz/"]
    assert looked_at == ["http://a.cz/"]


def test_a_file_full_of_links_to_nowhere_is_not_read_for_ever(monkeypatch):
    """Links that are no good count as well."""
    looked_at = []
    monkeypatch.setattr(urls, "canonical", looked_at.append)
    assert (
        find_links(b" ".join(b"http://a.cz/%d" % number for number in range(3 * MOST_LINKS)), "text/plain")
        == []
    )
    assert len(looked_at) == MOST_WRITTEN


def test_a_damaged_archive_gives_what_it_can():
    """Nothing raises, and what is found is sound."""
    data = packed(a_dot_xml=b"<t>http://a.cz/</t>" * 50)
    for cut in range(0, len(data), 7):
        assert_sound(find_links(data[:cut], DOCX))
        assert_sound(find_links(data[:cut] + b"\xff\xff" + data[cut + 2 :], DOCX))


@given(st.binary(), st.sampled_from(["", PDF, DOCX, "text/plain", "text/xml", "application/msword"]))
def test_any_bytes_can_be_searched(data, content_type):
    """Never raises; what is found is canonical, and given once."""
    for start in (b"", b"%PDF-/URI (http://", b"PK\x03\x04", b"<http://a.cz/"):
        assert_sound(find_links(start + data, content_type))


def assert_sound(found):
    assert len(found) == len(set(found))
    assert all(urls.canonical(link) == link for link in found)


@pytest.mark.parametrize(
    "piece", [b"http://", b"/URI (", b"<", b"h\0t\0t\0p\0", b"href='", b"https://a&", b"\\("]
)
def test_half_a_megabyte_of_rubbish_take_no_time(piece):
    """Bounded time on whatever is repeated."""
    rubbish = piece * (500_000 // len(piece))
    for start in (b"", b"%PDF-", b"<x"):
        assert_sound(find_links(start + rubbish))
