"""Edge: files that are written anew, in one step: whoever reads one sees the old or the new one, whole.

The new one is written beside the old one, synced, and given its name; then the directory is synced, too.
Invariant: only a regular file is ever replaced. Whatever else has the name (a device, a FIFO, a socket, a
directory) is there after a call as it was before: a program that gives its own file the name /dev/null
breaks every program of the machine that writes there. Where a symbolic link leads to a regular file,
that file is replaced, and the link stays; where it leads to a device, it counts as the device.

A writer that is killed leaves the new file beside the old one. Whoever owns the place removes such leftovers
when it begins (remove_leftovers).

What is no regular file can be written to as it is, if the caller asks for it: a report may go to a
terminal or through a FIFO, a state may not.
"""

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Container
from enum import Enum
from pathlib import Path

from txtr import clock

STANDARD_OUTPUT, STANDARD_ERROR = 1, 2
NAME_BYTES = 200  # of a name, repeated in that of the file beside it: names of 255 bytes are the longest
LEFTOVER_AGE = 3600.0  # seconds after which nobody is writing that file any more, wherever he runs
_LEFTOVER = re.compile(r"\.(.+)\.\d+(?:-[0-9a-f]{8})?\.new", re.DOTALL)  # see _beside


class Kind(Enum):
    """What has a name, links followed; the value is what a message calls it."""

    NOTHING = "nothing"
    REGULAR = "a regular file"
    DIRECTORY = "a directory"
    CHARACTERS = "a character device"
    BLOCKS = "a block device"
    FIFO = "a FIFO"
    SOCKET = "a socket"


class NotRegular(OSError):
    """What has the name is no regular file, and stays as it is."""


_KINDS = {
    stat.S_IFREG: Kind.REGULAR,
    stat.S_IFDIR: Kind.DIRECTORY,
    stat.S_IFCHR: Kind.CHARACTERS,
    stat.S_IFBLK: Kind.BLOCKS,
    stat.S_IFIFO: Kind.FIFO,
    stat.S_IFSOCK: Kind.SOCKET,
}
REPLACEABLE = (Kind.NOTHING, Kind.REGULAR)
DEVICE = (Kind.CHARACTERS,)  # what takes any text, and makes nobody wait for a reader
STREAMS = (Kind.CHARACTERS, Kind.FIFO)  # what takes a text that is written once


def kind(path: Path) -> Kind:
    """What is there; raises OSError when that cannot be told."""
    try:
        return _KINDS[stat.S_IFMT(path.stat().st_mode)]
    except FileNotFoundError:
        return Kind.NOTHING


def refuse_special(path: Path, but: Container[Kind] = ()) -> None:
    """Raise an error that says what is there, unless it is a regular file, nothing, or one of `but`."""
    found = kind(path)
    if found is Kind.DIRECTORY:
        raise NotRegular(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if found not in REPLACEABLE and found not in but:
        raise NotRegular(errno.EINVAL, f"is {found.value}, no regular file", str(path))


def content(path: Path) -> bytes:
    """What is in a regular file. Raises OSError: whoever reads a FIFO may wait for its writer for ever."""
    refuse_special(path)
    return path.read_bytes()


def replace(
    path: Path, data: bytes, *, is_synced: bool = True, as_it_is: Container[Kind] = (), mode: int = 0o666
) -> None:
    """Write a file anew; to what is no regular file only if `as_it_is` names its kind. Raises OSError.

    `mode`: of a file that was not there; the user's umask takes from it.

    What is not synced may be the old file after a power cut, or with bad luck an empty one.
    """
    try:
        if (printed := _printed_to(path)) is not None:
            _write(printed, data)
            return
        refuse_special(path, as_it_is)
        if kind(path) in REPLACEABLE:
            _put_in_place(Path(os.path.realpath(path)), data, is_synced, mode)
        else:
            _write_as_it_is(path, data)
    except NotRegular:
        raise
    except OSError as error:  # of a file that nobody but us knows
        raise OSError(error.errno, error.strerror, str(path)) from error


def rename(old: Path, new: Path) -> None:
    """Give a file another name, if nothing but a regular file is lost or moved by it. Raises OSError."""
    refuse_special(old)
    refuse_special(new)
    old.rename(new)


def sync(path: Path) -> None:
    """A file, or the names in a directory, are on the disk when this returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_output(path: Path) -> bool:
    """Is it the standard output, by whatever name?"""
    return _printed_to(path) == STANDARD_OUTPUT


def _printed_to(path: Path) -> int | None:
    """The standard stream that leads to this file: replaced, it would get nothing that is printed later."""
    for number in (STANDARD_OUTPUT, STANDARD_ERROR):
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                return number
    return None


def _put_in_place(path: Path, data: bytes, is_synced: bool, mode: int) -> None:
    fresh = _beside(path)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        _take_after(path, handle)
        _write(handle, data)
        if is_synced:
            os.fsync(handle)
        fresh.rename(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
    if is_synced:
        sync(path.parent)


def _beside(path: Path) -> Path:
    """A name that no other process takes for its own, nor one of another container that has its number."""
    return path.with_name(f".{_stem(path)}.{os.getpid()}-{secrets.token_hex(4)}.new")


def _stem(path: Path) -> str:
    return os.fsdecode(os.fsencode(path.name)[:NAME_BYTES])


def remove_leftovers(directory: Path) -> None:
    """Remove what writers that were killed have left in a directory of ours, of whatever file."""
    _remove_leftovers(directory, "")


def remove_leftovers_of(path: Path) -> None:
    """Remove what writers of this file that were killed have left beside it."""
    place = Path(os.path.realpath(path))
    _remove_leftovers(place.parent, _stem(place))


def _remove_leftovers(directory: Path, stem: str) -> None:
    oldest = clock.wall() - LEFTOVER_AGE
    with contextlib.suppress(OSError), os.scandir(directory) as entries:  # nobody needs them gone
        for entry in entries:
            found = _LEFTOVER.fullmatch(entry.name)
            if not found or stem not in ("", found[1]) or not entry.is_file(follow_symlinks=False):
                continue
            with contextlib.suppress(FileNotFoundError):  # others may tidy up, too
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    Path(entry.path).unlink()


def _take_after(path: Path, handle: int) -> None:
    """The new file is whose the old one was, and may be read by whoever might read that."""
    with contextlib.suppress(FileNotFoundError):
        old = path.stat()
        with contextlib.suppress(PermissionError):  # only root gives files away
            os.fchown(handle, old.st_uid, old.st_gid)
        os.fchmod(handle, old.st_mode & 0o777)


def _write_as_it_is(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _write(handle, data)
    finally:
        os.close(handle)


def _write(handle: int, data: bytes) -> None:
    if handle == STANDARD_OUTPUT:
        sys.stdout.flush()  # what was printed before comes before
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
