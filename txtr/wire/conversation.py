"""The conversation: which side may say which message when, as a table.

Both programs use the same table, each from its own side. A message that the table does not have at this stage
is the other side's mistake, and ends the conversation.

Both sides prove that they know the shared secret without saying it. Each hashes the secret with both nonces,
so that a recorded conversation is of no use. (The messages are not encrypted.)
"""

import hmac
from collections.abc import Iterator
from enum import Enum
from typing import Any

from txtr.config.options import name_trouble
from txtr.errors import OurMistake, TheirMistake
from txtr.wire import frames
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

STRANGER_BYTES = 65536  # of a frame, from a caller that has not proved yet that it knows the secret
CHARACTERS_SHOWN = 80  # characters of a wrong name that a refusal repeats


class Stage(Enum):
    START = "start"
    GREETED = "greeted"
    CHALLENGED = "challenged"
    PROVED = "proved"
    TALKING = "talking"
    VISITING = "visiting"
    OVER = "over"


HARVESTER_TALK = (Ask, Resolved, Reported, Claim, Ping)
QUEUEKEEPER_TALK = (Deal, More, NewDomains, Verdict, Pong, Goodbye, Spare, Forget)

NEXT_STAGES: dict[tuple[Stage, type[Message]], Stage] = {
    (Stage.START, Hello): Stage.GREETED,
    (Stage.GREETED, Challenge): Stage.CHALLENGED,
    (Stage.CHALLENGED, Proof): Stage.PROVED,
    (Stage.PROVED, Welcome): Stage.TALKING,
    **{(Stage.TALKING, kind): Stage.TALKING for kind in (*HARVESTER_TALK, *QUEUEKEEPER_TALK)},
    (Stage.PROVED, Received): Stage.VISITING,
    (Stage.VISITING, Order): Stage.VISITING,
    (Stage.VISITING, Outcome): Stage.VISITING,
    **{(stage, Refusal): Stage.OVER for stage in Stage},
    (Stage.TALKING, Leaving): Stage.OVER,
}


class Conversation:
    def __init__(self, hears: Any, is_calling: bool) -> None:
        """`hears`: the vocabulary of the other side. `is_calling`: did this side connect?"""
        self.stage = Stage.START
        self.is_calling = is_calling
        self.decoder = frames.Decoder(hears, STRANGER_BYTES)

    @property
    def is_over(self) -> bool:
        return self.stage is Stage.OVER

    def receive(self, data: bytes) -> Iterator[Any]:
        """The messages in these bytes; raises TheirMistake."""
        for message in self.decoder.feed(data):
            stage = NEXT_STAGES.get((self.stage, type(message)))
            if stage is None:
                raise TheirMistake(f"{type(message).__name__} at the stage {self.stage.value}")
            if stage is not self.stage:
                self._enter(stage)
            yield message

    def send(self, message: Message) -> bytes:
        stage = NEXT_STAGES.get((self.stage, type(message)))
        if stage is None:
            raise OurMistake(f"we would say {type(message).__name__} at the stage {self.stage.value}")
        if stage is not self.stage:
            self._enter(stage)
        return frames.encode(message)

    def _enter(self, stage: Stage) -> None:
        if stage is self.stage:
            return
        self.stage = stage
        # A queuekeeper that has our proof may answer with --include and --exclude of any length.
        is_known = stage in (Stage.TALKING, Stage.VISITING) or (self.is_calling and stage is Stage.PROVED)
        self.decoder.limit = frames.MOST_BYTES if is_known else STRANGER_BYTES


def harvester_side() -> Conversation:
    """The side of a harvester, or of a visitor."""
    return Conversation(FromQueuekeeper, is_calling=True)


def queuekeeper_side() -> Conversation:
    return Conversation(FromHarvester, is_calling=False)


def check_hello(hello: Hello) -> str:
    """Why a caller with this hello cannot be received; '' when it can."""
    if hello.version != VERSION:
        return (
            f"{hello.role[:20]} speaks version {hello.version} of the conversation, the queuekeeper {VERSION}"
        )
    trouble = "" if hello.role == VISITOR else name_trouble(hello.name)
    return f"a harvester cannot be called {hello.name[:CHARACTERS_SHOWN]!a}: {trouble}" if trouble else ""


def make_proof(secret: bytes, speaker: str, hello: Hello, challenge: Challenge) -> str:
    """The proof that the speaker knows the secret; '' without a secret, which any caller would know."""
    if not secret:
        return ""
    said = "\n".join((speaker, hello.name, hello.nonce, challenge.nonce))
    return hmac.new(secret, said.encode(), "sha256").hexdigest()


def is_proved(digest: str, secret: bytes, speaker: str, hello: Hello, challenge: Challenge) -> bool:
    """Does this digest prove that the speaker knows the secret? Never, if we have none to compare with."""
    expected = make_proof(secret, speaker, hello, challenge)
    return bool(secret) and hmac.compare_digest(digest.encode(), expected.encode())
