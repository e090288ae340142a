"""Edge: the processes of a crawl: started detached, recognised, stopped.

Invariant: only a process that is one of our programs and works in this directory is ever
signalled; a number in an old PID.txt may long be somebody else's.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from txtr import clock
from txtr.config.options import Options
from txtr.errors import UserMistake
from txtr.launcher import files
from txtr.launcher.files import GLANCE, PID_FILE

CODE = Path(__file__).parents[2]  # where the package txtr is
QUEUEKEEPER, HARVESTER = "queuekeeper.py", "harvester.py"
PROGRAMS = (QUEUEKEEPER, HARVESTER, "txtr.demo.program")  # as their command lines name them
INSTANCE, STATE = "--instance=", "--state="
INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
END_PATIENCE = 60.0  # seconds: a harvester finishes what it is fetching, the queuekeeper saves its queue


def start(call: Sequence[str], name: str, inherited: Sequence[int] = ()) -> "subprocess.Popen[bytes]":
    """Start a program that outlives us and the terminal; what it says goes to NAME.out.

    The queuekeeper is told where PID.txt is: it outlives us, and removes it at its end.
    """
    told = {"PYTHONPATH": str(CODE), "PYTHONUNBUFFERED": "1", "TXTR_PID_FILE": str(PID_FILE.absolute())}
    with Path(f"{name}.out").open("wb") as out:
        return subprocess.Popen(
            [sys.executable, *call],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=inherited,
            env={**os.environ, **told},
        )


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Whoever wants us to end waits until what is started here is also written down.

    Blocking the signals would not do: the child would inherit the blockade.
    """
    wishes: list[int] = []
    usual = {number: signal.getsignal(number) for number in INTERRUPTIONS}
    for number, handler in usual.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, lambda wish, _: wishes.append(wish))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
    if wishes:
        raise KeyboardInterrupt


def living(pids: Iterable[int]) -> list[int]:
    """Those that are processes of the crawl in this directory."""
    return [pid for pid in pids if _program(pid)]


def has_queuekeeper(pids: Iterable[int]) -> bool:
    """Is one of them the queuekeeper of the crawl in this directory?"""
    return any(_program(pid) == QUEUEKEEPER for pid in pids)


def harvesters(pids: Iterable[int]) -> list[int]:
    """Those that are harvesters of the crawl in this directory."""
    return [pid for pid in pids if _program(pid) == HARVESTER]


def staying(pids: Iterable[int], leaving: Container[int]) -> list[int]:
    """The harvesters among them, but for those that are being removed and have not ended yet."""
    return [pid for pid in harvesters(pids) if pid not in leaving]


def instance(number: int) -> str:
    """The name of a harvester."""
    return f"harvester-{number:02d}"


def instances(pids: Iterable[int]) -> dict[str, int]:
    """The names of those that are harvesters of the crawl in this directory."""
    named = {_given(pid, INSTANCE): pid for pid in harvesters(pids)}
    return {name: pid for name, pid in named.items() if name}


def state(pid: int) -> str:
    """The --state that a process of the crawl in this directory was started with."""
    return _given(pid, STATE) or Options().state


def stop(pids: Iterable[int], patience: float = END_PATIENCE) -> list[int]:
    """Ask them to end, and wait; those who did not."""
    asked = living(pids)
    for pid in asked:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    deadline = clock.now() + patience
    while (left := living(asked)) and clock.now() < deadline:
        time.sleep(GLANCE)
    return left


def end(started: Iterable["subprocess.Popen[bytes]"], patience: float = END_PATIENCE) -> None:
    """Stop what we have started ourselves, perhaps so lately that it does not look like ours yet.

    Between fork and the end of exec a process has no command line: living() would not know it.
    """
    ending = list(started)
    for child in ending:
        child.terminate()
    deadline = clock.now() + patience
    for child in ending:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - clock.now()))


def forget() -> None:
    """Remove PID.txt if those that it names are gone: their numbers will be others'.

    Another command that is at work here sees to that itself: the numbers may be new ones by now.
    """
    if not PID_FILE.exists():
        return
    with contextlib.suppress(UserMistake), files.one_at_a_time(patience=0.0):
        if not living(files.read_pids()):
            files.remove_pids()


def _program(pid: int) -> str:
    """Which of our programs this process is, if it is one and works in this directory."""
    if pid <= 0:
        return ""
    try:
        if _has_proc() and Path(f"/proc/{pid}/cwd").readlink() != Path.cwd():
            return ""
        return _named(_words(pid))
    except OSError:
        return ""


def _has_proc() -> bool:
    """Systems without /proc: the command line alone must do."""
    return Path("/proc/self/cmdline").exists()


def _words(pid: int) -> list[str]:
    """The command line of a process; an OSError if there is none."""
    if _has_proc():
        return [os.fsdecode(word) for word in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")]
    shown = subprocess.run(["ps", "-p", str(pid), "-o", "args="], capture_output=True, text=True)
    return shown.stdout.split()


def _given(pid: int, option: str) -> str:
    """The value of an option on the command line of a process; the last one wins, as with our programs."""
    with contextlib.suppress(OSError):
        values = [word.removeprefix(option) for word in _words(pid) if word.startswith(option)]
        return values[-1] if values else ""
    return ""


def _named(words: Iterable[str]) -> str:
    return next((name for word in words if (name := Path(word).name) in PROGRAMS), "")
