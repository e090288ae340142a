"""Addresses: the unit of politeness. Each is in exactly one of four states.

    waiting    has requests
    active     takes part in a batch; in one at a time
    resting    in its general pause
    processed  has no requests now

An address changes its state only by a move in the table MOVES.
"""

from collections import OrderedDict
from enum import Enum

from txtr.errors import OurMistake
from txtr.frontier.ring import Ring


class State(Enum):
    __hash__ = object.__hash__  # each member exists once; Enum's own hash takes ten times as long

    WAITING = "waiting"
    ACTIVE = "active"
    RESTING = "resting"
    PROCESSED = "processed"


class Happening(Enum):
    __hash__ = object.__hash__

    DEALT = "dealt"
    ANSWERED = "answered"
    GIVEN_UP = "given up"
    RESTED = "rested"
    RESTED_EMPTY = "rested, nothing to do"
    FOUND = "found"
    EMPTIED = "emptied"


MOVES = {
    (State.WAITING, Happening.DEALT): State.ACTIVE,
    (State.WAITING, Happening.EMPTIED): State.PROCESSED,  # all its requests were refused after all
    (State.ACTIVE, Happening.ANSWERED): State.RESTING,
    (State.ACTIVE, Happening.GIVEN_UP): State.RESTING,  # a dead harvester endangers nothing
    (State.RESTING, Happening.RESTED): State.WAITING,
    (State.RESTING, Happening.RESTED_EMPTY): State.PROCESSED,
    (State.PROCESSED, Happening.FOUND): State.WAITING,
}  # a pair that is missing is a bug of ours, and raises


class Addresses:
    def __init__(self) -> None:
        # One ordered set per state; of the processed, the address that became so first is forgotten first.
        self.sets: dict[State, dict[str, None]] = {state: {} for state in State}
        self.processed: OrderedDict[str, None] = OrderedDict()  # a dict is slow to find its first key
        self.sets[State.PROCESSED] = self.processed
        self.states: dict[str, State] = {}
        # Address -> its domains that can be given something to do now; filled and emptied by the frontier.
        self.rings: dict[str, Ring] = {}

    def __contains__(self, address: str) -> bool:
        return address in self.states

    def add(self, address: str, state: State = State.PROCESSED) -> None:
        self.states[address] = state
        self.sets[state][address] = None
        self.rings[address] = Ring()

    def tidy(self, most: int, at_once: int) -> None:
        """Forget addresses that have had no requests for longest, a few at a time, until `most` are left."""
        for _ in range(min(len(self.processed) - most, at_once)):
            address, _ = self.processed.popitem(last=False)
            del self.states[address]
            del self.rings[address]

    def move(self, address: str, happening: Happening) -> State:
        """Change the state of an address as MOVES says; return the new state."""
        before = self.states[address]
        after = MOVES.get((before, happening))
        if after is None:
            raise OurMistake(f"address {address} is {before.value} and was {happening.value}")
        del self.sets[before][address]
        self.sets[after][address] = None
        self.states[address] = after
        return after

    def counts(self) -> dict[str, int]:
        return {state.value: len(addresses) for state, addresses in self.sets.items()}
