"""Edge: a state that no queuekeeper is at work on: opened under the same lock, changed, compacted."""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from txtr import clock, files
from txtr.config.options import Options
from txtr.config.places import (
    DATABASE_FILE,
    FRESH_DATABASE,
    JOURNAL_FILES,
    LAUNCH,
    RUNNING,
    STATUS,
    WRITE_AHEAD_LOG,
)
from txtr.console.option_files import load
from txtr.errors import UserMistake
from txtr.frontier.build import build_frontier
from txtr.frontier.orders import Task
from txtr.segment.language import canonical
from txtr.store.database import explain_trouble
from txtr.store.inspection import Inspection, find_database
from txtr.store.lock import StateIsLocked, hold_lock
from txtr.store.store import Store
from txtr.store.verification import Verification


class Stopped:
    """The state of a crawl that is not running; nobody else can start on it meanwhile."""

    def __init__(self, state: Path, chosen: Options) -> None:
        find_database(state)
        self.state = state
        self.lock = hold_lock(state, is_new_allowed=False)
        self.store = Store(state, is_new_allowed=False)
        wanted = [canonical(code) for code in chosen.language.split(",") if code]
        epoch = clock.wall() - clock.now()
        self.frontier = build_frontier(chosen, wanted, self.store.links, self.store, epoch)
        with _named(self.store.path):
            self.store.begin(self.frontier, clock.now())

    def order(self, verb: str, names: Iterable[str]) -> Iterator[list[tuple[str, str, int]]]:
        """Have it done; what came of it, part by part, when it is on the disk."""
        task = Task(self.frontier, verb, names)
        while not task.is_done:
            with _named(self.store.path):
                done = task.go_on(clock.now())
                self.store.write(self.frontier, clock.now())
                self.store.commit()
            self.frontier.events.clear()
            self._correct_status()
            yield list(done)

    def _correct_status(self) -> None:
        """Whoever asks how far the crawl was sees what is queued now; the rest is what it said at its end."""
        links = self.store.links
        with contextlib.suppress(
            OSError, ValueError, KeyError, TypeError
        ):  # it was never written, or cannot be
            status = json.loads(files.content(self.state / STATUS))
            status |= {
                "queued": links.queued_count,
                "active_requests": links.leased_count,
                "parked": links.parked_count,
                "finished": status["finished"] and not links.queued_count,
            }
            files.replace(self.state / STATUS, json.dumps(status).encode())

    def close(self) -> None:
        self.store.close()
        self.lock.close()


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Whatever goes wrong with the database is said in one line that names it."""
    try:
        yield
    except sqlite3.Error as error:
        raise UserMistake(explain_trouble(path, error)) from error


@contextlib.contextmanager
def _alone(state: Path, stop: str) -> Iterator[None]:
    """Nobody else is at work on this state; `stop` is the command that ends a crawl."""
    try:
        lock = hold_lock(state, is_new_allowed=False)
    except StateIsLocked as error:
        if (state / RUNNING).exists():
            raise UserMistake(f"--state={state}: a crawl is running; stop it first: {stop}") from error
        raise UserMistake(
            f"--state={state}: another order is being carried out; try again when it is done"
        ) from error
    with lock:
        yield


def compact(state: Path, stop: str) -> tuple[int, int]:
    """Write the database anew, without gaps; its size before and after. The old one stays until then.

    Nobody may be reading it: the log of the old one would stay, and be worked into the new one."""
    path = Path(os.path.realpath(find_database(state)))  # a link to it stays
    fresh = path.with_name(FRESH_DATABASE)
    with _alone(state, stop):
        Store(state, is_new_allowed=False).close()  # up to date, and its log worked in
        before = size(state)
        fresh.unlink(missing_ok=True)
        try:
            with contextlib.closing(sqlite3.connect(path, 1.0, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode = DELETE")  # no log any more; refused while one reads
                connection.execute("VACUUM INTO ?", (str(fresh),))
            files.sync(fresh)
            files.rename(fresh, path)
            files.sync(path.parent)
        except sqlite3.Error as error:
            raise UserMistake(f"{explain_trouble(path, error)}; the queue is as it was") from error
        finally:
            fresh.unlink(missing_ok=True)
        return before, size(state)


@contextlib.contextmanager
def verification(state: Path, is_repairing: bool, stop: str) -> Iterator[Verification]:
    """The check of a state, to be carried out; while a crawl is running, as of one moment."""
    if not is_repairing:
        with contextlib.closing(Inspection(state)) as inspection:
            inspection.connection.execute("PRAGMA query_only = OFF")  # it has temporary tables
            inspection.connection.execute("BEGIN")
            yield Verification(inspection.connection, inspection.path)
        return
    find_database(state)
    with (
        _alone(state, stop),
        contextlib.closing(Store(state, is_new_allowed=False)) as store,
        _named(store.path),
    ):
        yield Verification(store.connection, store.path, is_repairing=True)
        store.connection.execute("COMMIT")


def size(state: Path) -> int:
    """Bytes on disk."""
    total = 0
    for name in (DATABASE_FILE, WRITE_AHEAD_LOG, *JOURNAL_FILES):
        with contextlib.suppress(OSError):
            total += (state / name).stat().st_size
    return total


def written(state: Path) -> float:
    """When the state was last written to, in wall time. A log that is empty was made by one who looks in."""
    times = [0.0]
    for name in (DATABASE_FILE, WRITE_AHEAD_LOG, *JOURNAL_FILES):
        with contextlib.suppress(OSError):
            about = (state / name).stat()
            times.append(about.st_mtime if about.st_size else 0.0)
    return max(times)


def crawl_options(given: list[str]) -> Options:
    """The options that the crawl was last started with, as far as the start script has noted them."""
    chosen = load(given)
    try:
        launch = json.loads(files.content(Path(chosen.state) / LAUNCH))
        noted = [str(argument) for argument in launch["arguments"]]
        return load([*noted, f"--state={chosen.state}"])
    except (OSError, ValueError, KeyError, TypeError, UserMistake):
        return chosen
