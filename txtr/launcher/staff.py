"""Edge: the staff: how many harvesters a running crawl has, and how it gets more or fewer.

Invariant: the queuekeeper lives and goes on; only harvesters come and go. Two commands in the same moment
come one after the other: no harvester gets the name of another, PID.txt names them all, and what one command
removes is there for no other, though it may take a minute to end.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from txtr.config.commandline import as_argument, as_arguments, named
from txtr.config.layers import parse
from txtr.config.options import Options
from txtr.config.values import shown
from txtr.errors import UserMistake
from txtr.launcher import announcement, files, processes
from txtr.launcher.command import OWN
from txtr.launcher.file_checks import check_files
from txtr.launcher.launch import launch_more
from txtr.launcher.output import tell
from txtr.launcher.running import is_alike, ours

PLACES = ("state",)  # options that tell where a crawl is, not how it is


def absent(chosen: Options, harvesters: int) -> list[int]:
    """The harvesters that the crawl in this directory lacks to so many, if this command started it."""
    running = processes.living(files.read_pids())
    if not processes.has_queuekeeper(running) or not is_alike(chosen):
        return []
    there = processes.harvesters(running)
    names = processes.instances(there)
    free = [number for number in range(1, harvesters + 1) if processes.instance(number) not in names]
    return free[: max(0, harvesters - len(there))]


def replace(chosen: Options, absent: Sequence[int], root: Path) -> None:
    """Harvesters have ended, perhaps for want of room: start them again, the queuekeeper lives."""
    check_files(chosen, list(map(processes.instance, absent)))
    running = processes.living(files.read_pids())
    there = len(processes.harvesters(running))
    tell(announcement.going_on(there))
    launch_more(chosen, absent, as_arguments(chosen), root, running)
    tell(announcement.started(chosen, announcement.newcomers(False, len(absent), there)))


def add(chosen: Options, more: int, given: Sequence[str], root: Path) -> int:
    """More harvesters, started as the first were, but for the options that may be their own."""
    ours(chosen)
    with files.one_at_a_time():
        running = ours(chosen)
        if not processes.has_queuekeeper(running):
            raise UserMistake("the queuekeeper is dead; start it again with the same command as before")
        launch = files.recall(chosen)
        arguments = [*launch.arguments, *_own(chosen, given, launch.arguments)]
        launch_more(chosen, range(launch.named + 1, launch.named + more + 1), arguments, root, running)
    print(f"added {announcement.counted(more)}")
    return 0


def remove(chosen: Options, fewer: int) -> int:
    """Let the last harvesters go: they finish what they are fetching and hand the rest back."""
    ours(chosen)
    with files.one_at_a_time():
        running, launch = ours(chosen), files.recall(chosen)
        harvesters = processes.staying(running, launch.leaving)
        if fewer > len(harvesters):
            there = announcement.counted(len(harvesters))
            raise UserMistake(f"{there} running in this directory, not {fewer}")
        removed, left_over = harvesters[-fewer:], len(harvesters) - fewer
        leaving = (*processes.living(launch.leaving), *removed)
        files.remember(chosen, files.Launch(launch.named, left_over, launch.arguments, leaving))
    left = processes.stop(removed)  # which may take long, and others may come and go meanwhile
    with files.one_at_a_time():
        files.write_pids(processes.living(files.read_pids()))
    if left:
        print(f"texttractor: still running: {' '.join(map(str, left))}", file=sys.stderr)
        return 1
    print(f"removed {announcement.counted(fewer)}, {left_over} left")
    return 0


def _own(chosen: Options, given: Sequence[str], before: Sequence[str]) -> list[str]:
    """The options of added harvesters that are not the crawl's; one that must be alike in all is refused."""
    crawl = parse(before)
    differing = [
        argument
        for name in named(given)
        if name not in PLACES and (argument := as_argument(chosen, name)) != as_argument(crawl, name)
    ]
    for argument in differing:
        if argument[2:].partition("=")[0] not in OWN:
            own = ", ".join(f"--{name}" for name in OWN)
            raise UserMistake(f"{shown(argument)}: all of one crawl have it alike; add takes {own}")
    return differing
