"""Edge: the start of a crawl: a new one, one that was stopped or has crashed, or what it lacks.

Invariant: whoever of this crawl still runs is not started a second time: harvesters without a
queuekeeper are adopted by the new one, and a crawl that lacks harvesters gets only those. Of two starts in
one directory in the same moment, one is refused.
"""

import contextlib
import subprocess
import sys
from pathlib import Path

from txtr.admin.crawl import Crawl
from txtr.config.options import Options
from txtr.launcher import announcement, files, processes, progress, staff
from txtr.launcher.checks import (
    refuse_queuekeeper,
    refuse_the_impossible,
    warn_about_contact,
    warn_about_judging,
    warn_about_secret,
)
from txtr.launcher.files import KEEPER
from txtr.launcher.follow import Children, detachable, follow
from txtr.launcher.launch import launch
from txtr.launcher.output import tell, tell_parked
from txtr.launcher.running import is_alike, watch

SECOND_END = 3.0  # seconds in which a crawl that had finished has found out that it still has


def start(chosen: Options, harvesters: int, root: Path) -> int:
    """Start so many harvesters and the queuekeeper, as far as they are not running; stay if --follow."""
    before = Crawl(chosen).progress() or {}
    with files.one_at_a_time(lambda: refuse_queuekeeper(chosen)):
        absent = staff.absent(chosen, harvesters)
        if absent:
            staff.replace(chosen, absent, root)
        else:
            crawl, orphans = _begin(chosen, harvesters, root)
    if absent:
        return watch(chosen) if chosen.follow else 0
    is_over = progress.has_finished(before) and _has_ended(crawl[KEEPER])
    who = announcement.newcomers(True, len(crawl) - 1, len(orphans))
    if not is_over:
        tell(announcement.started(chosen, who))
    elif more := progress.answers(Crawl(chosen).progress() or {}) - progress.answers(before):
        tell(announcement.finished_soon(more, chosen))
    else:
        tell(announcement.nothing_left(chosen))
    if chosen.follow:
        return detachable(chosen, lambda: follow(chosen, crawl))
    if is_over:
        tell_parked(chosen)
    return 0


def _begin(chosen: Options, harvesters: int, root: Path) -> tuple[Children, dict[str, int]]:
    """The processes that were started, and the harvesters that were adopted."""
    _check(chosen, harvesters)
    orphans = _orphans(chosen)
    if orphans:
        tell(announcement.adopted(len(orphans)))
    try:
        return launch(chosen, harvesters, root, adopted=orphans), orphans
    except KeyboardInterrupt:
        tell(announcement.not_started())
        raise


def _check(chosen: Options, harvesters: int) -> None:
    for word in refuse_the_impossible(chosen, harvesters):
        mistake = f"--urls={chosen.urls}: {word[:200]} is no URL of http or https; left out"
        print(f"texttractor: {mistake}", file=sys.stderr)
    warn_about_contact(chosen)
    warn_about_judging(chosen)
    warn_about_secret(chosen)


def _orphans(chosen: Options) -> dict[str, int]:
    """Harvesters whose queuekeeper was killed. Those that were started with other options are stopped: they
    would call at another port, keep texts elsewhere, or say that we are somebody else."""
    orphans = processes.instances(files.read_pids())
    if not is_alike(chosen):
        processes.stop(orphans.values())
        return {}
    return orphans


def _has_ended(keeper: "subprocess.Popen[bytes]") -> bool:
    """Does the queuekeeper of a crawl that had finished find nothing to do, and end?"""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return keeper.wait(SECOND_END) == 0
    return False
