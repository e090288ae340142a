"""The plain judge."""

import pytest

from txtr.segment.usability import judge


@pytest.mark.parametrize(
    ("text", "usability"),
    [("Ahoj.", 1.0), ("1 2 3\nž", 1.0), ("字", 1.0), ("", 0.0), ("12:30 – 45 %\n...", 0.0)],
)
def test_a_text_without_letters_is_useless(text, usability):
    """Spec 4: zero usability is what stops us from following links."""
    assert judge(text) == usability
