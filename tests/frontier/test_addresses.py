"""The four states and the table of moves."""

from itertools import product

import pytest

from txtr.errors import OurMistake
from txtr.frontier.addresses import MOVES, Addresses, Happening, State


@pytest.mark.parametrize("state,happening", list(product(State, Happening)))
def test_only_the_moves_of_the_table_are_made(state: State, happening: Happening) -> None:
    """Style 4: a pair that is missing is a bug of ours, and raises."""
    addresses = Addresses()
    addresses.add("192.0.2.1", state)
    if (state, happening) in MOVES:
        addresses.move("192.0.2.1", happening)
        assert addresses.states["192.0.2.1"] is MOVES[state, happening]
    else:
        with pytest.raises(OurMistake, match=r"192\.0\.2\.1"):
            addresses.move("192.0.2.1", happening)
        assert addresses.states["192.0.2.1"] is state


@pytest.mark.parametrize("state,happening", list(MOVES))
def test_an_address_is_in_exactly_one_set(state: State, happening: Happening) -> None:
    """Spec 5: each is in exactly one of four states."""
    addresses = Addresses()
    addresses.add("192.0.2.1", state)
    addresses.move("192.0.2.1", happening)
    assert sum(addresses.counts().values()) == 1


def test_from_active_there_is_only_the_way_to_rest() -> None:
    """Spec 5: active -> resting always; from resting to waiting or processed."""
    ways = {before: {after for (start, _), after in MOVES.items() if start is before} for before in State}
    assert ways[State.ACTIVE] == {State.RESTING}
    assert ways[State.RESTING] == {State.WAITING, State.PROCESSED}
