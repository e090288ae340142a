"""The user reads of every option as it is."""

import re
from pathlib import Path

from txtr.config.manual import help_text, manual_table
from txtr.config.options import FIELDS

ROOT = Path(__file__).parents[2]


def test_help_names_every_option_with_its_default():
    shown = help_text("usage: ...")
    for name, declared in FIELDS.items():
        assert re.search(rf"^  --{name}\b.*", shown, re.M), name
        assert str(declared.default) in shown or isinstance(declared.default, (bool, float))


def test_the_manual_shows_the_options_as_they_are():
    """Style guide 7: the table in the manual is read off the class."""
    manual = (ROOT / "docs/options.md").read_text("utf-8")
    table = manual.split("<!-- options -->")[1].split("<!-- /options -->")[0]
    assert table.strip() == manual_table()
