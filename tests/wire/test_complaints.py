"""What is said of callers."""

from txtr.model import Event
from txtr.wire.complaints import EVENTS_AT_ONCE, Complaints


def stranger(reason: object = "silent") -> Event:
    return Event("stranger", "127.0.0.1", {"reason": reason})


def test_what_is_repeated_is_said_once_and_then_counted() -> None:
    complaints = Complaints(now=0.0)
    assert [complaints.hear(stranger(), 0.001 * n) for n in range(300)] == [[stranger()], *[[]] * 299]
    assert complaints.sum_up(0.5) == []
    assert complaints.sum_up(1.0) == [Event("stranger", "127.0.0.1", {"reason": "silent", "times": 299})]
    assert complaints.sum_up(9.0) == []


def test_what_differs_is_said_until_it_is_too_much() -> None:
    """A stranger chooses what we say of it."""
    complaints = Complaints(now=0.0)
    said = [event for n in range(10_000) for event in complaints.hear(stranger(n), n / 1000)]
    assert EVENTS_AT_ONCE < len(said) <= EVENTS_AT_ONCE + 11
    said += complaints.end(10.0)
    assert sum(event.facts.get("times", 1) for event in said) == 10_000  # type: ignore[misc]


def test_few_complaints_are_all_said_at_once() -> None:
    complaints = Complaints(now=0.0)
    assert [complaints.hear(stranger(n), 0.0) for n in range(EVENTS_AT_ONCE)] == [
        [stranger(n)] for n in range(EVENTS_AT_ONCE)
    ]


def test_what_happens_again_later_is_said_again() -> None:
    complaints = Complaints(now=0.0)
    assert complaints.hear(stranger(), 0.0) == complaints.hear(stranger(), 2.0) == [stranger()]


def test_what_was_counted_once_is_said_as_it_is() -> None:
    complaints = Complaints(now=0.0)
    complaints.hear(stranger(), 0.0)
    complaints.hear(stranger(), 0.1)
    assert complaints.end(0.2) == [stranger()]
