"""Edge: the harvester as a program: start, stop, signals."""

import asyncio
import contextlib
import ctypes
import json
import os
import re
import signal
import socket
import sys
from functools import partial
from pathlib import Path

from txtr import clock, eventloop, files
from txtr.config import options
from txtr.config.manual import program_help
from txtr.config.options import Options
from txtr.config.places import STATUS
from txtr.console.contact import user_at_host
from txtr.console.option_files import text
from txtr.console.program import run_service
from txtr.corpus.shards import Aside, Corpus, Unkept
from txtr.diary import summary
from txtr.diary.file import Diary
from txtr.errors import TheirMistake
from txtr.escapes import escaped
from txtr.eventloop import Watch
from txtr.fetch import hosts_file
from txtr.fetch.dns import Names
from txtr.fetch.fetcher import Fetcher
from txtr.fetch.guard import Limits
from txtr.gate import Gate
from txtr.harvester.columns import Columns
from txtr.harvester.known_links import KnownLinks
from txtr.harvester.line import Line, Unreachable
from txtr.harvester.page import Demands
from txtr.harvester.run import Run
from txtr.harvester.throttle import Throttle
from txtr.harvester.walk import Walk
from txtr.media import is_wanted
from txtr.model import Event
from txtr.segment import language
from txtr.segment.judges import BuiltIn, Remote, Segmenter, Unjudged, check, parse_place
from txtr.wire.listener import allow_many_files
from txtr.wire.secret import known, weaknesses

MIB = 1 << 20
LONGEST_MACHINE = 40  # letters of the machine's name in the harvester's name, which has at most 64
SLACK = 1.1  # times req-delay: a column that lasts longer makes its row a slow one
MIN_COLUMN = 1.0  # seconds, however short the delay is
# glibc's mallopt: parameter -> bytes. Without these, malloc learns from the first long page to keep all such
# blocks for later, in pieces: that takes 500 MiB after some hundred pages of 10 MB, and with these 340 MiB.
MALLOPT = {-3: MIB, -1: 16 * MIB}  # M_MMAP_THRESHOLD, M_TRIM_THRESHOLD
MALLOPT_ARENAS = (-8, 1)  # M_ARENA_MAX: the thread that reads long pages shares ours


def main(argv: list[str]) -> int:
    """Fetch until the queuekeeper says goodbye, or until told to stop."""
    manual = program_help("harvester")
    return run_service("harvester", argv, manual, lambda chosen: eventloop.run(partial(_run, chosen)))


async def _run(chosen: Options, watch: Watch) -> int:
    started = clock.now()
    allow_many_files()
    _set_allocator()
    name = chosen.instance or _own_name(socket.gethostname())
    diary = Diary(chosen.log_path, name, chosen.log_level, chosen.log_size, chosen.log_count)
    contact = chosen.contact or _stand_in(diary)
    diary.write(Event("started", name, {"pid": os.getpid(), "version": options.VERSION, "contact": contact}))
    for weakness in weaknesses(chosen) if chosen.secret_file else ():
        diary.write(Event("warning", "secret", {"reason": weakness}))
        print(f"harvester: WARNING: {weakness}", file=sys.stderr, flush=True)
    limits = Limits(
        connect=chosen.connect_timeout,
        read=chosen.read_timeout,
        total=chosen.total_timeout,
        max_size_bytes=int(chosen.max_size * MIB),
        connections=chosen.connections,
    )
    fetcher = Fetcher(
        limits=limits,
        agent=f"{chosen.agent}/{options.VERSION} (+{contact})",
        contact=contact,
        allow_private=chosen.allow_private,
        check_certificates=chosen.check_certificates,
        is_wanted=is_wanted,
    )
    Gate(
        chosen.include, chosen.exclude, chosen.depth
    )  # made ready before any request waits: its lists may be long
    async with fetcher:
        harvest = Run(
            walk=Walk(Columns(chosen.wait), chosen.batch_count, column=chosen.req_delay * SLACK + MIN_COLUMN),
            line=Line(chosen.qk_host or "localhost", chosen.port, name, known(chosen)),
            fetcher=fetcher,
            names=Names(_hosts(chosen), chosen.allow_private),
            corpus=_corpus(chosen, name),
            aside=_aside(chosen, name),
            rejected=_rejected(chosen, name),
            segmenter=_segmenter(chosen, name, diary),
            demands=Demands(chosen.min_usability, chosen.paragraphs),
            agent=chosen.agent,
            text=chosen.text,
            throttle=Throttle(chosen.connections),
            known_links=None if chosen.depth else KnownLinks(),
            has_finished=partial(_has_finished, Path(chosen.state)),
            return_memory=_return_memory,
            note=diary.write,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, harvest.leave)
        watch.forget()
        reason, code = await _work(harvest)
    harvest.tally.spend("processor", clock.processor())
    for line in [*summary.lines(harvest.tally, name, clock.now() - started), watch.line()]:
        print(escaped(line), flush=True)
    diary.write(Event("stopped", name, {"reason": reason}))
    return code


