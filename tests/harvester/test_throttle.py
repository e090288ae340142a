"""The throttle: as many connections as the machine and the network give."""

from collections.abc import Callable

from txtr.harvester.throttle import FEWEST, FIRST, Second, Throttle


def settled(throttle: Throttle, answers: Callable[[int], float], processor: float = 0.3) -> int:
    """Two minutes on a network that gives so many answers per second to so many connections."""
    for _ in range(120):
        throttle.look(
            Second(round(answers(throttle.connections)), 0, processor, is_full=True, is_behind=False)
        )
    return throttle.connections


def test_an_idle_processor_and_waiting_addresses_open_it() -> None:
    """Processor idle and addresses waiting: more."""
    assert settled(Throttle(500), lambda connections: connections) > 450


def test_a_busy_processor_does_not() -> None:
    """More connections would only make pages wait."""
    assert settled(Throttle(500), lambda connections: 100, processor=1.0) == FIRST


def test_connections_that_bring_nothing_are_given_up() -> None:
    """Forty answers a second is all that this network gives, whoever asks."""
    assert settled(Throttle(500), lambda connections: 40) <= 1.5 * FIRST


def test_a_network_that_has_become_worse_gets_fewer() -> None:
    """Throughput falls: fewer."""
    throttle = Throttle(500)
    settled(throttle, lambda connections: 500)
    for _ in range(30):
        throttle.look(Second(20, 0, 0.1, is_full=True, is_behind=False))
    assert throttle.connections < FIRST


def test_a_narrow_line_closes_it() -> None:
    """Throughput falls: fewer. Here more than a hundred connections get in each other's way."""
    connections = settled(Throttle(500), lambda connections: min(connections, 10_000 / connections))
    assert 50 < connections < 250


def test_whoever_has_nothing_to_fetch_changes_nothing() -> None:
    """Politeness is the limit most of the time."""
    throttle = Throttle(500)
    for _ in range(100):
        throttle.look(Second(3, 0, 0.01, is_full=False, is_behind=False))
    assert throttle.connections == FIRST


def test_pages_that_wait_to_be_read_close_it_but_not_altogether() -> None:
    """A slow disk, a slow segmenter: fewer, and more again afterwards."""
    throttle = Throttle(500)
    for _ in range(100):
        throttle.look(Second(100, 0, 0.5, is_full=True, is_behind=True))
    assert throttle.connections == FEWEST
    assert settled(throttle, lambda connections: connections) > 450


def test_the_most_is_what_the_user_says() -> None:
    """--connections=5 means five, at any time."""
    throttle = Throttle(5)
    assert throttle.connections == 5
    assert settled(throttle, lambda connections: connections) == 5
    throttle.look(Second(0, 0, 0.0, is_full=True, is_behind=True))
    assert throttle.connections == 5


def test_long_pages_that_take_longer_than_a_trial_count_while_they_come() -> None:
    """Ten megabytes at a slow pace: no answer ends for minutes, and yet more connections bring more."""
    throttle = Throttle(500)
    for _ in range(60):
        throttle.look(Second(0, 100_000 * throttle.connections, 0.3, is_full=True, is_behind=False))
    assert throttle.connections > 450
