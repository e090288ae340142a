"""The config file: what is written there is meant, and a mistake is told where it was made."""

from pathlib import Path

import pytest
import yaml

from txtr.config.layers import parse
from txtr.config.options import FIELDS, Options
from txtr.errors import UserMistake

ROOT = Path(__file__).parents[2]
LONG_NAME = "a name in a path has at most 255 bytes"
UNLISTED = {"config", "instance", "demo", "follow"}  # of one start only, so not for config.txt


def test_config_txt_means_what_the_same_words_mean_on_the_command_line():
    """YAML's own guesses (07 is a number, no is a truth value) play no part."""
    chosen = parse([], "instance: 07\nreq-delay: 1e2\ncheck-certificates: no\ncontact:\n")
    assert chosen == Options(instance="07", req_delay=100, check_certificates=False)


@pytest.mark.parametrize(
    "text, message",
    [
        ("req-dely: 3", "config.txt line 1: unknown option req-dely; did you mean req-delay?"),
        ("[1, 2]: 3", "config.txt line 1: expected lines like req-delay: 30"),
        ("port: 1\n\ndepth: many", "config.txt line 3: depth: many: expected a whole number"),
        ("depth: [1, 2]", "config.txt line 1: depth: expected one value; use 'single quotes'"),
        ("depth: 1\nport: 2\ndepth: 1", "config.txt line 3: depth: was given in line 1 already"),
        ("help: yes", "config.txt line 1: help: only the command line asks for it"),
        ("depth: 1\ninclude: *.cz", "config.txt line 2: include: *.cz: put the value in 'single quotes'"),
        ("include: *cz\ndepth: 1", "config.txt line 1: include: *cz: put the value in 'single quotes'"),
        (
            "include: [a-z]+\\.cz\ndepth: 1",
            "config.txt line 1: include: [a-z]+\\.cz: put the value in 'single quotes'",
        ),
        ("- depth", "config.txt line 1: - depth: expected lines like req-delay: 30"),
        ("# mine\n\njust words", "config.txt line 3: just words: expected lines like req-delay: 30"),
        (
            "depth: 3\nreq-delay 5\nport: 1",
            "config.txt line 2: req-delay 5: expected lines like req-delay: 30",
        ),
        ("req-delay=5\ndepth: 3", "config.txt line 1: req-delay=5: expected lines like req-delay: 30"),
        ("depth:3", "config.txt line 1: depth:3: expected lines like req-delay: 30"),
        ("{", "config.txt line 1: {: expected lines like req-delay: 30"),
        ("config: other.txt", "config.txt line 1: config: only the command line names a config file"),
        ("depth: 3\ntarget: [", "config.txt line 2: target: [: put the value in 'single quotes'"),
        ("depth: 3\n\tx: 1", "config.txt line 2: found character '\\t' that cannot start any token"),
        ("depth: \x07", "config.txt line 1: depth: holds the control character U+0007"),
        (
            "# mine\ndepth: 1\ntarget: a\x00b\nport: 1",
            "config.txt line 3: target: holds the control character U+0000",
        ),
        (
            "urls: >\n  a\n  b\x1b[2J\nport: 1",
            "config.txt line 3: urls: holds the control character U+001B",
        ),
        ("\x01", "config.txt line 1: holds the control character U+0001"),
        ('port: 1\nstate: "a\\0b"', "config.txt line 2: state: a?b: holds a control character"),
        ('state: "a\\ud800b"', "config.txt line 1: state: a?b: holds half a character"),
        (f"port: 1\nstate: {'x' * 256}", f"config.txt line 2: state: {'x' * 60}...: {LONG_NAME}"),
        ("[" * 5000, "config.txt: nested too deeply"),
    ],
)
def test_a_mistake_in_config_txt_is_named_in_one_line(text, message):
    with pytest.raises(UserMistake) as mistake:
        parse([], text)
    assert str(mistake.value) == message


def test_the_shipped_config_txt_is_complete_and_changes_nothing():
    """Config.txt is commented and complete."""
    text = (ROOT / "config.txt").read_text("utf-8")
    assert set(yaml.load(text, Loader=yaml.BaseLoader)) == set(FIELDS) - UNLISTED
    assert parse([], text) == Options()
