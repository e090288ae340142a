"""A world in which the queuekeeper dies, too: kill -9, or the machine with it, and it starts again.

What is left of it is its state directory, copied at the moment of death as it is, log and all. Harvesters
call until somebody answers. The promises are checked from the outside: by what servers were asked for, and
when, and by what the queuekeeper had confirmed.
"""

import shutil
from collections.abc import Collection
from pathlib import Path

from tests.world import RECONNECT, RULES, Player, Server, World
from txtr.harvester.columns import DealtRequest
from txtr.manners.rules import Rules
from txtr.model import Purpose
from txtr.queuekeeper.books import Books
from txtr.queuekeeper.keeper import Keeper
from txtr.urls import join
from txtr.wire.messages import Message

WALL = 1_800_000_000.0  # the wall time at which a world begins


class MortalWorld(World):
    def __init__(
        self,
        servers: dict[str, Server],
        directory: Path,
        rules: Rules = RULES,
        seed: int = 0,
        wanted: Collection[str] = (),
    ) -> None:
        super().__init__(servers, rules, seed, wanted=wanted)
        self.directory = directory
        self.deaths = 0
        self.is_down = False
        self.is_doomed = False  # dies at the next chance
        self.acknowledged: set[str] = set()  # URLs whose reports were confirmed
        self.asked_again: list[str] = []  # URLs that servers were asked for all the same
        self._open()

    def die(self, later: float, down: float) -> None:
        """The queuekeeper is killed about then, and started again after a while."""

        def doom() -> None:
            if not self.is_down:
                self.is_doomed = True
                self.down_for = down

        self.at(later, doom)

    def kill(self, player: Player) -> None:
        if self.is_down:
            self._end(player)
        else:
            super().kill(player)

    def is_over(self) -> bool:
        return not self.is_down and super().is_over()

    # --- inside

    def _open(self) -> None:
        state = self.directory / f"state{self.deaths}"
        state.mkdir(exist_ok=True)
        self.books = Books(state)
        self.frontier = self._frontier(self.books.store.links, self.books.store)
        self.frontier.epoch = WALL
        self.keeper = Keeper(self.frontier, self.books.claims, self.most_rows)
        self.books.open(self.keeper, self.now)
        while self.books.store.take_up(self.frontier, self.now):
            pass

    def _tick(self) -> None:
        if not self.is_down:
            super()._tick()

    def _deliver(self) -> None:
        """What happened is kept, then said; the queuekeeper may die before, between, or in the middle."""
        moment = self.random.choice(["before", "between", "after"]) if self.is_doomed else ""
        heard = [*self.reported]
        if moment != "before":
            self.books.keep(self.keeper, self.now)
            self.acknowledged.update(heard)
        if moment not in ("before", "between"):
            super()._deliver()
        if moment:
            self._die()

    def _die(self) -> None:
        self.is_doomed, self.is_down = False, True
        before = self.directory / f"state{self.deaths}"
        self.deaths += 1
        shutil.copytree(before, self.directory / f"state{self.deaths}")
        self.books.store.connection.close()
        self.reported = [url for url in self.reported if url in self.acknowledged]
        for player in self.players.values():
            if player.is_alive and player.is_up:
                player.is_up = False
                player.post.clear()
                self.at(RECONNECT, lambda player=player: self._reconnect(player))
                self._watch_lease(player)
        self.at(self.down_for, self._rise)

    def _rise(self) -> None:
        self._open()
        self.is_down = False

    def _reconnect(self, player: Player) -> None:
        if self.is_down:
            self.at(RECONNECT, lambda: self._reconnect(player))
        else:
            super()._reconnect(player)

    def _take(self, player: Player, message: Message) -> None:
        if player.is_up and not self.is_down:
            super()._take(player, message)

    def _fetch(self, player: Player, dealt: DealtRequest) -> None:
        url = join(dealt.domain, dealt.request.path)
        if dealt.request.purpose is Purpose.PAGE and url in self.acknowledged:
            self.asked_again.append(url)
        super()._fetch(player, dealt)
