"""The queue: requests to be fetched, domain -> path -> record.

Not a list. A request is in exactly one of two places: *queued*, in the order of arrival under
its domain and door, or *leased*, while a harvester has it in a batch. What is in neither was
never here or has been settled.

This is the memory engine; a disk engine offers the same methods and passes the same tests.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from txtr.errors import OurMistake
from txtr.urls import door


@dataclass(slots=True)
class Record:
    depth: int  # clicks from a start page: an upper estimate
    usability: float  # of the document the link was found in: what to expect
    tries: int = 0
    hops: int = 0  # redirects behind it


class Admission(Enum):
    QUEUED = "queued"
    CORRECTED = "corrected"  # already there, by a longer way
    KNOWN = "known"


class Queue:
    def __init__(self) -> None:
        self.queued: dict[str, dict[str, dict[str, Record]]] = {}  # domain -> door -> path -> record
        self.leased: dict[str, dict[str, Record]] = {}  # domain -> path -> record
        self.queued_count = 0
        self.leased_count = 0

    def __len__(self) -> int:
        return self.queued_count + self.leased_count

    def admit(self, domain: str, path: str, record: Record) -> Admission:
        """Queue a request, or correct the depth of one that is here already."""
        present = self._find(domain, path)
        if present is None:
            self.queued.setdefault(domain, {}).setdefault(door(path), {})[path] = record
            self.queued_count += 1
            return Admission.QUEUED
        present.usability = max(present.usability, record.usability)
        if record.depth < present.depth:
            present.depth = record.depth
            return Admission.CORRECTED
        return Admission.KNOWN

    def doors(self, domain: str) -> Iterable[str]:
        """The doors behind which something is queued, as of now: a page can name thousands of ports."""
        return self.queued.get(domain, {}).keys()

    def backlog(self, domain: str) -> int:
        """How many requests are queued for a domain."""
        return sum(map(len, self.queued.get(domain, {}).values()))

    def lease(self, domain: str, behind: str) -> tuple[str, Record] | None:
        """Take the next request behind this door."""
        paths = self.queued.get(domain, {}).get(behind)
        if not paths:
            return None
        path = next(iter(paths))
        record = paths[path]
        self._unqueue(domain, path)
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
        record = self.queued.get(domain, {}).get(door(path), {}).get(path)
        if record is not None:
            self._unqueue(domain, path)
        return record

    def leased_record(self, domain: str, path: str) -> Record | None:
        return self.leased.get(domain, {}).get(path)

    def give_back(self, domain: str, path: str) -> None:
        """A leased request returns to the end of its queue."""
        record = self.settle(domain, path)
        if record is None:
            raise OurMistake(f"{domain} {path} was given back, but is not here")
        self.admit(domain, path, record)

    def drop(self, domain: str) -> dict[str, Record]:
        """Empty a domain's queue; what is leased stays leased."""
        doors = self.queued.pop(domain, {}).values()
        paths = {path: record for behind in doors for path, record in behind.items()}
        self.queued_count -= len(paths)
        return paths

    def everything(self) -> dict[str, dict[str, Record]]:
        """All requests, queued and leased: domain -> path -> record."""
        paths = {domain: dict(leased) for domain, leased in self.leased.items()}
        for domain, doors in self.queued.items():
            for behind in doors.values():
                paths.setdefault(domain, {}).update(behind)
        return paths

    def _find(self, domain: str, path: str) -> Record | None:
        leased = self.leased_record(domain, path)
        return leased or self.queued.get(domain, {}).get(door(path), {}).get(path)

    def _unqueue(self, domain: str, path: str) -> None:
        doors = self.queued[domain]
        behind = door(path)
        del doors[behind][path]
        self.queued_count -= 1
        if not doors[behind]:
            del doors[behind]
        if not doors:
            del self.queued[domain]
