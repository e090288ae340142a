"""Regular expressions that the user keeps in a file."""

import re

import pytest

from txtr.alternatives import Expression
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
    assert given("(a)\\1 (?P<n>b)(?P=n)\n", "--include=@list").include == "(a)\\1 (?P<n>b)(?P=n)"


LINES = [
    r"(?i)\.BAR$",
    r"(?i)(^|\.)FOO\.(CZ|SK)$",
    "(?s)(?i)[X]y.",
    "(?P<n>a)x",
    "(?P<n>b)y",
    "(c|d)e",
    r"\((?P<o>)",
    "f|g",
]
NAMES = [
    "foo.cz",
    "a.foo.sk",
    "afoo.cz",
    "x.bar",
    "bar.x",
    "xyz",
    "ax",
    "by",
    "ay",
    "ce",
    "de",
    "c",
    "(",
    "f",
    "ag",
    "h",
]


def test_a_line_finds_in_a_list_what_it_finds_alone():
    """Right lines were refused, without their numbers, because of flags and names of groups."""
    for length in range(2, len(LINES) + 1):
        for first in range(len(LINES) - length + 1):
            lines = LINES[first : first + length]
            expression = re.compile(given("\n".join(lines), "--exclude=@list").exclude)
            expected = [any(re.search(line, name) for line in lines) for name in NAMES]
            assert [bool(expression.search(name)) for name in NAMES] == expected


def test_only_line_feeds_end_lines():
    """Numbers in messages are those that an editor shows; the ends of Windows are blanks."""
    assert given("a\r\n\r\nb\r\n", "--exclude=@list").exclude == "a|b"


def test_lines_without_regard_to_case_are_found_as_soon_as_others():
    lines = "\n".join(f"(?i)(^|\\.)Example{number}\\.CZ$" for number in range(1000))
    expression = Expression(given(lines, "--exclude=@list").exclude)
    assert expression.rest is None
    assert expression.finds("www.example7.cz") and not expression.finds("www.example7.czech")


def test_config_txt_names_a_list_likewise():
    assert given(LIST, config="bring-back: '@list'").bring_back == given(LIST, "--exclude=@list").exclude


@pytest.mark.parametrize(
    "content, wrong",
    [
        ("", "no regular expression in it"),
        ("# nothing\n\n", "no regular expression in it"),
        ("a\n# b\n*.cz\n", "line 3: bad regular expression: nothing to repeat at position 0"),
        ("a\n(b)\\1\n", "line 2: a line in a list cannot refer to its own groups"),
        ("a\n(b\nc)\n", "line 2: bad regular expression: missing ), unterminated subpattern at position 0"),
        ("foo(\n)?u\n", "line 1: bad regular expression: missing ), unterminated subpattern at position 3"),
        ("a\nb[c\nd]e\n", "line 2: bad regular expression: unterminated character set at position 1"),
        ("a\nb\\\n", "line 2: bad regular expression: bad escape (end of pattern) at position 1"),
        ("a\n(?P<n>b)(?P=n)\n", "line 2: a line in a list cannot refer to its own groups"),
        ("a\n(?x) b # c\n", "line 2: a line in a list cannot have the flag x"),
        ("(a)\\2\n", "line 1: bad regular expression: invalid group reference 2 at position 4"),
        ("a\nb\x07c\n", "line 2: b?c: holds a control character"),
        ("a\nb\x0bc\u2028d\n", "line 2: b?c?d: holds a control character"),
        ("a\rb\n", "line 1: a?b: holds a control character"),
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
