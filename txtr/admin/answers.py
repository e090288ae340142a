"""Edge: the answers: what a state knows of itself, of a domain, of a URL; facts with names, shown or written.

Times are texts in UTC, so that the same facts are a table and JSON.
"""

import re
from collections.abc import Collection

from txtr.console.table import counted, moment
from txtr.frontier.ranks import RANKS
from txtr.frontier.records import FATES, Record
from txtr.gate import Gate
from txtr.store.inspection import Finding, Inspection, Row, why_forbidden
from txtr.store.keys import decode_standing, is_settled
from txtr.store.values import About, Backlog
from txtr.urls import door, join, split

RANK_NAMES = ("promising", "doubtful", "hopeless")
UNREACHABLE = "not resolved: no such name, or no public address (--allow-private)"
THE_USER = "start list or add"  # the source of what was found on no page
WITHOUT_DOCUMENT = ("redirect", "failed", "disallowed", "skipped")  # fates: there was nothing to judge
DOMAIN_HEADS = ("domain", "queued", *RANK_NAMES, "parked", "documents", "kept", "address", "state")
ENTRY = (
    "fate",
    "reason",
    "depth",
    "usability",
    "fetched",
    "modified",
    "valid_until",
    "title",
    "source",
)

Facts = dict[str, object]


def totals(
    inspection: Inspection, general_pause: float, size_bytes: int, written: float, now: float
) -> Facts:
    """The whole state; `written` and `now` are wall time."""
    numbers = inspection.totals()
    known, waiting = inspection.domains()
    active, resting = inspection.addresses(now - general_pause)
    return {
        "queued": numbers.get("queued", 0),
        "parked": numbers.get("parked", 0),
        "in_batches": inspection.leased(),
        "settled": {fate: numbers[fate] for fate in FATES[1:] if fate in numbers},
        "domains": known,
        "domains_with_requests": waiting,
        "domains_abandoned": len(inspection.abandoned()),
        "domains_blocked": len(inspection.blocked()),
        "addresses_active": active,
        "addresses_resting": resting,
        "batches": len(inspection.batches()),
        "bytes_on_disk": size_bytes,
        "last_written": moment(written),
    }


def verdict(faults: int, countable: int, is_repaired: bool) -> str:
    """What a check comes to, and what can be done about it; countable are the faults that a repair mends."""
    if not faults:
        return "everything is as it should be"
    found = counted(faults, "fault")
    if not countable:
        return f"{found}; --repair cannot help: restore a copy of the state, or move it away"
    rest = "" if countable == faults else ", the rest needs a copy of the state"
    if is_repaired:
        return f"{found}, {countable} repaired{rest}"
    return f"{found}; --repair mends {countable} of them{rest}" if rest else f"{found}; --repair can help"


# Domains


def domain_row(
    row: Row, abandoned: Collection[str], blocked: Collection[str], gate: Gate, now: float
) -> Facts:
    """A domain in a table, by DOMAIN_HEADS."""
    ranks = by_rank(row.backlog)
    parked = parked_count(row.backlog)
    trial = row.about.trial if row.about else (0, 0)
    values = (
        row.name,
        row.queued - parked,
        *ranks,
        parked,
        trial[0],
        trial[1],
        row.about.address if row.about else "",
        "; ".join(obstacles(row, abandoned, blocked, gate, now)),
    )
    return dict(zip(DOMAIN_HEADS, values, strict=True))


def domain(inspection: Inspection, row: Row, gate: Gate, now: float) -> Facts:
    """All that is known of one domain."""
    about = row.about or About()
    place = inspection.address(about.address) if about.address else None
    return {
        "domain": row.name,
        "address": about.address,
        "address_state": _address_state(place),
        "name_believed_until": moment(about.believed_until),
        "state": obstacles(row, inspection.abandoned(), inspection.blocked(), gate, now),
        "queued": row.queued - parked_count(row.backlog),
        "parked": parked_count(row.backlog),
        "in_batches": len(inspection.leased_by(row)),
        "by_door": {_door(row, behind): _ranks(numbers) for behind, numbers in row.backlog.numbers.items()},
        "settled": dict(inspection.fates(row)),
        "judged": about.trial[0],
        "kept": about.trial[1],
        "downloaded_bytes": about.trial[3],
        "kept_bytes": about.trial[4],
        "troubles_in_a_row": about.troubles,
        "usual_answer_seconds": round(about.slowdown[0], 3),
        "slowed_by_factor": round(about.slowdown[1], 2),
        "robots": {
            _door(
                row, behind
            ): f"status {rules.status or 'none'}, until {moment(rules.expires) or 'not known'}"
            + (f", crawl-delay {rules.rules.crawl_delay:g} s" if rules.rules.crawl_delay else "")
            for behind, rules in inspection.doors(row).items()
        },
    }


