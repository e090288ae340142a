"""Edge: the queue on disk: requests in lanes (store/lanes.py), one for each domain, door and rank.

A link that moves to a better rank, or is settled while it is queued, is not searched for in the packs. Its
old request stays there, and is passed over when its turn comes, because the standing of the link differs. A
domain in which that can happen is called *doubled*; requests of other domains are not checked.

Requests that arrive between two commits go into their lane together: when all rows are written, or when
requests are taken from that lane.
"""

from txtr.frontier.ranks import rank
from txtr.frontier.records import Record
from txtr.store.domains import DomainRows
from txtr.store.home import Home
from txtr.store.keys import digest, is_queued
from txtr.store.lanes import Lanes
from txtr.store.leases import Leases
from txtr.store.packs import Group, count_requests, paths_of
from txtr.store.seen import Seen

Lane = tuple[str, int, str]  # domain, rank, door


class Queue:
    def __init__(self, homes: DomainRows, lanes: Lanes, seen: Seen, leases: Leases) -> None:
        self.homes = homes
        self.lanes = lanes
        self.seen = seen
        self.leases = leases
        self.arrived: dict[Lane, list[Group]] = {}  # filled by `append`, emptied into the lane by `_arrive`

    def append(self, home: Home, domain: str, behind: str, paths: list[str], record: Record) -> None:
        """Put requests behind one door at the end of its lane."""
        of_rank = rank(record.promise)
        home.door(behind)
        self.arrived.setdefault((domain, of_rank, behind), []).append((record, paths))
        self.homes.count(home, domain, behind, of_rank, len(paths))

    def pull(self, home: Home, domain: str, behind: str, of_rank: int, most: int) -> list[Group]:
        """Take requests from a lane, in their order: `most`, or fewer if some were settled or moved."""
        self._arrive((domain, of_rank, behind))
        self.lanes.write_arrived()
        place = home.door(behind)
        taken: list[Group] = []
        left = most
        while left > 0 and (groups := self.lanes.pull(home.id, of_rank, place, left)):
            if home.is_doubled:
                groups = self._still_queued(home, domain, groups, of_rank, taken)
            taken += groups
            left -= count_requests(groups)
        self.homes.count(home, domain, behind, of_rank, -most)  # if fewer came, the count was wrong
        return taken

    def _still_queued(
        self, home: Home, domain: str, groups: list[Group], of_rank: int, before: list[Group]
    ) -> list[Group]:
        """The requests of a pack, each once, that are not settled, leased or in another lane by now."""
        digests = {path: digest(path) for path in paths_of(groups)}
        stands = self.seen.get_some(home.first, digests.values())
        out = {*self.leases.of(domain), *paths_of(before)}
        still: list[Group] = []
        for record, paths in groups:
            some = [
                path
                for path in dict.fromkeys(paths)
                if path not in out and is_queued(stands.get(digests[path]), of_rank)
            ]
            out.update(some)
            if some:
                still.append((record, some))
        return still

    def clear(self, home: Home) -> None:
        """Delete the packs of a domain that has nothing queued: their requests have moved or were settled."""
        if home.is_doubled:
            self.lanes.clear(home.id, len(home.doors))
            home.is_doubled = False

    def forget_arrived(self, domain: str) -> None:
        """Drop the arrivals of a domain that has nothing queued: they have moved or were settled too."""
        for lane in [lane for lane in self.arrived if lane[0] == domain]:
            del self.arrived[lane]

    def flush(self) -> None:
        """Write down what has arrived and what was taken; a commit makes it last."""
        for lane in list(self.arrived):
            self._arrive(lane)
        self.lanes.flush()

    def _arrive(self, lane: Lane) -> None:
        groups = self.arrived.pop(lane, None)
        if groups is not None:
            domain, of_rank, behind = lane
            home = self.homes[domain]
            self.lanes.append(home.id, of_rank, home.door(behind), groups)
