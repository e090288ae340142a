"""The links, in memory and on disk, against a slow, obvious model: one list in the order of arrival."""

from collections.abc import Collection
from dataclasses import dataclass

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from txtr.errors import OurMistake
from txtr.frontier import state
from txtr.frontier.ranks import PROMISING, rank, serve
from txtr.frontier.records import Entry, Found, Prospect, Record, round_to_hundredths
from txtr.frontier.storage import Links
from txtr.store import home
from txtr.store import links as disk
from txtr.store.keys import first_pack, last_pack
from txtr.store.lanes import MOST_IN_PACK
from txtr.store.links import DiskLinks
from txtr.store.redo import redo
from txtr.urls import door


@pytest.fixture
def links() -> Links:
    return state.MemoryLinks()  # or whatever conftest.py has put in its place


def meet(links: Links, domain: str, paths: Collection[str], record: Record) -> tuple[list[str], list[str]]:
    (met,) = links.meet([Found(domain, paths, record)])
    return met


def add(links: Links, *paths: str, record: Record | None = None, domain: str = "a.cz") -> None:
    new, _ = meet(links, domain, paths, record or Record(0, 1.0))
    links.enqueue(domain, new, record or Record(0, 1.0))


def flushed(links: Links) -> Links:
    """As it is after a commit."""
    if isinstance(links, DiskLinks):
        links.flush()
    return links


def committed(links: DiskLinks) -> None:
    links.flush()
    links.connection.execute("COMMIT")
    links.connection.execute("BEGIN IMMEDIATE")
    links.deeds.clear()


def test_a_shorter_way_corrects_the_depth(links: Links) -> None:
    """Spec 4: when a shorter way to a queued document is found, its record is corrected."""
    assert meet(links, "a.cz", ["/x"], Record(5, 0.0)) == (["/x"], [])
    links.enqueue("a.cz", ["/x"], Record(5, 0.0))
    assert meet(links, "a.cz", ["/x"], Record(3, 0.5)) == ([], ["/x"])
    assert meet(links, "a.cz", ["/x"], Record(4, 0.0)) == ([], [])
    assert links.lease("a.cz", "", 1) == ["/x"]
    taken = links.take("a.cz", "/x")
    assert taken is not None
    assert (taken.depth, taken.usability) == (3, 0.5)


def test_the_depth_of_a_request_in_a_batch_is_corrected_too(links: Links) -> None:
    """Spec 4: it is still to be fetched until it is answered."""
    add(links, "/x", record=Record(5, 1.0))
    links.lease("a.cz", "", 1)
    assert meet(links, "a.cz", ["/x"], Record(2, 1.0)) == ([], ["/x"])
    taken = links.take("a.cz", "/x")
    assert taken is not None
    assert taken.depth == 2


def test_requests_leave_in_the_order_they_came(links: Links) -> None:
    """First come, first served, behind each door."""
    for path in ("/1", "s/1", "/2", ":81/1", "/3"):
        add(flushed(links), path)
    assert sorted(links.doors("a.cz")) == ["", ":81", "s"]
    assert links.lease("a.cz", "", 5) == ["/1", "/2", "/3"]
    assert links.lease("a.cz", "", 5) == []


