"""A world in virtual time: the real keeper and real walks, no ports, no sleeping.

Harvesters, servers and the wire are played by an agenda of (time, what happens). Days of crawling
pass in milliseconds, and the log that the servers would have written is audited like any other.

A harvester can be killed, cut off and let back, frozen and thawed. What was under way when its
process died or its lease ran out is broken off, and the server's log says so.
"""

import heapq
import random
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import count

from tests.village import auditor
from tests.village.auditor import Entry
from txtr.corpus.duplicates import Claims
from txtr.frontier.frontier import Frontier
from txtr.frontier.state import Archive
from txtr.frontier.storage import Links
from txtr.gate import Gate
from txtr.harvester.columns import Columns, DealtRequest
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
    Unvisited,
)
from txtr.queuekeeper.keeper import Keeper
from txtr.urls import door, join, split
from txtr.wire.lease import BREAK_OFF, PING_EVERY
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
    Spare,
)

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)
HEARTBEAT = 5.0  # seconds between two ticks when nothing else happens
RECONNECT = 0.3  # seconds until a harvester whose line was ended calls again

Content = list[str] | str | Trouble  # a page's links, a redirect's target, or trouble


@dataclass
class Server:
    """One domain of the virtual web."""

    address: str
    pages: dict[str, Content | deque[Content]]  # those in a deque are served one after the other
    robots: str | int = ""  # its text, a URL that it redirects to, or the status instead
    took: float = 0.1
    other_robots: dict[str, str | int] = field(default_factory=dict)  # the same at other paths
    retry_after: float | None = None  # said with every trouble
    usability: float = 1.0
    usabilities: dict[str, float] = field(default_factory=dict)  # of the pages that differ
    size_bytes: int = 100  # of a page
    trouble: Trouble | None = None  # whatever is asked; None: it is well

    def page(self, path: str) -> Content:
        content = self.pages.get(path, Trouble.GONE)
        if isinstance(content, deque):
            return content.popleft() if len(content) > 1 else content[0]
        return content


def site(name: str, pages: int, address: str, robots: str | int = "", took: float = 0.1) -> Server:
    """A front page that links to all others."""
    links = [f"http://{name}/{number}" for number in range(pages)]
    others = {f"/{number}": [f"http://{name}/"] for number in range(pages)}
    return Server(address, {"/": links, **others}, robots, took)


@dataclass(eq=False)
class Player:
    """One harvester process."""

    name: str
    walk: Walk = field(default_factory=lambda: Walk(Columns()))
    is_alive: bool = True
    is_up: bool = True  # its line stands
    is_cut_off: bool = False  # and cannot be mended
    is_frozen: bool = False
    post: deque[Message] = field(default_factory=deque)  # said to it, not yet heard
    unconfirmed: list[tuple[float, Message]] = field(default_factory=list)  # it says again on the next line
    asked: tuple[int, int] | None = None
    wakes: float = float("inf")  # when it will look again by itself for what is due
    out: dict[DealtRequest, int] = field(default_factory=dict)  # under way -> its line in the log
    unread: dict[DealtRequest, int] = field(default_factory=dict)  # answered and not read -> the same
    pending: list[Callable[[], None]] = field(default_factory=list)  # happened while it was frozen


