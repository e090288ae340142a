"""The corpus record: one line of JSON, the text, an empty line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.corpus.record import complete_length, digest, encode_record, encode_text, read_records
from txtr.errors import TheirMistake

ABOUT = {"url": "http://a.cz/", "title": "Příliš “žluťoučký” kůň"}
TEXT = encode_text("První věta.\nDruhá věta.")


def test_a_record_is_json_then_lines_then_an_empty_line():
    """Readable by people, grep and awk."""
    first, *rest = encode_record(ABOUT, TEXT, "utf-8").decode().split("\n")
    assert json.loads(first) == {**ABOUT, "digest": digest(TEXT), "lines": 2}
    assert "žluťoučký" in first
    assert rest == ["První věta.", "Druhá věta.", "", ""]


def test_what_was_written_is_what_is_read():
    """Several records in a row; half a one at the end is left out."""
    data = (
        encode_record(ABOUT, TEXT, "utf-8")
        + encode_record({"url": "b"}, encode_text(""), "utf-8")
        + encode_record(ABOUT, TEXT, "utf-8")[:-1]
    )
    records = list(read_records(data.decode().splitlines(keepends=True)))
    assert [text for _, text in records] == [TEXT.decode(), ""]
    assert records[0][0]["title"] == ABOUT["title"]


@given(st.text(), st.text(), st.sampled_from(["utf-8", "iso-8859-2", "cp1250", "ascii"]))
def test_no_text_breaks_the_form(title, text, encoding):
    """Empty lines, lone surrogates, foreign line ends: the only empty line is the last."""
    record = encode_record({"title": title}, encode_text(text), encoding)
    assert record.endswith(b"\n\n")
    assert b"\n\n" not in record[:-1]
    ((about, lines),) = read_records(record.decode(encoding).split("\n"))
    assert about["lines"] == (len(lines.split("\n")) if lines else 0)
    if encoding != "utf-8":
        assert about["title"] == title


@pytest.mark.parametrize("title", ['Kůň "x" \\ \x7f\x01\u2028', "half \ud800 a sign"])
def test_what_is_said_of_a_document_is_written_as_the_standard_library_does(title):
    """Whoever searches a corpus with grep knows where the blanks are."""
    about = {"title": title, "paragraphs": [1, 2], "usability": 0.5, "site": None, "digest": "d", "lines": 1}
    first, _, _ = encode_record(about, encode_text("A."), "utf-8").partition(b"\n")
    assert first == json.dumps(about, ensure_ascii=False).encode("utf-8", "replace")


def test_a_line_that_the_encoding_leaves_empty_is_left_out():
    """It would end the record."""
    assert encode_record({}, encode_text("a\n\u200b\nb"), "iso-8859-2").endswith(b"}\na\nb\n\n")


def test_the_digest_is_of_the_words_not_the_blanks():
    """The same text laid out differently is the same text."""
    assert digest(encode_text("a b\nc")) == digest(encode_text("a\nb c")) != digest(encode_text("ab c"))
    assert len(digest(encode_text(""))) == 32


@pytest.mark.parametrize("text", ["a\n\nb", "\na\nb", "a\nb\n", "\n\na\n\n\nb\n\n"])
def test_no_empty_line_is_written(text):
    """Cleaning makes none, but one would end the record."""
    assert encode_text(text) == b"a\nb"


@pytest.mark.parametrize(
    ("tail", "length"),
    [(b"", None), (b"{}\na\n", None), (b"{}\na\n\n", 6), (b"{}\na\n\n{}\nb\n", 6), (b"\n\n", 2)],
)
def test_the_end_of_the_last_whole_record_is_found(tail, length):
    """So that a half one can be cut off."""
    assert complete_length(tail) == length


@pytest.mark.parametrize("line", ["no json", "[1]"])
def test_what_is_no_record_is_refused(line):
    """TheirMistake: a file broke the format."""
    with pytest.raises(TheirMistake):
        list(read_records([line, "text", ""]))
