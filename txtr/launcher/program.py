"""Edge: the start script's program: does what the command line says, and ends with a code.

Invariant: what the user can mend is one line on stderr that says how, with exit code 2; then
nothing that this command has started runs.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from txtr.config.manual import help_text
from txtr.config.options import Options
from txtr.console.option_files import load_with_words
from txtr.console.program import explain, run
from txtr.errors import UserMistake
from txtr.launcher import demo, files, running, staff
from txtr.launcher.command import USAGE, Add, Command, Follow, Remove, Start, Status, Stop, command, tool
from txtr.launcher.output import typed
from txtr.launcher.start import start

ROOT = Path(__file__).parents[2]  # where queuekeeper.py and harvester.py are
NAME = "texttractor"
MOST_WORDS = 2  # beside options: add 4
DEMO_HARVESTERS = "4"  # when the user does not say how many


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Do what the command line says; the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    return run(NAME, lambda: _try(given, root))


def _try(given: Sequence[str], root: Path) -> int:
    try:
        return _run(given, root)
    except UserMistake as mistake:
        raise UserMistake(typed(str(mistake))) from mistake
    except OSError as error:
        if not error.filename:
            raise
        raise UserMistake(files.trouble(error.filename, error)) from error


def _run(given: Sequence[str], root: Path) -> int:
    if wanted := tool(given):
        os.execv(sys.executable, [sys.executable, "-P", "-m", wanted.module, *wanted.arguments])
    if explain(given, typed(help_text(USAGE)), NAME):
        return 0
    chosen, words = load_with_words(given, MOST_WORDS)
    if chosen.demo and not words:
        words = [DEMO_HARVESTERS]
    return _obey(command(words, _processors()), chosen, given, root)


def _processors() -> int:
    """Those that we may use, which in a container can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _obey(wanted: Command, chosen: Options, given: Sequence[str], root: Path) -> int:
    if not isinstance(wanted, Start):
        chosen = running.at_hand(chosen, given)
    match wanted:
        case Follow():
            return running.watch(chosen)
        case Status() if chosen.follow:
            return running.watch(chosen)
        case Status():
            return running.show_status(chosen)
        case Stop():
            return running.stop(chosen)
        case Add(harvesters):
            return staff.add(chosen, harvesters, given, root)
        case Remove(harvesters):
            return staff.remove(chosen, harvesters)
        case Start(harvesters) if chosen.demo:
            chosen, _ = load_with_words([*demo.rules(), *given], MOST_WORDS)
            return demo.demonstrate(chosen, harvesters, root)
        case Start(harvesters):
            return start(chosen, harvesters, root)


if __name__ == "__main__":
    raise SystemExit(main())
