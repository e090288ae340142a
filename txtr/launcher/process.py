"""Edge: the start script's program: checks everything, then starts, shows or stops a crawl.

Invariant: either all processes of a crawl are started and their numbers are in PID.txt, or one
line on stderr says why not, the exit code is 2, and nothing runs.

The queuekeeper is started first and must be heard to listen before any harvester is: what
makes it fail (a port just taken, a damaged queue) is said here and not lost in a file.
"""

import contextlib
import getpass
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from txtr import clock, options
from txtr.errors import UserMistake
from txtr.launcher import announcement, disk, progress
from txtr.launcher.attached.process import Children, follow, watch
from txtr.launcher.children import process as children
from txtr.launcher.command import OWN, USAGE, Add, Command, Follow, Remove, Start, Status, Stop, command, tool
from txtr.launcher.demonstration import process as demonstration
from txtr.launcher.disk import KEEPER
from txtr.launcher.sockets import check_port, find_absence
from txtr.options import Options
from txtr.report.console import process as console
from txtr.segment import language
from txtr.segment.sockets import check, place

ROOT = Path(__file__).parents[2]  # where queuekeeper.py and harvester.py are
NAME = "texttractor"
NO_CRAWL = "no crawl is running in this directory"
PLACES = ("state",)  # options that tell where a crawl is, not how it is
LISTENING = "listening"  # the word by which the queuekeeper says that it does
SLOW_START = 120.0  # seconds: a queue of many millions may take so long to read
FIRST_STEPS = 1.5  # seconds in which one harvester that cannot work has ended
MORE_STEPS = 0.5  # seconds more for each other one: on few processors they wait for each other
MOST_STEPS = 30.0  # seconds that nobody is kept waiting longer
SECOND_END = 3.0  # seconds in which a crawl that had finished has found out that it still has
DEMO_HARVESTERS = "4"  # when the user does not say how many


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Do what the command line says; the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    return console.run(NAME, lambda: _try(given, root))


def _try(given: Sequence[str], root: Path) -> int:
    try:
        return _run(given, root)
    except UserMistake as mistake:
        raise UserMistake(_typed(str(mistake))) from mistake
    except OSError as error:
        if not error.filename:
            raise
        raise UserMistake(disk.trouble(error.filename, error)) from error


def _typed(text: str) -> str:
    """What the user is told to type, with the script as he has called it: it works as it is."""
    return text.replace(announcement.SCRIPT, children.called_as())


def _tell_parked(chosen: Options) -> None:
    """A crawl that has ended with nothing to show for it must not leave the user without a reason."""
    requests = progress.number(disk.read_status(chosen) or {}, "parked")
    for line in announcement.parked(requests, chosen):
        print(_typed(line))


def _run(given: Sequence[str], root: Path) -> int:
    if wanted := tool(given):
        os.execv(sys.executable, [sys.executable, "-P", "-m", wanted.module, *wanted.arguments])
    wish = options.asks_for(given)
    if wish:
        print(_typed(options.help_text(USAGE)) if wish == "help" else f"texttractor {options.VERSION}")
        return 0
    chosen, words = options.load_with_words(given, _read_text, most_words=2)
    if chosen.demo and not words:
        words = [DEMO_HARVESTERS]
    return _obey(command(words, _processors()), chosen, given, root)


