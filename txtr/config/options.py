"""Every option of the programs, declared once: name, type, default, meaning, and what a value must be like.

Invariant: whoever needs to know the options reads them off this one class, which tests compare with
config.txt and the manual. How the user's words become a value of it is for the other modules here.
"""

import errno
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from txtr.charset import extends_ascii

VERSION = "0.1.0"  # as in pyproject.toml (tested)
CONFIG = "config.txt"  # read when it exists and --config names no other
LONGEST_DELAY = 366 * 86400.0  # seconds; a longer delay is a slip of the keyboard, and timers overflow
SHORTEST = 0.001  # seconds of a time limit: nobody answers sooner
MANY = 1_000_000_000  # of what is only counted and compared
LONGEST_NAME, LONGEST_PATH = (
    255,
    4095,
)  # bytes of a file's name and of a whole path: as of nearly every system
LONGEST_EXPRESSION = (
    2_000_000  # letters: two of them travel in one frame, four bytes a letter; two seconds to read
)
LONGEST_SOCKET_PATH = 103  # bytes: what every system allows; Linux has room for four more
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"  # of a machine's name
_CODE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*"  # of a language: cs, but also cs-CZ
BUILT_IN, NONE = NO_SOCKET = ("built-in", "none")  # values of --segmenter that name no place
QUEUEKEEPER = "queuekeeper"  # its name in logs
NULL_DEVICE = "/dev/null"  # what swallows everything, on every machine we run on
MACHINE = r"[A-Za-z0-9_:][A-Za-z0-9_:%-]{0,62}(?:\.[A-Za-z0-9_%-]{1,63})*\.?"  # a name or an IP address

FILES = "Files"
PROGRAMS = "The programs"
SPACE = "The space to be downloaded"
RULES = "The four rules, and what else keeps us unobtrusive"
FETCHING = "Fetching"
JUDGING = "Judging"
RECORDS = "Records"
STARTING = "Starting"

Check = Callable[[Any], str]  # a value -> what is wrong with it, or nothing


def _fine(value: Any) -> str:
    return ""


def _one_of(*choices: str) -> Check:
    return lambda value: "" if value in choices else "expected " + " or ".join(choices)


def _expression(value: str) -> str:
    if len(value) > LONGEST_EXPRESSION:
        return f"a regular expression has at most {LONGEST_EXPRESSION} letters"
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        return "not UTF-8"
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        return f"bad regular expression: {error}; a regular expression, e.g. '\\.cz$'"
    return ""


def _looks_like(pattern: str, expected: str) -> Check:
    return lambda value: "" if re.fullmatch(pattern, value, re.ASCII) else f"expected {expected}"


def _named(value: str) -> str:
    return "" if value else "must not be empty"


def _kept_at(value: str) -> str:
    """The device that swallows everything is no file of ours; a file called none is ./none."""
    return NONE if value == NULL_DEVICE else value


