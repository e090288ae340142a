"""The progress of a crawl, as the user reads it: the queuekeeper's status as lines.

A number that the status lacks is shown as 0: a status is written by another process, perhaps of
another version, and must never stop the one who only looks on.
"""

from collections.abc import Mapping

from txtr.report.summary import duration

Status = Mapping[str, object]
STATES = ("waiting", "active", "resting", "processed")


def block(status: Status, elapsed: float | None = None) -> list[str]:
    """A few lines, for a screen."""
    since = f"   after {duration(elapsed)}" if elapsed is not None else ""
    return [
        f"documents  {_count(status, 'documents')}   {_speed(status)} pages/s{since}",
        f"requests   {_count(status, 'fetched')} fetched   {_count(status, 'failed')} failed"
        f"   {_count(status, 'refused')} refused",
        f"queue      {_count(status, 'queued')} waiting   {_count(status, 'active_requests')} in batches"
        f"   {_count(status, 'new_domains')} new domains of {_count(status, 'domains')}",
        f"harvesters {_count(status, 'harvesters')}",
        f"addresses  {_addresses(status)}",
    ]


def line(status: Status, elapsed: float) -> str:
    """The same in one line, for a file."""
    return (
        f"{duration(elapsed)}: {_count(status, 'documents')} documents, {_speed(status)} pages/s,"
        f" {_count(status, 'queued')} queued, {_count(status, 'failed')} failed,"
        f" {_count(status, 'harvesters')} harvesters, addresses: {_addresses(status)}"
    )


def has_finished(status: Status) -> bool:
    """Did the crawl come to its natural end?"""
    return bool(status.get("finished"))


def has_harvesters(status: Status) -> bool:
    """Is anybody connected to the queuekeeper?"""
    return _number(status.get("harvesters")) > 0


def _count(status: Status, name: str) -> str:
    return f"{_number(status.get(name)):,.0f}".replace(",", " ")


def _speed(status: Status) -> str:
    return f"{_number(status.get('pages_per_second')):.1f}"


def _addresses(status: Status) -> str:
    states = status.get("addresses")
    known = states if isinstance(states, Mapping) else {}
    return "   ".join(f"{_number(known.get(state)):.0f} {state}" for state in STATES)


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) else 0
