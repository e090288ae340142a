"""Edge: a crawl, by the directory of its state: to look at it, and to give it orders, whether it runs or not.

Whoever asks need not know whether a queuekeeper is at work. What a crawl knows is read from its database, as
of the last commit; how far it is, from what the queuekeeper says of itself. An order is carried out by the
queuekeeper if there is one, else by us, under its lock.

Invariant: looking holds nobody up and changes nothing. What came of an order is told when it is on the disk.
"""

import contextlib
import fcntl
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import islice
from pathlib import Path

from txtr import clock, files
from txtr.admin import answers, stopped
from txtr.admin.visitor import Visitor
from txtr.config.options import Options
from txtr.config.places import LOCK, RUNNING, STATUS
from txtr.escapes import escaped
from txtr.gate import Gate
from txtr.store.inspection import Finding, Inspection
from txtr.store.lock import StateIsLocked
from txtr.store.verification import Verification
from txtr.wire.secret import given, own_path

LOCAL = "127.0.0.1"
NAMES_AT_ONCE = 1000  # in one order

Progress = Mapping[str, object]  # by the names of status.json


class Crawl:
    def __init__(self, chosen: Options, port: int | None = None, secret_file: str | None = None) -> None:
        """`chosen`: the options of the crawl. Its queuekeeper says which port and secret file it has."""
        self.options = chosen
        self.state = Path(chosen.state)
        self.port = port
        self.secret_file = secret_file

    @cached_property
    def gate(self) -> Gate:
        """What the crawl includes."""
        return Gate(self.options.include, self.options.exclude, self.options.depth)

    # --- how far it is

    def progress(self) -> Progress | None:
        """What the queuekeeper says, if it said anything yet, and its `age` in seconds; harmless to print."""
        try:
            status = self._status()
            age = clock.wall() - (self.state / STATUS).stat().st_mtime
        except (OSError, ValueError):
            return None
        said = {name: escaped(value) if isinstance(value, str) else value for name, value in status.items()}
        return said | {"age": age}

    def is_kept(self) -> bool:
        """Is a queuekeeper at work on this queue, whoever started it?"""
        path = self.state / LOCK
        try:
            files.refuse_special(path)
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def running_for(self) -> float:
        """Seconds since the queuekeeper's start."""
        try:
            return max(0.0, clock.wall() - (self.state / RUNNING).stat().st_mtime)
        except OSError:
            return 0.0

    def _status(self) -> dict[str, object]:
        status = json.loads(files.content(self.state / STATUS))
        if not isinstance(status, dict):
            raise ValueError("no status")
        return status

    # --- what it knows

    def totals(self) -> answers.Facts:
        """How much of what there is."""
        with self._inspection() as known:
            size_bytes, written = stopped.size(self.state), stopped.written(self.state)
            return answers.totals(known, self.options.general_pause, size_bytes, written, clock.wall())

    def domains(self, pattern: str, limit: int) -> tuple[list[answers.Facts], int]:
        """Those that match, with the longest queues; and how many match."""
        with self._inspection() as known:
            largest, count = known.largest(pattern, limit)
            abandoned, blocked = known.abandoned(), known.blocked()
        now = clock.wall()
        return [answers.domain_row(row, abandoned, blocked, self.gate, now) for row in largest], count

    def domain(self, name: str) -> answers.Facts:
        """All that is known of one domain."""
        with self._inspection() as known:
            row = known.row(name)
            if row is not None:
                return answers.domain(known, row, self.gate, clock.wall())
            reason = "blocked" if name in known.blocked() else self.gate.domain_refusal(name)
            return {"domain": name, "state": ["never seen", *([reason] if reason else [])]}

    def url(self, url: str) -> answers.Facts:
        """What is known of a link, which is canonical."""
        with self._inspection() as known:
            return answers.link(known, url, self.gate, clock.wall())

    def documents(self) -> Iterator[Finding]:
        """Every link that is settled."""
        with self._inspection() as known:
            yield from known.documents()

    def abandoned(self, pattern: str) -> list[str]:
        """The abandoned domains that match."""
        with self._inspection() as known:
            return [name for name in known.abandoned() if answers.matches(pattern, name)]

    def troubled(self, pattern: str) -> list[str]:
        """The domains that match at which something has failed or is parked."""
        with self._inspection() as known:
            return [
                row.name for row in known.rows(pattern) if answers.is_left_alone(row) or known.has_failed(row)
            ]

    def _inspection(self) -> contextlib.closing[Inspection]:
        return contextlib.closing(Inspection(self.state))

    # --- orders

    def order(self, verb: str, names: Iterable[str]) -> Iterator[list[tuple[str, str, int]]]:
        """Have it done: whom, what came of it, and of how many requests, part by part."""
        owner = self._owner()
        try:
            rest = iter(names)
            while portion := list(islice(rest, NAMES_AT_ONCE)):
                yield from owner.order(verb, portion)
        finally:
            owner.close()

    def _owner(self) -> stopped.Stopped | Visitor:
        try:
            return stopped.Stopped(self.state, self.options)
        except StateIsLocked:
            port, secret_file = self.port_and_secret()
            if self.secret_file is not None:
                secret_file = self.secret_file
            # What the queuekeeper wants to hear; of one that had no secret, nothing.
            return Visitor(LOCAL, self.port or port, given(secret_file) if secret_file else b"")

    def port_and_secret(self) -> tuple[int, str]:
        """Where the queuekeeper listens, and the file with its secret, as it says itself."""
        try:
            status = self._status()
            return int(str(status["port"])), str(status["secret_file"])
        except (OSError, ValueError, KeyError):
            own = own_path(self.state)
            return self.options.port, self.options.secret_file or (str(own) if own.exists() else "")

    # --- care, which needs the state for itself: `stop` is the command that ends a crawl

    def compact(self, stop: str) -> tuple[int, int]:
        """Write the database anew, without gaps; its size before and after."""
        return stopped.compact(self.state, stop)

    def verification(self, is_repairing: bool, stop: str) -> AbstractContextManager[Verification]:
        """The check of the state; while a crawl is running, as of one moment."""
        return stopped.verification(self.state, is_repairing, stop)


def find_crawl(arguments: list[str], port: int | None = None, secret_file: str | None = None) -> Crawl:
    """The crawl that these arguments name, with the options that it was last started with."""
    return Crawl(stopped.crawl_options(arguments), port, secret_file)
