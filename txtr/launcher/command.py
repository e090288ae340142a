"""The command: what the user wants of the start script, read from the words beside the options.

sh texttractor.sh 12 --include=.cz     Start(12)
sh texttractor.sh add 4                Add(4)
sh texttractor.sh status               Status()
sh texttractor.sh stop                 Stop()
"""

from collections.abc import Sequence
from dataclasses import dataclass

from txtr.errors import UserMistake

MOST_HARVESTERS = 1000  # more processes than one machine bears; a year or a port typed by mistake

USAGE = """usage: sh texttractor.sh N [options]       start the queuekeeper and N harvesters
       sh texttractor.sh status [options]  show how far the crawl is
       sh texttractor.sh add N [options]   start N more harvesters
       sh texttractor.sh stop              end the crawl; starting it again goes on"""


@dataclass(frozen=True, slots=True)
class Start:
    """The queuekeeper and so many harvesters."""

    harvesters: int


@dataclass(frozen=True, slots=True)
class Add:
    """So many more harvesters for the crawl that runs here."""

    harvesters: int


@dataclass(frozen=True, slots=True)
class Status:
    """How far is the crawl?"""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the crawl that runs here."""


Command = Start | Add | Status | Stop


def command(words: Sequence[str]) -> Command:
    """The command, or a UserMistake that says how it is called."""
    match words:
        case ["status"]:
            return Status()
        case ["stop"]:
            return Stop()
        case ["add", number]:
            return Add(_count(number))
        case ["status" | "stop" | "add", *_] | [_, _, *_]:
            raise UserMistake(f"{' '.join(words)!r} is not understood; see --help")
        case [number]:
            return Start(_count(number))
        case _:
            raise UserMistake("how many harvesters? usage: sh texttractor.sh N [options]; see --help")


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_HARVESTERS:
        return int(text)
    raise UserMistake(f"{text[:60]!r}: expected a number of harvesters, 1 to {MOST_HARVESTERS}")
