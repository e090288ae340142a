"""The progress of a crawl, as the user reads it: the queuekeeper's status as lines.

A number that the status lacks is shown as 0: a status is written by another process, perhaps of
another version, and must never stop the one who only looks on.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from txtr.diary.summary import duration

Status = Mapping[str, object]
GOES_ON = "starting it again goes on"
STATES = ("waiting", "active", "resting", "processed")
COLUMNS = 80  # of a terminal
SILENT = 15.0  # seconds without a new status, which is written every second


@dataclass(frozen=True, slots=True)
class Remains:
    """What a crawl has left for the next start."""

    is_saved: bool  # there is a queue
    was_ended: bool  # the queuekeeper came to its end: the queue was saved as it is
    reason: str = ""  # what the queuekeeper complained of, if it did not


def block(status: Status, elapsed: float | None = None) -> list[str]:
    """A few lines, for a screen."""
    since = f"   after {duration(elapsed)}" if elapsed is not None else ""
    aside = f"   {_count(status, 'parked')} parked" if number(status, "parked") else ""
    return [
        f"documents  {_count(status, 'documents')} kept   {_count(status, 'rejected')} rejected"
        f"   {_speed(status)} pages/s{since}",
        f"links      {_count(status, 'fetched')} fetched   {_count(status, 'failed')} failed"
        f"   {_count(status, 'refused')} left out",
        f"queue      {_count(status, 'queued')} waiting   {_count(status, 'active_requests')} in batches"
        f"{aside}",
        f"domains    {_count(status, 'domains')} found"
        f"   {_count(status, 'new_domains')} still to be looked up",
        f"harvesters {_count(status, 'harvesters')}",
        f"servers    {_servers(status)}",
        *([f"batches    {away}"] if (away := _awaited(status)) else []),
        *([f"judging    {waiting}"] if (waiting := unjudged(status)) else []),
        *([f"memory     {short}"] if (short := _short_of_memory(status)) else []),
    ]


def silence(status: Status) -> str:
    """That a queuekeeper which is running has nothing new to say; nothing when it has."""
    age = _number(status.get("age"))
    if age < SILENT or has_finished(status):
        return ""
    return (
        f"the queuekeeper has written nothing for {duration(age)}: is it stopped, or its disk full or slow?"
    )


def attention(why: str) -> list[str]:
    """A warning below the block, in lines that fit into a terminal."""
    return textwrap.wrap(
        f"ATTENTION  {why}",
        COLUMNS,
        subsequent_indent=" " * 11,
        break_long_words=False,
        break_on_hyphens=False,
    )


def line(status: Status, elapsed: float) -> str:
    """The same in one line, for a file."""
    aside = f" {_count(status, 'parked')} parked," if number(status, "parked") else ""
    return (
        f"{duration(elapsed)}: {counted(number(status, 'documents'), 'document')}, {_speed(status)} pages/s,"
        f" {_count(status, 'queued')} queued,{aside} {_count(status, 'failed')} failed,"
        f" {counted(harvesters(status), 'harvester')}, servers: {_servers(status)}"
        + (f"; {waiting}" if (waiting := unjudged(status)) else "")
    )


def _awaited(status: Status) -> str:
    """Why nothing may move for a while after a crash; nothing when there is no reason."""
    batches = number(status, "awaited_batches")
    if not batches:
        return ""
    return f"{batches} of lost harvesters: awaited for a while, then given to others"


def unjudged(status: Status) -> str:
    """What waits for a segmenter that is away, or slow; nothing when nothing does."""
    documents = number(status, "unjudged")
    place = status.get("segmenter") or "an unknown place"
    return f"waiting for the segmenter at {place}: {counted(documents, 'document')}" if documents else ""


def _short_of_memory(status: Status) -> str:
    """Downloads that wait for the memory of a harvester, and those that were broken off for it."""
    waiting, stalled = number(status, "waiting_for_memory"), number(status, "stalled")
    parts = [f"{counted(waiting, 'download')} waiting for it"] if waiting else []
    parts += [f"{counted(stalled, 'download')} broken off as too slow"] if stalled else []
    return ", ".join(parts)


def counted(number: int, what: str) -> str:
    """1 harvester, 12 harvesters."""
    return f"{number:,} {what}{'' if number == 1 else 's'}".replace(",", " ")


def has_finished(status: Status) -> bool:
    """Did the crawl come to its natural end?"""
    return bool(status.get("finished"))


def ending(status: Status, remains: Remains) -> str:
    """How a crawl that runs no more ended, and what starting it again would do."""
    if has_finished(status) and (remains.is_saved or not remains.reason):
        return "finished"
    if not remains.is_saved and not remains.reason:
        return "ended before the queue was ever saved; starting it again begins with the start list"
    if remains.was_ended and remains.is_saved:
        return f"stopped; {GOES_ON}"
    if remains.reason:
        return f"the queuekeeper gave up: {remains.reason}"
    return f"the queuekeeper died; {GOES_ON} where it was, nothing that it was told is lost"


def harvesters(status: Status) -> int:
    """How many are connected to the queuekeeper?"""
    return number(status, "harvesters")


def number(status: Status, name: str) -> int:
    """What the status counts under this name."""
    return int(_number(status.get(name)))


def answers(status: Status) -> int:
    """How many requests have come to an end."""
    return number(status, "fetched") + number(status, "failed")


def has_died(status: Status, remains: Remains) -> bool:
    """Did a queuekeeper that runs no more end without saving, or has its queue been lost?"""
    return (not has_finished(status) and not remains.was_ended) or gave_up(remains)


def gave_up(remains: Remains) -> bool:
    """Has it ended because it could not go on, and said why?"""
    return bool(remains.reason)


def unstaffed(status: Status, complaint: str) -> list[str]:
    """That nobody fetches, and why, if a harvester has said it."""
    if harvesters(status):
        return []
    why = f"all harvesters have ended: {complaint}" if complaint else "no harvester is running"
    return [*attention(why), "           the same command as before starts them again"]


def report(
    status: Status, running: int, is_kept: bool, remains: Remains, notes: Sequence[str] = ()
) -> list[str]:
    """The answer to `status`: so many processes are running, and the queuekeeper is one of them or not."""
    if is_kept:
        processes = f"{running} running" if running else "running, but PID.txt of this directory names none"
        silent = attention(why) if (why := silence(status)) else []
        return [*block(status), f"processes  {processes}", *silent, *notes]
    written = status.get("time") or "an unknown time"
    heading = [f"the queuekeeper is dead; its last figures, of {written}:"]
    left = f"{running} still running without it" if running else "none"
    return [
        *(heading if has_died(status, remains) else []),
        *block(status),
        f"processes  {left}: {ending(status, remains)}",
    ]


def _count(status: Status, name: str) -> str:
    return f"{_number(status.get(name)):,.0f}".replace(",", " ")


def _speed(status: Status) -> str:
    return f"{_number(status.get('pages_per_second')):.1f}"


def _servers(status: Status) -> str:
    """IP addresses by their state."""
    states = status.get("addresses")
    known = states if isinstance(states, Mapping) else {}
    return "   ".join(f"{_number(known.get(state)):.0f} {state}" for state in STATES)


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) else 0
