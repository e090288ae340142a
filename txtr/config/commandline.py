"""The command line: options as `--name=value`, and words between them; also as one program calls another.

Invariant: every option is one that we know. An unknown name is a typo, and is refused with the likeliest one.
"""

import difflib
from collections.abc import Sequence

from txtr.config.manual import placeholder
from txtr.config.options import FIELDS, Options
from txtr.config.values import shown, written
from txtr.errors import UserMistake

NO_CONFIG = "--config="
QUOTE = "'"
LONGEST_ARGUMENT = 8192  # letters: also short enough that ps and logs of the system stay legible
EXPLANATIONS = ("help", "version")  # options that are answered, not obeyed


def asks_for(argv: Sequence[str]) -> str:
    """'help' or 'version' when that is all the user wants, else nothing."""
    return next((wish for wish in EXPLANATIONS if f"--{wish}" in argv), "help" if "-h" in argv else "")


def named(argv: Sequence[str]) -> list[str]:
    """The options that the command line itself names, without their dashes."""
    return list(split(argv)[0])


def as_argument(options: Options, name: str) -> str:
    """One of them, as a command line gives it."""
    return f"--{name}={written(getattr(options, FIELDS[name].name))}"


def as_arguments(options: Options) -> list[str]:
    """The command line that gives another program these options, whatever its config.txt says."""
    differing = [
        name
        for name, declared in FIELDS.items()
        if getattr(options, declared.name) != declared.default
        and declared.metadata["who"] != "launcher"
        and name != "config"
    ]
    return [NO_CONFIG, *(as_argument(options, name) for name in differing)]


def by_file(arguments: Sequence[str], path: str) -> tuple[list[str], str]:
    """What as_arguments gives, as a command line bears it, and the text of a config file at this path.

    The file holds what is long: one argument has at most 128 KiB on Linux. Without a text it is not needed.
    """
    long = [argument for argument in arguments if len(argument) > LONGEST_ARGUMENT]
    if not long:
        return list(arguments), ""
    short = [argument for argument in arguments if argument not in long and argument != NO_CONFIG]
    settings = [argument.removeprefix("--").partition("=") for argument in long]
    lines = [f"{name}: '{text.replace(QUOTE, QUOTE * 2)}'\n" for name, _, text in settings]
    return [f"--config={path}", *short], "".join(lines)


def split(argv: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The options as text, the last of each name, and the words between them."""
    given: dict[str, str] = {}
    words: list[str] = []
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word[1:].isdecimal():  # -1: no option, and no number of harvesters
            words.append(word)
            continue
        name, equals, text = word.removeprefix("--").partition("=")
        if word.startswith("--") and name in EXPLANATIONS:
            raise UserMistake(f"--{name} takes no value, found {shown(text)}")
        if not word.startswith("--") or name not in FIELDS:
            raise UserMistake(f"unknown option {shown(word.partition('=')[0])}{suggestion(name, '--')}")
        if not equals:
            text = "yes" if FIELDS[name].type is bool else _following(name, rest)
        given[name] = text
    return given, words


def suggestion(name: object, dashes: str = "") -> str:
    """For an unknown name: which one may have been meant."""
    guess = str(name).lower().replace("_", "-")
    close = difflib.get_close_matches(guess, [*FIELDS, *EXPLANATIONS], n=1)
    return f"; did you mean {dashes}{close[0]}?" if close else "; see --help"


def _following(name: str, rest: list[str]) -> str:
    if not rest or rest[0].startswith("--"):
        raise UserMistake(f"--{name} needs a value: --{name}={placeholder(name)}")
    return rest.pop(0)
