"""Edge: the journal, two files in which every step is safe before the database has it.

To commit a step to the database costs a page for each row that was touched, some nine pages for a document.
To append the deeds of a step to the journal costs a tenth of that. So the database is committed now and
then, and the journal holds the deeds since. A program that opens the state after a crash does them again.

Invariant: a step is read again wholly or not at all, and steps are read in their order without a gap. A
generation is the steps between two commits of the database; its number is in the journal and the database.

The files have room before it is needed. A disk takes a tenth of a millisecond to write over a part of a
file, and several to make a file longer, which it must note in other places. There is always room for the head
of one more step, so a file that ends before that was cut.

The two files take turns, and the last step of a generation *seals* it. While we go on, a backup may copy the
database and then the journal: what happened between the two copies is then in both journal files.
"""

import errno
import os
import sqlite3
import struct
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import NamedTuple

from txtr.config.places import JOURNAL_FILES
from txtr.errors import Damaged
from txtr.files import content, sync

_HEAD = struct.Struct(
    "<4sQQ?II"
)  # mark, generation, number of the step, is it the last, its length, checksum
_MARK = b"step"
_ROOM_BYTES = 256 * 1024  # by which a file grows: what one second writes, or many do
_SECTOR_BYTES = 512  # which a disk writes wholly or not at all
_CODES = {  # of the system -> of SQLite; any other means a disk that fails
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EACCES: sqlite3.SQLITE_READONLY,
    errno.EPERM: sqlite3.SQLITE_READONLY,
    errno.EROFS: sqlite3.SQLITE_READONLY,
}


class Step(NamedTuple):
    generation: int
    number: int  # in its generation
    is_last: bool
    body: bytes  # the deeds


class Journal:
    def __init__(self, directory: Path) -> None:
        self.paths = [directory / name for name in JOURNAL_FILES]
        self.handles: list[int] = []  # open while we write
        self.rooms: list[int] = []  # bytes that each of them has
        self.generation = 0
        self.steps = 0  # written in this generation
        self.size_bytes = 0  # of them

    # --- in

    def read(self, generation: int) -> Iterator[Step]:
        """Steps after the commit of this number; if they are sealed, and those of the next generation."""
        is_sealed = True
        while is_sealed:
            is_sealed = yield from self._read(generation)
            generation += 1

    def newest(self) -> int:
        """The generation of the last steps that can be read; 0 when there are none."""
        steps = [_step(_content(path), 0) for path in self.paths]
        return max(step.generation if step is not None else 0 for step in steps)

    def _read(self, generation: int) -> Generator[Step, None, bool]:
        """Yield the steps of one generation; return whether it was sealed."""
        path, other = self.paths[generation % 2], self.paths[(generation + 1) % 2]
        data = _content(path)
        if not data:
            if _content(other):  # `begin` fills this one first, `remove` removes it last
                raise Damaged(f"{path} is empty or missing, and {other.name} is not")
            return False
        at, steps = 0, 0
        while (step := _step(data, at)) is not None and step[:2] == (generation, steps):
            yield step
            steps, at = steps + 1, at + _HEAD.size + len(step.body)
            if step.is_last:
                return True
        if step is not None and (step.generation - generation) % 2:
            raise Damaged(f"{path}: this was {other.name}")
        if steps or step is None:  # else the file belongs to another generation
            _refuse_cut(data, at, generation, steps, path)
            _refuse_gap(data, at, generation, steps, path)
        return False

    # --- out

    def begin(self) -> None:
        """Open the files, and empty them. Call it after a commit, before the first step is written.

        Files that are not emptied may hold steps that this database has never met, of a journal that was put
        back beside it. Such steps would be taken for ours when we come to their generation."""
        if not self.handles:
            try:
                self._open()
                for which in (self.generation + 1, self.generation):  # see _read
                    os.ftruncate(self.handles[which % 2], 0)
                    os.fsync(self.handles[which % 2])  # else a crash could leave only the second empty
                self.rooms = [0 for _ in self.handles]
                for which in (self.generation, self.generation + 1):
                    self._make_room(which % 2, 0)
                sync(self.paths[0].parent)
            except OSError as error:
                raise _database_error(error, self.paths[0]) from error

    def _open(self) -> None:
        """Open both files or none: if one cannot be written, the other must not be emptied."""
        for path in self.paths:
            try:
                self.handles.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o644))
            except OSError:
                self.close()
                raise

    def is_open(self) -> bool:
        return bool(self.handles)

    def go_on(self, generation: int) -> None:
        """The database was committed with this number; all further steps come after that commit."""
        self.generation = generation
        self.steps = self.size_bytes = 0

    def write(self, body: bytes, is_last: bool = False, is_synced: bool = True) -> None:
        """Append a step. It is on the disk when this returns; if not `is_synced`, after the next commit."""
        step = Step(self.generation, self.steps, is_last, body)
        head = _HEAD.pack(_MARK, *step[:3], len(body), _checksum(step))
        try:
            self._make_room(self.generation % 2, self.size_bytes + len(head) + len(body))
            _write_all(self.handles[self.generation % 2], head + body, self.size_bytes)
            if is_synced:
                os.fdatasync(self.handles[self.generation % 2])
        except OSError as error:
            raise _database_error(error, self.paths[self.generation % 2]) from error
        self.steps += 1
        self.size_bytes += len(head) + len(body)

    def _make_room(self, which: int, end: int) -> None:
        """Make room for steps up to this end, and for the head of another."""
        if end + _HEAD.size > self.rooms[which]:
            _write_all(self.handles[which], bytes(end + _ROOM_BYTES - self.rooms[which]), self.rooms[which])
            os.fdatasync(self.handles[which])  # else a crash could leave the step without the room
            self.rooms[which] = end + _ROOM_BYTES

    def close(self) -> None:
        for handle in self.handles:
            os.close(handle)
        self.handles.clear()

    def remove(self) -> None:
        """Remove the files, when everything is in the database."""
        self.close()
        try:
            for which in (self.generation + 1, self.generation):  # see _read
                self.paths[which % 2].unlink(missing_ok=True)
                sync(self.paths[0].parent)
        except OSError as error:
            raise _database_error(error, self.paths[0]) from error


