"""Edge: the log files, and what the harvest is written down in. Decides nothing about their words.

Invariant of the diary: what write() was given is with the operating system when it returns, so
`tail -f` shows it and a kill -9 loses nothing. One os.write per call needs no buffer, no timer and no
flush, and costs two microseconds beside the five of making the line. A full disk stops the diary, never
the robot: it is said once, on stderr, and tried again with every line.
"""

import contextlib
import os
import stat
import sys
from pathlib import Path

from txtr import clock, files
from txtr.config.places import YIELD
from txtr.diary import events as diary
from txtr.diary.yields import Yield, read
from txtr.errors import UserMistake
from txtr.model import Event

MIB = 1 << 20


def load_yield(state: Path) -> Yield | None:
    """The harvest that is written down in a state directory, if any is."""
    path = state / YIELD
    try:
        return read(files.content(path), str(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserMistake(f"--state={state}: {YIELD}: {error.strerror}") from error


class Diary:
    """One process's log file, its older ones beside it as .1, .2, ... Not for several threads."""

    def __init__(self, pattern: str, instance: str, level: str, size_mib: float, count: int) -> None:
        self.path = Path(diary.place(pattern, instance))
        self.who = instance
        self.debug = level == diary.DEBUG
        self.size_bytes = int(size_mib * MIB)
        self.count = count
        self.complained = False
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            files.refuse_special(self.path, but=files.DEVICE)
            self._open()
        except OSError as error:
            raise UserMistake(f"--log-path={pattern}: {self.path}: {error.strerror}") from error

    def write(self, *events: Event) -> None:
        """Write those that this level shows, at once; never raises."""
        shown = [event for event in events if diary.is_shown(event.what, self.debug)]
        if shown:
            stamp = clock.stamp()
            text = "\n".join([diary.line(event, self.who, stamp) for event in shown])
            self._append(f"{text}\n".encode("utf-8", "backslashreplace"))

    def close(self) -> None:
        """Nothing is written after this."""
        os.close(self.file)

    def _open(self) -> None:
        self.file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        about = os.fstat(self.file)
        self.written = about.st_size
        self.is_regular = stat.S_ISREG(about.st_mode)  # a device, such as a terminal, is never rotated
        self.torn = False  # does the file end in the middle of a line?

    def _append(self, data: bytes) -> None:
        try:
            if self.is_regular and self.written and self.written + len(data) > self.size_bytes:
                self._rotate()
            whole = b"\n" + data if self.torn else data
            done = os.write(self.file, whole)
            self.written += done
            self.torn = done < len(whole)
        except OSError as error:
            self._complain(error)

    def _rotate(self) -> None:
        """x.log becomes x.log.1, that x.log.2, ...; the oldest goes."""
        names = [self.path, *(Path(f"{self.path}.{number}") for number in range(1, self.count + 1))]
        for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
            if newer.exists():
                files.rename(newer, older)
        if not self.count:
            self.path.unlink(missing_ok=True)
        full = self.file
        self._open()
        os.close(full)

    def _complain(self, error: OSError) -> None:
        if not self.complained:
            self.complained = True
            with contextlib.suppress(OSError):  # stderr may lead to the same full disk
                print(f"{self.who}: cannot write {self.path}: {error.strerror}", file=sys.stderr, flush=True)
