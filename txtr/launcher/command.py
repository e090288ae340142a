"""The command: what the user wants of the start script, read from the words beside the options.

sh texttractor.sh 12 --include=.cz     Start(12)
sh texttractor.sh auto                 Start(as many as there are processors)
sh texttractor.sh add 4                Add(4)
sh texttractor.sh remove 2             Remove(2)
sh texttractor.sh status               Status()
sh texttractor.sh follow               Follow()
sh texttractor.sh stop                 Stop()
sh texttractor.sh clean page.html      Tool("txtr.clean", ["page.html"])

What follows the name of a tool is the tool's own: it is neither read nor checked here.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from txtr.config.values import whole_within
from txtr.errors import UserMistake

MOST_HARVESTERS = 1000  # more processes than one machine bears; a year or a port typed by mistake

OWN = ("batch-count", "connections", "log-level")  # options in which an added harvester may differ
SHOWN = 60  # characters of a wrong word that a message repeats
COMMANDS = ("auto", "status", "follow", "add", "remove", "stop")
TOOLS = {  # word -> the module that is run, in the caller's directory
    "clean": "txtr.clean",
    "queue": "txtr.queue",
    "report": "txtr.report",
    "segmenter": "txtr.segmenter",
}
KNOWN = f"there are: a number of harvesters, {', '.join(COMMANDS)}; and the tools {', '.join(TOOLS)}"

USAGE = f"""usage: sh texttractor.sh N [options]       start the queuekeeper and N harvesters
       sh texttractor.sh auto [options]    the same, with a harvester for every processor
       sh texttractor.sh status [options]  show how far the crawl is
       sh texttractor.sh follow [options]  show it live; Ctrl-C detaches, the crawl goes on
       sh texttractor.sh add N [options]   start N more harvesters, as the first were started but for
                                           --batch-count, --connections, --log-level of their own
       sh texttractor.sh remove N          end N harvesters; what they have not fetched goes back
       sh texttractor.sh stop              end the crawl; starting it again goes on
       sh texttractor.sh TOOL --help       one of the tools: {", ".join(TOOLS)}"""


@dataclass(frozen=True, slots=True)
class Start:
    """The queuekeeper and so many harvesters."""

    harvesters: int


@dataclass(frozen=True, slots=True)
class Add:
    """So many more harvesters for the crawl that runs here."""

    harvesters: int


@dataclass(frozen=True, slots=True)
class Remove:
    """So many harvesters fewer."""

    harvesters: int


@dataclass(frozen=True, slots=True)
class Status:
    """How far is the crawl?"""


@dataclass(frozen=True, slots=True)
class Follow:
    """Show the crawl that runs here until it ends."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the crawl that runs here."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of its own, with its own arguments."""

    module: str
    arguments: list[str]


Command = Start | Add | Remove | Status | Follow | Stop


def tool(given: Sequence[str]) -> Tool | None:
    """The tool that the command line begins with, if it does."""
    module = TOOLS.get(given[0]) if given else None
    return Tool(module, list(given[1:])) if module else None


def command(words: Sequence[str], processors: int = 1) -> Command:
    """The command, on a machine of so many processors; or a UserMistake that says how it is called."""
    match words:
        case ["auto"]:
            return Start(min(processors, MOST_HARVESTERS))
        case ["status"]:
            return Status()
        case ["follow"]:
            return Follow()
        case ["stop"]:
            return Stop()
        case ["add", number]:
            return Add(_count(number))
        case ["remove", number]:
            return Remove(_count(number))
        case ["add"]:
            raise UserMistake("how many more harvesters? usage: sh texttractor.sh add N [options]")
        case ["remove"]:
            raise UserMistake("how many harvesters fewer? usage: sh texttractor.sh remove N")
        case [] | ["start", *_]:
            raise UserMistake("how many harvesters? usage: sh texttractor.sh N [options]; see --help")
        case [word, *_] if word in TOOLS:
            raise UserMistake(f"the tool comes first: sh texttractor.sh {word} ...")
        case [word, *_] if meant := _meant(word):
            raise UserMistake(f"{word[:SHOWN]!r} is no command; did you mean {meant}?")
        case [word] if word.isalpha():
            raise UserMistake(f"{word[:SHOWN]!r} is no command; {KNOWN}; see --help")
        case [number]:
            return Start(_count(number))
        case _:
            raise UserMistake(f"{' '.join(words)[:SHOWN]!r} is not understood; see --help")


def _meant(word: str) -> str:
    """The command that was misspelt; none when it was spelt right."""
    known = (*COMMANDS, *TOOLS)
    close = difflib.get_close_matches(word.lower(), known, n=1)
    return close[0] if close and word not in known else ""


def _count(text: str) -> int:
    number = whole_within(text, 1, MOST_HARVESTERS)
    if number is not None:
        return number
    raise UserMistake(f"{text[:SHOWN]!r}: expected a number of harvesters, 1 to {MOST_HARVESTERS}")
