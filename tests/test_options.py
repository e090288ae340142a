"""Options are declared once, and whatever cannot be used is refused by name."""

import errno
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from txtr import options
from txtr.errors import UserMistake
from txtr.options import Options, as_arguments, asks_for, load, load_with_words, parse

ROOT = Path(__file__).parent.parent
UNLISTED = {"config", "instance", "demo", "follow"}  # of one start only, so not for config.txt


def missing(path):
    raise FileNotFoundError(path)


def test_the_defaults_are_so_slow_that_nothing_can_be_harmed():
    """Spec 8: the defaults are safe."""
    rules = parse([])
    assert (rules.req_delay, rules.max_hosts, rules.max_reqs, rules.general_pause) == (30, 2, 20, 300)
    assert rules.check_certificates and not rules.allow_private


def test_the_command_line_wins_over_config_txt_and_that_over_the_defaults():
    """Spec 8: three layers, the later wins."""
    chosen = parse(["--depth=3"], "depth: 7\nmax-hosts: 5\n")
    assert (chosen.depth, chosen.max_hosts, chosen.max_reqs) == (3, 5, 20)


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


def test_config_txt_means_what_the_same_words_mean_on_the_command_line():
    """YAML's own guesses (07 is a number, no is a truth value) play no part."""
    chosen = parse([], "instance: 07\nreq-delay: 1e2\ncheck-certificates: no\ncontact:\n")
    assert chosen == Options(instance="07", req_delay=100, check_certificates=False)


@pytest.mark.parametrize(
    "argument, message",
    [
        ("--req-dely=3", "unknown option --req-dely; did you mean --req-delay?"),
        ("--req_delay=3", "unknown option --req_delay; did you mean --req-delay?"),
        ("--zzz", "unknown option --zzz; see --help"),
        ("-d", "unknown option -d; see --help"),
        ("stray", "stray is no option; see --help"),
        ("--req-delay", "--req-delay needs a value: --req-delay=S"),
        ("--req-delay=soon", "--req-delay=soon: expected a number"),
        ("--req-delay=-1", "--req-delay=-1: the least is 0"),
        ("--req-delay=nan", "--req-delay=nan: expected a number"),
        ("--req-delay=inf", "--req-delay=inf: expected a number"),
        ("--general-pause=1e99", "--general-pause=1e99: the most is 3.16224e+07"),
        ("--max-hosts=0", "--max-hosts=0: the least is 1"),
        ("--max-reqs=1.5", "--max-reqs=1.5: expected a whole number"),
        ("--depth=-1", "--depth=-1: the least is 0"),
        ("--port=70000", "--port=70000: the most is 65535"),
        ("--total-timeout=0", "--total-timeout=0: must be more than 0"),
        (
            "--include=*.cz",
            "--include=*.cz: bad regular expression: nothing to repeat at position 0;"
            " a regular expression, e.g. '\\.cz$'",
        ),
        (
            "--exclude=(",
            "--exclude=(: bad regular expression: missing ), unterminated subpattern at position 0;"
            " a regular expression, e.g. '\\.cz$'",
        ),
        ("--log-level=LOUD", "--log-level=LOUD: expected INFO or DEBUG"),
        ("--encoding=klingon", "--encoding=klingon: no such encoding"),
        ("--encoding=utf-16", "--encoding=utf-16: expected an encoding that extends ASCII"),
        (
            "--instance=../../etc/x",
            "--instance=../../etc/x: expected a name of letters, digits, dot, dash, underscore",
        ),
        ("--contact=call me", "--contact=call me: expected a URL or a mail address, in ASCII"),
        ("--contact=a@b.cz\r\nX: y", "--contact=a@b.cz??X: y: holds a control character"),
        ("--target=", "--target=: must not be empty"),
        ("--follow=perhaps", "--follow=perhaps: expected yes or no"),
        ("--segmenter=8418", "--segmenter=8418: expected built-in, none, HOST:PORT or a path with a slash"),
        (
            "--segmenter=a..b:80",
            "--segmenter=a..b:80: expected built-in, none, HOST:PORT or a path with a slash",
        ),
        ("--segmenter=-a:80", "--segmenter=-a:80: expected built-in, none, HOST:PORT or a path with a slash"),
        (
            f"--segmenter=/{'x' * 110}",
            f"--segmenter=/{'x' * 59}...: the path of a socket has at most 103 bytes",
        ),
        (
            "--segmenter=a:70000",
            "--segmenter=a:70000: expected built-in, none, HOST:PORT or a path with a slash",
        ),
        ("--language=czech", "--language=czech: expected codes of languages, such as cs or cs,sk"),
        ("--min-usability=2", "--min-usability=2: the most is 1"),
        ("--rejected-target=corpus/", "--rejected-target=corpus/: that is the --target"),
        (
            "--harv-host=a b",
            "--harv-host=a b: expected names or addresses of machines, a comma between two",
        ),
        (
            "--harv-host=a,,b",
            "--harv-host=a,,b: expected names or addresses of machines, a comma between two",
        ),
        ("--qk-host=a,b", "--qk-host=a,b: expected the name or the address of a machine"),
        (
            "--harv-host=localhost,far.cz",
            "--harv-host=localhost,far.cz: another machine needs --secret-file as well",
        ),
        ("--harv-host=far.cz", "--harv-host=far.cz: another machine needs --secret-file as well"),
        ("--qk-host=far.cz", "--qk-host=far.cz: another machine needs --secret-file as well"),
    ],
)
def test_a_mistake_on_the_command_line_is_named_in_one_line(argument, message):
    """Issue: one clear line that names the culprit."""
    with pytest.raises(UserMistake) as mistake:
        parse([argument])
    assert str(mistake.value) == message


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
        ("depth: \x07", "config.txt: unacceptable character #x0007: special characters are not allowed"),
        ("[" * 5000, "config.txt: nested too deeply"),
    ],
)
def test_a_mistake_in_config_txt_is_named_in_one_line(text, message):
    with pytest.raises(UserMistake) as mistake:
        parse([], text)
    assert str(mistake.value) == message


