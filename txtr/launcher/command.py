"""The command: what the user wants of the start script, read from the words beside the options.

sh texttractor.sh 12 --include=.cz     Start(12)
sh texttractor.sh add 4                Add(4)
sh texttractor.sh status               Status()
sh texttractor.sh follow               Follow()
sh texttractor.sh stop                 Stop()

(The script itself sees to `sh texttractor.sh queue ...`, which is another program: txtr.queue.)
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from txtr.errors import UserMistake

MOST_HARVESTERS = 1000  # more processes than one machine bears; a year or a port typed by mistake

SHOWN = 60  # characters of a wrong word that a message repeats
COMMANDS = ("status", "follow", "add", "stop", "queue")

USAGE = """usage: sh texttractor.sh N [options]       start the queuekeeper and N harvesters
       sh texttractor.sh status [options]  show how far the crawl is
       sh texttractor.sh follow [options]  show it live; Ctrl-C detaches, the crawl goes on
       sh texttractor.sh add N [options]   start N more harvesters
       sh texttractor.sh stop              end the crawl; starting it again goes on
       sh texttractor.sh queue ...         look into the queue, or change it; queue --help tells how"""


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
class Follow:
    """Show the crawl that runs here until it ends."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the crawl that runs here."""


Command = Start | Add | Status | Follow | Stop


def command(words: Sequence[str]) -> Command:
    """The command, or a UserMistake that says how it is called."""
    match words:
        case ["status"]:
            return Status()
        case ["follow"]:
            return Follow()
        case ["stop"]:
            return Stop()
        case ["add", number]:
            return Add(_count(number))
        case ["queue", *_]:
            raise UserMistake("queue comes first: sh texttractor.sh queue ...")
        case ["add"]:
            raise UserMistake("how many more harvesters? usage: sh texttractor.sh add N [options]")
        case [] | ["start", *_]:
            raise UserMistake("how many harvesters? usage: sh texttractor.sh N [options]; see --help")
        case [word, *_] if meant := _meant(word):
            raise UserMistake(f"{word[:SHOWN]!r} is no command; did you mean {meant}?")
        case [number]:
            return Start(_count(number))
        case _:
            raise UserMistake(f"{' '.join(words)[:SHOWN]!r} is not understood; see --help")


def _meant(word: str) -> str:
    """The command that was misspelt; none when it was spelt right."""
    close = difflib.get_close_matches(word.lower(), COMMANDS, n=1)
    return close[0] if close and word not in COMMANDS else ""


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_HARVESTERS:
        return int(text)
    raise UserMistake(f"{text[:SHOWN]!r}: expected a number of harvesters, 1 to {MOST_HARVESTERS}")