def obstacles(
    row: Row, abandoned: Collection[str], blocked: Collection[str], gate: Gate, now: float
) -> list[str]:
    """Why a domain is not being fetched from at this moment."""
    about = row.about or About()
    found = ["blocked"] if row.name in blocked else []
    if reason := gate.domain_refusal(row.name):
        found.append(reason)
    if row.name in abandoned:
        found.append("abandoned")
    if about.given_up_until > now:
        found.append(f"given up until {moment(about.given_up_until)}")
    elif about.asleep_until > now:
        found.append(f"asleep until {moment(about.asleep_until)}")
    if row.about is None or not about.address:
        found.append(UNREACHABLE if about.given_up_until > now else "not resolved")
    found += [f"parked: {_door(row, behind)}" for behind in row.backlog.parked_doors]
    return found


def matches(pattern: str, name: str) -> bool:
    return re.search(pattern, name) is not None


def is_left_alone(row: Row) -> bool:
    """Is something parked, or given up?"""
    return bool(parked_count(row.backlog)) or bool(row.about and row.about.given_up_until)


def parked_count(backlog: Backlog) -> int:
    return sum(
        sum(numbers)
        for behind, numbers in backlog.numbers.items()
        if backlog.is_parked or behind in backlog.parked_doors
    )


def by_rank(backlog: Backlog) -> list[int]:
    """How many requests of each rank are queued and not parked."""
    open_doors = [
        numbers
        for behind, numbers in backlog.numbers.items()
        if not (backlog.is_parked or behind in backlog.parked_doors)
    ]
    return [sum(numbers[of_rank] for numbers in open_doors) for of_rank in RANKS]


def _door(row: Row, behind: str) -> str:
    """A door as the beginning of its URLs."""
    return join(row.name, f"{behind}/")


def _ranks(numbers: list[int]) -> str:
    return ", ".join(f"{number} {name}" for number, name in zip(numbers, RANK_NAMES, strict=True) if number)


def _address_state(place: tuple[float | None, object] | None) -> str:
    if place is None:
        return ""
    return f"resting since {moment(place[0])}" if place[0] is not None else "active"


# Links


def link(inspection: Inspection, url: str, gate: Gate, now: float) -> Facts:
    """What we know of a URL, which is canonical."""
    name, path = split(url)
    row = inspection.row(name)
    stands = inspection.standing(row, path) if row else None
    if row is None or stands is None:
        known: Facts = {"url": url, "state": "never seen"}
    elif is_settled(stands):
        known = _settled(inspection, row, url, path)
    else:
        known = _to_be_fetched(inspection, row, url, path, decode_standing(stands).rank)
    return known | _its_domain(inspection, row, url, gate, now)


def _settled(inspection: Inspection, row: Row, url: str, path: str) -> Facts:
    finding = inspection.settled(row, path)
    if finding is None:
        return {"url": url, "state": "settled", "note": "its document is missing: see `verify`"}
    if finding.url != url:
        return {"url": url, "state": "never seen", "note": f"but taken for {finding.url}, by a rare accident"}
    return {"url": url, "state": "settled", **entry(finding)}


def entry(finding: Finding) -> Facts:
    """A settled link, in the words of the documents list."""
    values = (
        finding.fate,
        finding.reason,
        finding.depth,
        None if finding.fate in WITHOUT_DOCUMENT else finding.usability,
        moment(finding.fetched),
        moment(finding.modified),
        moment(finding.valid_until),
        finding.title,
        finding.source,
    )
    return dict(zip(ENTRY, values, strict=True))


def _to_be_fetched(inspection: Inspection, row: Row, url: str, path: str, of_rank: int) -> Facts:
    leased = inspection.leased_by(row).get(path)
    if leased is not None:
        return {"url": url, "state": "in a batch", **_batch(inspection, row), **_record(leased)}
    record = inspection.queued(row, path, of_rank)
    if record is None:
        return {"url": url, "state": "queued", "note": "but its request is missing: see `verify`"}
    is_parked = row.backlog.is_parked or door(path) in row.backlog.parked_doors
    known: Facts = {"url": url, "state": "parked" if is_parked else "queued", "rank": RANK_NAMES[of_rank]}
    return known | _record(record)


def _batch(inspection: Inspection, row: Row) -> Facts:
    """Who has a domain's requests now."""
    address = row.about.address if row.about else ""
    place = inspection.address(address) if address else None
    if place is None or place[1] is None:
        return {}
    return {"batch": place[1].batch, "harvester": inspection.harvester(place[1].batch), "address": address}


def _record(record: Record) -> Facts:
    return {
        "since": moment(record.since),
        "source": record.source or THE_USER,
        "depth": record.depth,
        "usability_of_parent": record.usability,
        "promise": round(record.promise, 3),
        "tries": record.tries,
        "redirects_behind": record.hops,
    }


def _its_domain(inspection: Inspection, row: Row | None, url: str, gate: Gate, now: float) -> Facts:
    """What speaks against fetching it now."""
    name, path = split(url)
    if row is None:
        reason = "blocked" if name in inspection.blocked() else gate.domain_refusal(name)
        return {"domain": f"never seen; links are left out: {reason}" if reason else "never seen"}
    against = obstacles(row, inspection.abandoned(), inspection.blocked(), gate, now)
    rules = inspection.doors(row).get(door(path))
    forbidden = why_forbidden(rules, path) if rules and rules.expires > float("-inf") else ""
    return {"domain": against, "robots": forbidden}
