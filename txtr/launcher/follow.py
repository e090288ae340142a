"""Edge: staying attached to a crawl: shows its progress until its processes have ended.

Invariant: it only looks on, except when nothing is left to look at: a crawl of ours that has lost
its queuekeeper, or its last harvester, is stopped, for it would never end. One that somebody else
has started is his.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from txtr import clock
from txtr.admin.crawl import Crawl
from txtr.config.options import Options
from txtr.launcher import announcement, files, processes, progress
from txtr.launcher.files import KEEPER
from txtr.launcher.output import tell, tell_parked

Children = Mapping[str, "subprocess.Popen[bytes]"]  # by name; the queuekeeper is one of them

PERIOD = 0.5  # seconds between two looks
LINE_PERIOD = 5.0  # seconds between two lines, where nothing can be repainted
FAREWELL = 30.0  # seconds a harvester has after the queuekeeper's end
ORPHANED = 10.0  # seconds without any harvester


def follow(options: Options, crawl: Children) -> int:
    """Show the crawl until it ends: 0 if it finished, 1 if it did not or a process died."""
    began, screen = clock.now(), Screen()
    last_harvester = last_keeper = began
    while any(child.poll() is None for child in crawl.values()):
        status, now = Crawl(options).progress() or {}, clock.now()
        screen.show(status, now - began)
        if crawl[KEEPER].poll() is None:
            last_keeper = now
        if _has_harvesters(crawl, status):
            last_harvester = now
        if _is_lost(crawl, now - last_keeper, now - last_harvester):
            processes.end(crawl.values())
        time.sleep(PERIOD)
    status = Crawl(options).progress() or {}
    screen.show(status, clock.now() - began, last=True)
    processes.forget()
    return _verdict(options, crawl, status)


def watch(options: Options, is_kept: Callable[[], bool]) -> int:
    """Show a crawl that was started earlier until its queue is kept no more: 0 if it finished, else 1."""
    screen, age = Screen(), Crawl(options).running_for()
    began = clock.now()
    while is_kept():
        screen.show(Crawl(options).progress() or {}, age + clock.now() - began)
        time.sleep(PERIOD)
    status = Crawl(options).progress() or {}
    screen.show(status, age + clock.now() - began, last=True)
    print(progress.ending(status, files.remains(options)))
    return 0 if progress.has_finished(status) else 1


def detachable(options: Options, look: Callable[[], int]) -> int:
    """Look on until the crawl has ended, or until Ctrl-C: it goes on without us."""
    try:
        code = look()
    except KeyboardInterrupt:
        tell(announcement.detached())
        return 0
    tell_parked(options)
    return code


class Screen:
    """One block that is repainted on a terminal; elsewhere a line every few seconds."""

    def __init__(self) -> None:
        self.repaints = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.painted = 0  # lines of the block now on the screen
        self.last_line = -LINE_PERIOD

    def show(self, status: progress.Status, elapsed: float, last: bool = False) -> None:
        """Show it if it is time; the last one always."""
        if not status:
            return
        silent = "" if last else progress.silence(status)
        if self.repaints:
            lines = progress.block(status, elapsed) + (progress.attention(silent) if silent else [])
            up = f"\x1b[{self.painted}F\x1b[J" if self.painted else ""
            print(up + "\n".join(lines), flush=True)
            self.painted = len(lines)
        elif last or elapsed - self.last_line >= LINE_PERIOD:
            print(progress.line(status, elapsed) + (f"; {silent}" if silent else ""), flush=True)
            self.last_line = elapsed


def _has_harvesters(crawl: Children, status: progress.Status) -> bool:
    ours = any(child.poll() is None for name, child in crawl.items() if name != KEEPER)
    return ours or progress.harvesters(status) > 0


def _is_lost(crawl: Children, without_keeper: float, without_harvesters: float) -> bool:
    crashed = crawl[KEEPER].poll() not in (None, 0)
    return crashed or without_keeper > FAREWELL or without_harvesters > ORPHANED


def _verdict(options: Options, crawl: Children, status: progress.Status) -> int:
    """Say how it ended."""
    died = {name: child.returncode for name, child in crawl.items() if child.returncode}
    for name, code in died.items():
        how = f"(exit code {code}): {files.last_words(name)}" if code > 0 else f"(signal {-code})"
        print(f"{name} died {how}", file=sys.stderr)
    if status and not progress.has_finished(status):
        print(progress.ending(status, files.remains(options)))
        return 1
    if died:
        return 1
    print("finished")
    return 0
