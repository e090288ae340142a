"""Columns: a batch is emptied by columns, and req-delay is kept whatever happens."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.errors import OurMistake
from txtr.harvester.columns import GRAIN, REMEMBERED, Columns, DealtRequest
from txtr.model import Request, Visit


def visit(domain: str, *paths: str, delay: float = 2.0) -> Visit:
    return Visit(domain, "192.0.2.1", delay, [Request(path) for path in paths])


def paths(queue: list[DealtRequest]) -> list[str]:
    return [dealt.request.path for dealt in queue]


def test_a_column_has_one_request_of_every_row() -> None:
    """Spec 7: the first element of every row, then the second of every row."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/a1", "/a2")], now=0)
    columns.add(1, [visit("b.cz", "/b1"), visit("c.cz", "/c1")], now=0)
    first = columns.take(0, most=10)
    assert sorted(paths(first)) == ["/a1", "/b1"]
    assert columns.take(100, most=10) == []
    for dealt in first:
        columns.done(dealt, first_byte=1, ended=1)
    assert paths(columns.take(1, most=10)) == ["/c1"]
    assert paths(columns.take(3.1, most=10)) == ["/a2"]


def test_a_slow_row_delays_nobody_else() -> None:
    """Spec 7, beyond: a slow row must not hold up the others."""
    columns = Columns()
    columns.add(1, [visit("slow.cz", "/1", "/2")], now=0)
    columns.add(1, [visit("b.cz", *map(str, range(5)))], now=0)
    (slow, quick) = sorted(columns.take(0, 10), key=lambda dealt: dealt.domain != "slow.cz")
    now = 0.0
    for _ in range(4):
        columns.done(quick, now, now)
        now = columns.next_due() or 0.0
        (quick,) = columns.take(now, 10)
    assert now < 100  # all five were sent while the slow one was under way
    columns.done(slow, 100, 100)


def test_the_delay_counts_from_the_first_byte_of_the_answer() -> None:
    """Spec 2: between two consecutive requests; a server that answers has seen the request."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/1", "/2")], now=0)
    (dealt,) = columns.take(0, 1)
    columns.done(dealt, first_byte=0.5, ended=1.5)
    assert columns.next_due() == pytest.approx(2.5 + GRAIN)
    assert columns.take(2.5, 1) == []
    assert len(columns.take(2.51, 1)) == 1


def test_two_requests_to_a_domain_are_never_under_way_at_once() -> None:
    """Spec 2: an answer that takes longer than the delay is waited for."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/1", "/2")], now=0)
    (dealt,) = columns.take(0, 1)
    columns.top_up(1, visit("a.cz", "/3"), now=5)
    columns.add(2, [visit("b.cz", "/1"), visit("a.cz", "/4")], now=6)
    assert [other.domain for other in columns.take(50, 10)] == ["b.cz"]
    columns.done(dealt, first_byte=0.5, ended=60)
    assert paths(columns.take(60, 10)) == ["/2"]


def test_an_answer_that_never_began_counts_from_its_end() -> None:
    """Spec 2: nobody knows when the server saw the request."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/1", "/2")], now=0)
    (dealt,) = columns.take(0, 1)
    columns.done(dealt, first_byte=None, ended=30)
    assert columns.take(31.9, 1) == []
    assert len(columns.take(32.1, 1)) == 1


def test_the_safety_wait_follows_every_request() -> None:
    """Spec 8: --wait."""
    columns = Columns(wait=7)
    columns.add(1, [visit("a.cz", "/1", "/2", delay=0)], now=0)
    (dealt,) = columns.take(0, 1)
    columns.done(dealt, first_byte=1, ended=2)
    assert columns.next_due() == 9


def test_the_delay_holds_across_batches() -> None:
    """Spec 2: rules are about servers, not about our tables."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/1")], now=0)
    (dealt,) = columns.take(0, 1)
    columns.done(dealt, first_byte=1, ended=1)
    assert len(columns) == 0
    columns.add(2, [visit("a.cz", "/2")], now=1)
    assert columns.take(2.9, 1) == []
    assert paths(columns.take(3.1, 1)) == ["/2"]


