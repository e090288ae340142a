"""The queue against a slow, obvious model: one list of requests in the order of arrival."""

from dataclasses import dataclass

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from txtr.errors import OurMistake
from txtr.frontier.queue import Admission, Queue, Record
from txtr.urls import door


def test_a_shorter_way_corrects_the_depth() -> None:
    """Spec 4: when a shorter way to a queued document is found, its record is corrected."""
    queue = Queue()
    assert queue.admit("a.cz", "/x", Record(5, 0.0)) is Admission.QUEUED
    assert queue.admit("a.cz", "/x", Record(3, 0.5)) is Admission.CORRECTED
    assert queue.admit("a.cz", "/x", Record(4, 0.0)) is Admission.KNOWN
    assert queue.lease("a.cz", "") == ("/x", Record(3, 0.5))


def test_the_depth_of_a_request_in_a_batch_is_corrected_too() -> None:
    """Spec 4: it is still queued until it is answered."""
    queue = Queue()
    queue.admit("a.cz", "/x", Record(5, 1.0))
    queue.lease("a.cz", "")
    assert queue.admit("a.cz", "/x", Record(2, 1.0)) is Admission.CORRECTED
    assert queue.settle("a.cz", "/x") == Record(2, 1.0)


def test_requests_leave_in_the_order_they_came() -> None:
    """First come, first served, behind each door."""
    queue = Queue()
    for path in ("/1", "s/1", "/2", ":81/1", "/3"):
        queue.admit("a.cz", path, Record(0, 1.0))
    assert list(queue.doors("a.cz")) == ["", "s", ":81"]
    assert [queue.lease("a.cz", "")[0] for _ in range(3)] == ["/1", "/2", "/3"]  # type: ignore[index]
    assert queue.lease("a.cz", "") is None


def test_a_request_that_comes_back_is_the_last() -> None:
    """Spec 5: what failed is tried again after the others."""
    queue = Queue()
    for path in ("/1", "/2"):
        queue.admit("a.cz", path, Record(0, 1.0))
    queue.lease("a.cz", "")
    queue.give_back("a.cz", "/1")
    assert queue.lease("a.cz", "") == ("/2", Record(0, 1.0))


def test_only_what_is_here_can_be_given_back() -> None:
    """Style 5: a bug of ours stops loudly."""
    with pytest.raises(OurMistake, match="/x"):
        Queue().give_back("a.cz", "/x")


def test_dropping_a_domain_leaves_what_is_leased() -> None:
    """A harvester that has a request may still bring it."""
    queue = Queue()
    for path in ("/1", "/2", "s/3"):
        queue.admit("a.cz", path, Record(0, 1.0))
    queue.lease("a.cz", "")
    assert list(queue.drop("a.cz")) == ["/2", "s/3"]
    assert queue.everything() == {"a.cz": {"/1": Record(0, 1.0)}}
    assert len(queue) == 1


def test_the_best_requests_leave_first_and_every_tenth_is_another() -> None:
    """Issue 4: better requests first, without starving the others."""
    queue = Queue()
    for number in range(30):
        for name, promise in (("hopeless", 0.0), ("doubtful", 0.3), ("good", 0.9)):
            queue.admit("a.cz", f"/{name}/{number}", Record(0, 1.0, promise=promise))
    leased = [queue.lease("a.cz", "")[0].split("/")[1] for _ in range(20)]  # type: ignore[index]
    assert leased == [*["good"] * 9, "doubtful", *["good"] * 9, "hopeless"]
    assert queue.best("a.cz") == 0
    assert queue.best("b.cz") is None


def test_requests_of_a_worse_rank_can_be_left_where_they_are() -> None:
    """They are held back while better ones are in play."""
    queue = Queue()
    queue.admit("a.cz", "/x", Record(0, 0.0, promise=0.0))
    assert queue.lease("a.cz", "", worst=1) is None
    assert queue.lease("a.cz", "") == ("/x", Record(0, 0.0))


