"""Edge: the one way in which programs and commands run: --help, complaints, exit codes.

0: all is well; 1: something broke; 2: the user can mend it; 130: ended by Ctrl-C. Whatever is wrong is one
line on the standard error and never a trace.

A command answers whoever types it, on the standard output: one that is closed is refused before anything is
done, and one that cannot be written to is a mistake. A service (queuekeeper, harvester, segmenter) works for
hours and keeps its results in files, so it starts without a standard output, too.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from txtr.config.commandline import asks_for
from txtr.config.options import VERSION, Options
from txtr.console.option_files import load
from txtr.errors import TxtrError, UserMistake
from txtr.escapes import escaped

INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it
STANDARD = 2  # the last file descriptor that means something to everybody
WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE)  # writing fails so


def run(program: str, work: Callable[[], int]) -> int:
    """Do the work of a command; the exit code."""
    _keep_places()
    if sys.stdout is None:
        return complain(program, "standard output: closed, expected somewhere to write to")
    try:
        code = _done(program, work)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read us, such as head, has seen enough
        _forget(sys.stdout)
        return 0
    except OSError as error:
        _forget(sys.stdout)
        return complain(program, f"standard output: {error.strerror}")
    return code


def run_service(program: str, argv: Sequence[str], manual: str, work: Callable[[Options], int]) -> int:
    """Do the work of a service with the options it was given; the exit code."""
    if asks_for(argv):
        return run(program, lambda: 0 if explain(argv, manual) else 2)
    _keep_places()
    return _done(program, lambda: work(load(argv)), is_service=True)


def explain(argv: Sequence[str], manual: str, name: str = "TextTractor") -> bool:
    """Print the manual or the version, if the user asks for one of them; was it so?"""
    wish = asks_for(argv)
    if wish:
        print(manual if wish == "help" else f"{name} {VERSION}")
    return bool(wish)


def complain(program: str, reason: str, code: int = 2) -> int:
    """One line, if anybody can read it; the exit code."""
    try:
        print(f"{program}: {escaped(reason)}", file=sys.stderr, flush=True)
    except OSError:
        _forget(sys.stderr)
    return code


def _done(program: str, work: Callable[[], int], is_service: bool = False) -> int:
    """The exit code; only what is wrong with the standard output of a command is left to the caller."""
    try:
        return work()
    except SystemExit as end:  # a parser of arguments has helped
        return end.code if isinstance(end.code, int) else 0
    except UserMistake as mistake:
        return complain(program, str(mistake))
    except TxtrError as error:
        kind = f"{type(error).__name__}: " if is_service else ""
        return complain(program, f"{kind}{error}", 1)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if not is_service and error.filename is None and error.errno in WRITING:
            raise
        where = f"{error.filename}: " if error.filename else ""
        return complain(program, f"{where}{error.strerror or error}")


def _keep_places() -> None:
    """Nothing that we open may take the place of a standard stream that is closed."""
    while (place := os.open(os.devnull, os.O_RDWR)) <= STANDARD:
        pass
    os.close(place)
    if sys.stderr is None:  # print would write to the standard output instead
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - as long as we are


def _forget(stream: TextIO) -> None:
    """Python would complain once more when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
