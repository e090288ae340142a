"""The keeper: what it makes of what harvesters say, in and out of order."""

import pytest

from txtr.corpus.duplicates import Claims
from txtr.frontier.frontier import Frontier
from txtr.frontier.records import Entry
from txtr.gate import Gate
from txtr.manners.rules import Rules
from txtr.model import Document, Failure, Link, Report, Resolution, RobotsFile, Trouble, Unvisited
from txtr.queuekeeper import batches
from txtr.queuekeeper.batches import FEWEST_ROWS
from txtr.queuekeeper.keeper import Keeper
from txtr.queuekeeper.supervision import SILENCE
from txtr.urls import split
from txtr.wire import frames
from txtr.wire.lease import PATIENCE
from txtr.wire.messages import (
    Ask,
    Claim,
    Deal,
    Forget,
    Goodbye,
    Leaving,
    Message,
    More,
    NewDomains,
    Ping,
    Pong,
    Refusal,
    Reported,
    Resolved,
    Verdict,
)

RULES = Rules(req_delay=2.0, max_hosts=2, max_reqs=5, general_pause=30.0)


def keeper(*urls: str, rules: Rules = RULES, most_rows: int = 1000) -> Keeper:
    kept = Keeper(Frontier(rules, Gate(".*", "^$", 0), "texttractor"), Claims(), most_rows)
    kept.frontier.admit([Link(*split(url), depth=0) for url in urls], 0)
    kept.join("h1", {}, 0)
    return kept


def heard(kept: Keeper, name: str = "h1") -> list[Message]:
    """What was said to this harvester since we last looked."""
    said = [message for whom, message in kept.outbox if whom == name]
    kept.outbox = [(whom, message) for whom, message in kept.outbox if whom != name]
    return said


def ask(kept: Keeper, seen: int = 0, now: float = 0.0, name: str = "h1") -> list[Message]:
    kept.answer(name, Ask(seen, 0, 0.01), now)
    kept.tick(now)
    return heard(kept, name)


def resolve(kept: Keeper, now: float = 0.0, addresses: dict[str, str] | None = None) -> list[Message]:
    """Ask, resolve all names, and get the first batch."""
    (names,) = ask(kept, now=now)
    assert isinstance(names, NewDomains)
    found = [Resolution(name, [(addresses or {}).get(name, "192.0.2.1")]) for name in names.domains]
    kept.answer("h1", Resolved(names.batch, found), now)
    kept.tick(now)
    return heard(kept)


def document(url: str, *links: str) -> Document:
    return Document(*split(url), "kept", 1.0, 200, 100, 0.1, links=list(links))


def robots(domain: str) -> RobotsFile:
    return RobotsFile(domain, "/robots.txt", 200, "", 0.1)


def test_who_asks_is_answered_as_soon_as_there_is_something() -> None:
    """Ramp-up: all harvesters busy as soon as there are addresses for them."""
    kept = keeper()
    assert ask(kept) == []
    kept.frontier.admit([Link("a.cz", "/", 0)], 1)
    kept.tick(1)
    (names,) = heard(kept)
    assert isinstance(names, NewDomains)


def test_a_batch_is_topped_up_and_ends_when_it_is_answered() -> None:
    """Spec 6: results stream back while a batch is running."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    number = deal.batch.number
    kept.answer("h1", Reported(Report(number, robots=[robots("a.cz")])), 1)
    (more,) = heard(kept)
    assert isinstance(more, More)
    kept.answer("h1", Reported(Report(number, documents=[document("http://a.cz/")])), 2)
    assert heard(kept) == []
    assert kept.frontier.is_finished()
    assert not kept.harvesters["h1"].batches
    assert not kept.overdue.expected


def test_a_question_that_crossed_a_batch_is_not_answered_twice() -> None:
    """Ask says which batch it has seen."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    kept.harvesters["h1"].rows = 0
    kept.answer("h1", Ask(0, 0, 0.01), 1)
    assert kept.harvesters["h1"].rows == 0
    kept.answer("h1", Ask(deal.batch.number, 1, 0.01), 1)
    assert kept.harvesters["h1"].rows > 0


