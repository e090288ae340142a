"""Backlogs: how many requests are queued, by domain, door and rank.

The requests of a domain, or of one door, may be *parked*: they stay queued, but are not dealt until they are
unparked. So no request is lost when a server is given up for a day or a domain is abandoned, and parking a
million requests costs as much as parking one.
"""

from collections.abc import Iterable, Mapping

from txtr.frontier.ranks import PROMISING, RANKS


class Backlogs:
    def __init__(self) -> None:
        self.numbers: dict[str, dict[str, list[int]]] = {}  # domain -> door -> how many, by rank
        self.parked_domains: set[str] = set()
        self.parked_doors: dict[str, set[str]] = {}  # domain -> doors
        self.queued_count = 0
        self.parked_count = 0

    def count(self, domain: str, behind: str, of_rank: int, number: int) -> None:
        """Count requests that were queued, or taken away if the number is negative."""
        doors = self.numbers.get(domain)
        if doors is None:
            doors = self.numbers[domain] = {}
        numbers = doors.get(behind)
        if numbers is None:
            numbers = doors[behind] = [0] * len(RANKS)
        numbers[of_rank] += number
        if domain in self.parked_domains or behind in self.parked_doors.get(domain, ()):
            self.parked_count += number
        else:
            self.queued_count += number
        if number < 0 and not any(numbers):
            del doors[behind]
            if not doors:
                del self.numbers[domain]

    def doors(self, domain: str) -> list[str]:
        if domain in self.parked_domains:
            return []
        doors = self.numbers.get(domain, ())
        parked = self.parked_doors.get(domain)
        return [behind for behind in doors if behind not in parked] if parked else list(doors)

    def behind(self, domain: str, behind: str) -> list[int]:
        """How many are queued behind this door, by rank."""
        doors = self.numbers.get(domain)
        numbers = doors.get(behind) if doors else None
        return numbers or [0] * len(RANKS)

    def backlog(self, domain: str) -> int:
        return sum([sum(self.numbers[domain][behind]) for behind in self.doors(domain)])

    def best(self, domain: str) -> int | None:
        best = len(RANKS)
        if domain in self.parked_domains:
            return None
        parked = self.parked_doors.get(domain, ())
        for behind, numbers in self.numbers.get(domain, {}).items():
            if behind not in parked:
                if numbers[0]:
                    return PROMISING
                best = min(best, next(of_rank for of_rank in RANKS if numbers[of_rank]))
        return best if best < len(RANKS) else None

    def is_parked(self, domain: str, behind: str = "") -> bool:
        return domain in self.parked_domains or behind in self.parked_doors.get(domain, ())

    def park(self, domain: str, behind: str | None = None) -> int:
        before = self.queued_count
        self._uncount(domain)
        if behind is None:
            self.parked_domains.add(domain)
        else:
            self.parked_doors.setdefault(domain, set()).add(behind)
        self._recount(domain)
        return before - self.queued_count

    def unpark(self, domain: str, behind: str | None = None) -> int:
        before = self.queued_count
        self._uncount(domain)
        if behind is None:
            self.parked_domains.discard(domain)
        elif domain in self.parked_doors:
            self.parked_doors[domain].discard(behind)
            if not self.parked_doors[domain]:
                del self.parked_doors[domain]
        self._recount(domain)
        return self.queued_count - before

    def load(self, domain: str, doors: Mapping[str, Iterable[int]]) -> None:
        """Take a domain's counts from an earlier run; the totals include them already."""
        self.numbers[domain] = {behind: list(numbers) for behind, numbers in doors.items()}

    def forget(self, domain: str) -> None:
        """Forget a domain that has nothing queued, or whose counts are on disk; the totals stay."""
        self.numbers.pop(domain, None)
        self.parked_domains.discard(domain)
        self.parked_doors.pop(domain, None)

    def _uncount(self, domain: str) -> None:
        self._add(domain, -1)

    def _recount(self, domain: str) -> None:
        self._add(domain, 1)

    def _add(self, domain: str, sign: int) -> None:
        for behind, numbers in self.numbers.get(domain, {}).items():
            if self.is_parked(domain, behind):
                self.parked_count += sign * sum(numbers)
            else:
                self.queued_count += sign * sum(numbers)