def is_journal_left(directory: Path) -> bool:
    """Is there a journal, which a state that was closed has not?"""
    return any((directory / name).exists() for name in JOURNAL_FILES)


def explain_rollback(commits: int) -> str:
    """What to say of a database that lacks so many commits of which its journal knows."""
    return (
        f"is {commits} commits older than its journal: its write-ahead log was lost, or an older copy was "
        "put back; what was done since will be done again"
    )


def _step(data: bytes, at: int) -> Step | None:
    """The step that begins here, if it is whole."""
    if len(data) < at + _HEAD.size:
        return None
    mark, generation, number, is_last, length, checksum = _HEAD.unpack_from(data, at)
    step = Step(generation, number, is_last, data[at + _HEAD.size : at + _HEAD.size + length])
    is_whole = mark == _MARK and len(step.body) == length and _checksum(step) == checksum
    return step if is_whole else None


def _content(path: Path) -> bytes:
    try:
        return content(path)
    except FileNotFoundError:
        return b""


def _refuse_cut(data: bytes, at: int, generation: int, steps: int, path: Path) -> None:
    """Refuse a file that ends inside a step: there was room for every step.

    The length in a head is believed only if the head lies in one sector, so that it cannot be torn."""
    end = at + _HEAD.size
    if end <= len(data) and at // _SECTOR_BYTES == (end - 1) // _SECTOR_BYTES:
        mark, *its, _, length, _ = _HEAD.unpack_from(data, at)
        if mark == _MARK and its == [generation, steps]:
            end += length
    if end > len(data):
        raise Damaged(f"{path}: was cut in step {steps}")


def _refuse_gap(data: bytes, at: int, generation: int, steps: int, path: Path) -> None:
    """Refuse a damaged step that others follow. The last step may be torn: no program was told of it."""
    sign = _MARK + generation.to_bytes(8, "little")
    while (at := data.find(sign, at + 1)) >= 0:
        step = _step(data, at)
        if step is not None and step.number >= steps:
            raise Damaged(f"{path}: step {steps} is damaged, and step {step.number} follows it")


def _checksum(step: Step) -> int:
    return zlib.crc32(step.body, zlib.crc32(repr(step[:3]).encode()))


def _write_all(handle: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(handle, view, at)
        view, at = view[written:], at + written


def _database_error(error: OSError, path: Path) -> sqlite3.Error:
    """The same error as the database raises it, so that explain_trouble knows what to advise."""
    name = Path(error.filename).name if error.filename else path.name
    told = sqlite3.OperationalError(f"{name}: {error.strerror}")
    told.sqlite_errorcode = _CODES.get(error.errno or 0, sqlite3.SQLITE_IOERR)
    return told