def test_a_harvester_that_comes_back_is_served_again() -> None:
    """It had seen a batch that the queuekeeper no longer counted, and was never served again."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    kept.disconnect("h1", 1)
    assert kept.join("h1", {}, 2) == []
    kept.tick(PATIENCE + 1)
    (again,) = ask(kept, seen=deal.batch.number, now=60)
    assert isinstance(again, Deal)


def test_a_harvester_goes_on_with_the_batches_it_still_has() -> None:
    """Spec 6: a line that is cut costs nothing, if it comes back in time."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    kept.disconnect("h1", 1)
    assert kept.join("h1", {deal.batch.number: 1, 4711: 1}, 2) == [deal.batch.number]
    assert kept.frontier.series


def test_requests_that_were_lost_with_the_line_are_not_waited_for() -> None:
    """A harvester that has got fewer requests than were sent cannot answer them all."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    kept.disconnect("h1", 1)
    assert kept.join("h1", {deal.batch.number: 0}, 2) == []
    assert kept.frontier.series  # whoever had them may still be at work
    kept.tick(PATIENCE + 1)
    assert not kept.frontier.series


def test_two_harvesters_of_one_name_are_one_too_many() -> None:
    """A batch belongs to one harvester."""
    kept = keeper()
    assert kept.join("h1", {}, 1) is None
    kept.disconnect("h1", 2)
    assert kept.join("h1", {}, 3) == []


def test_a_silent_harvester_is_given_up_in_time_and_not_before() -> None:
    """Spec 6: a harvester that vanishes costs nothing but time."""
    kept = keeper("http://a.cz/")
    resolve(kept)
    kept.tick(PATIENCE)
    assert kept.frontier.series
    kept.tick(PATIENCE + 0.1)
    assert not kept.frontier.series
    assert not kept.harvesters
    (refusal,) = heard(kept)
    assert isinstance(refusal, Refusal)


def test_a_frozen_harvester_is_given_up_only_when_its_requests_have_ended() -> None:
    """Its line stands: it may have a request under way that nobody can break off."""
    kept = keeper("http://a.cz/")
    kept.slowest = 120.0
    kept.tick(PATIENCE + 119)
    assert "h1" in kept.harvesters
    kept.tick(PATIENCE + 121)
    assert "h1" not in kept.harvesters


def test_a_harvester_whose_line_was_cut_is_given_up_sooner() -> None:
    """It is dead, or it knows that it has lost its lease."""
    kept = keeper("http://a.cz/")
    kept.slowest = 120.0
    kept.disconnect("h1", 1)
    kept.tick(PATIENCE + 1)
    assert "h1" not in kept.harvesters


@pytest.mark.parametrize(("wanted", "expected"), [(1, 1), (0, 2)])
def test_no_more_batches_are_dealt_than_were_asked_for(wanted: int, expected: int) -> None:
    """--batch-count: a harvester with room for many rows may want one batch only."""
    kept = keeper("http://a.cz/", "http://b.cz/")
    kept.answer("h1", Ask(0, 0, 0.01, batches=wanted), 0)
    kept.tick(0)
    (names,) = heard(kept)
    assert isinstance(names, NewDomains)
    for now, name in enumerate(["a.cz", "b.cz"], start=1):
        known = [Resolution(name, [f"192.0.2.{now}"])]
        kept.answer("h1", Resolved(names.batch, known, is_all=name == "b.cz"), now)
        kept.tick(now)
    assert [type(message) for message in heard(kept)] == [Deal] * expected


def test_names_may_be_told_one_by_one() -> None:
    """A slow name server must not keep the names waiting that are known."""
    kept = keeper("http://a.cz/", "http://b.cz/")
    (names,) = ask(kept)
    assert isinstance(names, NewDomains)
    kept.answer("h1", Resolved(names.batch, [Resolution("a.cz", ["192.0.2.1"])], is_all=False), 1)
    kept.tick(1)
    said = heard(kept)
    assert [type(message) for message in said] == [Deal]
    kept.answer("h1", Resolved(names.batch, [Resolution("b.cz", ["192.0.2.2"])]), 2)
    assert not kept.harvesters["h1"].names


def test_a_batch_without_news_is_taken_away() -> None:
    """Spec 6: a batch that is not answered for long goes back to the queue."""
    kept = keeper("http://a.cz/")
    resolve(kept)
    now = SILENCE + 10
    kept.answer("h1", Ping(0.0), now)
    kept.tick(now)
    assert not kept.frontier.series
    assert kept.frontier.links.queued_count == 1


def test_names_that_are_never_resolved_are_taken_away() -> None:
    """A harvester that was alive but whose resolver hung kept the crawl from ending."""
    kept = keeper("http://a.cz/")
    ask(kept)
    now = SILENCE + 10
    kept.answer("h1", Ping(0.0), now)
    kept.tick(now)
    assert not kept.frontier.asked_domains or 1 not in kept.frontier.asked_domains.values()
    assert any(isinstance(message, Refusal) for message in heard(kept))


def test_names_that_an_answer_leaves_out_are_asked_again() -> None:
    """The same, with an answer that is not complete."""
    kept = keeper("http://a.cz/", "http://b.cz/")
    (names,) = ask(kept)
    assert isinstance(names, NewDomains)
    kept.answer("h1", Resolved(names.batch, [Resolution("a.cz", ["192.0.2.1"])]), 1)
    kept.tick(1)
    assert [message.domains for message in heard(kept) if isinstance(message, NewDomains)] == [["b.cz"]]


def test_nobody_is_given_a_batch_of_names_in_which_there_are_none() -> None:
    """All were blocked since they lined up. No answer comes to nothing: a sound harvester was refused."""
    kept = keeper("http://a.cz/")
    kept.go_on_with(kept.order("block", ["a.cz"]), 0.0)
    assert not [message for message in ask(kept) if isinstance(message, NewDomains)]
    kept.answer("h1", Ping(0.0), SILENCE + 10)
    kept.tick(SILENCE + 10)
    assert not [message for message in heard(kept) if isinstance(message, Refusal)]
    assert kept.frontier.is_finished()


def test_who_joins_at_the_end_is_sent_home() -> None:
    """Spec 6: tells every harvester that calls to end."""
    kept = keeper()
    kept.close()
    assert heard(kept) == [Goodbye()]
    kept.join("h2", {}, 1)
    assert heard(kept, "h2") == [Goodbye()]


def test_nothing_is_dealt_after_goodbye() -> None:
    """Spec 6: harvesters are on their way home; what they bring is taken in."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    kept.close()
    kept.answer("h1", Reported(Report(deal.batch.number, robots=[robots("a.cz")])), 1)
    assert ask(kept, seen=deal.batch.number, now=100) == [Goodbye()]
    kept.answer("h1", Leaving(), 101)
    assert kept.is_alone()
    assert not kept.frontier.series


