"""Edge: the launch: the processes of a crawl are started and seen to work.

Invariant: either all of them are started and their numbers are in PID.txt, or a UserMistake says
why not, and none of them runs.

The queuekeeper is started first and must be heard to listen before any harvester is: what
makes it fail (a port just taken, a damaged queue) is said here and not lost in a file.
"""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from txtr import clock
from txtr.admin.crawl import Crawl
from txtr.config.commandline import as_arguments
from txtr.config.options import Options
from txtr.errors import UserMistake
from txtr.launcher import files, processes, progress
from txtr.launcher.files import KEEPER
from txtr.launcher.follow import Children

SLOW_START = 120.0  # seconds: a queue of many millions may take so long to read
FIRST_STEPS = 1.5  # seconds in which one harvester that cannot work has ended
MORE_STEPS = 0.5  # seconds more for each other one: on few processors they wait for each other
MOST_STEPS = 30.0  # seconds that nobody is kept waiting longer


def launch(
    chosen: Options,
    harvesters: int,
    root: Path,
    beside: Sequence[int] = (),
    adopted: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, "subprocess.Popen[bytes]"]:
    """Start all processes, or none; PID.txt names the queuekeeper first, and last those that run beside.

    Harvesters whose queuekeeper was killed are adopted: they call it until it is there again.
    """
    beside = [*adopted.values(), *beside]
    lock = files.lock(chosen)
    arguments = as_arguments(chosen)
    passed = files.hand_over(chosen, arguments)
    files.set_status_aside(chosen)
    crawl: dict[str, subprocess.Popen[bytes]] = {}
    try:
        with processes.uninterrupted():
            crawl[KEEPER] = processes.start([str(root / "queuekeeper.py"), *passed], KEEPER, [lock])
            files.write_pids([crawl[KEEPER].pid, *beside])
        _await_listening(crawl[KEEPER])
        with processes.uninterrupted():
            for number in range(1, harvesters + 1):
                if processes.instance(number) in adopted:
                    continue
                crawl[processes.instance(number)] = _start_harvester(number, passed, root)
            files.write_pids([*(child.pid for child in crawl.values()), *beside])
        named = max(harvesters, *map(_number, adopted), 0)
        files.remember(chosen, files.Launch(named, len(crawl) - 1 + len(adopted), arguments))
        _await_first_steps(chosen, crawl, harvesters)
    except BaseException:
        processes.end(crawl.values())
        files.bring_status_back(chosen)
        if beside:
            files.write_pids(beside)
        else:
            files.remove_pids()
        raise
    finally:
        os.close(lock)  # the queuekeeper has it now
    return crawl


def launch_more(
    chosen: Options, numbers: Sequence[int], arguments: Sequence[str], root: Path, running: Sequence[int]
) -> None:
    """All these harvesters beside those that are running, or none."""
    before = files.recall(chosen)
    leaving = tuple(processes.living(before.leaving))  # before any of those that we start has such a number
    there = len(processes.staying(running, leaving)) + len(numbers)
    expected = progress.harvesters(Crawl(chosen).progress() or {}) + len(numbers)
    passed = files.hand_over(chosen, arguments)
    added: dict[str, subprocess.Popen[bytes]] = {}
    try:
        with processes.uninterrupted():
            for number in numbers:
                added[processes.instance(number)] = _start_harvester(number, passed, root)
            files.write_pids([*running, *(child.pid for child in added.values())])
            named = max(before.named, *numbers)
            wanted = max(before.wanted, there)
            files.remember(chosen, files.Launch(named, wanted, before.arguments, leaving))
        _await_first_steps(chosen, added, expected)
    except BaseException:
        processes.end(added.values())
        files.write_pids(processes.living(files.read_pids()))
        files.remember(chosen, before)
        raise


def _start_harvester(number: int, arguments: Sequence[str], root: Path) -> "subprocess.Popen[bytes]":
    name = processes.instance(number)
    return processes.start([str(root / "harvester.py"), *arguments, f"--instance={name}"], name)


def _number(name: str) -> int:
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _await_listening(keeper: "subprocess.Popen[bytes]") -> None:
    deadline = clock.now() + SLOW_START
    while not files.is_listening():
        if keeper.poll() is not None:
            raise UserMistake(f"the queuekeeper cannot start: {files.last_words(KEEPER)}")
        if clock.now() > deadline:
            raise UserMistake(f"the queuekeeper does not listen after {SLOW_START:.0f} s; see {KEEPER}.out")
        time.sleep(files.GLANCE)


def _await_first_steps(chosen: Options, started: Children, expected: int) -> None:
    """Until so many harvesters are at work, or time enough has passed for one that cannot to say so."""
    patience = min(MOST_STEPS, FIRST_STEPS + MORE_STEPS * (len(started) - 1))
    deadline = clock.now() + patience
    while progress.harvesters(Crawl(chosen).progress() or {}) < expected and clock.now() < deadline:
        _refuse_the_dead(started)
        if all(child.poll() is not None for child in started.values()):
            return
        time.sleep(files.GLANCE)
    _refuse_the_dead(started)


def _refuse_the_dead(started: Children) -> None:
    for name, child in started.items():
        if child.poll():
            raise UserMistake(f"{name} cannot start: {files.last_words(name)}")