def test_a_request_moves_up_when_somebody_better_leads_there() -> None:
    """Also while it is leased; and never down."""
    queue = Queue()
    queue.admit("a.cz", "/x", Record(0, 0.0, promise=0.0))
    queue.admit("a.cz", "/x", Record(0, 1.0, promise=0.9))
    queue.admit("a.cz", "/x", Record(0, 0.0, promise=0.0))
    assert queue.best("a.cz") == 0
    queue.admit("a.cz", "/y", Record(0, 0.0, promise=0.0))
    assert queue.lease("a.cz", "", worst=0) == ("/x", Record(0, 1.0))
    assert queue.lease("a.cz", "") == ("/y", Record(0, 0.0))
    queue.admit("a.cz", "/y", Record(0, 0.0, promise=0.9))
    queue.give_back("a.cz", "/y")
    assert queue.best("a.cz") == 0


@dataclass
class Item:
    domain: str
    path: str
    depth: int
    usability: float
    is_leased: bool = False


domains = st.sampled_from(["a.cz", "b.cz"])
paths = st.sampled_from(["/1", "/2", "s/1", ":81/1", "s:82/2"])


class QueueAgainstAList(RuleBasedStateMachine):
    """Spec 5: domain -> path -> record, whatever happens in whatever order."""

    @initialize()
    def begin(self) -> None:
        self.queue = Queue()
        self.items: list[Item] = []

    def find(self, domain: str, path: str) -> Item | None:
        return next((item for item in self.items if (item.domain, item.path) == (domain, path)), None)

    @rule(domain=domains, path=paths, depth=st.integers(0, 4), usability=st.sampled_from([0.0, 0.5, 1.0]))
    def admit(self, domain: str, path: str, depth: int, usability: float) -> None:
        item = self.find(domain, path)
        admission = self.queue.admit(domain, path, Record(depth, usability))
        if item is None:
            assert admission is Admission.QUEUED
            self.items.append(Item(domain, path, depth, usability))
        else:
            assert admission is (Admission.CORRECTED if depth < item.depth else Admission.KNOWN)
            item.depth, item.usability = min(depth, item.depth), max(usability, item.usability)

    @rule(domain=domains, path=paths)
    def lease(self, domain: str, path: str) -> None:
        behind = door(path)
        waiting = [
            item
            for item in self.items
            if item.domain == domain and door(item.path) == behind and not item.is_leased
        ]
        leased = self.queue.lease(domain, behind)
        if not waiting:
            assert leased is None
        else:
            assert leased == (waiting[0].path, Record(waiting[0].depth, waiting[0].usability))
            waiting[0].is_leased = True

    @rule(domain=domains, path=paths)
    def settle(self, domain: str, path: str) -> None:
        item = self.find(domain, path)
        record = self.queue.settle(domain, path)
        assert record == (Record(item.depth, item.usability) if item else None)
        if item:
            self.items.remove(item)

    @rule(domain=domains, path=paths)
    def give_back(self, domain: str, path: str) -> None:
        item = self.find(domain, path)
        if item and item.is_leased:
            self.queue.give_back(domain, path)
            self.items.remove(item)
            self.items.append(item)
            item.is_leased = False

    @rule(domain=domains)
    def drop(self, domain: str) -> None:
        gone = [item for item in self.items if item.domain == domain and not item.is_leased]
        dropped = self.queue.drop(domain)
        assert dropped == {item.path: Record(item.depth, item.usability) for item in gone}
        self.items = [item for item in self.items if item not in gone]

    @invariant()
    def they_agree(self) -> None:
        leased = [item for item in self.items if item.is_leased]
        assert len(self.queue) == len(self.items)
        assert (self.queue.leased_count, self.queue.queued_count) == (
            len(leased),
            len(self.items) - len(leased),
        )
        found = {(domain, path) for domain, paths in self.queue.everything().items() for path in paths}
        assert found == {(item.domain, item.path) for item in self.items}
        for domain in ("a.cz", "b.cz"):
            backlog = [item for item in self.items if item.domain == domain and not item.is_leased]
            assert self.queue.backlog(domain) == len(backlog)
            assert set(self.queue.doors(domain)) == {door(item.path) for item in backlog}


TestQueue = QueueAgainstAList.TestCase
TestQueue.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