def wrong_path(value: str) -> str:
    """Why no file system takes this path, whatever is there; empty when one may."""
    encoded = value.encode("utf-8", "surrogateescape")
    if len(encoded) > LONGEST_PATH:
        return f"a path has at most {LONGEST_PATH} bytes"
    longest = max(map(len, encoded.split(b"/")))
    return f"a name in a path has at most {LONGEST_NAME} bytes" if longest > LONGEST_NAME else ""


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
    least: float | None = None,
    most: float | None = None,
    check: Check = _fine,
    spelling: Callable[[str], str] = str,
) -> Any:
    """A field of Options.

    Who: the program it matters to; value: the word that --help puts for it; least and most: what a number
    may be, and every number has both; spelling: what makes the user's way of writing a value ours.
    """
    return field(
        default=default,
        metadata={
            "help": help,
            "group": group,
            "who": who,
            "value": value,
            "least": least,
            "most": most,
            "check": check,
            "spelling": spelling,
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user wants. Every name is that of the option, with _ for -."""

    target: str = option(
        "corpus",
        "where the cleaned documents go; none = nowhere",
        group=FILES,
        value="PATH",
        check=_named,
        spelling=_kept_at,
    )
    non_html_target: str = option(
        "aside",
        "where the other documents go; none = nowhere",
        group=FILES,
        value="PATH",
        check=_named,
        spelling=_kept_at,
    )
    disallowed_target: str = option(
        "disallowed.txt",
        "file listing the URLs that the robot may not visit; none = no list",
        group=FILES,
        value="PATH",
        check=_named,
        spelling=_kept_at,
    )
    abandoned_target: str = option(
        "abandoned.txt",
        "file listing the domains that were abandoned because they yielded too little text; none = no list",
        group=FILES,
        value="PATH",
        check=_named,
        spelling=_kept_at,
    )
    urls: str = option(
        "urls.txt",
        "file with the start URLs, whole, separated by white space",
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
        check=lambda value: value and name_trouble(value),
    )
    batch_count: int = option(
        0,
        "a harvester ends after N batches; 0 = never",
        group=PROGRAMS,
        who="harvester",
        least=0,
        most=MANY,
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
    port: int = option(8417, "the queuekeeper's port", group=PROGRAMS, least=1, most=65535)
    secret_file: str = option(
        "",
        "file with the secret that programs on two machines share (empty = one is made in --state)",
        group=PROGRAMS,
        value="PATH",
    )

    exclude: str = option(
        "^$",
        "forbidden servers (^$ forbids none); @FILE = a list, one expression a line",
        group=SPACE,
        value="RE",
        check=_expression,
    )
    include: str = option(
        ".*", "allowed servers (.* allows all); @FILE likewise", group=SPACE, value="RE", check=_expression
    )
    depth: int = option(0, "most clicks from a start page; 0 = unlimited", group=SPACE, least=0, most=MANY)

    req_delay: float = option(
        30.0,
        "seconds between two consecutive requests to one domain",
        group=RULES,
        least=0,
        most=LONGEST_DELAY,
    )
    max_hosts: int = option(
        2, "most domains contacted at once on one IP address", group=RULES, least=1, most=1000
    )
    max_reqs: int = option(
        20, "most requests to one domain between two general pauses", group=RULES, least=1, most=1_000_000
    )
    general_pause: float = option(
        300.0,
        "seconds that an IP address rests after a series of requests",
        group=RULES,
        least=0,
        most=LONGEST_DELAY,
    )
    rest_rooms: int = option(
        3,
        "rooms of the rest area: a pause takes at most 1/(N-1) longer than asked",
        group=RULES,
        who="queuekeeper",
        least=2,
        most=1000,
    )
    wait: float = option(
        0.0, "seconds of safety wait after every request", group=RULES, least=0, most=LONGEST_DELAY
    )
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
        False, "also contact IP addresses that are not public (loopback, private)", group=FETCHING
    )
    check_certificates: bool = option(True, "refuse servers whose certificate is not valid", group=FETCHING)
    hosts: str = option("", "a hosts file consulted before DNS", group=FETCHING, value="PATH")
    max_size: float = option(
        10.0,
        "most MiB of one document; longer ones are refused",
        group=FETCHING,
        value="MIB",
        least=0.0001,
        most=4096,
    )
    connect_timeout: float = option(
        15.0, "most seconds to connect", group=FETCHING, least=SHORTEST, most=LONGEST_DELAY
    )
    read_timeout: float = option(
        30.0,
        "most seconds between two pieces of an answer",
        group=FETCHING,
        least=SHORTEST,
        most=LONGEST_DELAY,
    )
    total_timeout: float = option(
        120.0, "most seconds of one request", group=FETCHING, least=SHORTEST, most=LONGEST_DELAY
    )
    connections: int = option(
        500,
        "most connections of one harvester; it opens as many as the machine and the network give",
        group=FETCHING,
        who="harvester",
        least=1,
        most=1_000_000,
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
        least=0,
        most=1,
    )
    rejected_target: str = option(
        "",
        "where the texts go that are not usable enough; empty or none = nowhere",
        group=JUDGING,
        value="PATH",
        spelling=_kept_at,
    )
    paragraphs: bool = option(False, "keep only the good paragraphs of mixed pages", group=JUDGING)
    bring_back: str = option(
        "^$",
        "abandoned domains that get a new trial at the start (^$ brings none back); @FILE likewise",
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
        100.0, "MiB of a log file before it rotates", group=RECORDS, value="MIB", least=0.0001, most=1_000_000
    )
    log_count: int = option(5, "old log files kept per process", group=RECORDS, least=0, most=1000)

    follow: bool = option(
        False, "stay attached and show live progress until the crawl ends", group=STARTING, who="launcher"
    )
    demo: bool = option(
        False, "crawl the bundled miniature web, in ./demo-run/", group=STARTING, who="launcher"
    )


FIELDS = {declared.name.replace("_", "-"): declared for declared in fields(Options)}


def name_trouble(name: str) -> str:
    """Why a harvester cannot be called that; empty when it can. Files and log lines are named after it."""
    if name.lower() == QUEUEKEEPER:
        return "expected another name than the queuekeeper's own: its log is named after it"
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name):
        return ""
    return "expected a name of letters, digits, dot, dash, underscore, at most 64, not beginning with a sign"


def is_wanted(target: str) -> bool:
    """Is what goes to this target to be kept at all?"""
    return target not in ("", NONE)


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
