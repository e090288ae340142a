"""A world in virtual time: the real keeper and real walks, no ports, no sleeping.

Harvesters, servers and the wire are played by an agenda of (time, what happens). Days of crawling
pass in milliseconds, and the log that the servers would have written is audited like any other.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.village.auditor import Entry
from txtr.batch.columns import Columns, Errand
from txtr.corpus.duplicates import Claims
from txtr.frontier.frontier import Frontier
from txtr.frontier.gate import Gate
from txtr.harvester.walk import Walk
from txtr.manners.rules import Rules
from txtr.model import (
    Answer,
    Document,
    Failure,
    Link,
    Purpose,
    Redirect,
    Resolution,
    RobotsFile,
    Trouble,
)
from txtr.queuekeeper.keeper import Keeper
from txtr.urls import join, split
from txtr.wire.lease import PING_EVERY
from txtr.wire.messages import (
    Ask,
    Deal,
    Goodbye,
    Message,
    More,
    NewDomains,
    Ping,
    Pong,
    Refusal,
    Reported,
    Resolved,
)

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)


@dataclass
class Server:
    """One domain of the virtual web: path -> links, or a trouble, or a redirect target."""

    address: str
    pages: dict[str, list[str] | Trouble | str]
    robots: str | int = ""  # text, or the status instead of one
    took: float = 0.1


@dataclass
class Player:
    """One harvester process."""

    name: str
    walk: Walk = field(default_factory=lambda: Walk(Columns()))
    is_alive: bool = True
    is_cut_off: bool = False
    said: int = 0


class World:
    def __init__(
        self, servers: dict[str, Server], rules: Rules = RULES, seed: int = 0, depth: int = 0
    ) -> None:
        self.servers = servers
        self.random = random.Random(seed)
        self.frontier = Frontier(rules, Gate(".*", "^$", depth), "texttractor")
        self.keeper = Keeper(self.frontier, Claims(), most_rows=1000)
        self.now = 0.0
        self.agenda: list[tuple[float, int, Callable[[], None]]] = []
        self.players: dict[str, Player] = {}
        self.log: list[Entry] = []
        self.events: list[str] = []
        self.reported: list[str] = []  # URLs of documents that the keeper has heard of
        self.named = 0

    # --- what a test does

    def start(self, *urls: str, harvesters: int = 2) -> None:
        self.frontier.admit((Link(*split(url), depth=0) for url in urls), self.now)
        for _ in range(harvesters):
            self.add_harvester()
        self.at(0.0, self._tick)

    def add_harvester(self) -> Player:
        self.named += 1
        player = self.players[f"h{self.named}"] = Player(f"h{self.named}")
        self.keeper.join(player.name, [], self.now)
        self.at(0.0, lambda: self._ping(player))
        return player

    def kill(self, player: Player) -> None:
        player.is_alive = False
        self.keeper.disconnect(player.name, self.now)

    def run(self, until: float = 1e7) -> None:
        """Let time pass until the crawl is over."""
        while self.agenda and not self.frontier.is_finished():
            self.now, _, happening = heapq.heappop(self.agenda)
            assert self.now < until, f"not finished by {until}"
            happening()
            self.events += [event.what for event in self.frontier.events]
            self.frontier.events.clear()
        assert self.frontier.is_finished()

    def fetched(self) -> list[str]:
        """URLs of pages the servers were asked for, in order."""
        return [join(entry.host, entry.path) for entry in self.log if not entry.is_robots]

    # --- the works

    def at(self, later: float, happening: Callable[[], None]) -> None:
        heapq.heappush(self.agenda, (self.now + later, self.random.getrandbits(32), happening))

    def _tick(self) -> None:
        self.keeper.tick(self.now)
        self._deliver()
        self.at(0.05, self._tick)

    def _deliver(self) -> None:
        outbox, self.keeper.outbox = self.keeper.outbox, []
        for name, message in outbox:
            player = self.players[name]
            if player.is_alive and not player.is_cut_off:
                self._hear(player, message)

    def _say(self, player: Player, message: Message) -> None:
        if player.is_cut_off or player.name not in self.keeper.harvesters:
            return
        if isinstance(message, Reported):
            self.reported += [join(document.domain, document.path) for document in message.report.documents]
        self.keeper.answer(player.name, message, self.now)
        self._deliver()

    def _ping(self, player: Player) -> None:
        if player.is_alive:
            self._say(player, Ping(self.now))
            self._step(player)
            self.at(PING_EVERY, lambda: self._ping(player))

    def _hear(self, player: Player, message: Message) -> None:
        match message:
            case Pong(stamp):
                player.walk.extend_lease(stamp)
            case Deal(batch):
                player.walk.deal(batch, self.now)
            case More(batch, visits):
                player.walk.top_up(batch, visits, self.now)
            case NewDomains(batch, domains):
                answers = [self._look_up(domain) for domain in domains]
                self.at(0.2, lambda: player.is_alive and self._say(player, Resolved(batch, answers)))
            case Goodbye() | Refusal():
                player.is_alive = False
        self.at(0.0, lambda: self._step(player))

    def _look_up(self, domain: str) -> Resolution:
        server = self.servers.get(domain)
        if server is None:
            return Resolution(domain, trouble=Trouble.NO_SUCH_DOMAIN)
        return Resolution(domain, [server.address])

    def _step(self, player: Player) -> None:
        """Send what is due, report, ask."""
        if not player.is_alive:
            return
        for errand in player.walk.due(self.now, 1000):
            self._fetch(player, errand)
        for report in player.walk.take_reports():
            self._say(player, Reported(report))
        self._say(player, Ask(player.walk.last_batch, len(player.walk.columns), 0.01))
        due = player.walk.next_due()
        if due is not None and due > self.now and player.said != due:
            player.said = int(due * 1e6)
            self.at(due - self.now, lambda: self._step(player))

    def _fetch(self, player: Player, errand: Errand) -> None:
        server = self.servers[errand.domain]
        travel, took = self.random.random() * 0.3, server.took * (0.5 + self.random.random())
        begun, ended = self.now + travel, self.now + travel + took
        path = errand.request.path
        status = 500 if isinstance(server.pages.get(path), Trouble) else 200
        self.log.append(
            Entry(begun, ended, errand.address, errand.domain, path, status, "texttractor/1 (+x)")
        )
        self.at(travel + took, lambda: self._answered(player, errand, ended))

    def _answered(self, player: Player, errand: Errand, ended: float) -> None:
        if not player.is_alive:
            return
        answer = self._answer(errand)
        trouble = answer.trouble if isinstance(answer, Failure) else None
        player.walk.ended(errand, trouble, None if trouble else ended, ended)
        player.walk.answer(errand.batch, answer)
        self._step(player)

    def _answer(self, errand: Errand) -> Answer:
        domain, path = errand.domain, errand.request.path
        server = self.servers[domain]
        if errand.request.purpose is Purpose.ROBOTS:
            text, status = (server.robots, 200) if isinstance(server.robots, str) else ("", server.robots)
            return RobotsFile(domain, path, status, text, server.took)
        match server.pages.get(path, Trouble.GONE):
            case Trouble() as trouble:
                return Failure(domain, path, trouble)
            case str() as target:
                return Redirect(domain, path, target, 301, server.took)
            case list() as links:
                return Document(domain, path, "kept", 1.0, 200, 100, server.took, links=links)
