"""Shortage: the queuekeeper's log says when more harvesters would help."""

from txtr.queuekeeper.supervision import SAY_EVERY, SHORTAGE_PATIENCE, Shortage


def test_addresses_that_wait_while_all_are_busy_are_worth_a_line() -> None:
    """The queuekeeper's log says when more would help."""
    shortage = Shortage()
    moments = range(int(SHORTAGE_PATIENCE) + 5)
    assert [now for now in moments if shortage.is_news(3, has_room=False, now=now)] == [SHORTAGE_PATIENCE]


def test_a_moment_without_room_is_no_shortage() -> None:
    """A harvester that has just been dealt a batch asks again at once."""
    shortage = Shortage()
    for now in range(100):
        assert not shortage.is_news(3, has_room=now % 5 == 0, now=now)


def test_nobody_is_missing_when_nothing_waits() -> None:
    """Politeness is the limit: more harvesters would idle."""
    shortage = Shortage()
    assert not any(shortage.is_news(0, has_room=False, now=now) for now in range(100))


def test_it_is_not_said_all_the_time() -> None:
    """One line in five minutes is enough."""
    shortage = Shortage()
    said = [now for now in range(1000) if shortage.is_news(3, has_room=False, now=now)]
    assert said == [
        SHORTAGE_PATIENCE,
        SHORTAGE_PATIENCE + SAY_EVERY,
        SHORTAGE_PATIENCE + 2 * SAY_EVERY,
        SHORTAGE_PATIENCE + 3 * SAY_EVERY,
    ]
