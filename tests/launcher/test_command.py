"""The command line of the start script."""

from importlib.util import find_spec

import pytest

from txtr.errors import UserMistake
from txtr.launcher.command import (
    TOOLS,
    USAGE,
    Add,
    Follow,
    Remove,
    Start,
    Status,
    Stop,
    Tool,
    command,
    tool,
)


@pytest.mark.parametrize(
    "words, meaning",
    [
        (["12"], Start(12)),
        (["add", "3"], Add(3)),
        (["remove", "2"], Remove(2)),
        (["status"], Status()),
        (["follow"], Follow()),
        (["stop"], Stop()),
    ],
)
def test_the_words_say_what_is_wanted(words, meaning):
    assert command(words) == meaning


def test_auto_is_a_harvester_for_every_processor():
    """Texttractor.sh auto starts as many as there are cores."""
    assert command(["auto"], processors=6) == Start(6)


def test_a_tool_gets_all_that_follows_its_name():
    assert tool(["clean", "a.html", "--json"]) == Tool("txtr.clean", ["a.html", "--json"])
    assert tool(["4", "clean"]) is None and tool([]) is None


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_is_in_the_usage_and_can_be_run(name):
    assert name in USAGE
    assert find_spec(f"{TOOLS[name]}.__main__") is not None


@pytest.mark.parametrize(
    "words, message",
    [
        ([], "how many harvesters? usage: sh texttractor.sh N [options]; see --help"),
        (["0"], "'0': expected a number of harvesters, 1 to 1000"),
        (["-1"], "'-1': expected a number of harvesters, 1 to 1000"),
        (["²"], "'²': expected a number of harvesters, 1 to 1000"),
        (["4x"], "'4x': expected a number of harvesters, 1 to 1000"),
        (["00000000199999"], "'00000000199999': expected a number of harvesters, 1 to 1000"),
        (["8417"], "'8417': expected a number of harvesters, 1 to 1000"),
        (["9" * 99], f"'{'9' * 60}': expected a number of harvesters, 1 to 1000"),
        (
            ["abc"],
            "'abc' is no command; there are: a number of harvesters, auto, status, follow, add, remove, stop;"
            " and the tools clean, queue, report, segmenter; see --help",
        ),
        (["add"], "how many more harvesters? usage: sh texttractor.sh add N [options]"),
        (["remove"], "how many harvesters fewer? usage: sh texttractor.sh remove N"),
        (["add", "-1"], "'-1': expected a number of harvesters, 1 to 1000"),
        (["start", "4"], "how many harvesters? usage: sh texttractor.sh N [options]; see --help"),
        (["statsu"], "'statsu' is no command; did you mean status?"),
        (["Stop"], "'Stop' is no command; did you mean stop?"),
        (["report"], "the tool comes first: sh texttractor.sh report ..."),
        (["repot"], "'repot' is no command; did you mean report?"),
        (["ad", "4"], "'ad' is no command; did you mean add?"),
        (["stop", "now"], "'stop now' is not understood; see --help"),
        (["4", "5"], "'4 5' is not understood; see --help"),
    ],
)
def test_anything_else_is_refused_in_one_line(words, message):
    with pytest.raises(UserMistake) as mistake:
        command(words)
    assert str(mistake.value) == message
