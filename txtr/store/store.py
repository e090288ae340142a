"""Edge: the frontier on disk, under --state: one SQLite database, one transaction at a time.

Links write themselves (store/links.py). This module writes the rest: domains, their doors with the rules of
robots.txt, and addresses that are resting, or active with their series. All times are wall time here.
Politeness is part of the state: an address that was resting goes on resting after a start.

Invariant: `put_down` makes everything since the call before it last, or nothing of it, and returns when it is
on the disk. No program is told anything that depends on changes that are not put down. Mostly `put_down`
writes a step of the journal (store/journal.py). Every second or so everything is *worked in*: written into
the tables and committed. So a program that reads the database sees it as it was a moment ago.
"""

import contextlib
import sqlite3
from collections.abc import Container
from math import inf
from pathlib import Path
from typing import Any

from txtr import clock
from txtr.config.places import DATABASE_FILE, JOURNAL_FILES, LOCK, WRITE_AHEAD_LOG
from txtr.errors import Damaged, UserMistake
from txtr.frontier.addresses import State
from txtr.frontier.domains import Domain, Trial
from txtr.frontier.frontier import Frontier
from txtr.frontier.permits import Door
from txtr.frontier.series import Series
from txtr.manners.robots import FRESH
from txtr.manners.slowdown import Slowdown
from txtr.model import Figures
from txtr.store.checkpoints import Checkpoints
from txtr.store.database import GENERATION, explain_trouble, open_database, refuse_remains
from txtr.store.journal import Journal
from txtr.store.links import DiskLinks
from txtr.store.redo import redo
from txtr.store.rows import Row
from txtr.store.state_files import OpenFiles
from txtr.store.values import About, Running, decode, encode, running_from

SYNCHRONOUS = "FULL"  # a commit is on the disk when it returns
MICROSECONDS = 1_000_000  # of a second: what a counter counts
WORK_IN_EVERY = 1.0  # seconds of work that readers may not see, and that a crash makes us do again
MOST_JOURNAL_BYTES = 16 * 1024 * 1024  # likewise
MOST_CHANGED = 3000  # domains, 30 to 60 microseconds each; with 1,000 a crawl took an eighth longer
# Seconds: no time in the state lies further ahead, unless --req-delay is longer. A robots.txt is fresh for so
# long, and a domain sleeps for so long.
FURTHEST_AHEAD = 24 * 3600.0
DOMAINS_AT_ONCE = 2000  # taken up after a start, between two answers,
ROWS_AT_ONCE = 50_000  # of so many rows that are read: most may have nothing queued


MANUAL = "see 'When something goes wrong' in docs/state.md"  # for advice that takes more than a line
PAUSE_COUNTER = "general-pause"  # counts the microseconds of the longest pause that an address may be in