def test_long_queues_leave_in_their_order_too(links: Links) -> None:
    """However they are packed, and however few are taken at a time."""
    paths = [f"/{number}" for number in range(5 * MOST_IN_PACK // 2)]
    for start in range(0, len(paths), 7):
        add(flushed(links), *paths[start : start + 7])
    leased: list[str] = []
    while taken := flushed(links).lease("a.cz", "", 11):
        leased += taken
    assert leased == paths
    assert (links.queued_count, links.leased_count) == (0, len(paths))


def test_a_request_that_comes_back_is_the_last(links: Links) -> None:
    """Spec 5: what failed is tried again after the others."""
    add(links, "/1", "/2")
    links.lease("a.cz", "", 1)
    assert links.tried("a.cz", "/1").tries == 1
    links.give_back("a.cz", "/1")
    assert links.lease("a.cz", "", 5) == ["/2", "/1"]
    assert links.leased("a.cz")["/1"].tries == 1


def test_only_what_is_leased_can_be_given_back(links: Links) -> None:
    """Style 5: a bug of ours stops loudly."""
    with pytest.raises(OurMistake, match="/x"):
        links.give_back("a.cz", "/x")


def test_what_is_parked_is_as_if_it_were_not_there(links: Links) -> None:
    """A server that is given up loses nothing, and holds nobody up."""
    add(links, "/1", "/2", "s/3")
    links.lease("a.cz", "", 1)
    assert links.park("a.cz") == 2
    add(links, "/4")
    assert (links.doors("a.cz"), links.best("a.cz"), links.backlog("a.cz")) == ([], None, 0)
    assert (links.queued_count, links.leased_count, links.parked_count) == (0, 1, 3)
    links.give_back("a.cz", "/1")
    assert links.is_parked("a.cz")
    assert links.unpark("a.cz") == 4
    assert links.lease("a.cz", "", 9) == ["/2", "/4", "/1"]


def test_one_door_can_be_parked(links: Links) -> None:
    """A server that does not speak TLS may still answer otherwise."""
    add(links, "/1", "s/3")
    assert links.park("a.cz", "s") == 1
    assert links.doors("a.cz") == [""]
    assert links.unpark("a.cz", "s") == 1
    assert sorted(links.doors("a.cz")) == ["", "s"]


def test_the_best_requests_leave_first_and_every_tenth_is_another(links: Links) -> None:
    """Better requests first, without starving the others."""
    for number in range(30):
        for name, promise in (("hopeless", 0.0), ("doubtful", 0.3), ("good", 0.9)):
            add(links, f"/{name}/{number}", record=Record(0, 1.0, promise=promise))
    leased = [path.split("/")[1] for path in links.lease("a.cz", "", 20)]
    assert leased == [*["good"] * 9, "doubtful", *["good"] * 9, "hopeless"]
    assert links.best("a.cz") == PROMISING
    assert links.best("b.cz") is None


def test_requests_of_a_worse_rank_can_be_left_where_they_are(links: Links) -> None:
    """They are held back while better ones are in play."""
    add(links, "/x", record=Record(0, 0.0, promise=0.0))
    assert links.lease("a.cz", "", 1, worst=1) == []
    assert links.lease("a.cz", "", 1) == ["/x"]


def test_a_request_moves_up_when_somebody_better_leads_there(links: Links) -> None:
    """Also while it is leased; and never down. It is there once, however often it moved."""
    for promise in (0.0, 0.3, 0.9, 0.0):
        add(flushed(links), "/x", record=Record(0, 0.0, promise=promise))
    assert links.best("a.cz") == PROMISING
    add(links, "/y", record=Record(0, 0.0, promise=0.0))
    assert links.lease("a.cz", "", 1, worst=0) == ["/x"]
    assert links.lease("a.cz", "", 5) == ["/y"]
    meet(links, "a.cz", ["/y"], Record(0, 0.0, promise=0.9))
    links.give_back("a.cz", "/y")
    assert links.best("a.cz") == PROMISING


def test_a_document_is_known_once_and_for_all(links: Links) -> None:
    """Spec 5: a link is checked against the downloaded documents."""
    links.settle("a.cz", "/x", Entry("kept", depth=2, title="X"))
    links.settle("a.cz", "/x", Entry("kept", depth=2, title="X, again"))
    assert links.knows("a.cz", "/x")
    assert not links.knows("a.cz", "s/x")
    assert not links.knows("b.cz", "/x")
    assert links.fates.total() == 1
    assert meet(links, "a.cz", ["/x", "/y"], Record(0, 1.0)) == (["/y"], [])


def test_what_is_settled_while_it_is_queued_is_not_leased(links: Links) -> None:
    """A harvester that was thought dead may still bring it."""
    add(flushed(links), "/1", "/2", "/3")
    assert links.take("a.cz", "/2") is not None
    links.settle("a.cz", "/2", Entry("kept", 0))
    assert links.take("a.cz", "/2") is None
    assert (links.queued_count, links.backlog("a.cz")) == (2, 2)
    assert flushed(links).lease("a.cz", "", 9) == ["/1", "/3"]


def test_rules_that_changed_let_the_disallowed_be_found_again(links: Links) -> None:
    """RFC 9309 2.4: rules are refreshed, and only those of the door that changed."""
    for path, fate in (("/a", "disallowed"), ("s/a", "disallowed"), ("/b", "kept")):
        links.settle("a.cz", path, Entry(fate, depth=0))
    links.forget_disallowed("a.cz", "")
    links.forget_disallowed("never-seen.cz", "")
    assert [links.knows("a.cz", path) for path in ("/a", "s/a", "/b")] == [False, True, True]
    assert links.fates.total() == 2


@pytest.mark.parametrize("usability", [0.0, 0.001, 0.01, 0.29, 0.5, 0.57, 1.0])
def test_a_usability_is_kept_in_hundredths_and_never_becomes_nothing(usability: float) -> None:
    """Spec 4: links are not followed from the second *useless* document."""
    kept = round_to_hundredths(usability)
    assert usability <= kept < usability + 0.01
    assert round_to_hundredths(kept) == kept


@dataclass
class Item:
    domain: str
    path: str
    depth: int
    usability: float
    promise: float
    is_leased: bool = False


domains = st.sampled_from(["a.cz", "b.cz"])
paths = st.sampled_from(["/1", "/2", "/3", "s/1", ":81/1", "s:82/2"])
usabilities = st.sampled_from([0.0, 0.5, 1.0])


class LinksAgainstAList(RuleBasedStateMachine):
    """Spec 5: domain -> path -> record, whatever happens in whatever order."""

    @initialize()
    def begin(self) -> None:
        self.links: Links = state.MemoryLinks()
        self.items: list[Item] = []
        self.settled: set[tuple[str, str]] = set()
        self.turns: dict[tuple[str, str], int] = {}
        self.prospects: list[tuple[Prospect, tuple[str, str, int, int]]] = []  # with what was asked for

    def find(self, domain: str, path: str) -> Item | None:
        return next((item for item in self.items if (item.domain, item.path) == (domain, path)), None)

    @rule(domain=domains, path=paths, depth=st.integers(0, 4), usability=usabilities, promise=usabilities)
    def admit(self, domain: str, path: str, depth: int, usability: float, promise: float) -> None:
        item = self.find(domain, path)
        record = Record(depth, usability, promise=promise)
        new, corrected = meet(self.links, domain, [path, path], record)
        self.links.enqueue(domain, new, record)
        if (domain, path) in self.settled:
            assert not new
            assert not corrected
        elif item is None:
            assert new == [path]
            self.items.append(Item(domain, path, depth, usability, promise))
        else:
            assert (new, corrected) == ([], [path] if depth < item.depth else [])
            item.depth, item.usability = min(depth, item.depth), max(usability, item.usability)
            if rank(promise) < rank(item.promise) and not item.is_leased:
                self.items.remove(item)
                self.items.append(item)
            item.promise = max(promise, item.promise)

    @rule(domain=domains, path=paths, most=st.integers(1, 3), worst=st.integers(0, 2))
    def lease(self, domain: str, path: str, most: int, worst: int) -> None:
        expected = self.expected(domain, door(path), most, worst)
        assert self.links.lease(domain, door(path), most, worst) == expected

    def expected(self, domain: str, behind: str, most: int, worst: int) -> list[str]:
        """What is leased next; it is leased now."""
        expected = []
        for _ in range(most):
            lines = [
                [
                    item
                    for item in self.items
                    if (item.domain, door(item.path), item.is_leased) == (domain, behind, False)
                    and rank(item.promise) == of_rank
                ]
                for of_rank in range(worst + 1)
            ]
            served = serve(lines, self.turns.get((domain, behind), 0))
            if served is not None:
                self.turns[domain, behind] = self.turns.get((domain, behind), 0) + 1
                lines[served][0].is_leased = True
                expected.append(lines[served][0].path)
        return expected

    @rule(domain=domains, path=paths, most=st.integers(1, 3), worst=st.integers(0, 2))
    def look_ahead(self, domain: str, path: str, most: int, worst: int) -> None:
        """Changes nothing that anybody can see."""
        prospect = self.links.look_ahead(domain, door(path), most, worst)
        if prospect is not None:
            self.prospects.append((prospect, (domain, door(path), most, worst)))

    @rule(which=st.integers(0, 100))
    def lease_ahead(self, which: int) -> None:
        """What was seen at any time is leased if it is what `lease` would take now, and only then."""
        if self.prospects:
            prospect, asked = self.prospects.pop(which % len(self.prospects))
            if self.links.lease_ahead([prospect.token]):
                assert prospect.paths == self.expected(*asked)

    @rule(domain=domains, path=paths, is_kept=st.booleans())
    def take(self, domain: str, path: str, is_kept: bool) -> None:
        item = self.find(domain, path)
        record = self.links.take(domain, path)
        if item is None:
            assert record is None
            return
        assert record is not None
        assert (record.depth, record.usability) == (item.depth, item.usability)
        self.items.remove(item)
        self.links.settle(domain, path, Entry("kept" if is_kept else "failed", record.depth))
        self.settled.add((domain, path))

    @rule(domain=domains, path=paths)
    def give_back(self, domain: str, path: str) -> None:
        item = self.find(domain, path)
        if item and item.is_leased:
            self.links.give_back(domain, path)
            self.items.remove(item)
            self.items.append(item)
            item.is_leased = False

    @rule()
    def commit(self) -> None:
        if isinstance(self.links, DiskLinks):
            committed(self.links)

    @rule()
    def start_again(self) -> None:
        """A crash right after a commit changes nothing but whose turn it is."""
        if isinstance(self.links, DiskLinks):
            committed(self.links)
            self.links = DiskLinks(self.links.connection)
            self.links.leases.recall()
            self.turns, self.prospects = {}, []  # these are not kept

    @rule()
    def do_again(self) -> None:
        """Nor does one at any other moment, if the journal has what was done since."""
        if isinstance(self.links, DiskLinks):
            journal, connection = msgspec.msgpack.encode(self.links.deeds), self.links.connection
            connection.execute("ROLLBACK")
            connection.execute("BEGIN IMMEDIATE")
            self.links = DiskLinks(connection)
            self.links.leases.recall()
            redo(self.links, msgspec.msgpack.decode(journal))
            committed(self.links)
            self.turns, self.prospects = {}, []  # these are not kept

    @invariant()
    def they_agree(self) -> None:
        leased = [item for item in self.items if item.is_leased]
        queued = [item for item in self.items if not item.is_leased]
        assert (self.links.leased_count, self.links.queued_count) == (len(leased), len(queued))
        assert self.links.fates.total() == len(self.settled)
        for domain in ("a.cz", "b.cz"):
            backlog = [item for item in queued if item.domain == domain]
            assert self.links.backlog(domain) == len(backlog)
            assert set(self.links.doors(domain)) == {door(item.path) for item in backlog}
            best = min((rank(item.promise) for item in backlog), default=None)
            assert self.links.best(domain) == best
            assert set(self.links.leased(domain)) == {item.path for item in leased if item.domain == domain}


def test_no_history_makes_the_links_differ_from_a_list() -> None:
    """Random histories are compared with a slow, obvious model."""
    steps = settings(max_examples=30, stateful_step_count=40, deadline=None)
    run_state_machine_as_test(LinksAgainstAList, settings=steps)  # type: ignore[no-untyped-call]


def test_an_old_request_in_a_lane_that_was_empty_is_not_leased_again(links: Links) -> None:
    """Found by the consistency check: a link moved to a better rank left its old request behind."""
    add(links, "/x", record=Record(0, 1.0, promise=0.2))
    flushed(links)
    meet(links, "a.cz", ["/x"], Record(0, 1.0, promise=1.0))
    assert links.lease("a.cz", "", 5) == ["/x"]
    links.take("a.cz", "/x")
    links.settle("a.cz", "/x", Entry("kept", 0))
    flushed(links)
    add(links, "/y", record=Record(0, 1.0, promise=0.2))
    assert links.lease("a.cz", "", 5) == ["/y"]


def test_what_was_dropped_and_found_again_is_leased_once(links: Links) -> None:
    """Its old request must not come up beside the new one."""
    add(links, "/x", record=Record(0, 1.0, promise=0.2))
    meet(links, "a.cz", ["/x"], Record(0, 1.0, promise=1.0))
    assert links.drop("a.cz", 10) == 1
    add(links, "/x", "/y", record=Record(0, 1.0, promise=0.2))
    assert links.queued_count == 2
    assert links.lease("a.cz", "", 5) == ["/x", "/y"]
    assert links.queued_count == 0


def test_what_failed_and_is_tried_again_is_leased_once(links: Links) -> None:
    """Likewise: the old request lies in the lane that the new one is put into."""
    add(links, "/x", record=Record(0, 1.0, promise=0.2))
    meet(links, "a.cz", ["/x"], Record(0, 1.0, promise=1.0))
    assert links.lease("a.cz", "", 1) == ["/x"]
    links.take("a.cz", "/x")
    links.settle("a.cz", "/x", Entry("failed", 3, reason="gone"))
    assert links.unsettle("a.cz", "failed", 10) == [("/x", Entry("failed", 3, reason="gone"))]
    assert links.unsettle("a.cz", "failed", 10) == []
    add(links, "/x", "/y", record=Record(0, 1.0, promise=0.2))
    assert links.lease("a.cz", "", 5) == ["/x", "/y"]
    assert (links.queued_count, links.leased_count, links.fates["failed"]) == (0, 2, 0)


def test_a_lane_that_was_never_empty_begins_anew_after_its_last_number(links: Links) -> None:
    """A million packs, which a trap of links without end has in two weeks: the state could not be written."""
    add(links, *map("/{}".format, range(200)), ":8080/x")
    flushed(links)
    if isinstance(links, DiskLinks):
        first, last = first_pack(1, PROMISING, 0), last_pack(1, PROMISING, 0)
        links.connection.execute(
            "UPDATE packs SET number = number + ? WHERE number BETWEEN ? AND ?",
            (last - first - 3, first, last),
        )
        links.lanes.tails.clear()  # nobody else does that
    add(links, "/200", "/201")
    flushed(links)
    assert links.lease("a.cz", "", 300) == [f"/{number}" for number in range(202)]
    assert links.lease("a.cz", ":8080", 300) == [":8080/x"]


def test_more_doors_than_there_are_numbers_for_are_not_met(
    links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if one page has them all: the queuekeeper stopped with a mistake of its own."""
    monkeypatch.setattr(disk, "MOST_DOORS", 5)
    monkeypatch.setattr(home, "MOST_DOORS", 5)
    for ports in (range(3), range(10), range(10)):
        found = [Found("a.cz", [f":{port}/"], Record(0, 1.0)) for port in ports]
        for some, (new, _) in zip(found, links.meet(found), strict=True):
            links.enqueue(some.domain, new, some.record)
    if isinstance(links, DiskLinks):
        assert len(links.doors("a.cz")) == 5
