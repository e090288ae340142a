"""Edge: the files by which the start script knows a crawl.

PID.txt             the processes, one number a line, for kill `cat PID.txt`
PID.lock            held by a command that changes which processes PID.txt names: one at a time
STATE/running.lock  held by the queuekeeper as long as it lives: no second one on the same queue
STATE/launch.json   how the crawl was started, and how many harvesters it should have
STATE/options.txt   options that are too long for the command line of a process, if any
STATE/status.json   how far it is, written by the queuekeeper
STATE/lock          held by any queuekeeper on this queue, also one started by hand
STATE/running       there from the queuekeeper's start to its end; left over, it tells of a crash
"""

import contextlib
import errno
import fcntl
import json
import os
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from txtr import clock, files
from txtr.config import places
from txtr.config.commandline import by_file
from txtr.config.options import Options
from txtr.errors import UserMistake
from txtr.escapes import escaped
from txtr.files import NotRegular
from txtr.launcher.progress import Remains

PID_FILE = Path("PID.txt")
LOCK_FILE = Path("PID.lock")
PATIENCE = 180.0  # seconds that a command waits for another: a queue of many millions may take 120 to begin
GLANCE = 0.05  # seconds between two looks
KEEPER = "queuekeeper"  # its name; what it prints is in queuekeeper.out
FULL = (errno.ENOSPC, errno.EDQUOT)
LISTENING = "listening"  # the word by which the queuekeeper says that it does
HARMLESS = (LISTENING, "WARNING")  # what a program's line begins with that is no complaint


def read_pids() -> list[int]:
    """The processes of PID.txt; none when it is missing or holds anything else."""
    try:
        return [int(word) for word in PID_FILE.read_text("ascii").split()]
    except (OSError, ValueError):
        return []


def write_pids(pids: Sequence[int]) -> None:
    """Replace PID.txt at once, so that nobody reads half of it."""
    _replace(PID_FILE, "".join(f"{pid}\n" for pid in pids))


def remove_pids() -> None:
    """The processes are gone, and their numbers will be others'."""
    PID_FILE.unlink(missing_ok=True)


class Busy(UserMistake):
    """Another command is at work in this directory."""


@contextlib.contextmanager
def one_at_a_time(refuse: Callable[[], None] | None = None, patience: float = PATIENCE) -> Iterator[None]:
    """Nobody else starts or removes processes here meanwhile. Who comes second waits, and whenever it looks,
    `refuse` may say that there is nothing to wait for.

    A file is locked that only this user can open: nobody else can hold it. It is there as long as it is
    locked; a command that is killed leaves it, and it is not locked.
    """
    path = LOCK_FILE.absolute()
    deadline = clock.now() + patience
    while (file := _locked(path)) is None:
        if refuse is not None:
            refuse()
        if clock.now() >= deadline:
            raise Busy("another command starts or removes processes in this directory; try again later")
        time.sleep(GLANCE)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if _is_at(path, file):
                path.unlink()
        os.close(file)


def _locked(path: Path) -> int | None:
    """The lock, if it is ours now. What has the name must be what is locked: the last holder removed that."""
    try:
        files.refuse_special(path)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)  # NFS locks what can be written
    except OSError as error:
        raise UserMistake(trouble(str(LOCK_FILE), error)) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(path, file):
            return file
    except BlockingIOError:
        pass
    except OSError as error:
        os.close(file)
        raise UserMistake(f"{LOCK_FILE}: cannot be locked: {error.strerror}") from error
    os.close(file)
    return None


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False


def lock(options: Options) -> int:
    """The lock of the state directory, as an open file that the queuekeeper inherits."""
    path = Path(options.state) / places.START_LOCK
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.refuse_special(path)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UserMistake(f"--state={options.state}: another crawl is using it") from error
    except NotRegular as error:
        raise UserMistake(f"--state={options.state}: {path}: {error.strerror}") from error
    except OSError as error:
        raise UserMistake(f"--state={options.state}: {error.strerror}") from error
    return file


@dataclass(frozen=True, slots=True)
class Launch:
    """How a crawl was started, and what became of it."""

    named: int  # so many harvesters have got a name so far
    wanted: int  # so many should be running, after all that was added and removed
    arguments: list[str]
    leaving: tuple[int, ...] = ()  # processes of harvesters that are being removed; some may be gone