def test_a_text_is_claimed_once() -> None:
    """What it must show: each page's text once."""
    kept = keeper()
    kept.answer("h1", Claim(1, "http://a.cz/1", "digest"), 0)
    kept.answer("h1", Claim(2, "http://a.cz/2", "digest"), 0)
    assert heard(kept) == [Verdict(1, True), Verdict(2, False, "http://a.cz/1")]


def test_a_ping_is_echoed_whatever_it_says() -> None:
    """wire/lease.py: the echo extends the harvester's lease from its own time."""
    kept = keeper()
    kept.answer("h1", Ping(float("inf"), {}), 0)
    assert heard(kept) == [Pong(float("inf"))]


# --- hostile harvesters


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), float("-inf"), -1.0, 5e-324])
@pytest.mark.parametrize("rows", [-(2**63), -1, 2**63])
def test_a_senseless_question_gets_no_more_than_any_other(rows: int, seconds: float) -> None:
    """A negative number of rows was answered with a batch larger than any message may be."""
    kept = keeper(most_rows=100)
    kept.answer("h1", Ask(0, rows, seconds), 0)
    assert 0 <= kept.harvesters["h1"].rows <= 100


def test_a_flood_of_questions_costs_nothing() -> None:
    """Only the last question counts."""
    kept = keeper("http://a.cz/")
    for _ in range(1000):
        kept.answer("h1", Ask(0, 0, 0.01), 0)
    kept.tick(0)
    assert len(heard(kept)) == 1


def test_nobody_can_answer_for_another_harvesters_batch() -> None:
    """A batch belongs to one harvester: else an address would rest while somebody is there."""
    kept = keeper("http://a.cz/")
    (deal,) = resolve(kept)
    assert isinstance(deal, Deal)
    kept.join("h2", {}, 0)
    kept.answer("h2", Reported(Report(deal.batch.number, robots=[robots("a.cz")])), 1)
    kept.answer("h2", Reported(Report(deal.batch.number, unvisited=[Unvisited("a.cz", ["/robots.txt"])])), 1)
    assert heard(kept, "h2") == []
    assert not kept.frontier.is_answered("192.0.2.1")