def test_the_level_of_the_log_may_be_written_small():
    assert parse(["--log-level=debug"]).log_level == parse([], "log-level: Debug").log_level == "DEBUG"


@pytest.mark.parametrize(
    "machines", ["far.cz", "a.cz,b.cz", "192.0.2.7,2001:db8::7", "fe80::1%eth0", "keeper"]
)
def test_harvesters_may_come_from_any_named_machines(machines):
    assert parse([f"--harv-host={machines}", "--secret-file=s"]).harv_host == machines


@pytest.mark.parametrize("machines", ["", "localhost", "127.0.0.1,::1"])
def test_no_secret_is_needed_on_one_machine(machines):
    assert parse([f"--harv-host={machines}"]).harv_host == machines


def test_a_number_with_a_minus_is_a_word_not_an_option():
    """The start script says better what is wrong with -1 harvesters."""
    assert load_with_words(["-1"], missing, most_words=1)[1] == ["-1"]


def test_a_port_in_use_is_said_in_the_same_words_by_everybody():
    taken = OSError(errno.EADDRINUSE, "error while attempting to bind")
    assert options.port_trouble(80, taken) == (
        "--port=80: Address already in use (another crawl? choose --port=N)"
    )
    assert options.port_trouble(80, OSError(13, "Permission denied")) == "--port=80: Permission denied"


def test_a_long_wrong_value_is_shown_shortened():
    with pytest.raises(UserMistake) as mistake:
        parse(["--depth=" + "9" * 10_000])
    assert len(str(mistake.value)) < 120


def test_another_config_file_can_be_named_and_then_must_exist():
    assert load(["--config=fast.txt"], {"fast.txt": "depth: 9"}.__getitem__).depth == 9
    with pytest.raises(UserMistake, match=r"--config=fast.txt: no such file"):
        load(["--config=fast.txt"], missing)


def test_without_config_txt_the_defaults_hold():
    assert load([], missing) == Options()


def test_an_empty_config_option_means_no_config_file():
    assert load(["--config="], lambda path: pytest.fail("read a file")) == Options(config="")


def test_a_config_file_that_is_not_text_is_named():
    with pytest.raises(UserMistake, match=r"config file config.txt: not UTF-8"):
        load([], lambda path: b"\xff".decode())


def test_words_beside_the_options_are_handed_over():
    assert load_with_words(["--follow", "12", "--depth=1"], missing, most_words=1) == (
        Options(follow=True, depth=1),
        ["12"],
    )


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


def test_help_and_version_are_recognised_anywhere():
    assert asks_for(["4", "--help"]) == asks_for(["-h"]) == "help"
    assert asks_for(["--version"]) == "version"
    assert asks_for(["--depth=4"]) == ""


def test_help_names_every_option_with_its_default():
    shown = options.help_text("usage: ...")
    for name, declared in options.FIELDS.items():
        assert re.search(rf"^  --{name}\b.*", shown, re.M), name
        assert str(declared.default) in shown or isinstance(declared.default, (bool, float))


def test_the_shipped_config_txt_is_complete_and_changes_nothing():
    """Issue: config.txt is commented and complete."""
    text = (ROOT / "config.txt").read_text("utf-8")
    assert set(yaml.load(text, Loader=yaml.BaseLoader)) == set(options.FIELDS) - UNLISTED
    assert parse([], text) == Options()


def test_the_manual_shows_the_options_as_they_are():
    """Style guide 7: the table in the manual is read off the class."""
    manual = ROOT / "README.md"
    if not manual.exists():
        pytest.skip("README.md is not written yet")
    table = manual.read_text("utf-8").split("<!-- options -->")[1].split("<!-- /options -->")[0]
    assert table.strip() == options.manual_table()


def test_the_version_is_that_of_the_package():
    assert f'version = "{options.VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_every_option_has_a_meaning_and_a_group():
    for declared in fields(Options):
        assert declared.metadata["help"] and declared.metadata["group"]
