"""Weight: how much of a batch fits into one message."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.model import Purpose, Request, Visit
from txtr.queuekeeper.batches import one_portion, portions, weigh

sizes = st.lists(st.lists(st.integers(1, 300), min_size=1, max_size=5), max_size=20)


def visits(sizes: list[list[int]]) -> list[Visit]:
    return [
        Visit(
            f"{number}.cz", "2001:db8::1", 1.5, [Request("/" * length, Purpose.ROBOTS) for length in lengths]
        )
        for number, lengths in enumerate(sizes)
    ]


@settings(max_examples=50)
@given(sizes, st.integers(1, 3000))
def test_all_visits_go_out_in_messages_of_bounded_size(sizes: list[list[int]], most: int) -> None:
    """The wire: frames have a size limit; a batch that outgrew it could never be delivered."""
    said = list(portions(visits(sizes), most))
    assert [visit for portion in said for visit in portion] == visits(sizes)
    assert all(portion and sum(map(weigh, portion[:-1])) < most for portion in said)


@settings(max_examples=25)
@given(sizes)
def test_nothing_weighs_less_than_it_takes_on_the_wire(sizes: list[list[int]]) -> None:
    """An estimate that is too low would not bound anything."""
    assert all(weigh(visit) >= len(msgspec.msgpack.encode(visit)) for visit in visits(sizes))


def test_what_does_not_fit_is_not_even_drawn() -> None:
    """A visit that is drawn belongs to somebody: what is not taken must stay in the queue."""
    supply = iter(visits([[100], [100], [100]]))
    assert len(list(one_portion(supply, most_bytes=500))) == 2
    assert len(list(supply)) == 1