class Store:
    """The state directory's database, open; `links` is the engine for a frontier."""

    remembers = True

    def __init__(self, directory: Path, is_new_allowed: bool = True) -> None:
        self.path = directory / DATABASE_FILE
        refuse_remains(self.path)
        if not is_new_allowed and not self.path.exists():
            raise UserMistake(f"--state={directory}: there is no queue here")
        self.connection = open_database(self.path, SYNCHRONOUS)
        self.files = OpenFiles(directory, (LOCK, DATABASE_FILE, WRITE_AHEAD_LOG, *JOURNAL_FILES))
        self.journal = Journal(directory)
        self.worked_in = float("-inf")  # when everything was last in the tables
        self.is_half_done = False  # did working in fail? then it must not be tried again with the rest
        self.epoch = 0.0  # see FrontierState.epoch
        self.begun = self.latest = 0.0  # the first and the last `now` of this run
        self.furthest = FURTHEST_AHEAD
        self.named_since = 0.0  # wall time; rules that were read before were read under another name
        self.checkpoints = Checkpoints(self.connection, self.path)
        self.last_taken_up = 0  # number of a domain
        self.forgotten = 0  # commits that the journal has and the database lacks; 0 after our next commit
        self.rested_by = inf  # when all addresses have rested that rested before this run
        self.changes = self.connection.total_changes  # at the last commit
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            self.links = DiskLinks(self.connection)
            self._redo()
        except sqlite3.Error as error:
            raise UserMistake(explain_trouble(self.path, error)) from error
        except OSError as error:
            culprit = f"{Path(error.filename).name}: " if error.filename else ""
            raise UserMistake(f"--state={directory}: {culprit}{error.strerror}") from error
        except Damaged as error:
            raise UserMistake(f"{error}; restore a copy of the state, or {MANUAL}") from error

    @property
    def domain_count(self) -> int:
        return self.links.homes.last

    def _redo(self) -> None:
        """Do again what an earlier run had put down and not worked in."""
        row = self.connection.execute("SELECT number FROM counters WHERE name = ?", (GENERATION,)).fetchone()
        # The first generation of a new database is one that no journal from elsewhere can have.
        generation = row[0] if row else round(clock.wall() * MICROSECONDS)
        self.journal.go_on(generation)
        is_any, reached = False, generation
        for step in self.journal.read(generation):
            if not is_any:
                self.links.leases.recall()
            redo(self.links, decode(step.body, list[Any]))
            if step.is_last:
                self.links.flush()  # as the earlier run did before its commit
            self.journal.go_on(step.generation)
            is_any, reached = True, step.generation + step.is_last
        newest = self.journal.newest()
        if newest > self.journal.generation:
            self.journal.go_on(newest)  # no commit of ours gets the number of one of these
        if is_any:
            self.links.flush()
            self._commit()  # even if nothing changed: the deeds must not be done a third time
        self.forgotten = max(0, newest - reached)

    # --- in

    def recall(self, name: str) -> tuple[Domain, bool] | None:
        """A domain as it was last written, and whether a door of it is watched; see FrontierState.known."""
        row = self.connection.execute("SELECT about FROM domains WHERE name = ?", (name,)).fetchone()
        if row is None or row[0] is None:
            return None
        about = decode(row[0], About)
        return self._domain(name, about), about.is_watched

    def recall_doors(self, name: str) -> dict[str, Door]:
        number = self.links.homes.known_number(name)
        return self._doors(number) if number is not None else {}

    def put_away(self, name: str) -> None:
        self.links.homes.forget(name)

    def tidy(self, in_use: Container[str]) -> None:
        self.links.homes.tidy(in_use)

    def begin(self, frontier: Frontier, now: float) -> None:
        """Give an empty frontier its addresses at rest or in a series, and domains abandoned or blocked."""
        self.epoch = self.steady(frontier.epoch)
        self.begun = self.latest = now
        self.furthest = max(FURTHEST_AHEAD, frontier.rules.req_delay)
        rows = self.connection.execute("SELECT name, figures FROM abandoned").fetchall()
        frontier.trials.restore({name: decode(data, Figures) for name, data in rows})
        for (name,) in self.connection.execute("SELECT name FROM blocked"):
            frontier.gate.block(name)
        self.links.leases.recall()
        self._recall_pause(frontier, now)
        rows = self.connection.execute(
            "SELECT address, since, series FROM addresses ORDER BY since"
        ).fetchall()
        for address, since, data in rows:
            if data is None:
                frontier.go_on_resting(address, min(since - self.epoch, now), now)
            else:
                frontier.go_on_with(self._series(address, frontier.rules.max_hosts, data), now)

    def _recall_pause(self, frontier: Frontier, now: float) -> None:
        """Addresses that rest go on for the general pause of an earlier run, if that was longer than ours."""
        row = self.connection.execute(
            "SELECT number FROM counters WHERE name = ?", (PAUSE_COUNTER,)
        ).fetchone()
        pause = max(row[0] / MICROSECONDS if row else 0.0, frontier.rules.general_pause)
        frontier.rest_as_before(pause)
        self.rested_by = now + pause
        self._write_pause(pause)

    def _write_pause(self, pause: float) -> None:
        row = (PAUSE_COUNTER, round(pause * MICROSECONDS))
        self.links.others.write(
            "counters", "INSERT OR REPLACE INTO counters VALUES (?, ?)", {PAUSE_COUNTER: row}
        )

    def steady(self, epoch: float) -> float:
        """The wall time of 0, the same for all runs while the machine is up, even when its clock is set."""
        boot = clock.boot()
        numbers = dict(self.connection.execute("SELECT name, number FROM counters"))
        if boot and numbers.get("boot") == boot:
            return float(numbers["epoch"] / MICROSECONDS)
        rows = [("boot", boot), ("epoch", round(epoch * MICROSECONDS))]
        self.connection.executemany("INSERT OR REPLACE INTO counters VALUES (?, ?)", rows)
        return epoch

    def take_up(self, frontier: Frontier, now: float) -> bool:
        """Give the frontier a few more of the domains that have anything queued; are there others?"""
        last = self.last_taken_up + ROWS_AT_ONCE
        rows = self.connection.execute(
            "SELECT id, name, backlog FROM domains WHERE id > ? AND id <= ? AND queued > 0"
            " ORDER BY id LIMIT ?",
            (self.last_taken_up, last, DOMAINS_AT_ONCE),
        ).fetchall()
        for number, name, backlog in rows:
            if name not in self.links.homes:
                self.links.homes.load(name, number, backlog)
            frontier.go_on_at(name, now)
        self.last_taken_up = rows[-1][0] if len(rows) == DOMAINS_AT_ONCE else last
        return self.last_taken_up < self.links.homes.last

    def _domain(self, name: str, about: About) -> Domain:
        return Domain(
            name,
            about.address,
            self._time(about.believed_until),
            False,
            self._time(about.asleep_until),
            self._time(about.given_up_until),
            about.troubles,
            Slowdown(*about.slowdown),
            Trial(*about.trial),
        )

    def _doors(self, number: int) -> dict[str, Door]:
        doors = {}
        rows = self.connection.execute("SELECT door, about FROM doors WHERE domain = ?", (number,))
        for behind, data in rows.fetchall():
            door = doors[behind] = decode(data, Door)
            is_for_us = door.expires >= self.named_since + FRESH
            door.expires = self._time(door.expires if is_for_us else min(door.expires, self.named_since))
            door.asleep_until = self._time(door.asleep_until)
            door.given_up_until = self._time(door.given_up_until)
        return doors

    def _series(self, address: str, max_hosts: int, data: bytes) -> Series:
        kept = decode(data, Running)
        series = Series(
            address,
            kept.batch,
            max_hosts,
            kept.is_better,
            kept.is_for_all,
            kept.is_sample,
            kept.left,
            errands=set(kept.errands),
            asked={*kept.asked, *kept.errands},
            repeats=kept.repeats,
        )
        for name in kept.left:
            if leased := self.links.leased(name):
                series.expect(name, leased)
        for name, path in kept.repeats:
            series.answered(name, path)
        return series

    # --- out

    def write(self, frontier: Frontier, now: float) -> None:
        """Write down what has changed in the frontier; a commit makes it last."""
        self.note(frontier, now)
        self.links.flush()

    def put_down(self, now: float, is_urgent: bool = False) -> bool:
        """Make what was noted last. Return whether all is in the tables, which `is_urgent` makes sure of."""
        is_due = not 0 <= now - self.worked_in < WORK_IN_EVERY
        is_much = self.journal.size_bytes > MOST_JOURNAL_BYTES or len(self.links.homes.changed) > MOST_CHANGED
        if is_due or is_much or is_urgent:
            self._work_in()
            self.journal.begin()
            self.worked_in = now
            return True
        if self.links.deeds:
            self.journal.write(encode(self.links.deeds), is_synced=SYNCHRONOUS != "OFF")
            self.links.deeds.clear()
        return False

    def note(self, frontier: Frontier, now: float) -> None:
        """Note what has changed in the frontier, besides its links."""
        self.latest = now
        names = frontier.touched_domains | frontier.permits.touched
        domains = [domain for name in names if (domain := frontier.domains.get(name)) is not None]
        numbers = {domain.name: self.links.homes[domain.name].id for domain in domains}
        rows = {
            numbers[domain.name]: (self._about(frontier, domain, now), numbers[domain.name])
            for domain in domains
        }
        self.links.others.write("domains", "UPDATE domains SET about = ? WHERE id = ?", rows)
        for name in frontier.permits.touched:
            self._write_doors(frontier, name)
        self._write_addresses(frontier, now)
        if now > self.rested_by:
            self._write_pause(frontier.rules.general_pause)
            self.rested_by = inf
        for name in frontier.touched_trials:
            self._write_abandoned(frontier, name)
        for name in frontier.touched_blocks:
            self._write_blocked(frontier, name, now)
        for touched in (
            frontier.touched_domains,
            frontier.permits.touched,
            frontier.touched_addresses,
            frontier.touched_trials,
            frontier.touched_blocks,
        ):
            touched.clear()

    def _work_in(self) -> None:
        """Write everything into the tables, and commit."""
        self.is_half_done = True
        self.links.flush()
        self.commit()
        self.links.deeds.clear()  # also those that changed no row
        self.is_half_done = False

    def _about(self, frontier: Frontier, domain: Domain, now: float) -> bytes:
        about = About(
            domain.address,
            self._wall(domain.believed_until),
            self._wall(domain.asleep_until),
            self._wall(domain.given_up_until),
            domain.troubles,
            (domain.slowdown.usual, domain.slowdown.factor),
            (
                domain.trial.documents,
                domain.trial.kept,
                domain.trial.usability,
                domain.trial.raw_bytes,
                domain.trial.kept_bytes,
            ),
            frontier.permits.is_watched(domain.name, now),
        )
        return encode(about)

    def _write_doors(self, frontier: Frontier, name: str) -> None:
        number = self.links.homes[name].id
        rows: dict[Any, Row] = {
            (number, behind): (number, behind, encode(self._written(door)))
            for behind, door in frontier.permits.doors_of(name)
        }
        self.links.others.write("doors", "INSERT OR REPLACE INTO doors VALUES (?, ?, ?)", rows)

    def _written(self, door: Door) -> Door:
        """A door as it is stored: without the request for its robots.txt, which will be sent again."""
        return Door(
            door.rules,
            self._wall(door.expires),
            tries=door.tries,
            troubles=door.troubles,
            asleep_until=self._wall(door.asleep_until),
            given_up_until=self._wall(door.given_up_until),
            status=door.status,
        )

    def _write_addresses(self, frontier: Frontier, now: float) -> None:
        """Note addresses that are resting, or active with their series; rows of others are deleted."""
        kept: dict[Any, Row] = {}
        others: dict[Any, Row] = {}
        for address in frontier.touched_addresses:
            state = frontier.addresses.states.get(address)
            if state is State.ACTIVE:
                kept[address] = (address, None, encode(running_from(frontier.series[address])))
            elif state is State.RESTING:
                kept[address] = (address, now + self.epoch, None)
            else:
                others[address] = (address,)
        self.links.others.write("addresses", "INSERT OR REPLACE INTO addresses VALUES (?, ?, ?)", kept)
        self.links.others.write("addresses", "DELETE FROM addresses WHERE address = ?", others)

    def _write_abandoned(self, frontier: Frontier, name: str) -> None:
        figures = frontier.abandoned.get(name)
        if figures is None:
            self.links.others.write("abandoned", "DELETE FROM abandoned WHERE name = ?", {name: (name,)})
        else:
            row = (name, encode(figures))
            self.links.others.write(
                "abandoned", "INSERT OR REPLACE INTO abandoned VALUES (?, ?)", {name: row}
            )

    def _write_blocked(self, frontier: Frontier, name: str, now: float) -> None:
        if name in frontier.gate.blocked:
            row = (name, now + self.epoch)
            self.links.others.write("blocked", "INSERT OR REPLACE INTO blocked VALUES (?, ?)", {name: row})
        else:
            self.links.others.write("blocked", "DELETE FROM blocked WHERE name = ?", {name: (name,)})

    def commit(self) -> None:
        """Commit the tables, if they have changed; the journal goes on from there."""
        if self.connection.total_changes != self.changes:
            self._commit()

    def _commit(self) -> None:
        if self.journal.is_open():  # for a backup that copies both now
            self.journal.write(encode(self.links.deeds), is_last=True, is_synced=False)
        generation = self.journal.generation + 1
        row = (GENERATION, generation)
        self.connection.execute("INSERT OR REPLACE INTO counters VALUES (?, ?)", row)
        self.connection.execute("COMMIT")
        self.journal.go_on(generation)
        self.links.deeds.clear()
        self.forgotten = 0
        self.changes = self.connection.total_changes
        self.checkpoints.go_on()
        self.connection.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Leave one whole file, if there is room. Changes that were not put down are lost.

        On a full disk the log and the journal stay beside the file: what was put down is there for the next
        program that opens it. A journal that is not this database's stays too: a program that only reads must
        not remove it.
        """
        with contextlib.suppress(sqlite3.Error):
            is_whole = not self.links.deeds and not self.is_half_done and not self.forgotten
            if self.connection.in_transaction and is_whole:
                self._work_in()
                self.journal.remove()
        self.checkpoints.end()
        with contextlib.suppress(sqlite3.Error):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.journal.close()
        self.connection.close()

    def _wall(self, moment: float) -> float:
        return moment + self.epoch if moment > 0.0 else 0.0

    def _time(self, wall: float) -> float:
        """A moment of our clock, from wall time.

        A moment further ahead than can be tells that the clock was set back between two starts of the
        machine. Then the longest wait is counted from the beginning of this run, so that a second reading
        adds nothing.
        """
        if wall <= 0.0:
            return 0.0
        moment = wall - self.epoch
        return moment if moment <= self.latest + self.furthest else self.begun + self.furthest
