"""Edge: the only reader of time: monotonic seconds for delays, wall time for records."""

import time
from functools import lru_cache
from pathlib import Path

# The clock that also counts while the machine is suspended: a harvester that wakes up must not believe that
# its lease still runs. Where there is none (not Linux), the one that does not.
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def now() -> float:
    """Seconds of the monotonic clock: for delays and pauses, never shown to a person."""
    return time.clock_gettime(_STEADY)


def boot() -> int:
    """A number of this run of the machine, in which `now` goes on from process to process; 0: unknown."""
    try:
        return int(Path("/proc/sys/kernel/random/boot_id").read_text().replace("-", "")[:15], 16)
    except (OSError, ValueError):
        return 0


def wall() -> float:
    """Seconds since 1970, UTC: for records that outlive the process."""
    return time.time()


def processor() -> float:
    """Seconds of processor time this process has used."""
    return time.process_time()


def thread_processor() -> float:
    """Seconds of processor time this thread has used."""
    return time.thread_time()


def stamp(seconds: float | None = None) -> str:
    """The wall time as every record writes it: 2026-11-16T01:00:03.127Z, fixed width."""
    whole, milliseconds = divmod(int((wall() if seconds is None else seconds) * 1000), 1000)
    return f"{_second(whole)}.{milliseconds:03d}Z"


@lru_cache(4)  # many lines are written within the same second
def _second(whole: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole))
