"""Edge: the crawl that runs here: found by PID.txt and the state it works on, shown and stopped.

Invariant: a command that changes a crawl is obeyed only in the directory where it was started, and
for the state that it works on; looking at one is possible from everywhere.
"""

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

from txtr.admin.crawl import Crawl
from txtr.config.commandline import as_arguments, named
from txtr.config.options import Options
from txtr.errors import UserMistake
from txtr.launcher import announcement, files, follow, processes, progress
from txtr.launcher.output import tell, tell_parked

NO_CRAWL = "no crawl is running in this directory"


def at_hand(chosen: Options, given: Sequence[str]) -> Options:
    """The options with the state of the crawl that is running here, unless the user names one."""
    running = processes.living(files.read_pids())
    if not running or "state" in named(given):
        return chosen
    return replace(chosen, state=processes.state(running[0]))


def ours(chosen: Options) -> list[int]:
    """The processes of the crawl in this directory, for a command that changes it."""
    running = processes.living(files.read_pids())
    if not running:
        processes.forget()
        if Crawl(chosen).is_kept():
            raise UserMistake(f"{NO_CRAWL}; the one on --state={chosen.state} was not started here")
        remains = files.remains(chosen)
        why = f"; {progress.ending({}, remains)}" if progress.gave_up(remains) else ""
        raise UserMistake(NO_CRAWL + why)
    if not _on_state(running, chosen):
        raise UserMistake(
            f"--state={chosen.state}: the crawl in this directory is on --state={processes.state(running[0])}"
        )
    return running


def is_alike(chosen: Options) -> bool:
    """Was the last crawl of this state started with these options?"""
    with contextlib.suppress(UserMistake):  # another --state: nobody knows how it was started
        return files.recall(chosen).arguments == as_arguments(chosen)
    return False


def show_status(chosen: Options) -> int:
    """How far the crawl is; 1 if it has died."""
    running, is_kept = _running(chosen)
    status = Crawl(chosen).progress()
    if status is None and is_kept:
        return _show_beginning(chosen)
    remains = files.remains(chosen)
    if status is None:
        why = f"; {progress.ending({}, remains)}" if progress.gave_up(remains) else ""
        raise UserMistake(f"--state={chosen.state}: no crawl has left a status there{why}")
    notes = _missing(chosen, status, running) if processes.has_queuekeeper(running) else []
    notes += [f"ATTENTION  {remains.reason}"] if is_kept and not remains.is_saved and remains.reason else []
    tell(progress.report(status, len(running), is_kept, remains, notes))
    if not is_kept:
        tell_parked(chosen)
    return 0 if is_kept or not progress.has_died(status, remains) else 1


def watch(chosen: Options) -> int:
    """Show it live until it ends, or until the user has seen enough."""
    if not _running(chosen)[1]:
        return show_status(chosen)
    return follow.detachable(chosen, lambda: follow.watch(chosen, lambda: _running(chosen)[1]))


def stop(chosen: Options) -> int:
    """End it; 1 if a process does not."""
    running = ours(chosen)
    is_kept = processes.has_queuekeeper(running)
    saving = "the queuekeeper saves its queue" if is_kept else "the queuekeeper is dead already"
    print(f"stopping: harvesters finish what they are fetching, {saving}", flush=True)
    if is_kept and (waiting := progress.unjudged(Crawl(chosen).progress() or {})):
        print(f"{waiting}; their pages go back to the queue, to be fetched again", flush=True)
    left = processes.stop(running)
    if left:
        print(f"texttractor: still running: {' '.join(map(str, left))}", file=sys.stderr)
        return 1
    processes.forget()
    status, remains = Crawl(chosen).progress(), files.remains(chosen)
    if is_kept and progress.gave_up(remains):
        print(f"texttractor: {progress.ending(status or {}, remains)}", file=sys.stderr)
        return 1
    print("stopped" if status is None else progress.ending(status, remains))
    return 0


def _show_beginning(chosen: Options) -> int:
    """What is to be said when a queuekeeper runs and there is no status of it: 1 if there was one."""
    if not files.is_listening():
        print("the queuekeeper is starting")
        return 0
    print(f"ATTENTION  --state={chosen.state}: the state was removed while the crawl was running")
    return 1


def _missing(chosen: Options, status: progress.Status, running: Sequence[int]) -> list[str]:
    """Which harvesters should be here and are not, and what is to be done about it."""
    there = processes.harvesters(running)
    complaint = files.harvesters_complaint(processes.instances(there))
    if not there and (notes := progress.unstaffed(status, complaint)):
        return notes
    wanted = len(there)
    with contextlib.suppress(UserMistake):
        wanted = files.recall(chosen).wanted
    is_over = progress.has_finished(status)  # they have gone home
    return [] if is_over else announcement.missing(wanted - len(there), wanted, complaint)


def _running(chosen: Options) -> tuple[list[int], bool]:
    """The processes on this queue that were started in this directory; does a queuekeeper keep it?

    A crawl that was started in another directory has none of them here, and is kept all the same.
    """
    running = _on_state(processes.living(files.read_pids()), chosen)
    return running, processes.has_queuekeeper(running) or Crawl(chosen).is_kept()


def _on_state(running: Sequence[int], chosen: Options) -> list[int]:
    """Those that work on the queue which the user means."""
    meant = os.path.realpath(chosen.state)  # which is also told of links that lead in a circle
    return [pid for pid in running if os.path.realpath(processes.state(pid)) == meant]
