"""Every option of the programs, declared once; defaults, config.txt, command line: the later wins.

Invariant: an Options value is usable. Whatever cannot be (an unknown name, a wrong value, a bad
regular expression) was refused by a UserMistake of one line that names the culprit.

Both outer layers are text and pass the same conversion, so that `req-delay: 1e2` in config.txt
and `--req-delay=1e2` mean the same; YAML's own guesses (07 is a number, no is a truth value)
would let them differ. Nothing is read here: the programs hand in the text of the file, or a
function that reads it. --help, config.txt and the manual's table are read off the one class.
"""

import difflib
import errno
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from txtr.encoding import extends_ascii
from txtr.errors import UserMistake

VERSION = "0.1.0"  # as in pyproject.toml (tested)
CONFIG = "config.txt"  # read when it exists and --config names no other
LONGEST = 366 * 86400.0  # seconds; a longer delay is a slip of the keyboard, and timers overflow
LONGEST_SOCKET_PATH = 103  # bytes: what every system allows; Linux has room for four more
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"  # of a machine's name
_CODE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*"  # of a language: cs, but also cs-CZ
BUILT_IN, NONE = NO_SOCKET = ("built-in", "none")  # values of --segmenter that name no place
SHOWN = 60  # characters of a wrong value that a message repeats
LIKE_THIS = "expected lines like req-delay: 30"
SETTING = re.compile(r"""["']?\w[\w-]*["']?\s*:(\s|$)""")  # how a line of the config file begins
BESIDE = ("#", " ", "\t", "---", "...")  # so do those that are none: comments, the rest of a value, marks
MACHINE = r"[A-Za-z0-9_:][A-Za-z0-9_:%-]{0,62}(?:\.[A-Za-z0-9_%-]{1,63})*\.?"  # a name or an IP address

FILES = "Files"
PROGRAMS = "The programs"
SPACE = "The space to be downloaded"
RULES = "The four rules, and what else keeps us unobtrusive"
FETCHING = "Fetching"
JUDGING = "Judging"
RECORDS = "Records"
STARTING = "Starting"

TRUTH = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}

Check = Callable[[Any], str]  # a value -> what is wrong with it, or nothing


def _fine(value: Any) -> str:
    return ""


def _between(least: float, most: float = math.inf) -> Check:
    def check(value: float) -> str:
        if value < least:
            return f"the least is {least:g}"
        return f"the most is {most:g}" if value > most else ""

    return check


def _above_zero(value: float) -> str:
    return "must be more than 0" if value <= 0 else _between(0, LONGEST)(value)


def _one_of(*choices: str) -> Check:
    return lambda value: "" if value in choices else "expected " + " or ".join(choices)


def _expression(value: str) -> str:
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        return f"bad regular expression: {error}; a regular expression, e.g. '\\.cz$'"
    return ""


def _looks_like(pattern: str, expected: str) -> Check:
    return lambda value: "" if re.fullmatch(pattern, value, re.ASCII) else f"expected {expected}"


def _named(value: str) -> str:
    return "" if value else "must not be empty"


def _who_judges(value: str) -> str:
    if value in NO_SOCKET:
        return ""
    if "/" in value:
        is_long = len(value.encode("utf-8", "surrogateescape")) > LONGEST_SOCKET_PATH
        return f"the path of a socket has at most {LONGEST_SOCKET_PATH} bytes" if is_long else ""
    named = re.fullmatch(rf"(?:{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9a-fA-F:.]+\]):(\d{{1,5}})", value, re.ASCII)
    is_place = named is not None and 0 < int(named[1]) < 65536
    return "" if is_place else "expected built-in, none, HOST:PORT or a path with a slash"


def _encoding(value: str) -> str:
    try:
        return "" if extends_ascii(value) else "expected an encoding that extends ASCII"
    except (LookupError, ValueError):
        return "no such encoding"


def option(
    default: Any,
    help: str,
    *,
    group: str,
    who: str = "both",
    value: str = "",
    check: Check = _fine,
    spelling: Callable[[str], str] = str,
) -> Any:
    """A field of Options.

    Who: the program it matters to; value: the word that --help puts for it; spelling: what makes
    the user's way of writing a value ours.
    """
    return field(
        default=default,
        metadata={
            "help": help,
            "group": group,
            "who": who,
            "value": value,
            "check": check,
            "spelling": spelling,
        },
    )


