"""Edge: a visitor at the queuekeeper's port. Gives orders, and hears what came of them."""

import secrets
import socket
from collections.abc import Iterable, Iterator
from typing import Any

from txtr.errors import TheirMistake, UserMistake
from txtr.wire.caller import Caller
from txtr.wire.conversation import harvester_side
from txtr.wire.messages import (
    VISITOR,
    Challenge,
    Message,
    Order,
    Outcome,
    Received,
    Refusal,
)

CONNECT = 10.0  # seconds
GREETING = 20.0  # seconds, for a queuekeeper whose disk is slow
ORDER_PATIENCE = 120.0  # seconds for one portion of an order: the queuekeeper's disk may be slow


class Visitor:
    def __init__(self, host: str, port: int, secret: bytes) -> None:
        self.place = f"{host}:{port}"
        self.talk = harvester_side()
        self.heard: list[Any] = []
        try:
            self.line = socket.create_connection((host, port), CONNECT)
            self.line.settimeout(GREETING)
            self._greet(secret)
            self.line.settimeout(ORDER_PATIENCE)
        except TimeoutError as error:
            raise UserMistake(
                f"the queuekeeper at {self.place} does not answer: is it stopped, or its disk full or slow?"
            ) from error
        except OSError as error:
            reason = error.strerror or error
            raise UserMistake(
                f"somebody is at work on this state, but no queuekeeper at {self.place} ({reason}); "
                "which --port has it?"
            ) from error

    def order(self, verb: str, names: Iterable[str]) -> Iterator[list[tuple[str, str, int]]]:
        """Have it done; what came of it, part by part."""
        try:
            self._say(Order(verb, list(names)))
            while True:
                outcome = self._next(Outcome)
                yield [(whom, what, requests) for whom, what, requests in outcome.done]
                if outcome.is_last:
                    return
        except OSError as error:
            reason = error.strerror or error
            raise UserMistake(
                f"the queuekeeper at {self.place} went away before it was done ({reason})"
            ) from error

    def close(self) -> None:
        self.line.close()

    def _greet(self, secret: bytes) -> None:
        caller = Caller(VISITOR, secrets.token_hex(16), role=VISITOR)
        self.talk = caller.talk
        self.line.sendall(caller.greet())
        self.line.sendall(caller.prove(self._next(Challenge), secret))
        if not caller.has_proved(self._next(Received)):
            raise TheirMistake(f"who answers at {self.place} does not know the secret")

    def _say(self, message: Message) -> None:
        self.line.sendall(self.talk.send(message))

    def _next(self, kind: type[Any]) -> Any:
        """The next message, which is of this kind or a refusal."""
        while not self.heard:
            data = self.line.recv(1 << 16)
            if not data:
                raise ConnectionResetError("it hung up")
            self.heard += self.talk.receive(data)
        message = self.heard.pop(0)
        if isinstance(message, Refusal):
            raise UserMistake(f"the queuekeeper at {self.place} refuses us: {message.reason}")
        if not isinstance(message, kind):
            raise TheirMistake(f"{type(message).__name__} from {self.place}, expected {kind.__name__}")
        return message