def _processors() -> int:
    """Those that we may use, which in a container can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _read_text(path: str) -> str:
    return Path(path).read_text("utf-8")


def _obey(wanted: Command, chosen: Options, given: Sequence[str], root: Path) -> int:
    if not isinstance(wanted, Start):
        chosen = _at_hand(chosen, given)
    match wanted:
        case Follow():
            return _watch(chosen)
        case Status() if chosen.follow:
            return _watch(chosen)
        case Status():
            return _show_status(chosen)
        case Stop():
            return _stop(chosen)
        case Add(harvesters):
            return _add(chosen, harvesters, given, root)
        case Remove(harvesters):
            return _remove(chosen, harvesters)
        case Start(harvesters) if chosen.demo:
            return _demonstrate(harvesters, given, root)
        case Start(harvesters):
            return _start(chosen, harvesters, root)


# Starting


def _start(chosen: Options, harvesters: int, root: Path) -> int:
    if absent := _absent(chosen, harvesters):
        return _staff(chosen, absent, root)
    rejected = _check(chosen, harvesters)
    for word in rejected:
        print(f"texttractor: --urls={chosen.urls}: {word[:200]} is no URL; left out", file=sys.stderr)
    if not chosen.contact:
        print("\n".join(announcement.unknown_contact(_user_at_host())), file=sys.stderr)
    _warn_about_judging(chosen)
    orphans = _orphans(chosen)
    if orphans:
        print("\n".join(announcement.adopted(len(orphans))), flush=True)
    had_finished = progress.has_finished(disk.read_status(chosen) or {})
    crawl = _launch(chosen, harvesters, root, adopted=orphans)
    is_over = had_finished and _has_ended(crawl[KEEPER])
    who = announcement.newcomers(True, len(crawl) - 1, len(orphans))
    said = announcement.nothing_left(chosen) if is_over else announcement.started(chosen, who)
    print(_typed("\n".join(said)), flush=True)
    if is_over and not chosen.follow:
        _tell_parked(chosen)
    if not chosen.follow:
        return 0
    try:
        code = follow(chosen, crawl)
    except KeyboardInterrupt:
        return _detach()
    _tell_parked(chosen)
    return code


def _has_ended(keeper: "subprocess.Popen[bytes]") -> bool:
    """Does the queuekeeper of a crawl that had finished find nothing to do, and end?"""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return keeper.wait(SECOND_END) == 0
    return False


def _orphans(chosen: Options) -> dict[str, int]:
    """Harvesters whose queuekeeper was killed. Those that were started with other options are stopped: they
    would call at another port, keep texts elsewhere, or say that we are somebody else."""
    orphans = children.instances(disk.read_pids())
    if not _is_alike(chosen):
        children.stop(orphans.values())
        return {}
    return orphans


def _absent(chosen: Options, harvesters: int) -> list[int]:
    """The harvesters that the crawl in this directory lacks to so many, if this command started it."""
    running = children.living(disk.read_pids())
    if not children.has_queuekeeper(running) or not _is_alike(chosen):
        return []
    there = children.harvesters(running)
    names = children.instances(there)
    free = [number for number in range(1, harvesters + 1) if _name(number) not in names]
    return free[: max(0, harvesters - len(there))]


def _is_alike(chosen: Options) -> bool:
    """Was the last crawl of this state started with these options?"""
    with contextlib.suppress(UserMistake):  # another --state: nobody knows how it was started
        return disk.recall(chosen).arguments == options.as_arguments(chosen)
    return False


def _staff(chosen: Options, absent: Sequence[int], root: Path) -> int:
    """Harvesters have ended, perhaps for want of room: start them again, the queuekeeper lives."""
    disk.check_files(chosen, list(map(_name, absent)))
    running = children.living(disk.read_pids())
    there = len(children.harvesters(running))
    print("\n".join(announcement.going_on(there)), flush=True)
    _start_more(chosen, absent, options.as_arguments(chosen), root, running)
    who = announcement.newcomers(False, len(absent), there)
    print(_typed("\n".join(announcement.started(chosen, who))), flush=True)
    return _watch(chosen) if chosen.follow else 0


def _warn_about_judging(chosen: Options) -> None:
    lines = announcement.unused_language(chosen.language, chosen.segmenter)
    if chosen.segmenter not in options.NO_SOCKET:
        lines += announcement.absent_segmenter(chosen.segmenter, find_absence(chosen.segmenter))
    for line in lines:
        print(line, file=sys.stderr)


def _detach() -> int:
    print(_typed("\n".join(announcement.detached())))
    return 0


def _check(chosen: Options, harvesters: int) -> list[str]:
    """Refuse whatever cannot work; the words of the start list that are no URLs."""
    if children.has_queuekeeper(disk.read_pids()) or disk.is_kept(chosen):
        _refuse_second_run()
    if chosen.segmenter == options.BUILT_IN:
        language.wanted(chosen.language)
    if chosen.segmenter not in options.NO_SOCKET:
        check(place(chosen.segmenter))
    rejected = disk.check_files(chosen, [KEEPER, *map(_name, range(1, harvesters + 1))])
    check_port(chosen)
    return rejected


def _refuse_second_run() -> None:
    running = children.living(disk.read_pids())
    if running:
        who = f"a crawl is running in this directory (processes {' '.join(map(str, running))})"
        raise UserMistake(f"{who}; stop it with {announcement.STOPPING}")


def _launch(
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
    lock = disk.lock(chosen)
    disk.set_status_aside(chosen)
    arguments = options.as_arguments(chosen)
    crawl: dict[str, subprocess.Popen[bytes]] = {}
    try:
        with children.uninterrupted():
            crawl[KEEPER] = children.start([str(root / "queuekeeper.py"), *arguments], KEEPER, [lock])
            disk.write_pids([crawl[KEEPER].pid, *beside])
        _await_listening(crawl[KEEPER])
        with children.uninterrupted():
            for number in range(1, harvesters + 1):
                if _name(number) in adopted:
                    continue
                crawl[_name(number)] = _start_harvester(number, arguments, root)
            disk.write_pids([*(child.pid for child in crawl.values()), *beside])
        named = max(harvesters, *map(_number, adopted), 0)
        disk.remember(chosen, disk.Launch(named, len(crawl) - 1 + len(adopted), arguments))
        _await_first_steps(chosen, crawl, harvesters)
    except BaseException:
        children.end(crawl.values())
        disk.bring_status_back(chosen)
        if beside:
            disk.write_pids(beside)
        else:
            disk.remove_pids()
        raise
    finally:
        os.close(lock)  # the queuekeeper has it now
    return crawl


def _start_harvester(number: int, arguments: Sequence[str], root: Path) -> "subprocess.Popen[bytes]":
    name = _name(number)
    return children.start([str(root / "harvester.py"), *arguments, f"--instance={name}"], name)


def _name(number: int) -> str:
    return f"harvester-{number:02d}"


def _number(name: str) -> int:
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _await_listening(keeper: "subprocess.Popen[bytes]") -> None:
    deadline = clock.now() + SLOW_START
    while LISTENING not in disk.read_out(KEEPER):
        if keeper.poll() is not None:
            raise UserMistake(f"the queuekeeper cannot start: {disk.last_words(KEEPER)}")
        if clock.now() > deadline:
            raise UserMistake(f"the queuekeeper does not listen after {SLOW_START:.0f} s; see {KEEPER}.out")
        time.sleep(children.GLANCE)


def _await_first_steps(chosen: Options, started: Children, expected: int) -> None:
    """Until so many harvesters are at work, or time enough has passed for one that cannot to say so."""
    patience = min(MOST_STEPS, FIRST_STEPS + MORE_STEPS * (len(started) - 1))
    deadline = clock.now() + patience
    while progress.harvesters(disk.read_status(chosen) or {}) < expected and clock.now() < deadline:
        _refuse_the_dead(started)
        if all(child.poll() is not None for child in started.values()):
            return
        time.sleep(children.GLANCE)
    _refuse_the_dead(started)


def _refuse_the_dead(started: Children) -> None:
    for name, child in started.items():
        if child.poll():
            raise UserMistake(f"{name} cannot start: {disk.last_words(name)}")


def _user_at_host() -> str:
    try:
        return f"{getpass.getuser()}@{socket.getfqdn()}"
    except (KeyError, OSError):  # a user number without a name
        return f"{os.getuid()}@{socket.getfqdn()}"


# The crawl that runs here


def _at_hand(chosen: Options, given: Sequence[str]) -> Options:
    """The options with the state of the crawl that is running here, unless the user names one."""
    running = children.living(disk.read_pids())
    if not running or "state" in options.named(given):
        return chosen
    return replace(chosen, state=children.state(running[0]))


def _ours(chosen: Options) -> list[int]:
    """The processes of the crawl in this directory, for a command that changes it."""
    running = children.living(disk.read_pids())
    if not running:
        disk.remove_pids()  # numbers of processes that are no more will be others'
        elsewhere = (
            f"; the one on --state={chosen.state} was not started here" if disk.is_kept(chosen) else ""
        )
        raise UserMistake(NO_CRAWL + elsewhere)
    if not _on_state(running, chosen):
        raise UserMistake(
            f"--state={chosen.state}: the crawl in this directory is on --state={children.state(running[0])}"
        )
    return running


def _on_state(running: Sequence[int], chosen: Options) -> list[int]:
    """Those that work on the queue which the user means."""
    meant = Path(chosen.state).resolve()
    return [pid for pid in running if Path(children.state(pid)).resolve() == meant]


def _show_status(chosen: Options) -> int:
    running, is_kept = _running(chosen)
    status = disk.read_status(chosen)
    if status is None and is_kept:
        print("the queuekeeper is starting")
        return 0
    if status is None:
        raise UserMistake(f"--state={chosen.state}: no crawl has left a status there")
    remains = disk.remains(chosen)
    notes = _missing(chosen, status, running) if children.has_queuekeeper(running) else []
    print(_typed("\n".join(progress.report(status, len(running), is_kept, remains, notes))))
    if not is_kept:
        _tell_parked(chosen)
    return 0 if is_kept or not progress.has_died(status, remains) else 1


def _missing(chosen: Options, status: progress.Status, running: Sequence[int]) -> list[str]:
    """Which harvesters should be here and are not, and what is to be done about it."""
    there = children.harvesters(running)
    complaint = disk.harvesters_complaint(children.instances(there))
    if not there and (notes := progress.unstaffed(status, complaint)):
        return notes
    wanted = len(there)
    with contextlib.suppress(UserMistake):
        wanted = disk.recall(chosen).wanted
    is_over = progress.has_finished(status)  # they have gone home
    return [] if is_over else announcement.missing(wanted - len(there), wanted, complaint)


def _watch(chosen: Options) -> int:
    if not _running(chosen)[1]:
        return _show_status(chosen)
    try:
        code = watch(chosen, lambda: _running(chosen)[1])
    except KeyboardInterrupt:
        return _detach()
    _tell_parked(chosen)
    return code


def _running(chosen: Options) -> tuple[list[int], bool]:
    """The processes on this queue that were started in this directory; does a queuekeeper keep it?

    A crawl that was started in another directory has none of them here, and is kept all the same.
    """
    running = _on_state(children.living(disk.read_pids()), chosen)
    return running, children.has_queuekeeper(running) or disk.is_kept(chosen)


def _stop(chosen: Options) -> int:
    running = _ours(chosen)
    is_kept = children.has_queuekeeper(running)
    saving = "the queuekeeper saves its queue" if is_kept else "the queuekeeper is dead already"
    print(f"stopping: harvesters finish what they are fetching, {saving}", flush=True)
    if is_kept and (waiting := progress.unjudged(disk.read_status(chosen) or {})):
        print(f"{waiting}; their pages go back to the queue, to be fetched again", flush=True)
    left = children.stop(running)
    if left:
        print(f"texttractor: still running: {' '.join(map(str, left))}", file=sys.stderr)
        return 1
    disk.remove_pids()
    status = disk.read_status(chosen)
    print("stopped" if status is None else progress.ending(status, disk.remains(chosen)))
    return 0


def _add(chosen: Options, more: int, given: Sequence[str], root: Path) -> int:
    """More harvesters, started as the first were, but for the options that may be their own."""
    running = _ours(chosen)
    if not children.has_queuekeeper(running):
        raise UserMistake("the queuekeeper is dead; start it again with the same command as before")
    launch = disk.recall(chosen)
    arguments = [*launch.arguments, *_own(chosen, given, launch.arguments)]
    _start_more(chosen, range(launch.named + 1, launch.named + more + 1), arguments, root, running)
    print(f"added {announcement.counted(more)}")
    return 0


def _own(chosen: Options, given: Sequence[str], before: Sequence[str]) -> list[str]:
    """The options of added harvesters that are not the crawl's; one that must be alike in all is refused."""
    crawl = options.parse(before)
    differing = [
        argument
        for name in options.named(given)
        if name not in PLACES
        and (argument := options.as_argument(chosen, name)) != options.as_argument(crawl, name)
    ]
    for argument in differing:
        if argument[2:].partition("=")[0] not in OWN:
            own = ", ".join(f"--{name}" for name in OWN)
            raise UserMistake(f"{argument}: all of one crawl have it alike; add takes {own}")
    return differing


