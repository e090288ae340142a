"""A series: what one address is asked between two general pauses."""

from txtr.frontier.series import MOST_COMPARED, Series

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


def test_who_waits_longest_takes_part_and_then_the_worthiest() -> None:
    """Nobody starves."""
    backlog = {"a.cz": 1, "b.cz": 5, "c.cz": 50}.__getitem__
    series = Series("192.0.2.1", batch=1, max_hosts=2)
    assert series.next_domain(RING, set(), backlog) == "a.cz"
    series.left["a.cz"] = 0
    assert series.next_domain(RING, set(), backlog) == "c.cz"
    assert series.next_domain(RING, {"c.cz"}, backlog) == "b.cz"


def test_a_series_is_answered_when_nothing_is_out() -> None:
    """Spec 5: only then the address rests; robots.txt is a request like any other."""
    series = Series("192.0.2.1", batch=1, max_hosts=1)
    assert series.is_answered()
    series.errands.add(("a.cz", "/robots.txt"))
    assert not series.is_answered()


def test_left_out_are_those_for_whom_there_is_no_room() -> None:
    """Spec 2: at most max-hosts take part; the others wait for the next series."""
    series = Series("192.0.2.1", batch=1, max_hosts=2, left={"a.cz": 5})
    assert not series.is_full()
    assert series.left_out(dict.fromkeys(["a.cz", "b.cz"])) == []
    assert series.left_out(RING) == ["b.cz", "c.cz"]
    series.left["b.cz"] = 5
    assert series.is_full()
    assert series.left_out(RING) == ["c.cz"]


def test_a_crowd_is_not_weighed() -> None:
    """On a hoster of thousands, looking at everybody after every answer would take too long."""
    series = Series("192.0.2.1", batch=1, max_hosts=1, left={"a.cz": 5})
    assert len(series.left_out([f"d{number}.cz" for number in range(MOST_COMPARED)])) == MOST_COMPARED
    assert series.left_out([f"d{number}.cz" for number in range(MOST_COMPARED + 1)]) == []


def test_requests_under_way_are_counted_by_domain() -> None:
    """robots.txt is a request like any other."""
    series = Series("192.0.2.1", batch=1, max_hosts=2)
    series.expect("a.cz", ["/1", "/2"])
    series.expect("b.cz", ["/1"])
    series.errands = {("a.cz", ":81/robots.txt")}
    assert (series.under_way("a.cz"), series.under_way("b.cz")) == (3, 1)


def test_behind_are_those_who_were_asked_once_less() -> None:
    """Who is further behind has a slower server, and would need time of its own."""
    series = Series("192.0.2.1", batch=1, max_hosts=4)
    assert series.behind() == []
    series.left |= {"a.cz": 3, "b.cz": 4, "c.cz": 3, "d.cz": 5}
    assert series.behind() == ["b.cz"]


def test_a_robots_txt_that_stands_twice_on_the_list_is_dealt_once() -> None:
    series, paths = Series("192.0.2.1", batch=1, max_hosts=1), ["http:", "http:", "https:"]
    assert series.take_errands("a.cz", paths, most=3) == ["http:", "https:"]
    assert series.take_errands("a.cz", paths, most=3) == []
