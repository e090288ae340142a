"""Edge: the segmenter as a program: `sh texttractor.sh segmenter` or `python -m txtr.segmenter`.

It takes the same options as the other programs, so that one config.txt serves all. It listens where
--segmenter says (127.0.0.1:8418 when that names no place), until SIGTERM or SIGINT. Harvesters ask questions
again that it has not answered.
"""

import asyncio
import contextlib
import os
import signal
from pathlib import Path

from txtr import clock
from txtr.config import options
from txtr.config.options import Options
from txtr.console.program import run_service
from txtr.diary import summary
from txtr.diary.file import Diary
from txtr.diary.tally import Tally
from txtr.errors import UserMistake
from txtr.escapes import escaped
from txtr.model import Event
from txtr.segment.judges import Place, parse_place
from txtr.segment.language import parse_wanted
from txtr.segmenter.server import Judging
from txtr.wire.listener import allow_many_files

USAGE = """usage: sh texttractor.sh segmenter [options]

Judges texts for harvesters that were started with the same --segmenter; Ctrl-C or kill ends it.

  --segmenter=PLACE    where to listen: HOST:PORT, or the path of a socket, with a slash [127.0.0.1:8418]
  --language=CODES     wanted languages (cs,sk); empty = those that each harvester wants
  --instance=NAME      its name [segmenter]
  --log-path=PATTERN   its log file; {instance} is its name [log/{instance}.log]
  --log-level, --log-size, --log-count, --config   as of the other programs

The other options of the robot are allowed and mean nothing here."""
NAME = "segmenter"
USUAL_PLACE = Place(host="127.0.0.1", port=8418)


def main(argv: list[str]) -> int:
    """Judge until told to stop."""
    return run_service(NAME, argv, USAGE, lambda chosen: asyncio.run(_run(chosen)))


async def _run(chosen: Options) -> int:
    started = clock.now()
    name = chosen.instance or NAME
    where = _where(chosen.segmenter)
    tally = Tally()
    languages = parse_wanted(chosen.language)
    diary = Diary(chosen.log_path, name, chosen.log_level, chosen.log_size, chosen.log_count)
    judging = Judging(languages, tally, diary.write, allow_many_files())
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await _listen(judging, where)
    diary.write(Event("started", name, {"pid": os.getpid(), "version": options.VERSION}))
    diary.write(Event("listening", str(where), {"language": chosen.language}))
    print(f"{name}: listening at {where}", flush=True)
    print(f"{name}: log in {diary.path}", flush=True)
    await ended.wait()
    await judging.end()
    _leave(where)
    tally.spend("processor", clock.processor())
    for line in summary.lines(tally, name, clock.now() - started, rates=("judged",)):
        print(escaped(line), flush=True)
    diary.write(Event("stopped", name, {"reason": "told to"}))
    return 0


def _where(segmenter: str) -> Place:
    if segmenter == options.NONE:
        raise UserMistake(f"--segmenter={segmenter}: expected a place to listen at, HOST:PORT or a path")
    return USUAL_PLACE if segmenter == options.BUILT_IN else parse_place(segmenter)


def _leave(where: Place) -> None:
    """Remove the socket file; no other program can have taken the place while we were there."""
    if where.path:
        Path(where.path).unlink(missing_ok=True)


async def _listen(judging: Judging, where: Place) -> None:
    """Listen at the place; a socket file at which nobody answers is left over, and is replaced."""
    with contextlib.suppress(OSError):
        _, writer = await where.connect()
        writer.close()
        raise UserMistake(f"--segmenter={where}: somebody listens there already")
    try:
        await judging.listen(where)
    except OSError as error:
        raise UserMistake(f"--segmenter={where}: cannot listen there: {error.strerror}") from error
