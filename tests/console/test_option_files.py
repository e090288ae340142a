"""Files that options name."""

from pathlib import Path

import pytest

from txtr.console.option_files import load, text
from txtr.errors import UserMistake


def test_a_file_that_cannot_be_read_is_named_with_its_option(tmp_path: Path) -> None:
    """As the user gave it, so that he finds it."""
    with pytest.raises(UserMistake, match=r"^--urls=.*/none: No such file or directory$"):
        text("--urls", f"{tmp_path}/none")


def test_a_file_that_is_no_utf_8_is_named_with_its_option(tmp_path: Path) -> None:
    """Most often it is a start list in windows-1250."""
    (tmp_path / "list").write_bytes(b"http://p\xf8\xedklad.cz/")
    with pytest.raises(UserMistake, match=r"^--urls=.*/list: not UTF-8$"):
        text("--urls", f"{tmp_path}/list")


def test_options_are_read_from_the_config_file_that_is_named(tmp_path: Path) -> None:
    """The command line wins."""
    (tmp_path / "config.txt").write_text("req-delay: 7\nport: 9\n", encoding="utf-8")
    chosen = load([f"--config={tmp_path / 'config.txt'}", "--port=10"])
    assert (chosen.req_delay, chosen.port) == (7, 10)
