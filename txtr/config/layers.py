"""The three layers: defaults, config.txt, command line; the later wins.

Invariant: an Options value is usable. Whatever cannot be (an unknown name, a wrong value, a bad
regular expression) was refused by a UserMistake of one line that names the culprit.

Both outer layers are text and pass the same conversion, so that `req-delay: 1e2` in config.txt
and `--req-delay=1e2` mean the same. Nothing is read here: the programs hand in the text of the
file, or a function that reads files.
"""

from collections.abc import Callable, Sequence
from typing import Any

from txtr.config import expressions
from txtr.config.commandline import split
from txtr.config.file import settings
from txtr.config.options import CONFIG, FIELDS, Options, is_local, is_wanted, wrong_path
from txtr.config.values import is_expression, shown, value_of
from txtr.errors import UserMistake


def load(argv: Sequence[str], read: Callable[[str], str]) -> Options:
    """The options of a program: read gives the text of a file, or raises OSError."""
    return load_with_words(argv, read, most_words=0)[0]


def load_with_words(
    argv: Sequence[str], read: Callable[[str], str], most_words: int
) -> tuple[Options, list[str]]:
    """The same for a command line that also holds words which are no options."""
    given, words = split(argv)
    if len(words) > most_words:
        raise UserMistake(f"{shown(words[most_words])} is no option; see --help")
    named = given.get("config")
    config_text = _config_text(named, read)
    return _combine(given, config_text, named or CONFIG, read), words


def parse(argv: Sequence[str], config_text: str = "", config_name: str = CONFIG) -> Options:
    """Defaults, then config_text, then argv; a UserMistake names what cannot be used. No file is read."""
    given, words = split(argv)
    if words:
        raise UserMistake(f"{shown(words[0])} is no option; see --help")
    return _combine(given, config_text, config_name)


def _config_text(named: str | None, read: Callable[[str], str]) -> str:
    """An empty name means no file; only the unnamed default may be missing."""
    if named == "":
        return ""
    culprit = CONFIG if named is None else f"--config={shown(named)}"
    if named is not None:
        value_of("config", named, "--config=")
    try:
        return read(named or CONFIG)
    except FileNotFoundError as error:
        if named is None:
            return ""
        raise UserMistake(f"{culprit}: no such file") from error
    except OSError as error:
        raise UserMistake(f"{culprit}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UserMistake(f"{culprit} line {line}: not UTF-8") from error


def _combine(
    given: dict[str, str], config_text: str, config_name: str, read: Callable[[str], str] | None = None
) -> Options:
    values = {}
    for name, (text, line) in settings(config_text, config_name).items():
        values[FIELDS[name].name] = _value(name, text, f"{config_name} line {line}: {name}: ", read)
    for name, text in given.items():
        values[FIELDS[name].name] = _value(name, text, f"--{name}=", read)
    return _agreeing(Options(**values))


def _value(name: str, text: str, culprit: str, read: Callable[[str], str] | None) -> Any:
    """What the user means, who may have given @FILE for a regular expression."""
    if read is None or not is_expression(name) or not text.startswith(expressions.SIGN):
        return value_of(name, text, culprit)
    culprit += shown(text)
    content = _list(text.removeprefix(expressions.SIGN), culprit, read)
    return value_of(name, expressions.joined(content, culprit), f"{culprit}: ")


def _list(path: str, culprit: str, read: Callable[[str], str]) -> str:
    if wrong := wrong_path(path):
        raise UserMistake(f"{culprit}: {wrong}")
    try:
        return read(path)
    except OSError as error:
        raise UserMistake(f"{culprit}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UserMistake(f"{culprit}: line {line}: not UTF-8") from error


def _agreeing(options: Options) -> Options:
    """Options that are right one by one may contradict each other."""
    for name, machine in (("harv-host", options.harv_host), ("qk-host", options.qk_host)):
        if not is_local(machine) and not options.secret_file:
            raise UserMistake(f"--{name}={shown(machine)}: another machine needs --secret-file as well")
    if is_wanted(options.rejected_target) and options.rejected_target.rstrip("/") == options.target.rstrip(
        "/"
    ):
        raise UserMistake(f"--rejected-target={shown(options.rejected_target)}: that is the --target")
    return options