@pytest.mark.parametrize("batch", [-1, 0, 1, 2, 99, 2**63])
def test_reports_about_nothing_change_nothing(batch: int) -> None:
    """Reports that name unknown batches and domains, again and again."""
    kept = keeper("http://a.cz/")
    resolve(kept)
    report = Report(
        batch,
        documents=[document("http://nobody.cz/", "http://spam.cz/")],
        failures=[Failure("nobody.cz", "/", Trouble.BUSY), Failure("a.cz", "", Trouble.DNS)],
        robots=[RobotsFile("nobody.cz", "/robots.txt", 301, "", 0.1, "garbage")],
        unvisited=[Unvisited("nobody.cz", [""]), Unvisited("a.cz", ["/never"] * 10)],
    )
    for _ in range(3):
        kept.answer("h1", Reported(report), 1)
    assert kept.frontier.links.queued_count + kept.frontier.links.leased_count == 1
    assert len(kept.frontier.series) == 1
    assert kept.frontier.domains.get("spam.cz") is None


def test_no_message_outgrows_a_frame_however_much_is_queued() -> None:
    """A batch that outgrew the frame made every harvester hang up, and came back for ever."""
    addresses = {f"{number}.cz": f"192.0.2.{number}" for number in range(50)}
    urls = [f"http://{name}/{'x' * 1900}/{page}" for name in addresses for page in range(50)]
    kept = keeper(*urls, rules=Rules(req_delay=2.0, max_hosts=2, max_reqs=51, general_pause=30.0))
    (deal,) = resolve(kept, addresses=addresses)
    assert isinstance(deal, Deal)
    kept.answer("h1", Reported(Report(deal.batch.number, robots=list(map(robots, addresses)))), 1)
    more = heard(kept)
    assert sum(len(visit.requests) for message in more for visit in message.visits) == 2500  # type: ignore[attr-defined]
    kept.disconnect("h1", 2)
    kept.join("h1", {}, 3)
    kept.tick(PATIENCE + 2)
    deals = ask(kept, now=60)
    while len(kept.frontier.series) < len(addresses):
        deals += ask(kept, seen=kept.harvesters["h1"].last_batch or 0, now=60)
    said = [len(frames.encode(message)) for message in (*more, *deals)]
    assert sum(said) > 2 * batches.MOST_BYTES
    assert max(said) < batches.MOST_BYTES + 200_000
    assert batches.MOST_BYTES < frames.MOST_BYTES / 2


def test_a_page_that_somebody_reported_late_is_not_kept_by_the_next() -> None:
    """A harvester that was stopped brought the page after another had been sent for it."""
    kept = keeper("http://a.cz/")
    kept.frontier.links.settle("a.cz", "/", Entry("kept", 0))
    kept.outbox.clear()
    kept.answer("h1", Claim(1, "http://a.cz/", "digest"), 0)
    assert kept.outbox == [("h1", Verdict(1, False, "http://a.cz/"))]


def test_harvesters_tell_again_what_may_be_news_again() -> None:
    """They hold back links that they have told; an order of the user or new rules make some of them news."""
    kept = keeper("http://a.cz/")
    kept.outbox.clear()
    kept.frontier.has_forgotten = True
    kept.tick(1)
    kept.tick(2)
    assert [name for name, message in kept.outbox if isinstance(message, Forget)] == ["h1"]


def test_without_a_delay_nobody_gets_more_addresses_than_rows() -> None:
    """Who joined first got all addresses into eight rows; others had nothing to do."""
    rules = Rules(req_delay=0.0, max_hosts=2, max_reqs=1_000_000, general_pause=0.0)
    names = [f"{number}.cz" for number in range(20)]
    kept = keeper(*(f"http://{name}/" for name in names), rules=rules)
    (deal,) = resolve(kept, addresses={name: f"192.0.2.{number}" for number, name in enumerate(names, 1)})
    assert isinstance(deal, Deal)
    assert [len(row) for row in deal.batch.rows] == [1] * FEWEST_ROWS
    kept.join("h2", {}, 1)
    (second,) = ask(kept, now=1, name="h2")
    assert isinstance(second, Deal)
    assert len(second.batch.rows) == FEWEST_ROWS
