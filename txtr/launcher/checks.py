"""Edge: the checks before a start: whatever cannot work is refused, whatever may disappoint is a warning.

Invariant: nothing runs yet, and nothing is left behind.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from txtr.admin.crawl import Crawl
from txtr.config import options
from txtr.config.commandline import as_arguments
from txtr.config.options import Options
from txtr.console.contact import user_at_host
from txtr.errors import UserMistake
from txtr.launcher import announcement, files, processes
from txtr.launcher.file_checks import check_files
from txtr.launcher.files import KEEPER
from txtr.launcher.ports import check_port, find_absence
from txtr.segment import language
from txtr.segment.judges import check, parse_place
from txtr.wire.secret import weaknesses


def refuse_the_impossible(chosen: Options, harvesters: int) -> list[str]:
    """Refuse whatever cannot work; the words of the start list that are no URLs."""
    refuse_queuekeeper(chosen)
    if Crawl(chosen).is_kept():
        refuse_second_run(_others(chosen))
    if chosen.segmenter == options.BUILT_IN:
        language.parse_wanted(chosen.language)
    if chosen.segmenter not in options.NO_SOCKET:
        check(parse_place(chosen.segmenter))
    names = map(processes.instance, range(1, harvesters + 1))
    rejected = check_files(chosen, [KEEPER, *names])
    check_port(chosen)
    return rejected


def refuse_queuekeeper(chosen: Options) -> None:
    """One directory, one queuekeeper; with these options it was started otherwise."""
    if processes.has_queuekeeper(files.read_pids()):
        refuse_second_run(_others(chosen))


def refuse_second_run(others: Sequence[str] = ()) -> None:
    """One directory, one crawl; with these options it was started otherwise."""
    running = processes.living(files.read_pids())
    if running:
        who = f"a crawl is running in this directory (processes {' '.join(map(str, running))})"
        how = f", with another {', '.join(others)}" if others else f"; more harvesters: {announcement.ADDING}"
        raise UserMistake(f"{who}{how}; stop it with {announcement.STOPPING}")


def _others(chosen: Options) -> list[str]:
    """Options with which the crawl here was started otherwise."""
    running = processes.living(files.read_pids())
    if running and Path(processes.state(running[0])).resolve() != Path(chosen.state).resolve():
        return ["--state"]
    try:
        before = files.recall(chosen).arguments
    except UserMistake:  # nobody knows how
        return []
    differing = set(before).symmetric_difference(as_arguments(chosen))
    return sorted({argument.partition("=")[0] for argument in differing})


def warn_about_contact(chosen: Options) -> None:
    """Without --contact nobody could complain."""
    if not chosen.contact:
        print("\n".join(announcement.unknown_contact(user_at_host())), file=sys.stderr)


def warn_about_judging(chosen: Options) -> None:
    """A wish that nobody grants, or a judge who is not there."""
    lines = announcement.unused_language(chosen.language, chosen.segmenter)
    if chosen.segmenter not in options.NO_SOCKET:
        lines += announcement.absent_segmenter(chosen.segmenter, find_absence(chosen.segmenter))
    for line in lines:
        print(line, file=sys.stderr)


def warn_about_secret(chosen: Options) -> None:
    """A secret that others know, or will soon."""
    for weakness in weaknesses(chosen):
        print(f"WARNING: {weakness}", file=sys.stderr)
