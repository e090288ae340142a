"""Edge: the lock of a state directory. Only the program that holds it changes the state."""

import errno
import fcntl
import os
from pathlib import Path
from typing import TextIO

from txtr import files
from txtr.config.places import LOCK
from txtr.errors import UserMistake
from txtr.files import NotRegular

_NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)  # the directory is there, but we may not write to it
MOST_PATH_BYTES = (
    480  # SQLite takes a database's path of 504 bytes, and frontier.sqlite.new is our longest name
)


class StateIsLocked(UserMistake):
    """Another program holds the lock of this state."""


def hold_lock(state: Path, is_new_allowed: bool = True) -> TextIO:
    """Lock a state, so that only we change it. The lock ends when its file is closed, or with the process."""
    whole = len(os.fsencode(os.path.realpath(state)))
    if whole > MOST_PATH_BYTES:
        raise UserMistake(f"--state={state}: its whole path has {whole} bytes, the most is {MOST_PATH_BYTES}")
    try:
        if is_new_allowed:
            state.mkdir(parents=True, exist_ok=True)
        files.refuse_special(state / LOCK)
        file = (state / LOCK).open("a")
    except FileExistsError as error:
        raise UserMistake(f"--state={state}: not a directory") from error
    except NotRegular as error:
        raise UserMistake(f"--state={state}: {error.filename}: {error.strerror}") from error
    except OSError as error:
        what = f"cannot be written ({error.strerror})" if error.errno in _NOT_OURS else error.strerror
        raise UserMistake(f"--state={state}: {what}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise StateIsLocked(f"--state={state}: another queuekeeper is at work here") from error
    except OSError as error:  # a file system without locks
        file.close()
        raise UserMistake(f"--state={state}: {file.name}: cannot be locked: {error.strerror}") from error
    return file
