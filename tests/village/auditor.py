"""The auditor: a hostile administrator who reads the access log and looks for a broken rule.

Invariant: nothing but the log and the published robots.txt is consulted. The auditor shares no code
with the robot, not even the rules, so that a mistake in them cannot hide itself.

A *series* on an address is what lies between two general pauses: the log of each address is split
wherever nothing was going on for at least a general pause, from the latest end so far to the
next start. Whatever is not separated by such a gap must keep within max-hosts and max-reqs.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from protego import Protego

NGINX_FORMAT = '$msec $request_time $server_addr $host "$request" $status "$http_user_agent"'
NGINX_LINE = re.compile(r'(\S+) (\S+) (\S+) (\S+) "(.*?)" (\d+) "(.*)"')
# Not a tolerance: times since 1970 are stored with a grain of 0.24 microseconds, and a
# difference of exactly the delay may come out one grain short.
GRAIN = 1e-6


class Entry(NamedTuple):
    """One request as the server saw it."""

    start: float  # the first byte of the request
    end: float  # the last byte of the answer
    address: str  # of the server
    host: str
    path: str  # with the query
    status: int
    agent: str
    method: str = "GET"

    @property
    def is_robots(self) -> bool:
        """Is it the host's robots.txt, or what its robots.txt redirects to?"""
        return self.path.endswith("/robots.txt")


class Rules(NamedTuple):
    """What the robot was told to obey."""

    req_delay: float
    max_hosts: int
    max_reqs: int
    general_pause: float


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: which, by whom it was suffered, when, and the evidence."""

    rule: str
    whom: str
    at: float
    evidence: str


def audit(
    entries: Iterable[Entry],
    rules: Rules,
    robots: Mapping[str, str] | None = None,
    agent: str = "texttractor",
    contact: str = "",
) -> list[Violation]:
    """Every violation that the log shows; robots gives each host's robots.txt as it was served."""
    log = sorted(entries)
    by_host = _grouped(log, "host")
    parsed = {host: Protego.parse(text) for host, text in (robots or {}).items()}
    found: list[Violation] = []
    for host, visits in by_host.items():
        found += _pace(host, visits, _delay(rules.req_delay, parsed.get(host), agent))
        found += _robots_first(host, visits)
        found += _twice(host, visits)
        if host in parsed:
            found += _disallowed(host, visits, parsed[host], agent)
    for address, visits in _grouped(log, "address").items():
        found += _series_violations(address, visits, rules)
    return found + list(_anonymous(log, agent, contact))


def series(visits: Iterable[Entry], general_pause: float) -> list[list[Entry]]:
    """The requests of one address, split where it had its general pause."""
    found: list[list[Entry]] = []
    latest_end = float("-inf")
    for entry in sorted(visits):
        if entry.start - latest_end >= general_pause - GRAIN:
            found.append([])
        found[-1].append(entry)
        latest_end = max(latest_end, entry.end)
    return found


def _grouped(log: list[Entry], key: str) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in log:
        groups[getattr(entry, key)].append(entry)
    return groups


def _delay(req_delay: float, robots: Protego | None, agent: str) -> float:
    """The delay the host may expect: ours, or the one it asks for when that is longer."""
    return max(req_delay, (robots.crawl_delay(agent) or 0) if robots else 0)


def _pace(host: str, visits: list[Entry], delay: float) -> Iterator[Violation]:
    latest = visits[0]  # the request that ended last so far
    for one, other in pairwise(visits):
        if other.start - one.start < delay - GRAIN:
            evidence = f"{one.path} and {other.path} {other.start - one.start:.6f} s apart, not {delay:g}"
            yield Violation("req-delay", host, other.start, evidence)
        latest = max(latest, one, key=lambda entry: entry.end)
        if latest.end > other.start + GRAIN:
            evidence = f"{other.path} began {latest.end - other.start:.6f} s before {latest.path} ended"
            yield Violation("two-at-once", host, other.start, evidence)


def _series_violations(address: str, visits: list[Entry], rules: Rules) -> Iterator[Violation]:
    for run in series(visits, rules.general_pause):
        requests = Counter(entry.host for entry in run)
        lasted = f"in {run[-1].start - run[0].start:.3f} s without a pause"
        if len(requests) > rules.max_hosts:
            evidence = f"{len(requests)} domains {lasted}: {', '.join(sorted(requests)[:5])}"
            yield Violation("max-hosts", address, run[0].start, evidence)
        for host, count in requests.items():
            if count > rules.max_reqs:
                yield Violation("max-reqs", host, run[0].start, f"{count} requests {lasted}")


def _robots_first(host: str, visits: list[Entry]) -> Iterator[Violation]:
    """No page before the host's robots.txt has been read."""
    read = min((entry.end for entry in visits if entry.path == "/robots.txt"), default=float("inf"))
    for entry in visits:
        if not entry.is_robots and entry.start < read - GRAIN:
            yield Violation("robots-first", host, entry.start, f"{entry.path} before robots.txt was read")


def _disallowed(host: str, visits: list[Entry], robots: Protego, agent: str) -> Iterator[Violation]:
    for entry in visits:
        if not entry.is_robots and not robots.can_fetch(f"http://{host}{entry.path}", agent):
            yield Violation("robots", host, entry.start, f"{entry.path} is disallowed")


def _twice(host: str, visits: list[Entry]) -> Iterator[Violation]:
    """The same page fetched again although the first time brought it."""
    brought: set[str] = set()
    for entry in visits:
        if entry.status == 200 and not entry.is_robots:
            if entry.path in brought:
                yield Violation("double-fetch", host, entry.start, f"{entry.path} a second time")
            brought.add(entry.path)


def _anonymous(log: list[Entry], agent: str, contact: str) -> Iterator[Violation]:
    """Every request says who we are, in which version, and where to complain."""
    product = re.compile(rf"{re.escape(agent)}/\d", re.IGNORECASE)
    for entry in log:
        if not product.match(entry.agent) or contact not in entry.agent or " " not in entry.agent:
            yield Violation("user-agent", entry.host, entry.start, f"{entry.path} by {entry.agent!r}")


# Reading logs


def read_access_log(path: Path) -> list[Entry]:
    """The log of txtr.demo's server; its monotonic times, for nobody sets that clock."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_from_json(json.loads(line)) for line in lines]


def _from_json(said: Mapping[str, object]) -> Entry:
    times = {"start": said["monotonic_start"], "end": said["monotonic_end"]}
    return Entry(**times, **{name: said[name] for name in Entry._fields if name not in times})  # type: ignore


def read_nginx_log(text: str) -> list[Entry]:
    """A log in NGINX_FORMAT; nginx notes the end of a request and how long it took."""
    return [_from_nginx(line) for line in text.splitlines() if line]


def _from_nginx(line: str) -> Entry:
    match = NGINX_LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not a line of the expected log format: {line!r}")
    msec, took, address, host, request, status, agent = match.groups()
    method, _, rest = request.partition(" ")
    end = float(msec)
    start = round(end - float(took), 3)  # both are whole milliseconds
    return Entry(start, end, address, host, rest.rpartition(" ")[0], int(status), agent, method)
