"""The rest area: where an IP address spends its general pause.

The rest area is a row of rooms. Addresses enter the newest room, which takes entries for a part of the pause.
Then the next room opens: the rooms *shift*. All addresses of a room leave together.

Invariant: an address leaves no earlier than one whole general pause after it entered, because its room is
dated by the *last* entry. It leaves at most pause/(rooms-1) later than that, because no room takes entries
for longer. With three rooms, the specification's number, that is half a pause; more rooms (--rest-rooms) lose
less.

Only rooms are dated, so a million resting addresses cost a million set entries and three numbers. While few
addresses rest, that saving buys nothing and the imprecision shows. Then every address gets a room of its own
and rests exactly the pause.
"""

from collections import deque

import msgspec

ROOMS = 3  # spec 5
FEW_RESTING = 10_000  # resting addresses up to which each has a room of its own


class _Room(msgspec.Struct):
    opened: float
    last_entry: float
    addresses: set[str] = set()


class RestArea:
    def __init__(self, general_pause: float, rooms: int = ROOMS, few: int = FEW_RESTING) -> None:
        self.general_pause = general_pause
        self.stay_open = general_pause / (rooms - 1)
        self.few = few
        self.rooms: deque[_Room] = deque()  # oldest first; filled by enter, emptied by leave
        self.resting = 0

    def enter(self, address: str, now: float) -> None:
        if not self._newest_takes(now):
            self.rooms.append(_Room(opened=now, last_entry=now))
        room = self.rooms[-1]
        room.addresses.add(address)
        room.last_entry = now
        self.resting += 1

    def leave(self, now: float) -> set[str]:
        """Let out the addresses that have rested."""
        rested: set[str] = set()
        while self.rooms and self.rooms[0].last_entry + self.general_pause <= now:
            rested |= self.rooms.popleft().addresses
        self.resting -= len(rested)
        return rested

    def next_leave(self) -> float | None:
        """The time at which the oldest room is due, if nothing enters it any more."""
        return self.rooms[0].last_entry + self.general_pause if self.rooms else None

    def _newest_takes(self, now: float) -> bool:
        return bool(self.rooms) and self.resting >= self.few and now - self.rooms[-1].opened <= self.stay_open
