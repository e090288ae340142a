"""The links in memory: an engine for tests, and for reading what the port means.

It is slow and obvious; the engine on disk (store/links.py) is neither. Both pass the same tests.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from txtr.errors import OurMistake
from txtr.frontier.backlogs import Backlogs
from txtr.frontier.ranks import HOPELESS, RANKS, rank, serve
from txtr.frontier.records import Entry, Found, Record, Token, round_to_hundredths
from txtr.urls import door


class MemoryLinks(Backlogs):
    def __init__(self) -> None:
        super().__init__()
        # (domain, door) -> one line per rank: path -> record
        self.lines: dict[tuple[str, str], tuple[dict[str, Record], ...]] = {}
        self.turns: Counter[tuple[str, str]] = Counter()  # how many were leased behind each door
        self.leases: dict[str, dict[str, Record]] = {}  # domain -> path -> record
        self.entries: dict[str, dict[str, Entry]] = {}  # domain -> path -> entry
        self.fates: Counter[str] = Counter()
        self.lifted: set[str] = set()

    @property
    def leased_count(self) -> int:
        return sum(map(len, self.leases.values()))

    def meet(self, found: Sequence[Found]) -> list[tuple[list[str], list[str]]]:
        return [self._meet(*some) for some in found]

    def _meet(self, domain: str, paths: Collection[str], record: Record) -> tuple[list[str], list[str]]:
        new, corrected = [], []
        for path in dict.fromkeys(paths):
            if self.knows(domain, path):
                continue
            present = self.leased(domain).get(path) or self._queued(domain, path)
            if present is None:
                new.append(path)
            elif self._improve(domain, path, present, record):
                corrected.append(path)
        return new, corrected

    def enqueue(self, domain: str, paths: Iterable[str], record: Record) -> None:
        of_rank = rank(record.promise)
        for path in paths:
            behind = door(path)
            lines = self.lines.setdefault((domain, behind), tuple({} for _ in RANKS))
            lines[of_rank][path] = record
            self.count(domain, behind, of_rank, 1)

    def lease(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> list[str]:
        lines = self.lines.get((domain, behind), ())[: worst + 1]
        taken: list[str] = []
        while len(taken) < most:
            served = serve(lines, self.turns[domain, behind])
            if served is None:
                break
            self.turns[domain, behind] += 1
            path = next(iter(lines[served]))
            self.leases.setdefault(domain, {})[path] = self._unqueue(domain, path)
            taken.append(path)
        return taken

    def look_ahead(self, domain: str, behind: str, most: int, worst: int = HOPELESS) -> None:
        """There is nothing to be read."""

    def lease_ahead(self, prospects: Sequence[Token]) -> bool:
        return False

    def leased(self, domain: str) -> dict[str, Record]:
        return self.leases.get(domain, {})

    def tried(self, domain: str, path: str) -> Record:
        record = self.leases[domain][path]
        record = self.leases[domain][path] = replace(record, tries=record.tries + 1)
        return record

    def give_back(self, domain: str, path: str) -> None:
        if path not in self.leased(domain):
            raise OurMistake(f"{domain} {path} was given back, but is not leased")
        self.enqueue(domain, [path], self._unlease(domain, path))

    def take(self, domain: str, path: str) -> Record | None:
        if path in self.leased(domain):
            return self._unlease(domain, path)
        return self._unqueue(domain, path) if self._queued(domain, path) else None

    def settle(self, domain: str, path: str, entry: Entry) -> None:
        paths = self.entries.setdefault(domain, {})
        if path in paths:
            self.fates[paths[path].fate] -= 1
        self.fates[entry.fate] += 1
        paths[path] = entry

    def knows(self, domain: str, path: str) -> bool:
        return path in self.entries.get(domain, ())

    def drop(self, domain: str, most: int) -> int:
        queued = [
            path
            for (name, _), lines in self.lines.items()
            if name == domain
            for line in lines
            for path in line
        ]
        for path in queued[:most]:
            self._unqueue(domain, path)
        return len(queued[:most])

    def unsettle(
        self, domain: str, fate: str, most: int, behind: str | None = None
    ) -> list[tuple[str, Entry]]:
        paths = self.entries.get(domain, {})
        found = [
            (path, entry)
            for path, entry in paths.items()
            if entry.fate == fate and behind in (None, door(path))
        ][:most]
        for path, _ in found:
            del paths[path]
        self.fates[fate] -= len(found)
        return found

    def forget_disallowed(self, domain: str, behind: str) -> None:
        paths = self.entries.get(domain, {})
        gone = [path for path, entry in paths.items() if entry.fate == "disallowed" and door(path) == behind]
        for path in gone:
            del paths[path]
        self.fates["disallowed"] -= len(gone)

    def _queued(self, domain: str, path: str) -> Record | None:
        lines = self.lines.get((domain, door(path)), ())
        return next((line[path] for line in lines if path in line), None)

    def _unqueue(self, domain: str, path: str) -> Record:
        behind = door(path)
        lines = self.lines[domain, behind]
        of_rank = next(of_rank for of_rank in RANKS if path in lines[of_rank])
        self.count(domain, behind, of_rank, -1)
        return lines[of_rank].pop(path)

    def _unlease(self, domain: str, path: str) -> Record:
        record = self.leases[domain].pop(path)
        if not self.leases[domain]:
            del self.leases[domain]
        return record

    def _improve(self, domain: str, path: str, present: Record, found: Record) -> bool:
        """Improve a link that was found again; is the new way shorter?"""
        better = replace(
            present,
            depth=min(present.depth, found.depth),
            usability=round_to_hundredths(max(present.usability, found.usability)),
            promise=max(present.promise, found.promise),
        )
        if path in self.leased(domain):
            self.leases[domain][path] = better
        elif rank(better.promise) < rank(present.promise):
            self._unqueue(domain, path)
            self.enqueue(domain, [path], better)
            self.lifted.add(domain)
        else:
            self.lines[domain, door(path)][rank(present.promise)][path] = better
        return found.depth < present.depth
