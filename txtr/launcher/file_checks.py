"""Edge: the check of a crawl's files before a start: can they be read, can they be written?

Invariant: they are as they were, and nothing new is there; what is tried out vanishes.
"""

import errno
import os
import tempfile
from collections.abc import Container, Sequence
from pathlib import Path

from txtr import files
from txtr.config.options import Options, is_wanted
from txtr.console.option_files import content, text
from txtr.diary.events import place
from txtr.errors import UserMistake
from txtr.fetch import hosts_file
from txtr.files import Kind, NotRegular
from txtr.launcher.files import FULL, PID_FILE, trouble
from txtr.seeds import startlist

LEAST_ROOM = 256 * 1024  # bytes that must be free for a start; a new queue alone takes 88 KiB


def check_files(options: Options, processes: Sequence[str]) -> list[str]:
    """Refuse what cannot be read or written before anything starts; the start list's rejected words."""
    rejected = _check_start_list(options.urls)
    if options.secret_file:
        _refuse_empty("--secret-file", options.secret_file)
    if options.hosts:
        _refuse_empty("--hosts", options.hosts)
        hosts_file.read_hosts(text("--hosts", options.hosts), f"--hosts={options.hosts}")
    for name, path in (
        ("target", options.target),
        ("non-html-target", options.non_html_target),
        ("rejected-target", options.rejected_target),
        ("state", options.state),
    ):
        if is_wanted(path):
            _check_directory(f"--{name}={path}", Path(path))
    for name, path in (
        ("disallowed-target", options.disallowed_target),
        ("abandoned-target", options.abandoned_target),
    ):
        if is_wanted(path):
            _check_output(f"--{name}={path}", Path(path))
    for process in processes:
        _check_output(f"--log-path={options.log_path}", Path(place(options.log_path, process)))
        _check_output(f"{process}.out", Path(f"{process}.out"))
    _check_output(str(PID_FILE), PID_FILE, but=())
    return rejected


def _check_start_list(path: str) -> list[str]:
    _refuse_empty("--urls", path)
    links, rejected = startlist.read(text("--urls", path))
    if not links:
        raise UserMistake(f"--urls={path}: the start list holds no URL")
    return rejected


def _refuse_empty(option: str, path: str) -> None:
    if not content(option, path).strip():
        raise UserMistake(f"{option}={path}: the file is empty")


def _check_directory(culprit: str, path: Path) -> None:
    """It is a directory that we may write to, or can become one."""
    try:
        if _is_there(path) and not path.is_dir():
            raise UserMistake(f"{culprit}: {os.strerror(errno.ENOTDIR)}")
        _probe(path)
    except OSError as error:
        raise UserMistake(_why(culprit, path, error)) from error


def _check_output(culprit: str, path: Path, but: Container[Kind] = files.DEVICE) -> None:
    """It is a file that we may extend, or can become one; or a device of the kinds allowed."""
    try:
        files.refuse_special(path, but)
        if path.is_symlink():
            Path(os.path.realpath(path)).parent.stat()  # nobody makes the directory that it leads to
        if _is_there(path):
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOCTTY))
        if files.kind(path) not in but:
            _probe(path.parent)
    except NotRegular as error:
        raise UserMistake(f"{culprit}: {error.strerror}") from error
    except OSError as error:
        raise UserMistake(_why(culprit, path, error)) from error


def _is_there(path: Path) -> bool:
    """Unlike Path.exists(), which says no of links that lead in a circle."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _why(culprit: str, path: Path, error: OSError) -> str:
    if error.errno in FULL:
        return trouble(culprit, error)
    return f"{culprit}: cannot be {'written' if os.path.lexists(path) else 'created'}: {error.strerror}"


def _probe(directory: Path) -> None:
    """Write a file that vanishes into the nearest directory that exists; permission bits alone may lie."""
    places = (directory, *directory.absolute().parents)
    nearest = next(place for place in places if os.path.lexists(place))  # also a link that leads nowhere
    with tempfile.TemporaryFile(dir=nearest, buffering=0) as file:
        left = LEAST_ROOM
        while left > 0:
            left -= file.write(bytes(left)) or left
