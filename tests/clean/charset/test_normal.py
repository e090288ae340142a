"""Characters as a corpus wants them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.clean.charset.normal import LONG, MOST_MARKS, collapse, normalize, repair_encoded_twice

CZECH = "Příliš žluťoučký kůň – „úpěl“ ďábelské ódy za 5 €"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("neroz\xaddělitelný", "nerozdělitelný"),
        ("a\u200bb\ufeffc\u2060d", "abcd"),
        ("\ufb01nance, o\ufb03ce", "finance, office"),
        ("u\u030a c\u030c", "ů č"),
        ("\x84ano\x93 \x96 \x80", "„ano“ – €"),
        ("zvonek\x07\x00\x1b", "zvonek"),
        ("x², ½ ™ ﾊﾝ", "x², ½ ™ ﾊﾝ"),
        ("ab\u200dc", "abc"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_looks_the_same_is_spelt_the_same(written, meant):
    """Soft hyphens, zero-width characters, ligatures, NFC, no control characters."""
    assert normalize(written) == meant


@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0f73", "\U0001d165\U0001d16d", "\u05b0\u0301"])
def test_a_letter_with_a_million_marks_takes_no_time(marks):
    """Putting them into order takes quadratic time: 10 MB of them took more than a minute."""
    text = normalize("a" + marks * 500_000 + "b")
    assert text.startswith(normalize("a" + marks * 5)[:1]) and text.endswith("b")
    assert len(text) <= 2 * MOST_MARKS + 2


def test_signs_in_a_row_are_no_marks():
    """Only marks on one letter are too many."""
    line = "ž" + "-=*" * 1000
    assert normalize(line) == line


@pytest.mark.parametrize("piece", ["a\u00a0 b\t", "  ", "x" * 70_001 + "\n ", "y"])
def test_a_long_text_is_collapsed_like_a_short_one(piece):
    """Piece by piece, which must not show."""
    text = piece * (2 * LONG // len(piece))
    assert collapse(text) == " ".join(text.split())


def misread(text, codec):
    """UTF-8 read as something else, as careless programs do."""
    return "".join(bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in text.encode())


@pytest.mark.parametrize("codec", ["cp1252", "cp1250", "latin-1"])
def test_a_page_that_was_encoded_twice_is_repaired(codec):
    """No mojibake."""
    assert repair_encoded_twice(misread(CZECH, codec)) == CZECH


def test_a_quote_that_was_encoded_twice_is_repaired_wherever_it_stands():
    """Comments come from other programs than the page around them."""
    assert (
        repair_encoded_twice("Příliš â€œžluťoučkýâ€\x9d kůň â€“ câ\x80\x99est tout")
        == "Příliš “žluťoučký” kůň – c’est tout"
    )


def test_one_pair_is_enough_beside_a_quote_that_was_encoded_twice():
    """English has hardly any accents, but blanks that do not break lines: Â and a blank is a pair."""
    assert (
        repair_encoded_twice("weâ€™re fully\u00c2\u00a0free editionÂ\u00a0of")
        == "we’re fully\u00a0free edition\u00a0of"
    )
    assert repair_encoded_twice("fully\u00c2\u00a0free") == "fully\u00c2\u00a0free"
    assert (
        repair_encoded_twice("o â€œfimâ€\x9d, disse: AMANHÃ» É SÁBADO") == "o “fim”, disse: AMANHÃ» É SÁBADO"
    )


@pytest.mark.parametrize(
    "text",
    [
        CZECH,
        "AMANHû, disse. ÓRGû, SERTû!",
        "Å lever, Ä är, Ö också. Über Äpfel.",
        "Unicode: é wird zu Ã©, ž zu Å¾, š zu Å¡, wenn man UTF-8 falsch liest: schöne Grüße für Ämter",
        "plain",
    ],
)
def test_what_is_not_certain_stays(text):
    """A page that talks of such accidents has letters that were read right as well."""
    assert repair_encoded_twice(text) == text


@given(st.text())
def test_any_text_becomes_sound(text):
    """NFC, encodable, and doing it twice changes nothing."""
    once = normalize(text)
    assert unicodedata.is_normalized("NFC", once)
    assert "\0" not in once
    once.encode("utf-8")
    repair_encoded_twice(text)
