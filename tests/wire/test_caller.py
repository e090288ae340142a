"""The handshake of whoever calls."""

import pytest

from txtr.wire.caller import Caller
from txtr.wire.conversation import is_proved, make_proof, queuekeeper_side
from txtr.wire.messages import HARVESTER, VISITOR, Challenge, Received, Refusal

CHALLENGE = Challenge("c" * 32)


def received(caller: Caller, secret: bytes) -> Received:
    """What a queuekeeper with this secret answers."""
    return Received(make_proof(secret, "queuekeeper", caller.hello, CHALLENGE))


@pytest.mark.parametrize("role", [HARVESTER, VISITOR])
def test_a_caller_says_who_it_is_and_proves_that_it_knows_the_secret(role: str) -> None:
    """In bytes that the other side of the table understands."""
    caller, keeper = Caller("dub", "n" * 32, role, {7: 3}), queuekeeper_side()
    (hello,) = keeper.receive(caller.greet())
    assert (hello.name, hello.role, hello.held) == ("dub", role, {7: 3})
    list(caller.talk.receive(keeper.send(CHALLENGE)))
    (proof,) = keeper.receive(caller.prove(CHALLENGE, b"javor"))
    assert is_proved(proof.digest, b"javor", role, hello, CHALLENGE)
    assert not is_proved(proof.digest, b"smrk", role, hello, CHALLENGE)
    keeper.send(Refusal("enough"))
    assert keeper.is_over


@pytest.mark.parametrize(
    ("ours", "theirs", "is_trusted"),
    [(b"javor", b"javor", True), (b"javor", b"smrk", False), (b"javor", b"", False), (b"", b"", False)],
)
def test_whoever_answers_is_trusted_when_it_has_proved_the_same_secret(
    ours: bytes, theirs: bytes, is_trusted: bool
) -> None:
    """Never while none is known here: anybody can prove to know nothing."""
    caller = Caller("dub", "n" * 32)
    caller.greet()
    list(caller.talk.receive(queuekeeper_side_challenge(caller)))
    caller.prove(CHALLENGE, ours)
    assert caller.has_proved(received(caller, theirs)) is is_trusted


def queuekeeper_side_challenge(caller: Caller) -> bytes:
    """Its challenge, as it stands on the wire."""
    keeper = queuekeeper_side()
    list(keeper.receive(Caller("dub", caller.hello.nonce).greet()))
    return keeper.send(CHALLENGE)
