"""Regular expressions that the user keeps in a file."""

import re

import pytest

from txtr.config.layers import load
from txtr.config.options import LONGEST_EXPRESSION
from txtr.errors import UserMistake

LIST = "# servers of others\n\na\\.cz$\n  ^b|x\n"


def given(content, *argv, config=""):
    """The options of a command line, with a file called list."""
    files = {"list": content, "config.txt": config}
    return load([*argv], files.__getitem__)


def mistake(content, *argv, config=""):
    with pytest.raises(UserMistake) as found:
        given(content, *argv, config=config)
    return str(found.value)


def test_what_any_line_of_a_list_finds_is_found():
    expression = re.compile(given(LIST, "--exclude=@list").exclude)
    assert all(map(expression.search, ["www.a.cz", "bad.com", "x.org"]))
    assert not any(map(expression.search, ["www.a.czech", "www.bad.com", "# servers of others", ""]))


def test_a_list_of_one_line_is_that_line():
    assert given("(?i)\\.CZ$\n", "--include=@list").include == "(?i)\\.CZ$"


def test_config_txt_names_a_list_likewise():
    assert given(LIST, config="bring-back: '@list'").bring_back == given(LIST, "--exclude=@list").exclude


@pytest.mark.parametrize(
    "content, wrong",
    [
        ("", "no regular expression in it"),
        ("# nothing\n\n", "no regular expression in it"),
        ("a\n# b\n*.cz\n", "line 3: bad regular expression: nothing to repeat at position 0"),
        ("a\n(b)\\1\n", "line 2: a line in a list cannot refer to its own groups"),
        ("a\nb\x07\n", "a|(?:b?): holds a control character"),
        ("a|" * LONGEST_EXPRESSION, f"{'a|' * 30}...: a regular expression has at most 2000000 letters"),
    ],
)
def test_a_bad_list_is_named_with_its_option_and_line(content, wrong):
    assert mistake(content, "--exclude=@list") == f"--exclude=@list: {wrong}"
    assert mistake(content, config="exclude: '@list'") == f"config.txt line 1: exclude: @list: {wrong}"


@pytest.mark.parametrize(
    "error, wrong",
    [
        (FileNotFoundError(2, "No such file or directory"), "No such file or directory"),
        (IsADirectoryError(21, "Is a directory"), "Is a directory"),
        (UnicodeDecodeError("utf-8", b"a\nb\xff", 3, 4, ""), "line 2: not UTF-8"),
    ],
)
def test_a_list_that_cannot_be_read_is_named(error, wrong):
    def read(path):
        raise error

    with pytest.raises(UserMistake) as found:
        load(["--config=", "--include=@list"], read)
    assert str(found.value) == f"--include=@list: {wrong}"


def test_a_list_of_which_the_path_is_too_long_is_not_looked_for():
    assert mistake("", f"--include=@{'x' * 256}").endswith("a name in a path has at most 255 bytes")