def test_a_longer_delay_of_the_next_request_counts() -> None:
    """Spec 2, beyond: a Crawl-delay that was just learned holds at once."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/robots.txt")], now=0)
    (dealt,) = columns.take(0, 1)
    columns.top_up(1, visit("a.cz", "/1", delay=50), now=0)
    columns.done(dealt, first_byte=1, ended=1)
    assert columns.next_due() == pytest.approx(51 + GRAIN)


def test_no_more_is_taken_than_asked_for() -> None:
    """The number of connections is bounded."""
    columns = Columns()
    for number in range(5):
        columns.add(1, [visit(f"{number}.cz", "/")], now=0)
    assert len(columns.take(0, most=2)) == 2
    assert len(columns.take(0, most=0)) == 0
    assert len(columns.take(0, most=10)) == 3


def test_a_domain_that_is_left_hands_back_what_was_not_begun() -> None:
    """Spec 2: 429 and 503 slow the domain down; others in its row go on."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/1", "/2"), visit("b.cz", "/b")], now=0)
    columns.top_up(2, visit("a.cz", "/3"), now=0)
    (dealt,) = columns.take(0, 10)
    left = columns.leave("a.cz")
    assert {batch: unvisited.paths for batch, unvisited in left.items()} == {1: ["/2"], 2: ["/3"]}
    columns.done(dealt, first_byte=None, ended=1)
    assert paths(columns.take(1, 10)) == ["/b"]


def test_an_answer_to_nothing_is_our_mistake() -> None:
    """Style 5: a bug of ours stops loudly."""
    columns = Columns()
    columns.add(1, [visit("a.cz", "/1", "/2")], now=0)
    (dealt,) = columns.take(0, 1)
    columns.done(dealt, 0, 0)
    with pytest.raises(OurMistake):
        columns.done(dealt, 0, 0)


def test_only_domains_that_are_long_gone_are_forgotten() -> None:
    """What is remembered is bounded by what was met in the last hour."""
    columns = Columns()
    for number in range(100):
        columns.add(1, [visit(f"{number}.cz", "/")], now=number)
        (dealt,) = columns.take(number, 1)
        columns.done(dealt, number, number)
    columns.sweep(REMEMBERED + 50)
    assert len(columns.last) == 49


Step = tuple[str, int, float]
steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "top up", "take", "take", "done", "done", "leave", "forget", "clear"]),
        st.integers(0, 5),
        st.floats(0, 3),
    ),
    max_size=60,
)


