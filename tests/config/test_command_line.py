"""The command line: what it says is understood, and said again to the other programs."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from txtr.config.commandline import LONGEST_ARGUMENT, as_arguments, asks_for, by_file, split
from txtr.config.layers import load, parse
from txtr.config.options import Options


def test_the_last_of_two_equal_options_wins():
    assert parse(["--depth=3", "--depth=4"]).depth == 4


def test_a_value_may_follow_after_a_blank():
    assert parse(["--req-delay", "0.5", "--allow-private", "--depth", "2"]) == Options(
        req_delay=0.5, allow_private=True, depth=2
    )


@pytest.mark.parametrize(
    "text, value", [("", True), ("=yes", True), ("=no", False), ("=OFF", False), ("=1", True)]
)
def test_a_flag_stands_alone_or_says_yes_or_no(text, value):
    assert parse(["--allow-private" + text]).allow_private is value


def test_a_number_with_a_minus_is_a_word_not_an_option():
    """The start script says better what is wrong with -1 harvesters."""
    assert split(["-1"])[1] == ["-1"]


def test_the_start_script_passes_on_what_it_was_given():
    """Another program gets the same options, whatever its own config.txt says."""
    chosen = parse(["--include=\\.cz$", "--check-certificates=no", "--req-delay=0.25"], "depth: 3")
    assert replace(parse(as_arguments(chosen)), config="config.txt") == chosen
    assert as_arguments(chosen)[0] == "--config="


def test_what_only_the_start_script_knows_is_not_passed_on():
    assert as_arguments(Options(demo=True, follow=True)) == ["--config="]


@given(
    some.floats(min_value=0, max_value=1e7), some.integers(0, 10**9), some.text("ab=- '\"$\\é", min_size=1)
)
def test_any_usable_options_survive_being_passed_on(seconds, number, text):
    chosen = Options(req_delay=seconds, depth=number, target=text, config="")
    assert parse(as_arguments(chosen)) == chosen


@given(some.text("ab=- '\"$\\é#:\u2019", min_size=1), some.integers(1, 5))
def test_options_too_long_for_a_command_line_survive_in_a_file(text, number):
    """Linux hands over no argument of more than 128 KiB."""
    long = re.escape(text) * LONGEST_ARGUMENT
    chosen = Options(exclude=long, include=f" {long} ", depth=number, config="")
    short, content = by_file(as_arguments(chosen), "state/options.txt")
    assert short == ["--config=state/options.txt", f"--depth={number}"]
    assert replace(load(short, {"state/options.txt": content}.__getitem__), config="") == chosen


def test_short_options_need_no_file():
    arguments = as_arguments(Options(depth=3))
    assert by_file(arguments, "state/options.txt") == (arguments, "")


def test_help_and_version_are_recognised_anywhere():
    assert asks_for(["4", "--help"]) == asks_for(["-h"]) == "help"
    assert asks_for(["--version"]) == "version"
    assert asks_for(["--depth=4"]) == ""