def _start_more(
    chosen: Options, numbers: Sequence[int], arguments: Sequence[str], root: Path, running: Sequence[int]
) -> None:
    """All these harvesters beside those that are running, or none."""
    launch, there = disk.recall(chosen), len(children.harvesters(running)) + len(numbers)
    expected = progress.harvesters(disk.read_status(chosen) or {}) + len(numbers)
    added: dict[str, subprocess.Popen[bytes]] = {}
    try:
        with children.uninterrupted():
            for number in numbers:
                added[_name(number)] = _start_harvester(number, arguments, root)
            disk.write_pids([*running, *(child.pid for child in added.values())])
            named = max(launch.named, *numbers)
            disk.remember(chosen, disk.Launch(named, max(launch.wanted, there), launch.arguments))
        _await_first_steps(chosen, added, expected)
    except BaseException:
        children.end(added.values())
        disk.write_pids(running)
        disk.remember(chosen, launch)
        raise


def _remove(chosen: Options, fewer: int) -> int:
    """Let the last harvesters go: they finish what they are fetching and hand the rest back."""
    running = _ours(chosen)
    harvesters = children.harvesters(running)
    if fewer > len(harvesters):
        raise UserMistake(f"{announcement.counted(len(harvesters))} running in this directory, not {fewer}")
    launch = disk.recall(chosen)
    disk.remember(chosen, disk.Launch(launch.named, len(harvesters) - fewer, launch.arguments))
    left = children.stop(harvesters[-fewer:])
    disk.write_pids(children.living(running))
    if left:
        print(f"texttractor: still running: {' '.join(map(str, left))}", file=sys.stderr)
        return 1
    print(f"removed {announcement.counted(fewer)}, {len(harvesters) - fewer} left")
    return 0


# The demonstration


def _demonstrate(harvesters: int, given: Sequence[str], root: Path) -> int:
    """Crawl the miniature web in a directory of its own, attached."""
    chosen, _ = options.load_with_words([*demonstration.rules(), *given], _read_text, most_words=2)
    demonstration.enter_directory()
    _refuse_second_run()
    demonstration.clear_directory()
    with demonstration.web() as web:
        _check(chosen, harvesters)
        _warn_about_judging(chosen)
        print(f"crawling the miniature web with {announcement.counted(harvesters)}", flush=True)
        try:
            code = follow(chosen, _launch(chosen, harvesters, root, beside=[web.pid]))
        finally:
            children.stop(pid for pid in disk.read_pids() if pid != web.pid)
    print("\n".join(demonstration.findings(chosen)))
    return code


if __name__ == "__main__":
    raise SystemExit(main())
