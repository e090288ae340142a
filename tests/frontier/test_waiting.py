"""The waiting addresses: the better first, then the faster, then who waits longest."""

from txtr import clock
from txtr.frontier.ranks import DOUBTFUL, HOPELESS, PROMISING
from txtr.frontier.waiting import PAUSES_HELD, SAMPLE_EVERY, Waiting, pace_of

PAUSE = 30.0
LONG = PAUSES_HELD * PAUSE


def take(waiting: Waiting, now: float, is_better_in_play: bool) -> str | None:
    address = waiting.first(now, is_better_in_play)
    if address is not None:
        is_sample = waiting.is_held(address) and is_better_in_play
        waiting.count(is_sample, now)
        waiting.count_requests(5, is_sample)
        waiting.remove(address)
    return address


def test_the_better_first_then_the_faster_then_who_waits_longest() -> None:
    """Fast-answering servers are preferred at equal quality."""
    waiting = Waiting(PAUSE)
    waiting.put("doubtful", DOUBTFUL, pace_of(0.1), 0)
    waiting.put("slow", PROMISING, pace_of(9.0), 0)
    waiting.put("fast", PROMISING, pace_of(0.2), 0)
    waiting.put("as fast", PROMISING, pace_of(0.1), 0)
    order = [take(waiting, 0, is_better_in_play=True) for _ in range(4)]
    assert order == ["fast", "as fast", "slow", "doubtful"]


def test_a_slow_server_is_served_too_while_fast_ones_keep_coming() -> None:
    """Without starving the others."""
    waiting = Waiting(PAUSE)
    waiting.put("slow", PROMISING, pace_of(9.0), 0)
    waiting.put("doubtful", DOUBTFUL, pace_of(0.1), 0)
    served = []
    for number in range(40):
        waiting.put(f"fast {number}", PROMISING, pace_of(0.1), 0)
        served.append(take(waiting, 0, is_better_in_play=True))
    assert {"slow", "doubtful"} < {*served}


def test_the_hopeless_are_held_back_while_anybody_better_is_in_play() -> None:
    """And go at full speed when nobody is."""
    waiting = Waiting(PAUSE)
    for number in range(5):
        waiting.put(f"{number}", HOPELESS, 0, 0)
    assert waiting.number(0, is_better_in_play=True) == 0
    assert take(waiting, LONG - 1, is_better_in_play=True) is None
    assert waiting.number(0, is_better_in_play=False) == 5
    assert [take(waiting, 0, is_better_in_play=False) for _ in range(6)] == [*"01234", None]


def test_who_was_held_for_long_is_sampled_now_and_then_and_as_one_request_of_25() -> None:
    """So that they progress, however long the better ones last."""
    waiting = Waiting(PAUSE)
    for number in range(100):
        waiting.put(f"h{number}", HOPELESS, 0, 0)
    assert waiting.number(LONG, is_better_in_play=True) == 1
    assert [take(waiting, LONG, True), take(waiting, LONG, True)] == ["h0", None]
    assert take(waiting, LONG + SAMPLE_EVERY - 1, is_better_in_play=True) is None
    assert take(waiting, LONG + SAMPLE_EVERY, is_better_in_play=True) == "h1"
    for number in range(200):
        waiting.put(f"b{number}", PROMISING, 0, LONG + 1)
    served = [take(waiting, LONG + SAMPLE_EVERY, is_better_in_play=True) for _ in range(200)]
    assert 5 <= sum(str(address).startswith("h") for address in served) <= 8


def test_an_address_keeps_its_place_unless_its_line_changes() -> None:
    """Being told twice that it waits moves nobody to the end."""
    waiting = Waiting(PAUSE)
    for name in ("a", "b", "a"):
        waiting.put(name, PROMISING, 0, 0)
    assert waiting.first(0, True) == "a"
    waiting.put("a", HOPELESS, 0, 0)
    assert waiting.first(0, True) == "b"
    assert waiting.is_held("a")


def seconds_per_take(number: int) -> float:
    waiting = Waiting(PAUSE)
    for serial in range(number):
        waiting.put(f"{serial}", PROMISING, 0, 0)
    begun = clock.processor()
    for _ in range(number):
        take(waiting, 0, is_better_in_play=True)
    return (clock.processor() - begun) / number


def test_to_take_the_next_costs_the_same_however_many_wait() -> None:
    """Found with 200,000 addresses: the last of them took a hundred times as long as the first."""
    assert seconds_per_take(160_000) < 5 * seconds_per_take(10_000)
