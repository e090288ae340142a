"""Options are declared once, and whatever cannot be used is refused by name."""

import errno
from dataclasses import fields
from pathlib import Path

import pytest

from txtr.config import options
from txtr.config.layers import parse
from txtr.config.options import FIELDS, Options
from txtr.errors import UserMistake

ROOT = Path(__file__).parents[2]


def test_the_defaults_are_so_slow_that_nothing_can_be_harmed():
    """Spec 8: the defaults are safe."""
    rules = parse([])
    assert (rules.req_delay, rules.max_hosts, rules.max_reqs, rules.general_pause) == (30, 2, 20, 300)
    assert rules.check_certificates and not rules.allow_private


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
        ("--general-pause=1e99", "--general-pause=1e99: the most is 31622400"),
        ("--max-hosts=0", "--max-hosts=0: the least is 1"),
        ("--max-reqs=1.5", "--max-reqs=1.5: expected a whole number"),
        ("--depth=-1", "--depth=-1: the least is 0"),
        ("--port=70000", "--port=70000: the most is 65535"),
        ("--max-hosts=100000000", "--max-hosts=100000000: the most is 1000"),
        (f"--max-reqs={1 << 64}", "--max-reqs=18446744073709551616: the most is 1000000"),
        (f"--depth={'9' * 5000}", f"--depth={'9' * 60}...: the most is 1000000000"),
        (f"--depth=-{'9' * 5000}", f"--depth=-{'9' * 59}...: the least is 0"),
        ("--wait=1e309", "--wait=1e309: the most is 31622400"),
        ("--log-count=2000", "--log-count=2000: the most is 1000"),
        ("--total-timeout=0", "--total-timeout=0: the least is 0.001"),
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
            "--instance=../../etc/x: expected a name of letters, digits, dot, dash, underscore, at most 64, "
            "not beginning with a sign",
        ),
        (
            "--instance=queuekeeper",
            "--instance=queuekeeper: expected another name than the queuekeeper's own:"
            " its log is named after it",
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
    """One clear line that names the culprit."""
    with pytest.raises(UserMistake) as mistake:
        parse([argument])
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


def test_the_version_is_that_of_the_package():
    assert f'version = "{options.VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize("declared", [it for it in fields(Options) if it.type in (int, float)])
def test_every_number_has_a_least_and_a_most_and_both_may_be_given(declared):
    """Whatever may be given must work: a number without a most ended in a loop of that length."""
    name, least, most = declared.name, declared.metadata["least"], declared.metadata["most"]
    assert least <= declared.default <= most < 2**31
    for value in (least, most):
        assert getattr(parse([], f"{name.replace('_', '-')}: {value}"), name) == value
    with pytest.raises(UserMistake, match=rf"^config.txt line 1: {name.replace('_', '-')}: .*: the most is"):
        parse([], f"{name.replace('_', '-')}: {int(most) + 1}")


PATHS = [name for name, declared in FIELDS.items() if declared.metadata["value"] in ("PATH", "PATTERN")]


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize(
    "path, wrong",
    [
        ("x" * 256, "a name in a path has at most 255 bytes"),
        ("a/" + "ř" * 128 + "/b", "a name in a path has at most 255 bytes"),
        ("a/" * 2047 + "ab", "a path has at most 4095 bytes"),
        ("a\0b", "holds a control character"),
        ("a\x1b[2Jb", "holds a control character"),
    ],
)
def test_a_path_that_no_file_system_takes_is_refused_by_the_option(name, path, wrong):
    """It used to be named without the option, and only by those programs that met the file."""
    with pytest.raises(UserMistake) as mistake:
        parse([f"--{name}={path}"])
    assert str(mistake.value).startswith(f"--{name}=") and str(mistake.value).endswith(f": {wrong}")


def test_the_longest_paths_are_taken():
    assert parse([f"--target={'ř' * 127}x/{'y' * 255}"]).target.endswith("y")
    assert len(parse([f"--urls={'a/' * 2047}a"]).urls) == 4095


@pytest.mark.parametrize("name", ["include", "exclude", "bring-back"])
def test_an_expression_that_is_not_utf_8_is_refused(name):
    """Harvesters are told it, and the line carries text."""
    with pytest.raises(UserMistake, match=rf"^--{name}=\?: not UTF-8$"):
        parse([f"--{name}=\udcff"])


def test_every_option_has_a_meaning_and_a_group():
    for declared in fields(Options):
        assert declared.metadata["help"] and declared.metadata["group"]
