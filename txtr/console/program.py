"""Edge: what the two programs do alike: answer --help, read options, end with a code.

0: all is well; 1: something broke; 2: the user can mend it, and the line on stderr says how.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from txtr.config.commandline import asks_for
from txtr.config.layers import load
from txtr.config.manual import help_text
from txtr.config.options import VERSION, Options
from txtr.errors import TxtrError, UserMistake
from txtr.escapes import escaped


def run(program: str, argv: Sequence[str], work: Callable[[Options], int]) -> int:
    """Do the program's work with the options it was given; the exit code."""
    wish = asks_for(argv)
    if wish:
        usage = f"usage: .venv/bin/python {program}.py [options]      (texttractor.sh makes the .venv)"
        print(help_text(usage) if wish == "help" else f"TextTractor {VERSION}")
        return 0
    try:
        return work(load(argv, _read))
    except UserMistake as error:
        print(f"{program}: {escaped(str(error))}", file=sys.stderr, flush=True)
        return 2
    except TxtrError as error:
        print(f"{program}: {type(error).__name__}: {escaped(str(error))}", file=sys.stderr, flush=True)
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{program}: {escaped(f'{where}{error.strerror or error}')}", file=sys.stderr, flush=True)
        return 2


def text(path: str, option: str) -> str:
    """The text of a file that an option names."""
    try:
        return _read(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UserMistake(f"{option}={path}: {reason}") from error


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
