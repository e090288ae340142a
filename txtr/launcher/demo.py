"""Edge: the demonstration: the miniature web runs beside a crawl of it, in a directory of its own.

Invariant: the web ends with the demonstration, however that ends (a kill -9 excepted; then its
number is still in demo-run/PID.txt), and nothing outside the directory is touched.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from txtr import clock
from txtr.admin.crawl import Crawl
from txtr.config.options import Options
from txtr.corpus import record
from txtr.errors import UserMistake
from txtr.escapes import escaped
from txtr.launcher import announcement, files, processes, progress
from txtr.launcher.checks import refuse_second_run, refuse_the_impossible, warn_about_judging
from txtr.launcher.findings import Findings, lines
from txtr.launcher.follow import follow
from txtr.launcher.launch import launch
from txtr.launcher.output import called_as, tell
from txtr.launcher.ports import free_port

DIRECTORY = Path("demo-run")
WEB = "demo-web"  # its name; what it says is in demo-web.out
READY = "ready"  # the word by which it says that it serves
SERVER_PATIENCE = 30.0  # seconds for it to start, and to end

# Fast, since all servers are ours; everything else as in a real crawl.
RULES = (
    "--config=",
    "--req-delay=0.2",
    "--max-hosts=3",
    "--max-reqs=20",
    "--general-pause=1",
    "--allow-private",
    "--hosts=hosts.txt",
    "--contact=demo@texttractor.example",
)


def rules() -> list[str]:
    """The demonstration's options, with a port that a real crawl on this machine leaves free."""
    return [*RULES, f"--port={free_port()}"]


def demonstrate(chosen: Options, harvesters: int, root: Path) -> int:
    """Crawl the miniature web in a directory of its own, attached."""
    if chosen.urls != Options().urls:
        raise UserMistake(f"--urls={chosen.urls}: --demo crawls a web of its own; leave one of the two out")
    _enter_directory()
    with contextlib.ExitStack() as turn:
        turn.enter_context(files.one_at_a_time(refuse_second_run))
        refuse_second_run()
        _clear_directory()
        return _crawl(chosen, harvesters, root, turn)


def _crawl(chosen: Options, harvesters: int, root: Path, turn: contextlib.ExitStack) -> int:
    """It is another command's turn when all processes are started."""
    with _web() as web:
        refuse_the_impossible(chosen, harvesters)
        warn_about_judging(chosen)
        print(f"crawling the miniature web with {announcement.counted(harvesters)}", flush=True)
        try:
            started = launch(chosen, harvesters, root, beside=[web.pid])
            turn.close()
            code = follow(chosen, started)
        except KeyboardInterrupt:
            tell(announcement.demo_stopped(str(DIRECTORY)))
            raise
        finally:
            processes.stop(pid for pid in files.read_pids() if pid != web.pid)
    print("\n".join(map(escaped, _findings(chosen))))
    return code


def _enter_directory() -> None:
    """Make the demonstration's directory the current one."""
    try:
        DIRECTORY.mkdir(exist_ok=True)
        os.chdir(DIRECTORY)
    except OSError as error:
        raise UserMistake(f"directory {DIRECTORY}: {error.strerror}") from error


def _clear_directory() -> None:
    """Remove what an earlier demonstration left here, but nothing that looks like another's."""
    entries = [entry for entry in Path().iterdir() if entry != files.LOCK_FILE]  # that is ours, now
    if entries and not Path(f"{WEB}.out").exists():
        raise UserMistake(f"directory {DIRECTORY}: holds files that no demonstration has left; move it away")
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _findings(chosen: Options) -> list[str]:
    """What the crawl has left, for the user to read."""
    found = Findings(
        texts=[text for shard in sorted(Path(chosen.target).glob("*.txt")) for text in _texts(shard, chosen)],
        files_aside=len(list(Path(chosen.non_html_target).glob("*/*"))),
        disallowed=len(_lines(chosen.disallowed_target)),
        rejected=progress.number(Crawl(chosen).progress() or {}, "rejected"),
        abandoned=sum(not line.startswith("#") for line in _lines(chosen.abandoned_target)),
        access_log=_lines("access.log"),
    )
    return lines(found, chosen, str(DIRECTORY), called_as())


def _texts(shard: Path, chosen: Options) -> list[str]:
    with shard.open(encoding=chosen.encoding, newline="\n") as lines_of_shard:
        return [text for _, text in record.read_records(lines_of_shard)]


def _lines(path: str) -> list[str]:
    return Path(path).read_text("utf-8").splitlines() if Path(path).is_file() else []


@contextlib.contextmanager
def _web() -> Iterator["subprocess.Popen[bytes]"]:
    """The miniature web, serving as long as this lasts."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # ends us as Ctrl-C does, with all we started
    with contextlib.ExitStack() as ending:
        with processes.uninterrupted():
            server = processes.start(["-P", "-m", "txtr.demo.program", "--dir=.", "--port=0"], WEB)
            ending.callback(processes.end, [server], SERVER_PATIENCE)
        _await_ready(server)
        yield server


def _await_ready(server: "subprocess.Popen[bytes]") -> None:
    deadline = clock.now() + SERVER_PATIENCE
    while READY not in files.read_out(WEB):
        if server.poll() is not None or clock.now() > deadline:
            raise UserMistake(f"the miniature web cannot start: {files.last_words(WEB)}")
        time.sleep(files.GLANCE)