class Play:
    """Columns beside the obvious model: what was dealt, what is out, and when each domain was last met."""

    def __init__(self) -> None:
        self.columns = Columns(wait=0.5)
        self.now = 0.0
        self.batch = 0
        self.serial = 0
        self.left: Counter[tuple[int, str]] = Counter()  # (batch, path): dealt and not accounted for
        self.out: list[DealtRequest] = []
        self.met: dict[str, tuple[float, float]] = {}

    def visit(self, number: int) -> Visit:
        self.serial += 1
        requests = [f"/{self.serial}/{n}" for n in range(number % 3 + 1)]
        self.left.update((self.batch, path) for path in requests)
        return visit(f"{number}.cz", *requests, delay=1.0 + number)

    def step(self, what: str, number: int, passing: float) -> None:
        self.now += passing
        match what:
            case "add":
                self.batch += 1
                self.columns.add(self.batch, [self.visit(number), self.visit(5 - number)], self.now)
            case "top up" if self.batch:
                self.columns.top_up(self.batch, self.visit(number), self.now)
            case "take":
                self.take(number)
            case "done" if self.out:
                self.done(self.out.pop(number % len(self.out)))
            case "leave" if self.out:
                dealt = self.out.pop(number % len(self.out))
                for batch, unvisited in self.columns.leave(dealt.domain).items():
                    self.account(batch, unvisited.paths)
                self.done(dealt)
            case "forget":
                kept = [batch for batch in self.columns.batches() if batch % 2]
                self.columns.forget_all_but(kept)
                out = Counter((dealt.batch, dealt.request.path) for dealt in self.out)
                self.left = Counter(
                    {place: n for place, n in self.left.items() if place[0] in kept or place in out}
                )
            case "clear":
                for batch, unvisited in self.columns.clear():
                    self.account(batch, unvisited.paths)

    def take(self, most: int) -> None:
        for dealt in self.columns.take(self.now, most):
            assert dealt.domain not in {other.domain for other in self.out}
            assert dealt.row not in {other.row for other in self.out}
            begun, ended = self.met.get(dealt.domain, (-99.0, -99.0))
            assert self.now >= begun + dealt.delay
            assert self.now >= ended + 0.5
            self.out.append(dealt)

    def done(self, dealt: DealtRequest) -> None:
        first_byte = None if dealt.row % 3 == 0 else self.now - 0.1
        self.met[dealt.domain] = (self.now if first_byte is None else first_byte, self.now)
        self.columns.done(dealt, first_byte, self.now)
        self.account(dealt.batch, [dealt.request.path])

    def account(self, batch: int, paths: list[str]) -> None:
        for path in paths:
            assert self.left[batch, path] == 1
            del self.left[batch, path]

    def finish(self) -> None:
        while self.out or len(self.columns):
            while self.out:
                self.done(self.out.pop())
            due = self.columns.next_due()
            self.now = max(self.now, due or 0.0)
            self.take(100)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_no_order_of_things_breaks_the_delay_or_loses_a_request(steps: list[Step]) -> None:
    """Spec 2 and 7: never two at once, never too soon; every request dealt is accounted for once."""
    play = Play()
    for step in steps:
        play.step(*step)
    play.finish()
    assert not play.left
    assert not play.columns.row_of
    assert play.columns.batches() == []


def test_rows_that_have_nothing_to_do_for_long_are_counted() -> None:
    """A server that wants a delay of minutes takes up a row, but hardly any of the harvester's time."""
    columns = Columns()
    for domain, delay in (("slow.cz", 300.0), ("quick.cz", 1.0)):
        columns.add(1, [visit(domain, "/1", "/2", delay=delay)], now=0)
    assert columns.later_than(10) == 0
    queue = columns.take(0, most=10)
    assert columns.later_than(10) == 0  # both are out
    for dealt in queue:
        columns.done(dealt, first_byte=1, ended=1)
    assert columns.later_than(10) == 1
    assert columns.later_than(302) == 0


def test_a_row_that_cannot_keep_up_lets_its_domains_go() -> None:
    """Servers that answer late would be asked one after another, each far less often than it may be."""
    columns, now, answered = Columns(), 0.0, Counter[str]()
    columns.add(1, [visit(f"{number}.cz", "/", delay=0.3) for number in range(20)], now)
    under_way: list[tuple[float, DealtRequest]] = []
    while now < 30:
        under_way += [(now + 0.3, dealt) for dealt in columns.take(now, 100)]
        ended, dealt = min(under_way, key=lambda ended: ended[0])
        due = columns.next_due()
        if due is not None and due < ended:
            now = max(due, now)
            continue
        under_way.remove((ended, dealt))
        now = ended
        columns.done(dealt, now, now)
        answered[dealt.domain] += 1
        columns.top_up(1, visit(dealt.domain, "/next", delay=0.3), now)
        assert len({dealt.domain for _, dealt in under_way}) == len(under_way)
    assert min(answered.values()) > 30  # of 50 that the delay allows; in one row they would be 5


def test_a_row_that_keeps_up_keeps_its_domains() -> None:
    """A row stands for what a harvester can serve within a delay, however many domains that are."""
    columns, now = Columns(), 0.0
    columns.add(1, [visit(f"{number}.cz", "/", delay=30.0) for number in range(20)], now)
    for _ in range(200):
        now = max(now, columns.next_due() or 0.0)
        (dealt,) = columns.take(now, 100)
        now += 1.0
        columns.done(dealt, now, now)
        columns.top_up(1, visit(dealt.domain, "/next", delay=30.0), now)
    assert len(columns) == 1
