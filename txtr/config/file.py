"""The config file: a YAML mapping of options, each on its line.

Invariant: every value is the text that was written, for YAML's own guesses (07 is a number, no is a
truth value) would mean something else than the same words on the command line. A mistake is told with
the line where the user made it, which is often not the one where YAML notices.
"""

import re

from txtr.config.commandline import EXPLANATIONS, suggestion
from txtr.config.options import FIELDS
from txtr.config.values import shown
from txtr.errors import UserMistake

LIKE_THIS = "expected lines like req-delay: 30"
SETTING = re.compile(r"""["']?(\w[\w-]*)["']?\s*:(?:\s|$)""")  # how a line of the config file begins
BESIDE = ("#", " ", "\t", "---", "...")  # so do those that are none: comments, the rest of a value, marks


def settings(text: str, config_name: str) -> dict[str, tuple[str, int]]:
    """The YAML mapping of the config file: every value as the text that was written, and its line."""
    if not text.strip():
        return {}
    import yaml  # only now: it takes a tenth of a program's start, and many start without a config file

    try:
        mapping = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise UserMistake(f"{config_name}{_where(error, text)}") from error
    except RecursionError as error:
        raise UserMistake(f"{config_name}: nested too deeply") from error
    if mapping is None or mapping.value == "":
        return {}
    if not isinstance(mapping, yaml.MappingNode):
        raise UserMistake(f"{config_name}{_no_setting(text) or f': {LIKE_THIS}'}")
    found: dict[str, tuple[str, int]] = {}
    for key, value in mapping.value:
        name, line = key.value, key.start_mark.line + 1
        _check_name(name, f"{config_name} line {line}")
        if name in found:
            raise UserMistake(
                f"{config_name} line {line}: {name}: was given in line {found[name][1]} already"
            )
        if not isinstance(value, yaml.ScalarNode):
            raise UserMistake(f"{config_name} line {line}: {name}: expected one value; use 'single quotes'")
        found[name] = value.value, line
    return found


def _check_name(name: object, place: str) -> None:
    """Is it the name of an option that the config file may hold?"""
    if name == "config":
        raise UserMistake(f"{place}: config: only the command line names a config file")
    if name in EXPLANATIONS:
        raise UserMistake(f"{place}: {name}: only the command line asks for it")
    if not isinstance(name, str):
        raise UserMistake(f"{place}: {LIKE_THIS}")
    if name not in FIELDS:
        raise UserMistake(f"{place}: unknown option {shown(name)}{suggestion(name)}")


def _where(error: Exception, text: str) -> str:
    """The line and the reason of a YAML error, on one line."""
    unreadable = getattr(error, "position", None)
    if unreadable is not None:
        return _control_character(text, unreadable)
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return ": " + str(error).partition("\n")[0]
    likely = _unquoted(text, mark.line) or _no_setting(text, mark.line + 1)
    if likely:
        return likely
    return f" line {mark.line + 1}: {getattr(error, 'problem', None) or 'not understood'}"


def _control_character(text: str, position: int) -> str:
    """Where there is a character that YAML does not take, and in which setting, as far as can be told."""
    before = text[:position].split("\n")
    named = [match[1] for line in before if (match := SETTING.match(line)) and match[1] in FIELDS]
    setting = f"{named[-1]}: " if named else ""
    return f" line {len(before)}: {setting}holds the control character U+{ord(text[position]):04X}"


def _no_setting(text: str, last: int | None = None) -> str:
    """The first line that no colon makes a setting; YAML notices only a line or more below it."""
    for number, line in enumerate(text.splitlines()[:last], start=1):
        if line.strip() and not line.startswith(BESIDE) and not SETTING.match(line):
            return f" line {number}: {shown(line.strip())}: {LIKE_THIS}"
    return ""


def _unquoted(text: str, last: int) -> str:
    """The likeliest mistake: a value that begins with a sign which means something in YAML.

    It may be noticed lines later, where a bracket fails to close.
    """
    for number, line in reversed(list(enumerate(text.splitlines()[: last + 1], start=1))):
        name, _, value = line.partition(":")
        if name in FIELDS and value.strip()[:1] in set("*&!|>%@`[{"):
            return f" line {number}: {name}: {shown(value.strip())}: put the value in 'single quotes'"
    return ""
