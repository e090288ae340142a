"""The conversation: who may say what when."""

import hmac
from typing import get_args

import pytest

from txtr.config.options import LONGEST_EXPRESSION
from txtr.errors import OurMistake, TheirMistake
from txtr.model import Batch, Report, Request, Visit
from txtr.wire import frames
from txtr.wire.conversation import (
    NEXT_STAGES,
    STRANGER_BYTES,
    Conversation,
    Stage,
    check_hello,
    harvester_side,
    is_proved,
    make_proof,
    queuekeeper_side,
)
from txtr.wire.messages import (
    VERSION,
    VISITOR,
    Ask,
    Challenge,
    Claim,
    Deal,
    Forget,
    FromHarvester,
    FromQueuekeeper,
    Goodbye,
    Hello,
    Leaving,
    Message,
    More,
    NewDomains,
    Order,
    Outcome,
    Ping,
    Pong,
    Proof,
    Received,
    Refusal,
    Reported,
    Resolved,
    Spare,
    Verdict,
    Welcome,
)

EVERYTHING: list[Message] = [
    Hello(VERSION, "h1", "n"),
    Challenge("m"),
    Proof("p"),
    Welcome("p"),
    Refusal("no"),
    Ask(0, 0, 0.0),
    Deal(Batch(1, [])),
    More(1, []),
    NewDomains(1, []),
    Resolved(1, []),
    Reported(Report(1)),
    Claim(1, "", ""),
    Verdict(1, True),
    Ping(0.0),
    Pong(0.0),
    Leaving(),
    Goodbye(),
    Spare("a.cz"),
    Forget(),
    Received("p"),
    Order("block", ["a.cz"]),
    Outcome([("a.cz", "blocked", 1)], True),
]
SIDES = [(harvester_side, FromQueuekeeper), (queuekeeper_side, FromHarvester)]
HELLO, CHALLENGE = Hello(VERSION, "h1", "one nonce"), Challenge("another nonce")
EMPTY_KEY = hmac.new(b"", b"harvester\nh1\none nonce\nanother nonce", "sha256").hexdigest()


def test_everything_that_can_be_said_is_tried_here() -> None:
    """A message that is added to the vocabulary is added to these tests."""
    assert {type(message) for message in EVERYTHING} == {*get_args(FromHarvester | FromQueuekeeper)}