class World:
    travel = 0.3  # seconds at most until a request is at its server
    reading = 0.05  # seconds at most from an answer to its report

    def __init__(
        self,
        servers: dict[str, Server],
        rules: Rules = RULES,
        seed: int = 0,
        depth: int = 0,
        wanted: Collection[str] = (),
        most_rows: int = 1000,
    ) -> None:
        self.servers = servers
        self.rules = rules
        self.random = random.Random(seed)
        self.now = 0.0
        self.depth, self.wanted, self.most_rows = depth, wanted, most_rows
        self.frontier = self._frontier()
        self.keeper = Keeper(self.frontier, Claims(), most_rows)
        self.agenda: list[tuple[float, float, int, Callable[[], object]]] = []
        self.numbers = count()
        self.players: dict[str, Player] = {}
        self.log: list[Entry] = []
        self.asked_for: list[str] = []  # URLs of pages that servers were asked for, in order
        self.events: list[str] = []
        self.reported: list[str] = []  # URLs of documents that the keeper has heard of
        self.woken = 0.0

    # --- what a test does

    def start(self, *urls: str, harvesters: int = 2) -> None:
        self.frontier.admit((Link(*split(url), depth=0) for url in urls), self.now)
        for _ in range(harvesters):
            self.add_harvester()
        self._heartbeat()

    def add_harvester(self) -> Player:
        player = Player(f"h{len(self.players) + 1}")
        self.players[player.name] = player
        self.keeper.join(player.name, {}, self.now)
        self._ping(player)
        return player

    def kill(self, player: Player) -> None:
        self._end(player)
        self.keeper.disconnect(player.name, self.now)

    def cut(self, player: Player) -> None:
        """The line breaks, and what was on its way is lost."""
        player.is_cut_off = True
        self._hang_up(player)

    def mend(self, player: Player) -> None:
        player.is_cut_off = False

    def freeze(self, player: Player) -> None:
        player.is_frozen = True

    def thaw(self, player: Player) -> None:
        player.is_frozen = False
        pending, player.pending = player.pending, []
        for happening in pending:
            happening()
        self._watch_lease(player)

    def run(self, until: float = 1e7) -> None:
        """Let time pass until the crawl is over."""
        while self.agenda and not self.is_over():
            self.now, _, _, happening = heapq.heappop(self.agenda)
            assert self.now < until, f"not finished by {until}"
            happening()
            self._tick()
            self.events += [event.what for event in self.frontier.events]
            self.frontier.events.clear()
        assert self.is_over()

    def is_over(self) -> bool:
        return self.frontier.is_finished()

    def at(self, later: float, happening: Callable[[], object]) -> None:
        """What happens at the same moment happens in any order."""
        heapq.heappush(self.agenda, (self.now + later, self.random.random(), next(self.numbers), happening))

    # --- what a test looks at

    def fetched(self) -> list[str]:
        """URLs of pages the servers were asked for, in order."""
        return self.asked_for

    def everything(self) -> set[str]:
        return {join(name, path) for name, server in self.servers.items() for path in server.pages}

    def violations(self) -> list[auditor.Violation]:
        rules = self.rules
        obeyed = auditor.Rules(rules.req_delay, rules.max_hosts, rules.max_reqs, rules.general_pause)
        robots = {
            name: server.robots
            for name, server in self.servers.items()
            if isinstance(server.robots, str) and not server.robots.startswith("http")
        }
        return auditor.audit(self.log, obeyed, robots)

    # --- the queuekeeper's side

    def _frontier(self, links: Links | None = None, archive: Archive | None = None) -> Frontier:
        gate = Gate(".*", "^$", self.depth)
        return Frontier(self.rules, gate, "texttractor", self.wanted, links=links, archive=archive)

    def _heartbeat(self) -> None:
        self.at(HEARTBEAT, self._heartbeat)

    def _tick(self) -> None:
        self.keeper.look_ahead(self.now)
        self.keeper.tick(self.now)
        self._deliver()
        due = self.frontier.next_change()
        if due is not None and due > self.now and due != self.woken:
            self.woken = due
            self.at(due - self.now, lambda: None)

    def _deliver(self) -> None:
        outbox, self.keeper.outbox = self.keeper.outbox, []
        for name, message in outbox:
            player = self.players[name]
            if player.is_up:
                player.post.append(message)
                self.at(0.001, lambda player=player: self._hear_next(player))

    # --- a harvester's line

    def _hang_up(self, player: Player) -> None:
        if player.is_up:
            player.is_up = False
            player.post.clear()
            self.keeper.disconnect(player.name, self.now)
            self.at(RECONNECT, lambda: self._reconnect(player))
            self._watch_lease(player)

    def _reconnect(self, player: Player) -> None:
        if not player.is_alive or player.is_up:
            return
        if player.is_cut_off:
            self.at(RECONNECT, lambda: self._reconnect(player))
            return
        batches = self.keeper.join(player.name, player.walk.held(), self.now)
        assert batches is not None
        player.is_up, player.asked = True, None
        player.walk.keep_only(batches)
        for _, message in list(player.unconfirmed):
            self._take(player, message)
        self._step(player)

    def _say(self, player: Player, message: Message) -> None:
        if isinstance(message, Reported | Resolved):
            player.unconfirmed.append((self.now, message))
        if player.is_up:
            self._take(player, message)

    def _take(self, player: Player, message: Message) -> None:
        if player.name not in self.keeper.harvesters:
            return  # given up; it will hear of it
        if isinstance(message, Reported):
            known = self.frontier.links
            self.reported += [
                join(document.domain, document.path)
                for document in message.report.documents
                if not known.knows(document.domain, document.path)
            ]
        self.keeper.answer(player.name, message, self.now)
        self._deliver()

    def _hear_next(self, player: Player) -> None:
        if not player.is_alive or not player.post:
            return
        if player.is_frozen:
            player.pending.append(lambda: self._hear_next(player))
            return
        self._hear(player, player.post.popleft())
        self._step(player)

    def _hear(self, player: Player, message: Message) -> None:
        match message:
            case Pong(stamp):
                player.walk.extend_lease(stamp)
                player.unconfirmed = [said for said in player.unconfirmed if said[0] > stamp]
            case Deal(batch):
                player.walk.deal(batch, self.now)
            case More(batch, visits):
                player.walk.top_up(batch, visits, self.now)
            case NewDomains(batch, domains):
                answers = [self._look_up(domain) for domain in domains]
                self.at(0.2, lambda: self._awake(player, lambda: self._say(player, Resolved(batch, answers))))
            case Spare(domain):
                player.walk.spare(domain)
            case Goodbye():
                player.walk.leave()
            case Refusal():
                self._hang_up(player)

    # --- a harvester's work

    def _awake(self, player: Player, happening: Callable[[], object]) -> None:
        """Let it happen to the harvester: now, when it thaws, or never."""
        if player.is_alive and player.is_frozen:
            player.pending.append(lambda: self._awake(player, happening))
        elif player.is_alive:
            happening()

    def _ping(self, player: Player) -> None:
        def ping() -> None:
            self._say(player, Ping(self.now))
            self._step(player)
            self.at(PING_EVERY, lambda: self._awake(player, ping))

        self._awake(player, ping)

    def _watch_lease(self, player: Player) -> None:
        """Break off what is under way when the lease has been lost for long, until there is a new one."""

        def watch() -> None:
            if self.now > player.walk.lease_until + BREAK_OFF:
                for dealt in list(player.out):
                    self._broken_off(player.out.pop(dealt))
                    player.walk.ended(dealt, None, None, self.now)
                    player.walk.answer(dealt.batch, Unvisited(dealt.domain, [dealt.request.path]))
            if not player.is_up or self.now > player.walk.lease_until:
                self.at(1.0, lambda: self._awake(player, watch))

        self.at(self.random.random(), lambda: self._awake(player, watch))

    def _look_up(self, domain: str) -> Resolution:
        server = self.servers.get(domain)
        if server is None:
            return Resolution(domain, trouble=Trouble.NO_SUCH_DOMAIN)
        return Resolution(domain, [server.address])

    def _step(self, player: Player) -> None:
        """Send what is due, report, ask."""
        if not player.is_alive or player.is_frozen:
            return
        for dealt in player.walk.due(self.now, 1000):
            self._fetch(player, dealt)
        for report in player.walk.take_reports(self.now):
            self._say(player, Reported(report))
        based_on = (player.walk.last_batch, len(player.walk.columns))
        if player.is_up and not player.walk.is_leaving and based_on != player.asked:
            player.asked = based_on
            self._say(player, Ask(*based_on, 0.01))
        due = player.walk.next_due()
        if due is not None and self.now < due < player.wakes:
            player.wakes = due
            self.at(due - self.now, lambda: self._wake(player, due))

    def _wake(self, player: Player, due: float) -> None:
        if player.wakes == due:  # otherwise it has been woken earlier, and that time is past
            player.wakes = float("inf")
            self._step(player)

    # --- the web

    def _fetch(self, player: Player, dealt: DealtRequest) -> None:
        server = self.servers[dealt.domain]
        travel, took = self.random.random() * self.travel, server.took * (0.5 + self.random.random())
        begun, ended = self.now + travel, self.now + travel + took
        answer = self._answer(dealt, took)
        path = dealt.request.path
        player.out[dealt] = len(self.log)
        status = 500 if isinstance(answer, Failure) else 200
        inside = path[len(door(path)) :]
        self.log.append(
            Entry(begun, ended, dealt.address, dealt.domain, inside, status, "texttractor/1 (+x)")
        )
        if dealt.request.purpose is Purpose.PAGE:
            self.asked_for.append(join(dealt.domain, path))
        first_byte = None if isinstance(answer, Failure) else begun + self.random.random() * took
        self.at(
            ended - self.now,
            lambda: self._awake(player, lambda: self._answered(player, dealt, answer, first_byte)),
        )

    def _end(self, player: Player) -> None:
        """What was under way is broken off, and what was not read yet is as if it had been."""
        player.is_alive = player.is_up = False
        for line in [*player.out.values(), *player.unread.values()]:
            self._broken_off(line)

    def _broken_off(self, line: int) -> None:
        entry = self.log[line]
        self.log[line] = entry._replace(end=min(entry.end, max(entry.start, self.now)), status=499)

    def _answered(
        self, player: Player, dealt: DealtRequest, answer: Answer, first_byte: float | None
    ) -> None:
        if dealt not in player.out:
            return  # broken off meanwhile
        player.unread[dealt] = player.out.pop(dealt)
        trouble = answer.trouble if isinstance(answer, Failure) else None
        player.walk.ended(dealt, trouble, first_byte, self.now)
        self._step(player)
        reading = self.random.random() * self.reading
        self.at(reading, lambda: self._awake(player, lambda: self._lay_in(player, dealt, answer)))

    def _lay_in(self, player: Player, dealt: DealtRequest, answer: Answer) -> None:
        del player.unread[dealt]
        player.walk.answer(dealt.batch, answer)
        self._step(player)

    def _answer(self, dealt: DealtRequest, took: float) -> Answer:
        domain, path = dealt.domain, dealt.request.path
        server = self.servers[domain]
        if server.trouble is not None:
            return Failure(domain, path, server.trouble, took=took, retry_after=server.retry_after)
        if dealt.request.purpose is Purpose.ROBOTS:
            return self._robots(domain, path, server, took)
        match server.page(path):
            case Trouble() as trouble:
                return Failure(domain, path, trouble, took=took, retry_after=server.retry_after)
            case str() as target:
                return Redirect(domain, path, target, 301, took)
            case list() as links:
                return self._document(domain, path, server, took, links)

    def _document(self, domain: str, path: str, server: Server, took: float, links: list[str]) -> Document:
        usability = server.usabilities.get(path, server.usability)
        return Document(
            domain,
            path,
            "kept" if usability else "rejected",
            usability,
            200,
            server.size_bytes,
            took,
            links=links,
            text_bytes=server.size_bytes // 10,
        )

    def _robots(self, domain: str, path: str, server: Server, took: float) -> RobotsFile:
        content = server.other_robots.get(path, server.robots)
        if isinstance(content, int):
            return RobotsFile(domain, path, content, "", took, retry_after=server.retry_after)
        if content.startswith("http"):
            return RobotsFile(domain, path, 301, "", took, content)
        return RobotsFile(domain, path, 200, content, took)
