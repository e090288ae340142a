"""A series: what one address is asked between two general pauses."""

from txtr.frontier.series import Series

RING = dict.fromkeys(["a.cz", "b.cz", "c.cz"])


def same(_: str) -> int:
    return 1


def test_those_who_take_part_go_on_first() -> None:
    """Spec 7: the row is filled until the domain's quota is used up; then the next domain."""
    series = Series("192.0.2.1", batch=1, max_hosts=2, left={"c.cz": 3})
    assert series.next_domain(RING, set(), same) == "c.cz"
    assert series.next_domain(RING, {"c.cz"}, same) == "a.cz"


def test_no_more_than_max_hosts_take_part() -> None:
    """Spec 2: the most domains contacted at once on one address."""
    series = Series("192.0.2.1", batch=1, max_hosts=2, left={"b.cz": 0, "c.cz": 1})
    assert series.next_domain(RING, {"c.cz"}, same) is None


def test_a_domain_whose_quota_is_used_up_is_asked_no_more() -> None:
    """Spec 2: max-reqs requests to one domain between two general pauses."""
    series = Series("192.0.2.1", batch=1, max_hosts=1, left={"a.cz": 0})
    assert series.next_domain(RING, set(), same) is None


def test_who_waits_longest_takes_part_and_then_the_longest_backlog() -> None:
    """A series lasts as long as its longest part, so long ones run side by side."""
    backlog = {"a.cz": 1, "b.cz": 5, "c.cz": 50}.__getitem__
    series = Series("192.0.2.1", batch=1, max_hosts=2)
    assert series.next_domain(RING, set(), backlog) == "a.cz"
    series.left["a.cz"] = 0
    assert series.next_domain(RING, set(), backlog) == "c.cz"


def test_a_series_is_answered_when_nothing_is_out() -> None:
    """Spec 5: only then the address rests; robots.txt is a request like any other."""
    series = Series("192.0.2.1", batch=1, max_hosts=1)
    assert series.is_answered()
    series.errands.add(("a.cz", "/robots.txt"))
    assert not series.is_answered()


def yes(_: str) -> bool:
    return True


def no(_: str) -> bool:
    return False


def test_a_series_ends_early_when_all_that_is_left_fits_into_the_next() -> None:
    """Spec 2 costs a general pause per series: as few of them as possible."""
    series = Series("192.0.2.1", batch=1, max_hosts=2, left={"a.cz": 5, "b.cz": 0})
    ring = dict.fromkeys(["a.cz", "c.cz"])
    assert series.has_guests(ring)
    assert series.had_better_end(ring, fits=yes, is_new=no)
    assert series.had_better_end(ring, fits=no, is_new=yes)
    assert not series.had_better_end(ring, fits=no, is_new=no)


def test_a_series_goes_on_when_ending_it_helps_nobody() -> None:
    """Nobody waits, or there is still room for them, or so many wait that they need a series of their own."""
    full = Series("192.0.2.1", batch=1, max_hosts=2, left={"a.cz": 5, "b.cz": 5})
    assert not full.had_better_end(dict.fromkeys(["a.cz", "b.cz"]), yes, yes)
    assert not full.had_better_end(dict.fromkeys(["a.cz", "b.cz", "c.cz"]), yes, yes)
    assert not full.had_better_end(dict.fromkeys(["c.cz", "d.cz"]), yes, yes)
    assert not full.has_guests(dict.fromkeys(["a.cz", "c.cz", "d.cz"]))
    roomy = Series("192.0.2.1", batch=1, max_hosts=3, left={"a.cz": 5, "b.cz": 5})
    assert not roomy.had_better_end(dict.fromkeys(["a.cz", "c.cz"]), yes, yes)
