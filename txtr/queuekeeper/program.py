"""Edge: the queuekeeper as a program: start, save, say goodbye."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sqlite3
from collections import Counter, deque
from pathlib import Path

from txtr import clock, eventloop, files
from txtr.config import options
from txtr.config.manual import program_help
from txtr.config.options import Options
from txtr.config.places import BRING_BACK, RUNNING, STATUS, YIELD
from txtr.config.values import shown
from txtr.console.option_files import text
from txtr.console.program import run_service
from txtr.corpus import shards
from txtr.diary import summary, yields
from txtr.diary.file import Diary, load_yield
from txtr.diary.tally import Tally
from txtr.diary.yields import Yields
from txtr.errors import Damaged, TxtrError, UserMistake
from txtr.escapes import escaped
from txtr.eventloop import Watch
from txtr.frontier.build import build_frontier
from txtr.frontier.frontier import Frontier
from txtr.manners.rules import Rules
from txtr.model import Event, Link
from txtr.queuekeeper.books import Books
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.server import Server
from txtr.queuekeeper.status import sum_up
from txtr.seeds import startlist
from txtr.segment.language import canonical
from txtr.store.database import explain_trouble, is_damage
from txtr.store.journal import explain_rollback
from txtr.store.lock import hold_lock
from txtr.store.store import Store
from txtr.urls import split
from txtr.wire.listener import allow_many_files
from txtr.wire.secret import provided, weaknesses

NAME = "queuekeeper"
FAREWELL_SECONDS = 10.0  # seconds that harvesters have for their last reports when we stop
YIELD_EVERY = 5.0  # seconds between two writings of the yield
LIST_EVERY = 50  # times the time that writing the list of abandoned domains took; they may be a million
RATE_WINDOW = 10  # seconds over which pages per second are measured
LAST_WORDS_BYTES = 4 * 1024 * 1024  # of a corpus file: more than a harvester writes between two reports
MOST_ROWS = 20_000  # in one batch: bounds the size of a message


def main(argv: list[str]) -> int:
    """Run until nothing is left to do, or until told to stop."""
    return run_service(NAME, argv, program_help(NAME), _run)


def _run(chosen: Options) -> int:
    return eventloop.run(lambda watch: Queuekeeper(chosen, watch).run())


class Queuekeeper:
    def __init__(self, chosen: Options, watch: Watch) -> None:
        self.options = chosen
        self.watch = watch
        self.state = Path(chosen.state)
        self.lock = hold_lock(self.state)
        files.remove_leftovers(self.state)
        if options.is_wanted(chosen.abandoned_target):
            files.remove_leftovers_of(Path(chosen.abandoned_target))
        self.diary = Diary(chosen.log_path, NAME, chosen.log_level, chosen.log_size, chosen.log_count)
        self.disallowed = _open_disallowed(chosen)
        self.books = Books(self.state)
        self.secret = provided(chosen)
        self.frontier = _open_frontier(chosen, self.books.store)
        self.keeper = Keeper(
            self.frontier, self.books.claims, MOST_ROWS, Yields(self.frontier.epoch), chosen.total_timeout
        )
        self.tally = Tally()
        self.started = clock.now()
        self.fetched: deque[tuple[float, float]] = deque(maxlen=RATE_WINDOW)  # (time, fetched so far)
        self.is_stopping = False
        self.unread_wishes = ""  # why bring-back.txt cannot be read, as long as it cannot
        self.lost = ""  # file of the state that was removed or replaced while we run
        self.abandoned_changed = True  # since their list was written
        self.listed_next = 0.0  # the earliest time at which the list is written again

    async def run(self) -> int:
        try:
            return await self._run()
        except* (sqlite3.Error, Damaged) as errors:
            raise self._broken(errors) from errors
        except* (TxtrError, OSError) as errors:  # from a group of tasks: raised as if there were no group
            raise _first_error(errors) from errors

    async def _run(self) -> int:
        hall = Server(
            self.keeper,
            self.secret,
            _harvester_machines(self.options),
            self.note,
            self.tally,
            self._keep,
            self.watch,
            allow_many_files(),
        )
        await hall.open(self.options.port)
        try:
            await self._keep_house(hall)
        finally:
            await hall.hang_up()
        hall.deliver()  # what was heard before, and taken in only now
        return self._end()

    async def _keep_house(self, hall: Server) -> None:
        self._begin()
        self._write_status(is_finished=False)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, hall)
        self._listening()
        self.watch.forget()
        async with asyncio.TaskGroup() as tasks:
            bookkeeping = tasks.create_task(self._keep_books(hall))
            tasks.create_task(self._take_up(hall))
            await hall.keep_time(self._is_over)
            await self._say_goodbye(hall)
            bookkeeping.cancel()

    def _broken(self, errors: BaseExceptionGroup[Exception]) -> UserMistake:
        """The error to end with when the state cannot be written. What was committed is there, no more."""
        if self._has_lost_state():
            return self._without_state()
        error = _first_error(errors)
        reason = explain_trouble(self.books.store.path, error)
        self.note(Event("error", str(self.state), {"reason": reason}))
        if is_damage(error):
            return UserMistake(
                f"{reason}. The queuekeeper has stopped; with a copy that is whole the same command goes on"
            )
        return UserMistake(
            f"{reason}. The queuekeeper has stopped; nothing that it had written down is lost: "
            "when that is mended, the same command goes on"
        )

    def note(self, *events: Event) -> None:
        """Write events into the diary, the counts, and the lists of disallowed URLs and abandoned domains."""
        self.diary.write(*events)
        happened = Counter([event.what for event in events])
        for what, number in happened.items():
            if what in COUNTED:
                self.tally.add(COUNTED[what], number)
        if "abandoned" in happened or "brought-back" in happened:
            self.abandoned_changed = True
        for event in events if ACTED_UPON & happened.keys() else ():
            if event.what == "disallowed":
                self._list_disallowed(event.whom)
            elif event.what in ACTED_UPON:
                self._find_texts(event.whom, LAST_WORDS_BYTES)

    def _list_disallowed(self, url: str) -> None:
        try:
            if self.disallowed is not None:
                self.disallowed.add(url)
        except OSError as error:
            self.diary.write(Event("error", self.options.disallowed_target, {"reason": error.strerror}))

    def _begin(self) -> None:
        """Take up the queue of an earlier run, and the start list."""
        urls, rejected = startlist.read(text("--urls", self.options.urls))
        if not urls:
            raise UserMistake(f"--urls={self.options.urls}: no URL in it")
        rules = self.frontier.rules
        self.note(
            Event("started", NAME, {"pid": os.getpid(), "version": options.VERSION}),
            Event("rules", NAME, {name: getattr(rules, name) for name in Rules.__struct_fields__}),
        )
        for word in rejected:
            self.note(Event("refused", word, {"reason": "no-url"}))
        for weakness in weaknesses(self.options):
            self.note(Event("warning", "secret", {"reason": weakness}))
            print(f"{NAME}: WARNING: {weakness}", flush=True)
        mark = self.state / RUNNING
        was_interrupted = mark.exists()
        if was_interrupted:
            self.note(Event("warning", str(self.state), {"reason": "the last run was interrupted"}))
        if forgotten := self.books.store.forgotten:
            self.note(Event("warning", str(self.books.store.path), {"reason": explain_rollback(forgotten)}))
        mark.touch()
        self.books.open(self.keeper, clock.now())
        links = self.frontier.links
        known = links.queued_count + links.parked_count + links.leased_count + links.fates.total()
        if was_interrupted or self.frontier.series:  # not all harvesters could report before the end
            self._find_texts(None, shards.RECENT_BYTES)
        if known:
            self.note(Event("loaded", str(self.state), {"queued": links.queued_count}))
            self._recall_harvest()
        if self.options.bring_back != Options().bring_back:
            self._grant(self.options.bring_back, "--bring-back")
        self._list_abandoned()
        self.frontier.admit((Link(*split(url), depth=0) for url in urls), clock.now())
        if not known and not links.queued_count:
            raise UserMistake(
                f"none of the {len(urls)} start URLs in --urls={self.options.urls} is allowed by "
                f"--include={shown(self.options.include)} and --exclude={shown(self.options.exclude)}"
            )
        self._keep()

    def _keep(self) -> None:
        """Write all that has happened to disk, before any harvester is told what follows from it."""
        self.books.keep(self.keeper, clock.now())

    async def _take_up(self, hall: Server) -> None:
        """Take up the domains of an earlier run, a few at a time; harvesters are served meanwhile."""
        while self.books.take_up(self.keeper, clock.now()):
            hall.stirred.set()
            await asyncio.sleep(0)
        hall.stirred.set()

    def _find_texts(self, harvester: str | None, most_bytes: int) -> None:
        """Claim texts that harvesters here (or one) have written but not reported: none is kept again."""
        if not options.is_wanted(self.options.target):
            return
        for about in shards.read_recent(Path(self.options.target), harvester, most_bytes):
            self.books.claims.found(str(about.get("url")), str(about.get("digest")))

    def _recall_harvest(self) -> None:
        """Read the course of the yield, which is not in the books; without it only the course is lost."""
        try:
            earlier = load_yield(self.state)
        except TxtrError as error:
            self.note(Event("warning", str(self.state), {"reason": str(error)}))
        else:
            if earlier is not None:
                self.keeper.harvest.recall(earlier)
        self._write_harvest()  # from the books: the file may be some seconds older

    def _listening(self) -> None:
        where = self.options.harv_host or "localhost"
        self.note(Event("listening", where, {"port": self.options.port}))
        print(f"{NAME}: listening on port {self.options.port} for harvesters from {where}", flush=True)

    def _is_over(self) -> bool:
        return self.is_stopping or self.frontier.is_finished()

    def _stop(self, hall: Server) -> None:
        if not self.is_stopping:
            self.note(Event("stopping", NAME))
        self.is_stopping = True
        hall.stirred.set()

    async def _say_goodbye(self, hall: Server) -> None:
        """Tell all harvesters to leave, and take in their last reports."""
        self.keeper.close()
        until = clock.now() + FAREWELL_SECONDS
        hall.deliver()
        while not self.keeper.is_alone() and clock.now() < until:
            await asyncio.sleep(0.05)
            self.keeper.tick(clock.now())
            hall.deliver()

    async def _keep_books(self, hall: Server) -> None:
        """Every second write the status and read bring-back.txt; now and then write the yield."""
        counted = clock.now()
        while not self._has_lost_state():
            self._write_status(is_finished=False)
            if self._bring_back():
                hall.stirred.set()
            if clock.now() >= self.listed_next:
                self._list_changes()
            if clock.now() - counted > YIELD_EVERY:
                self._write_harvest()
                counted = clock.now()
            await asyncio.sleep(1.0)
        self._stop(hall)

    def _has_lost_state(self) -> bool:
        """Was a file of the state removed or replaced? Then all that we write is lost."""
        if not self.lost and (lost := self.books.store.files.lost()):
            self.lost = lost
            self.note(Event("error", str(self.state), {"reason": str(self._without_state())}))
        return bool(self.lost)

    def _without_state(self) -> UserMistake:
        return UserMistake(
            f"--state={self.state}: {self.lost} was removed or replaced while the crawl was running: what the"
            " queue knew is lost. The crawl ends; put the state back if it was moved, restore a copy, or"
            " start afresh"
        )

    def _write_status(self, is_finished: bool) -> None:
        self.fetched.append((clock.now(), self.keeper.witnessed))
        (before, then), (after, now) = self.fetched[0], self.fetched[-1]
        rate = (now - then) / (after - before) if after > before else 0.0
        place = {"port": self.options.port, "secret_file": self.secret.path}
        text = json.dumps(
            sum_up(self.keeper, clock.stamp(), rate, is_finished, self.options.segmenter) | place
        )
        with contextlib.suppress(OSError):  # a full disk hides the status, it does not end the crawl
            files.replace(self.state / STATUS, f"{text}\n".encode(), is_synced=False)

    def _write_harvest(self) -> yields.Yield:
        known = self.keeper.harvest.sum_up(len(self.frontier.abandoned), clock.now())
        with contextlib.suppress(OSError):  # as above
            files.replace(self.state / YIELD, yields.written(known))
        return known

    def _bring_back(self) -> list[str]:
        """Give a new trial to the abandoned domains that bring-back.txt asks for."""
        path = self.state / BRING_BACK
        try:
            written = files.content(path)
            path.unlink()
            wishes = written.decode("utf-8").split("\n")
        except FileNotFoundError:
            self.unread_wishes = ""
            return []
        except (OSError, UnicodeDecodeError) as error:  # what can be neither read nor removed stays
            if self.unread_wishes != str(error):
                self.note(Event("warning", str(path), {"reason": getattr(error, "strerror", str(error))}))
            self.unread_wishes = str(error)
            return []
        return [
            name for wish in filter(None, map(str.strip, wishes)) for name in self._grant(wish, str(path))
        ]

    def _grant(self, wish: str, where: str) -> list[str]:
        try:
            names = self.frontier.trials.bring_back(wish, clock.now())
        except (re.error, OverflowError, RecursionError) as error:
            self.note(Event("warning", where, {"reason": f"bad regular expression: {error}", "wish": wish}))
            return []
        if not names:
            self.note(Event("warning", where, {"reason": "no such domain is abandoned", "wish": wish}))
            print(f"{NAME}: WARNING: {where}: no abandoned domain matches {wish!r}", flush=True)
        return names

    def _list_changes(self) -> None:
        """Write the whole list of abandoned domains again, if one was abandoned or brought back."""
        if self.abandoned_changed:
            begun = clock.now()
            with contextlib.suppress(UserMistake):  # a full disk: tried again until there is room
                self._list_abandoned()
            self.listed_next = clock.now() + LIST_EVERY * (clock.now() - begun)

    def _list_abandoned(self) -> None:
        if options.is_wanted(self.options.abandoned_target):
            self._write_abandoned()
        self.abandoned_changed = False

    def _write_abandoned(self) -> None:
        lines = yields.abandoned_lines(self.frontier.abandoned, str(self.state / BRING_BACK))
        text = "".join(f"{line}\n" for line in lines)
        path = Path(self.options.abandoned_target)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            files.replace(path, text.encode(), as_it_is=files.DEVICE)
        except OSError as error:
            raise UserMistake(f"--abandoned-target={path}: {error.strerror}") from error

    def _end(self) -> int:
        """Save and sum up, when no connection is left that could change anything; return the exit code."""
        if self._has_lost_state():
            _remove_pid_file()
            raise self._without_state()
        is_finished = self.frontier.is_finished()
        self._keep()
        self.books.close()
        self._list_changes()
        self._write_status(is_finished)
        for what, number in self.keeper.counts().items():
            self.tally.add(what, int(number))
        self.tally.add("links", self.frontier.admitted)
        self.tally.spend("processor", clock.processor())
        for line in [*summary.lines(self.tally, NAME, clock.now() - self.started), self.watch.line()]:
            print(escaped(line), flush=True)
        for line in yields.lines(self._write_harvest()):
            print(escaped(line), flush=True)
        queued = self.frontier.links.queued_count
        self.note(Event("stopped", NAME, {"finished": is_finished, "queued": queued}))
        (self.state / RUNNING).unlink(missing_ok=True)
        _remove_pid_file()
        return 0


# What the queuekeeper's summary counts, by the event that is counted.
COUNTED = {
    "refused": "refused",
    "disallowed": "disallowed",
    "new-domain": "domains",
    "new-address": "addresses",
    "dealt": "visits",
    "given-up": "batches-given-up",
    "dropped": "dropped",
    "abandoned": "abandoned",
}

# Events of which each one is acted upon by `note`.
ACTED_UPON = {"disallowed", "given-up", "not-held"}


def _open_frontier(chosen: Options, store: Store) -> Frontier:
    wanted = [canonical(code) for code in chosen.language.split(",") if code]
    return build_frontier(chosen, wanted, store.links, store, epoch=clock.wall() - clock.now())


def _open_disallowed(chosen: Options) -> shards.Lines | None:
    """The list of disallowed URLs, if it is wanted."""
    if not options.is_wanted(chosen.disallowed_target):
        return None
    return shards.Lines(Path(chosen.disallowed_target))


def _first_error(errors: BaseException) -> BaseException:
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors


def _harvester_machines(chosen: Options) -> list[str]:
    return [name for name in chosen.harv_host.split(",") if not options.is_local(name)]


def _remove_pid_file() -> None:
    """Remove the start script's PID.txt, if it is ours: other processes will soon have its numbers."""
    path = Path(os.environ.get("TXTR_PID_FILE", ""))
    with contextlib.suppress(OSError):
        if path.read_bytes().split()[:1] == [str(os.getpid()).encode()]:
            path.unlink()
