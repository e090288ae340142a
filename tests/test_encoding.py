"""Texts become bytes of the encoding that the user wants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.charset import encode, extends_ascii, is_utf8


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("„Ano,“ řekl – a šel…", '"Ano," řekl - a šel...'),
        ("l’été à São Paulo", "l'été a Sao Paulo"),
        ("漢字 ☃", "?? ?"),
        ("5 €, ½ ™", "5 EUR, ? (TM)"),
        ("zero\u200bwidth", "zerowidth"),
        ("ﬁnále", "finále"),
        ("sĩ m̌ůj", "si můj"),
    ],
)
def test_characters_that_the_encoding_lacks_are_replaced_by_rule(written, expected):
    """Typography by its plain form, foreign accents by none, the rest by a question mark."""
    assert encode(written, "iso-8859-2").decode("iso-8859-2") == expected


@given(st.text(), st.sampled_from(["iso-8859-2", "cp1250", "koi8-r", "ascii", "big5", "utf-16", "utf-8"]))
def test_no_text_is_too_strange(text, encoding):
    """What the encoding has is there as it was; the rest never raises, surrogates included."""
    kept = "".join(letter for letter in text if not _is_missing(letter, encoding))
    assert encode(kept, encoding) == kept.encode(encoding)
    assert isinstance(encode(text, encoding).decode(encoding), str)


def _is_missing(letter, encoding):
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return True
    return False


def test_only_encodings_that_extend_ascii_can_hold_records():
    """The empty line that ends one is two bytes."""
    assert all(map(extends_ascii, ["utf-8", "iso-8859-2", "cp1250", "koi8-r"]))
    assert not any(map(extends_ascii, ["utf-16", "utf-32", "cp037", "utf-7"]))


def test_utf_8_is_known_by_any_name():
    """Texts are UTF-8 already when they come to be written."""
    assert all(map(is_utf8, ["utf8", "UTF-8", "u8"]))
    assert not any(map(is_utf8, ["iso-8859-2", "cp1250", "gb2312", "utf-16"]))