async def _work(harvest: Run) -> tuple[str, int]:
    """Run the harvest; return why it ended, and the exit code."""
    try:
        await harvest.run()
    except Unreachable as error:
        print(f"harvester: {escaped(str(error))}", file=sys.stderr, flush=True)
        return str(error), 1
    except TheirMistake as error:
        print(f"harvester: {escaped(str(error))}", file=sys.stderr, flush=True)
        return str(error), 1
    if harvest.trouble:
        print(f"harvester: {escaped(harvest.trouble)}", file=sys.stderr, flush=True)
        return harvest.trouble, 1
    return "goodbye", 0


def _own_name(machine: str) -> str:
    """A name by machine and process, when the user has given none: letters, digits, and few signs."""
    return f"harvester-{re.sub('[^A-Za-z0-9._-]', '-', machine)[:LONGEST_MACHINE]}-{os.getpid()}"


def _segmenter(chosen: Options, name: str, diary: Diary) -> Segmenter:
    """The segmenter: none, the built-in judge, or a program for which the built-in judge stands in."""
    if chosen.segmenter == options.NONE:
        return Unjudged()
    if chosen.segmenter == options.BUILT_IN:
        return BuiltIn(language.parse_wanted(chosen.language))
    where = parse_place(chosen.segmenter)
    check(where)
    codes = [language.canonical(code) for code in chosen.language.split(",") if code]
    # Another segmenter may know languages that the built-in judge does not, which then takes any language.
    known = frozenset(codes) if language.KNOWN.issuperset(codes) else frozenset()
    return Remote(where, name, codes, BuiltIn(known).judge, diary.write)


def _corpus(chosen: Options, name: str) -> Corpus:
    if not options.is_wanted(chosen.target):
        return Unkept(name, chosen.encoding)
    return Corpus(Path(chosen.target), name, chosen.encoding)


def _aside(chosen: Options, name: str) -> Aside | None:
    if not options.is_wanted(chosen.non_html_target):
        return None
    return Aside(Path(chosen.non_html_target), name)


def _rejected(chosen: Options, name: str) -> Corpus | None:
    if not options.is_wanted(chosen.rejected_target):
        return None
    return Corpus(Path(chosen.rejected_target), name, chosen.encoding, "--rejected-target")


def _set_allocator() -> None:
    """Make malloc give long blocks back to the system; without glibc, do nothing."""
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        for parameter, value in (*MALLOPT.items(), MALLOPT_ARENAS):
            mallopt(parameter, value)


def _return_memory() -> None:
    """Give all free pages of the heap back, also those below one in use; without glibc, do nothing."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _has_finished(state: Path) -> bool:
    """Did a queuekeeper on this machine end its crawl before this harvester started?"""
    try:
        return bool(json.loads(files.content(state / STATUS))["finished"])
    except (OSError, ValueError, KeyError):
        return False


def _stand_in(diary: Diary) -> str:
    """The address for complaints, when the user has given none."""
    contact = user_at_host()
    diary.write(
        Event("warning", "--contact", {"reason": "not given, administrators see", "instead": contact})
    )
    print(f"harvester: WARNING: no --contact; administrators will see {contact}", file=sys.stderr, flush=True)
    return contact


def _hosts(chosen: Options) -> dict[str, list[str]]:
    if not chosen.hosts:
        return {}
    return hosts_file.read_hosts(text("--hosts", chosen.hosts), f"--hosts={chosen.hosts}")