@pytest.mark.parametrize("stage", list(Stage))
@pytest.mark.parametrize("message", EVERYTHING, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("side,hears", SIDES, ids=["harvester", "queuekeeper"])
def test_nobody_says_or_hears_what_is_not_in_the_table(side, hears, message, stage) -> None:  # type: ignore[no-untyped-def]
    """Style 4: transitions are one table, and a pair that is missing raises, on both sides."""
    speaker: Conversation = side()
    hearer: Conversation = side()
    speaker.stage = hearer.stage = stage
    is_possible = (stage, type(message)) in NEXT_STAGES
    if is_possible:
        assert speaker.send(message) == frames.encode(message)
        assert speaker.stage is NEXT_STAGES[stage, type(message)]
    else:
        with pytest.raises(OurMistake, match=stage.value):
            speaker.send(message)
    if is_possible and type(message) in get_args(hears):
        assert list(hearer.receive(frames.encode(message))) == [message]
        assert hearer.stage is NEXT_STAGES[stage, type(message)]
    else:
        with pytest.raises(TheirMistake):
            list(hearer.receive(frames.encode(message)))
        assert hearer.stage is stage


def handshake() -> tuple[Conversation, Conversation]:
    harvester, queuekeeper = harvester_side(), queuekeeper_side()
    for speaker, hearer, message in (
        (harvester, queuekeeper, HELLO),
        (queuekeeper, harvester, CHALLENGE),
        (harvester, queuekeeper, Proof("p")),
        (queuekeeper, harvester, Welcome("p")),
    ):
        assert list(hearer.receive(speaker.send(message))) == [message]
    return harvester, queuekeeper


def test_after_the_handshake_both_talk_freely() -> None:
    """Spec 6: a harvester connects, says what it processed, and gets the next batch."""
    harvester, queuekeeper = handshake()
    list(queuekeeper.receive(harvester.send(Ping(1.0)) + harvester.send(Ask(0, 0, 0.0))))
    list(harvester.receive(queuekeeper.send(Pong(1.0)) + queuekeeper.send(Deal(Batch(1, [])))))
    list(queuekeeper.receive(harvester.send(Leaving())))
    assert harvester.stage is queuekeeper.stage is Stage.OVER
    with pytest.raises(TheirMistake):
        list(queuekeeper.receive(frames.encode(Ping(2.0))))


def test_a_stranger_cannot_make_us_wait_for_a_long_frame() -> None:
    """The issue: a stranger or garbage on the port harms nobody."""
    with pytest.raises(TheirMistake, match=str(STRANGER_BYTES)):
        list(queuekeeper_side().receive((STRANGER_BYTES + 1).to_bytes(4, "big")))


def test_a_stranger_who_speaks_http_is_shown_out_with_the_first_bytes() -> None:
    """The issue: the same, with what browsers and scanners say."""
    with pytest.raises(TheirMistake):
        list(queuekeeper_side().receive(b"GET "))


def test_a_long_message_may_follow_the_welcome_in_the_same_bytes() -> None:
    """The limit for strangers was kept until the next bytes came."""
    harvester, queuekeeper = harvester_side(), queuekeeper_side()
    list(queuekeeper.receive(harvester.send(HELLO)))
    list(harvester.receive(queuekeeper.send(CHALLENGE)))
    list(queuekeeper.receive(harvester.send(Proof("p"))))
    deal = Deal(Batch(1, [[Visit("a.cz", "192.0.2.1", 1.0, [Request("/" * 2 * STRANGER_BYTES)])]]))
    said = queuekeeper.send(Welcome("p")) + queuekeeper.send(deal)
    assert list(harvester.receive(said)) == [Welcome("p"), deal]


def test_a_long_message_before_the_proof_is_refused() -> None:
    """Whoever has not proved who he is gets no memory of ours."""
    with pytest.raises(TheirMistake):
        list(queuekeeper_side().receive(frames.encode(Hello(VERSION, "x" * STRANGER_BYTES, "n"))))


def test_both_sides_prove_that_they_know_the_secret() -> None:
    """The issue: challenge-response, without saying the secret."""
    digest = make_proof(b"secret", "harvester", HELLO, CHALLENGE)
    assert is_proved(digest, b"secret", "harvester", HELLO, CHALLENGE)
    assert "secret" not in digest


@pytest.mark.parametrize(
    "digest",
    [
        "",
        "ž",
        make_proof(b"wrong", "harvester", HELLO, CHALLENGE),
        EMPTY_KEY,
        make_proof(b"secret", "queuekeeper", HELLO, CHALLENGE),  # our own words, said back to us
        make_proof(b"secret", "harvester", HELLO, Challenge("an older nonce")),  # a recorded conversation
        make_proof(b"secret", "harvester", Hello(VERSION, "h2", HELLO.nonce), CHALLENGE),  # another's name
        make_proof(b"secret", "harvester", HELLO, CHALLENGE).upper(),
    ],
)
def test_whoever_does_not_know_the_secret_cannot_prove_it(digest: str) -> None:
    """The issue: anything but localhost needs a shared secret."""
    assert not is_proved(digest, b"secret", "harvester", HELLO, CHALLENGE)


@pytest.mark.parametrize("digest", ["", EMPTY_KEY, make_proof(b"secret", "harvester", HELLO, CHALLENGE)])
def test_nothing_is_proved_to_whoever_has_no_secret(digest: str) -> None:
    """A harvester whose state/secret was gone took the empty one, which anybody knows."""
    assert not is_proved(digest, b"", "harvester", HELLO, CHALLENGE)


def test_whoever_has_no_secret_proves_nothing() -> None:
    assert make_proof(b"", "harvester", HELLO, CHALLENGE) == ""


def test_another_version_is_refused_in_words() -> None:
    """The wire: version handshake."""
    assert check_hello(HELLO) == ""
    assert "99" in check_hello(Hello(99, "h1", "n"))


@pytest.mark.parametrize("name", ["", "a b", "../h1", "-h1", "h1\n", "h" * 65, "\x1b[2J", "h" * 60_000])
def test_a_harvester_is_refused_by_a_name_that_the_options_would_refuse(name: str) -> None:
    """A harvester without a name was taken for a visitor, and left a ghost behind."""
    reason = check_hello(Hello(VERSION, name, "n"))
    assert reason.startswith(f"a harvester cannot be called {name[:80]!a}: expected a name of letters")
    assert reason.isprintable()


@pytest.mark.parametrize("name", ["queuekeeper", "Queuekeeper"])
def test_no_harvester_is_called_as_the_queuekeeper(name: str) -> None:
    """It would write into the queuekeeper's log, which is named after it."""
    assert "another name than the queuekeeper's own" in check_hello(Hello(VERSION, name, "n"))


def test_a_visitor_needs_no_name() -> None:
    assert check_hello(Hello(VERSION, "", "n", role=VISITOR)) == ""


def test_a_welcome_may_be_long() -> None:
    """With an --exclude of 65 KB no harvester could start: it took its queuekeeper for a stranger."""
    harvester, keeper = harvester_side(), queuekeeper_side()
    for speaker, hearer, message in (
        (harvester, keeper, Hello(VERSION, "h1", "n")),
        (keeper, harvester, Challenge("m")),
        (harvester, keeper, Proof("p")),
    ):
        list(hearer.receive(speaker.send(message)))
    welcome = Welcome("p", [], include="a" * LONGEST_EXPRESSION, exclude="ř" * LONGEST_EXPRESSION)
    assert list(harvester.receive(keeper.send(welcome))) == [welcome]


def test_who_has_said_a_proof_is_still_a_stranger_until_it_was_looked_at() -> None:
    keeper = queuekeeper_side()
    for message in (Hello(VERSION, "h1", "n"), None, Proof("p")):
        if message is None:
            keeper.send(Challenge("m"))
        else:
            list(keeper.receive(frames.encode(message)))
    with pytest.raises(TheirMistake, match=str(STRANGER_BYTES)):
        list(keeper.receive((STRANGER_BYTES + 1).to_bytes(4, "big")))
