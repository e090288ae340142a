"""The queue: requests to be fetched, domain -> path -> record.

Not a list. A request is in exactly one of two places: *queued*, under its domain and door, by rank
and in the order of arrival, or *leased*, while a harvester has it in a batch. What is in neither
was never here or has been settled.

This is the memory engine; a disk engine offers the same methods and passes the same tests.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from txtr.errors import OurMistake
from txtr.frontier.ranks import HOPELESS, RANKS, rank, serve
from txtr.urls import door


@dataclass(slots=True)
class Record:
    depth: int  # clicks from a start page: an upper estimate
    usability: float  # of the document the link was found in
    tries: int = 0
    hops: int = 0  # redirects behind it
    promise: float = field(default=1.0, compare=False)  # see promise.py: an opinion, it changes nothing else


class Admission(Enum):
    QUEUED = "queued"
    CORRECTED = "corrected"  # already there, by a longer way
    KNOWN = "known"


class _Behind:
    """What is queued behind one door."""

    __slots__ = ("leases", "lines")

    def __init__(self) -> None:
        self.lines: tuple[dict[str, Record], ...] = tuple({} for _ in RANKS)  # path -> record
        self.leases = 0

    def __bool__(self) -> bool:
        return any(self.lines)

    def find(self, path: str) -> Record | None:
        return next((line[path] for line in self.lines if path in line), None)


class Queue:
    def __init__(self) -> None:
        self.queued: dict[str, dict[str, _Behind]] = {}  # domain -> door -> what is queued there
        self.numbers: dict[str, list[int]] = {}  # domain -> how many are queued, by rank
        self.leased: dict[str, dict[str, Record]] = {}  # domain -> path -> record
        self.queued_count = 0
        self.leased_count = 0

    def __len__(self) -> int:
        return self.queued_count + self.leased_count

    def admit(self, domain: str, path: str, record: Record) -> Admission:
        """Queue a request, or correct the depth of one that is here already."""
        leased = self.leased_record(domain, path)
        present = leased or self._find(domain, path)
        if present is None:
            self._enqueue(domain, path, record)
            return Admission.QUEUED
        present.usability = max(present.usability, record.usability)
        if record.promise > present.promise:
            self._raise(domain, path, present, record.promise, is_queued=leased is None)
        if record.depth < present.depth:
            present.depth = record.depth
            return Admission.CORRECTED
        return Admission.KNOWN

    def doors(self, domain: str) -> Iterable[str]:
        """The doors behind which something is queued, as of now: a page can name thousands of ports."""
        return self.queued.get(domain, {}).keys()

    def backlog(self, domain: str) -> int:
        """How many requests are queued for a domain."""
        return sum(self.numbers.get(domain, ()))

    def best(self, domain: str) -> int | None:
        """The best rank of a domain's queued requests; None if it has none."""
        numbers = self.numbers.get(domain, ())
        return next((of_rank for of_rank, number in enumerate(numbers) if number), None)

    def lease(self, domain: str, behind: str, worst: int = HOPELESS) -> tuple[str, Record] | None:
        """Take the next request behind this door that is of no worse rank."""
        requests = self.queued.get(domain, {}).get(behind)
        served = serve(requests.lines[: worst + 1], requests.leases) if requests else None
        if requests is None or served is None:
            return None
        requests.leases += 1
        path, record = next(iter(requests.lines[served].items()))
        self._unqueue(domain, path, record)
        self.leased.setdefault(domain, {})[path] = record
        self.leased_count += 1
        return path, record

    def settle(self, domain: str, path: str) -> Record | None:
        """A request is done with, wherever it is; None if it is not here."""
        paths = self.leased.get(domain, {})
        record = paths.pop(path, None)
        if record is not None:
            self.leased_count -= 1
            if not paths:
                del self.leased[domain]
            return record
        record = self._find(domain, path)
        if record is not None:
            self._unqueue(domain, path, record)
        return record

    def leased_record(self, domain: str, path: str) -> Record | None:
        return self.leased.get(domain, {}).get(path)

    def give_back(self, domain: str, path: str) -> None:
        """A leased request returns to the end of its queue."""
        record = self.settle(domain, path)
        if record is None:
            raise OurMistake(f"{domain} {path} was given back, but is not here")
        self.admit(domain, path, record)

    def drop(self, domain: str, behind: str | None = None) -> dict[str, Record]:
        """Empty a domain's queue, or that behind one door, the best first; what is leased stays leased."""
        doors = self.queued.get(domain, {})
        emptied = list(doors.values()) if behind is None else [doors[behind]] if behind in doors else []
        paths = {
            path: record
            for of_rank in RANKS
            for requests in emptied
            for path, record in requests.lines[of_rank].items()
        }
        for path, record in paths.items():
            self._unqueue(domain, path, record)
        return paths

    def everything(self) -> dict[str, dict[str, Record]]:
        """All requests, queued and leased: domain -> path -> record."""
        paths = {domain: dict(leased) for domain, leased in self.leased.items()}
        for domain, doors in self.queued.items():
            for line in (line for behind in doors.values() for line in behind.lines):
                paths.setdefault(domain, {}).update(line)
        return paths

    def _find(self, domain: str, path: str) -> Record | None:
        requests = self.queued.get(domain, {}).get(door(path))
        return requests.find(path) if requests is not None else None

    def _enqueue(self, domain: str, path: str, record: Record) -> None:
        of_rank = rank(record.promise)
        doors = self.queued.setdefault(domain, {})
        behind = door(path)
        if behind not in doors:
            doors[behind] = _Behind()
        doors[behind].lines[of_rank][path] = record
        self.numbers.setdefault(domain, [0] * len(RANKS))[of_rank] += 1
        self.queued_count += 1

    def _unqueue(self, domain: str, path: str, record: Record) -> None:
        of_rank = rank(record.promise)
        doors = self.queued[domain]
        behind = door(path)
        del doors[behind].lines[of_rank][path]
        self.numbers[domain][of_rank] -= 1
        self.queued_count -= 1
        if not doors[behind]:
            del doors[behind]
        if not doors:
            del self.queued[domain], self.numbers[domain]

    def _raise(self, domain: str, path: str, record: Record, promise: float, is_queued: bool) -> None:
        """Somebody better leads there too: the request moves up."""
        if is_queued and rank(promise) < rank(record.promise):
            self._unqueue(domain, path, record)
            record.promise = promise
            self._enqueue(domain, path, record)
        record.promise = promise