def remember(options: Options, launch: Launch) -> None:
    """Write it down for those who come later."""
    told = {
        "harvesters": launch.named,
        "wanted": launch.wanted,
        "arguments": launch.arguments,
        "leaving": launch.leaving,
    }
    _replace(Path(options.state) / places.LAUNCH, json.dumps(told))


def recall(options: Options) -> Launch:
    """What was remembered."""
    path = Path(options.state) / places.LAUNCH
    try:
        told = json.loads(files.content(path))
        named, arguments = int(told["harvesters"]), [str(argument) for argument in told["arguments"]]
        leaving = tuple(int(pid) for pid in told.get("leaving", ()))
        return Launch(named, int(told.get("wanted", named)), arguments, leaving)
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise UserMistake(f"{path} does not tell how the crawl was started; is --state right?") from error


def hand_over(options: Options, arguments: Sequence[str]) -> list[str]:
    """The arguments as a process gets them: those that a command line does not bear are in a file."""
    path = Path(options.state) / places.LONG_OPTIONS
    short, text = by_file(arguments, str(path))
    if text:
        _replace(path, text)
    else:
        path.unlink(missing_ok=True)
    return short


def set_status_aside(options: Options) -> None:
    """What an earlier run said of itself is not true of this one."""
    with contextlib.suppress(FileNotFoundError):
        files.rename(_status(options), _aside(options))


def bring_status_back(options: Options) -> None:
    """This run has come to nothing: what the earlier one said is true again."""
    with contextlib.suppress(FileNotFoundError):
        if not _status(options).exists():
            files.rename(_aside(options), _status(options))


def _status(options: Options) -> Path:
    return Path(options.state) / places.STATUS


def _aside(options: Options) -> Path:
    return Path(options.state) / places.STATUS_ASIDE


def remains(options: Options) -> Remains:
    """What is there for the next start, when the queuekeeper runs no more."""
    state = Path(options.state)
    is_saved, was_ended = (state / places.DATABASE_FILE).exists(), not (state / places.RUNNING).exists()
    return Remains(is_saved, was_ended, "" if is_saved and was_ended else complaint(KEEPER))


def _written(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def read_out(name: str) -> str:
    """What a process has printed."""
    try:
        return Path(f"{name}.out").read_text("utf-8", errors="replace")
    except OSError:
        return ""


def is_listening() -> bool:
    """Has the queuekeeper of this directory come so far that harvesters can call it?"""
    return LISTENING in read_out(KEEPER)


def last_words(name: str) -> str:
    """Why a process ended, in its own words, or else the last that it printed."""
    return complaint(name) or _source(next(reversed(_said(name)), ""), name) or "it said nothing"


def complaint(name: str) -> str:
    """The last that a process complained of: a line with its program's name, or the end of a trace."""
    program = name.partition("-")[0]
    words = _said(name)
    if any(line.startswith("Traceback ") for line in words):
        return _source(words[-1], name)
    own = (line.removeprefix(f"{program}: ") for line in reversed(words) if line.startswith(f"{program}: "))
    return _source(next((line for line in own if not line.startswith(HARMLESS)), ""), name)


def harvesters_complaint(running: Container[str]) -> str:
    """What the harvester complained of that complained last, of those that are not running."""
    outs = sorted(Path().glob("harvester-*.out"), key=lambda path: _written(path) or 0.0, reverse=True)
    outs = [path for path in outs if path.stem not in running]
    return next(filter(None, (complaint(path.stem) for path in outs)), "")


def _source(words: str, name: str) -> str:
    return f"{words} (see {name}.out)" if words else ""


def _said(name: str) -> list[str]:
    return [escaped(line.strip()) for line in read_out(name).split("\n") if line.strip()]


def _replace(path: Path, text: str) -> None:
    files.remove_leftovers_of(path)
    try:
        files.replace(path, text.encode())
    except OSError as error:
        raise UserMistake(trouble(str(path), error)) from error


def trouble(culprit: str, error: OSError) -> str:
    """What is wrong with a file; of a full disk also that nothing else is."""
    if error.errno in FULL:
        return f"{culprit}: the disk is full ({error.strerror}); make room, and the same command goes on"
    return f"{culprit}: {error.strerror}"
