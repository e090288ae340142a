"""Edge: the segmenter as a program: `python -m txtr.segmenter [options]`.

It takes the same options as the others and listens where --segmenter says (127.0.0.1:8418 when that
names no place), until SIGTERM or SIGINT. What it has not answered, the harvesters ask again.
"""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

from txtr import clock, options
from txtr.errors import UserMistake
from txtr.model import Event
from txtr.options import Options
from txtr.report import summary
from txtr.report.disk import Diary
from txtr.report.tally import Tally
from txtr.segment.language import wanted
from txtr.segment.sockets import Place, place
from txtr.segmenter.sockets import Judging

USAGE = "python -m txtr.segmenter [--segmenter=HOST:PORT or PATH] [--language=CODES] [options]"
NAME = "segmenter"
USUAL = Place(host="127.0.0.1", port=8418)


def main(argv: list[str]) -> int:
    """Judge until told to stop."""
    wish = options.asks_for(argv)
    if wish:
        print(options.help_text(USAGE) if wish == "help" else f"TextTractor {options.VERSION}")
        return 0
    try:
        chosen = options.load(argv, lambda path: Path(path).read_text(encoding="utf-8"))
        asyncio.run(_run(chosen))
    except UserMistake as error:
        print(f"{NAME}: {error}", file=sys.stderr, flush=True)
        return 2
    return 0


async def _run(chosen: Options) -> None:
    started = clock.now()
    name = chosen.instance or NAME
    where = USUAL if chosen.segmenter in options.NO_SOCKET else place(chosen.segmenter)
    tally = Tally()
    languages = wanted(chosen.language)
    diary = Diary(chosen.log_path, name, chosen.log_level, chosen.log_size, chosen.log_count)
    judging = Judging(languages, tally, diary.write)
    server = await _listen(judging, where)
    diary.write(Event("started", name, {"pid": os.getpid(), "version": options.VERSION}))
    diary.write(Event("listening", str(where), {"language": chosen.language}))
    print(f"{name}: listening at {where}", flush=True)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await ended.wait()
    server.close()
    await judging.end()
    tally.spend("processor", clock.processor())
    for line in summary.lines(tally, name, clock.now() - started, rates=("judged",)):
        print(line, flush=True)
    diary.write(Event("stopped", name, {"reason": "told to"}))


async def _listen(judging: Judging, where: Place) -> asyncio.Server:
    """Take the place; a socket file that nobody answers at is left over, and replaced."""
    with contextlib.suppress(OSError):
        _, writer = await where.connect()
        writer.close()
        raise UserMistake(f"--segmenter={where}: somebody listens there already")
    try:
        return await judging.listen(where)
    except OSError as error:
        raise UserMistake(f"--segmenter={where}: cannot listen there: {error.strerror}") from error
