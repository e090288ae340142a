"""Who is connected, and who has to go."""

import pytest

from txtr.wire.callers import MOST_OWN_FILES, MOST_STRANGERS, Callers


def full(files: int) -> Callers[int]:
    callers: Callers[int] = Callers(files)
    for number in range(callers.most_strangers):
        assert callers.come(number) == []
    return callers


def test_the_eldest_stranger_goes_when_one_too_many_comes() -> None:
    """Found by attack: 1,010 silent connections ended the queuekeeper."""
    callers = full(1024)
    assert [callers.come(number) for number in (1000, 1001)] == [[0], [1]]
    assert len(callers.strangers) == MOST_STRANGERS


def test_who_has_said_who_it_is_never_goes_for_a_stranger() -> None:
    callers = full(1024)
    callers.admit(0)
    left = [gone for number in range(1000, 5000) for gone in callers.come(number)]
    assert 0 not in left and 0 in callers.known
    assert len(left) == 4000 - 1


@pytest.mark.parametrize("files", [64, 256, 1024, 4096, 1 << 20])
def test_whoever_comes_the_program_can_open_its_own_files(files: int) -> None:
    """Its database, its journal, and connections that are on their way in or out."""
    callers = full(files)
    number = 0
    while callers.has_room() and number < 10_000:
        number += 1
        callers.admit(-number)
    connected = len(callers.strangers) + len(callers.known)
    assert connected <= files - min(MOST_OWN_FILES, files // 4)
    assert number == min(10_000, callers.most_known) >= files // 2 or number == 10_000


def test_of_the_known_the_one_goes_that_was_silent_for_longest() -> None:
    """Where nobody can prove who it is."""
    callers: Callers[str] = Callers(1024, most_known=2)
    for name in ("a", "b"):
        callers.come(name)
        callers.admit(name)
    callers.hear("a")
    assert (callers.has_room(), callers.longest_silent()) == (False, "b")


def test_who_is_gone_may_go_again() -> None:
    callers: Callers[str] = Callers(1024)
    callers.come("a")
    callers.go("a")
    callers.go("a")
    callers.hear("a")
    assert (callers.strangers, callers.known) == ({}, {})