_SECONDS = _between(0, LONGEST)
_COUNT = _between(1)
_COUNT_OR_NONE = _between(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user wants. Every name is that of the option, with _ for -."""

    target: str = option("corpus", "where the cleaned documents go", group=FILES, value="PATH", check=_named)
    non_html_target: str = option(
        "aside", "where the other documents go", group=FILES, value="PATH", check=_named
    )
    disallowed_target: str = option(
        "disallowed.txt",
        "file listing the URLs that the robot may not visit",
        group=FILES,
        value="PATH",
        check=_named,
    )
    abandoned_target: str = option(
        "abandoned.txt",
        "file listing the domains that were abandoned because they yielded too little text",
        group=FILES,
        value="PATH",
        check=_named,
    )
    urls: str = option(
        "urls.txt",
        "file with the start addresses (whole URLs, separated by white space)",
        group=FILES,
        value="PATH",
        check=_named,
    )
    state: str = option(
        "state", "directory in which the queue survives a crash", group=FILES, value="PATH", check=_named
    )
    config: str = option(
        CONFIG, "file with options, below the command line; empty = none", group=FILES, value="PATH"
    )

    instance: str = option(
        "",
        "the harvester's name (set by the start script)",
        group=PROGRAMS,
        who="harvester",
        value="NAME",
        check=_looks_like(
            r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})?", "a name of letters, digits, dot, dash, underscore"
        ),
    )
    batch_count: int = option(
        0,
        "a harvester ends after N batches; 0 = never",
        group=PROGRAMS,
        who="harvester",
        check=_COUNT_OR_NONE,
    )
    harv_host: str = option(
        "",
        "the machine that harvesters connect from, or several with commas (empty = localhost)",
        group=PROGRAMS,
        value="NAME",
        check=_looks_like(
            rf"({MACHINE}(,{MACHINE})*)?", "names or addresses of machines, a comma between two"
        ),
    )
    qk_host: str = option(
        "",
        "the machine that the queuekeeper runs on (empty = localhost)",
        group=PROGRAMS,
        value="NAME",
        check=_looks_like(rf"({MACHINE})?", "the name or the address of a machine"),
    )
    port: int = option(8417, "the queuekeeper's port", group=PROGRAMS, check=_between(1, 65535))
    secret_file: str = option(
        "", "file with the secret that programs on two machines share", group=PROGRAMS, value="PATH"
    )

    exclude: str = option(
        "^$", "forbidden servers (^$ forbids none)", group=SPACE, value="RE", check=_expression
    )
    include: str = option(".*", "allowed servers (.* allows all)", group=SPACE, value="RE", check=_expression)
    depth: int = option(0, "most clicks from a start page; 0 = unlimited", group=SPACE, check=_COUNT_OR_NONE)

    req_delay: float = option(
        30.0, "seconds between two consecutive requests to one domain", group=RULES, check=_SECONDS
    )
    max_hosts: int = option(2, "most domains contacted at once on one IP address", group=RULES, check=_COUNT)
    max_reqs: int = option(
        20, "most requests to one domain between two general pauses", group=RULES, check=_COUNT
    )
    general_pause: float = option(
        300.0, "seconds that an IP address rests after a series of requests", group=RULES, check=_SECONDS
    )
    rest_rooms: int = option(
        3,
        "rooms of the rest area: a pause takes at most 1/(N-1) longer than asked",
        group=RULES,
        who="queuekeeper",
        check=_between(2, 1000),
    )
    wait: float = option(0.0, "seconds of safety wait after every request", group=RULES, check=_SECONDS)
    agent: str = option(
        "texttractor",
        "the robot's name, in robots.txt and in every request",
        group=RULES,
        value="NAME",
        check=_looks_like(
            r"[A-Za-z][A-Za-z0-9._-]{0,63}", "a name of letters, digits, dot, dash, underscore"
        ),
    )
    contact: str = option(
        "",
        "URL or mail address in every request, for complaints (empty = user@host, with a warning)",
        group=RULES,
        value="URL",
        check=_looks_like(
            r"(https?://[!-'*-;=?-~]+|[!-'*-;=?A-~]+@[!-'*-;=?A-~]+)?", "a URL or a mail address, in ASCII"
        ),
    )

    allow_private: bool = option(
        False, "also contact addresses that are not public (loopback, private)", group=FETCHING
    )
    check_certificates: bool = option(True, "refuse servers whose certificate is not valid", group=FETCHING)
    hosts: str = option("", "a hosts file consulted before DNS", group=FETCHING, value="PATH")
    max_size: float = option(
        10.0,
        "most MiB of one document; longer ones are refused",
        group=FETCHING,
        value="MIB",
        check=_above_zero,
    )
    connect_timeout: float = option(15.0, "most seconds to connect", group=FETCHING, check=_above_zero)
    read_timeout: float = option(
        30.0, "most seconds between two pieces of an answer", group=FETCHING, check=_above_zero
    )
    total_timeout: float = option(120.0, "most seconds of one request", group=FETCHING, check=_above_zero)
    connections: int = option(
        500,
        "most connections of one harvester; it opens as many as the machine and the network give",
        group=FETCHING,
        who="harvester",
        check=_COUNT,
    )
    text: str = option(
        "main",
        "what is kept of a page: its main content, or all that a reader could see",
        group=FETCHING,
        who="harvester",
        value="main|all",
        check=_one_of("main", "all"),
    )
    encoding: str = option(
        "utf-8", "encoding of the cleaned documents", group=FETCHING, value="NAME", check=_encoding
    )

    segmenter: str = option(
        BUILT_IN,
        "who judges the texts: built-in, none, or a program at HOST:PORT or at a socket PATH",
        group=JUDGING,
        value="WHO",
        check=_who_judges,
    )
    language: str = option(
        "",
        "wanted languages, as codes with commas between them (cs,sk); empty = any;"
        " a segmenter at a socket is told them, and decides",
        group=JUDGING,
        value="CODES",
        check=_looks_like(rf"({_CODE}(,{_CODE})*)?", "codes of languages, such as cs or cs,sk"),
    )
    min_usability: float = option(
        0.0,
        "least usability of a text that enters the corpus; one of 0 never does",
        group=JUDGING,
        value="U",
        check=_between(0, 1),
    )
    rejected_target: str = option(
        "", "where the texts go that are not usable enough; empty = nowhere", group=JUDGING, value="PATH"
    )
    paragraphs: bool = option(False, "keep only the good paragraphs of mixed pages", group=JUDGING)
    bring_back: str = option(
        "^$",
        "abandoned domains that get a new trial at the start (^$ brings none back)",
        group=JUDGING,
        who="queuekeeper",
        value="RE",
        check=_expression,
    )

    log_path: str = option(
        "log/{instance}.log",
        "pattern of the log files' paths ({instance} = the process's name)",
        group=RECORDS,
        value="PATTERN",
        check=_named,
    )
    log_level: str = option(
        "INFO",
        "INFO is a readable story, DEBUG tells everything",
        group=RECORDS,
        value="LEVEL",
        check=_one_of("INFO", "DEBUG"),
        spelling=str.upper,
    )
    log_size: float = option(
        100.0, "MiB of a log file before it rotates", group=RECORDS, value="MIB", check=_above_zero
    )
    log_count: int = option(5, "old log files kept per process", group=RECORDS, check=_COUNT_OR_NONE)

    follow: bool = option(
        False, "stay attached and show live progress until the crawl ends", group=STARTING, who="launcher"
    )
    demo: bool = option(
        False, "crawl the bundled miniature web, in ./demo-run/", group=STARTING, who="launcher"
    )


FIELDS = {declared.name.replace("_", "-"): declared for declared in fields(Options)}
EXPLANATIONS = ("help", "version")  # options that are answered, not obeyed


# The layers


def load(argv: Sequence[str], read: Callable[[str], str]) -> Options:
    """The options of a program: read gives the text of the config file, or raises OSError."""
    return load_with_words(argv, read, most_words=0)[0]


def load_with_words(
    argv: Sequence[str], read: Callable[[str], str], most_words: int
) -> tuple[Options, list[str]]:
    """The same for a command line that also holds words which are no options."""
    given, words = _split(argv)
    if len(words) > most_words:
        raise UserMistake(f"{_shown(words[most_words])} is no option; see --help")
    named = given.get("config")
    config_text = _config_text(named, read)
    return _combine(given, config_text, named or CONFIG), words


def parse(argv: Sequence[str], config_text: str = "", config_name: str = CONFIG) -> Options:
    """Defaults, then config_text, then argv; a UserMistake names what cannot be used."""
    given, words = _split(argv)
    if words:
        raise UserMistake(f"{_shown(words[0])} is no option; see --help")
    return _combine(given, config_text, config_name)


def asks_for(argv: Sequence[str]) -> str:
    """'help' or 'version' when that is all the user wants, else nothing."""
    return next((wish for wish in EXPLANATIONS if f"--{wish}" in argv), "help" if "-h" in argv else "")


def named(argv: Sequence[str]) -> list[str]:
    """The options that the command line itself names, without their dashes."""
    return list(_split(argv)[0])


def as_argument(options: Options, name: str) -> str:
    """One of them, as a command line gives it."""
    return f"--{name}={_written(getattr(options, FIELDS[name].name))}"


def as_arguments(options: Options) -> list[str]:
    """The command line that gives another program these options, whatever its config.txt says."""
    differing = [
        name
        for name, declared in FIELDS.items()
        if getattr(options, declared.name) != declared.default
        and declared.metadata["who"] != "launcher"
        and name != "config"
    ]
    return ["--config=", *(as_argument(options, name) for name in differing)]


def _config_text(named: str | None, read: Callable[[str], str]) -> str:
    """An empty name means no file; only the unnamed default may be missing."""
    if named == "":
        return ""
    try:
        return read(named or CONFIG)
    except FileNotFoundError as error:
        if named is None:
            return ""
        raise UserMistake(f"--config={_shown(named)}: no such file") from error
    except OSError as error:
        raise UserMistake(f"config file {_shown(named or CONFIG)}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserMistake(f"config file {_shown(named or CONFIG)}: not UTF-8") from error


def _combine(given: dict[str, str], config_text: str, config_name: str) -> Options:
    values = {}
    for name, (text, line) in _settings(config_text, config_name).items():
        values[FIELDS[name].name] = _value(name, text, f"{config_name} line {line}: {name}: ")
    for name, text in given.items():
        values[FIELDS[name].name] = _value(name, text, f"--{name}=")
    return _agreeing(Options(**values))


def _split(argv: Sequence[str]) -> tuple[dict[str, str], list[str]]:
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
        if not word.startswith("--") or name not in FIELDS:
            raise UserMistake(f"unknown option {_shown(word.partition('=')[0])}{_suggestion(name, '--')}")
        if not equals:
            text = "yes" if FIELDS[name].type is bool else _following(name, rest)
        given[name] = text
    return given, words


def _following(name: str, rest: list[str]) -> str:
    if not rest or rest[0].startswith("--"):
        raise UserMistake(f"--{name} needs a value: --{name}={_placeholder(name)}")
    return rest.pop(0)


def _settings(text: str, config_name: str) -> dict[str, tuple[str, int]]:
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
    settings: dict[str, tuple[str, int]] = {}
    for key, value in mapping.value:
        name, line = key.value, key.start_mark.line + 1
        _check_name(name, f"{config_name} line {line}")
        if name in settings:
            raise UserMistake(
                f"{config_name} line {line}: {name}: was given in line {settings[name][1]} already"
            )
        if not isinstance(value, yaml.ScalarNode):
            raise UserMistake(f"{config_name} line {line}: {name}: expected one value; use 'single quotes'")
        settings[name] = value.value, line
    return settings


def _check_name(name: object, place: str) -> None:
    """Is it the name of an option that the config file may hold?"""
    if name == "config":
        raise UserMistake(f"{place}: config: only the command line names a config file")
    if name in EXPLANATIONS:
        raise UserMistake(f"{place}: {name}: only the command line asks for it")
    if not isinstance(name, str):
        raise UserMistake(f"{place}: {LIKE_THIS}")
    if name not in FIELDS:
        raise UserMistake(f"{place}: unknown option {_shown(name)}{_suggestion(name)}")


def _where(error: Exception, text: str) -> str:
    """The line and the reason of a YAML error, on one line."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return ": " + str(error).partition("\n")[0]
    likely = _unquoted(text, mark.line) or _no_setting(text, mark.line + 1)
    if likely:
        return likely
    return f" line {mark.line + 1}: {getattr(error, 'problem', None) or 'not understood'}"


def _no_setting(text: str, last: int | None = None) -> str:
    """The first line that no colon makes a setting; YAML notices only a line or more below it."""
    for number, line in enumerate(text.splitlines()[:last], start=1):
        if line.strip() and not line.startswith(BESIDE) and not SETTING.match(line):
            return f" line {number}: {_shown(line.strip())}: {LIKE_THIS}"
    return ""


def _unquoted(text: str, last: int) -> str:
    """The likeliest mistake: a value that begins with a sign which means something in YAML.

    It may be noticed lines later, where a bracket fails to close.
    """
    for number, line in reversed(list(enumerate(text.splitlines()[: last + 1], start=1))):
        name, _, value = line.partition(":")
        if name in FIELDS and value.strip()[:1] in set("*&!|>%@`[{"):
            return f" line {number}: {name}: {_shown(value.strip())}: put the value in 'single quotes'"
    return ""


# One value


def _value(name: str, text: str, culprit: str) -> Any:
    declared = FIELDS[name]
    try:
        value = _CONVERSIONS[declared.type](declared.metadata["spelling"](text))  # type: ignore[index]
        wrong = declared.metadata["check"](value)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        raise UserMistake(f"{culprit}{_shown(text)}: {wrong}")
    return value


def _text(text: str) -> str:
    if not all(sign.isprintable() or "\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("holds a control character")  # surrogates: file names that are not UTF-8
    return text


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("expected a whole number") from None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("expected a number")
    return number


def _truth(text: str) -> bool:
    if text.lower() not in TRUTH:
        raise ValueError("expected yes or no")
    return TRUTH[text.lower()]


_CONVERSIONS: dict[type, Callable[[str], Any]] = {str: _text, int: _whole, float: _number, bool: _truth}


def _written(value: object) -> str:
    """The text that _CONVERSIONS turns into this value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _agreeing(options: Options) -> Options:
    """Options that are right one by one may contradict each other."""
    for name, machine in (("harv-host", options.harv_host), ("qk-host", options.qk_host)):
        if not is_local(machine) and not options.secret_file:
            raise UserMistake(f"--{name}={_shown(machine)}: another machine needs --secret-file as well")
    if options.rejected_target and options.rejected_target.rstrip("/") == options.target.rstrip("/"):
        raise UserMistake(f"--rejected-target={_shown(options.rejected_target)}: that is the --target")
    return options


def is_local(machines: str) -> bool:
    """Is this, of --harv-host or --qk-host, nothing but the machine we run on?"""
    return all(
        name in ("", "localhost", "::1") or re.fullmatch(r"127(\.\d+){3}", name)
        for name in machines.split(",")
    )


def port_trouble(port: int, error: OSError) -> str:
    """Why the queuekeeper cannot listen there: the same words, whoever finds it out."""
    taken = error.errno == errno.EADDRINUSE
    reason = "Address already in use (another crawl? choose --port=N)" if taken else error.strerror or error
    return f"--port={port}: {reason}"


def _shown(text: object) -> str:
    """A foreign text, short and on one line."""
    line = "".join(sign if sign.isprintable() else "?" for sign in str(text))
    return line if len(line) <= SHOWN else line[:SHOWN] + "..."


def _suggestion(name: object, dashes: str = "") -> str:
    guess = str(name).lower().replace("_", "-")
    close = difflib.get_close_matches(guess, [*FIELDS, *EXPLANATIONS], n=1)
    return f"; did you mean {dashes}{close[0]}?" if close else "; see --help"


# What the user reads


def help_text(usage: str) -> str:
    """The text of --help: how the program is called, then the options in their groups."""
    lines = [usage, "", f"  {'--help, -h, --version':<27} say this, or the version, and end", ""]
    for group, names in _groups().items():
        lines += [f"{group}:", *(_help_line(name) for name in names), ""]
    lines += ["Defaults are in brackets. config.txt holds the same options; the command line wins."]
    return "\n".join(lines)


def manual_table() -> str:
    """The table of the manual, in Markdown."""
    lines = ["| option | default | meaning |", "|---|---|---|"]
    lines.append("| `--help` (`-h`), `--version` | | say what can be said, and end |")
    for group, names in _groups().items():
        lines.append(f"| **{group}** | | |")
        for name in names:
            lines.append(f"| `{_usage(name)}` | {_default(name)} | {FIELDS[name].metadata['help']} |")
    return "\n".join(lines)


def _groups() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, declared in FIELDS.items():
        groups.setdefault(declared.metadata["group"], []).append(name)
    return groups


def _help_line(name: str) -> str:
    default = _written(FIELDS[name].default)
    known = f" [{default}]" if default else ""
    return f"  {_usage(name):<27} {FIELDS[name].metadata['help']}{known}"


def _usage(name: str) -> str:
    if FIELDS[name].type is bool:
        return f"--{name}[=no]" if FIELDS[name].default else f"--{name}"
    return f"--{name}={_placeholder(name)}"


def _placeholder(name: str) -> str:
    return FIELDS[name].metadata["value"] or {int: "N", float: "S"}[FIELDS[name].type]  # type: ignore[index]


def _default(name: str) -> str:
    default = _written(FIELDS[name].default)
    return f"`{default}`" if default else ""
