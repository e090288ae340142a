"""Edge: the console: what a command that is typed says there, and with which code it ends.

Invariant: whatever is wrong, also with the standard output itself, is one line on the standard error and
never a trace: code 2 when the user can mend it, 1 when something broke. A standard output that is closed is
refused before anything is done: whoever types a command wants to know what came of it.
"""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

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


def complain(program: str, reason: str, code: int = 2) -> int:
    """One line, if anybody can read it; the exit code."""
    try:
        print(f"{program}: {escaped(reason)}", file=sys.stderr, flush=True)
    except OSError:
        _forget(sys.stderr)
    return code


def _done(program: str, work: Callable[[], int]) -> int:
    """The exit code; only what is wrong with the standard output is left to the caller."""
    try:
        return work()
    except SystemExit as end:  # a parser of arguments has helped
        return end.code if isinstance(end.code, int) else 0
    except UserMistake as mistake:
        return complain(program, str(mistake))
    except TxtrError as error:
        return complain(program, str(error), 1)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.filename is None and error.errno in WRITING:
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
