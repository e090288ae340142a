"""The caller's side of the handshake: of a harvester and of a visitor, over whatever connection they have.

    caller                    queuekeeper
    hello: name, nonce   ->
                         <-   challenge: nonce
    proof                ->
                         <-   welcome or received, with a proof

Invariant: a secret is never said, and a proof is worth nothing in any other conversation. Until has_proved()
is true, whoever answers may be anybody, and is not obeyed.
"""

from txtr.wire.conversation import harvester_side, is_proved, make_proof
from txtr.wire.messages import HARVESTER, VERSION, Challenge, Hello, Proof, Received, Welcome


class Caller:
    """One handshake. Takes messages and gives bytes; `talk` goes on when it is over."""

    def __init__(
        self, name: str, nonce: str, role: str = HARVESTER, held: dict[int, int] | None = None
    ) -> None:
        """The nonce has never been used before; `held` is what a harvester still works on."""
        self.talk = harvester_side()
        self.hello = Hello(VERSION, name, nonce, held or {}, role)
        self.challenge = Challenge("")
        self.secret = b""

    def greet(self) -> bytes:
        """Say who is calling."""
        return self.talk.send(self.hello)

    def prove(self, challenge: Challenge, secret: bytes) -> bytes:
        """Prove that the secret is known here."""
        self.challenge, self.secret = challenge, secret
        return self.talk.send(Proof(make_proof(secret, self.hello.role, self.hello, challenge)))

    def has_proved(self, answer: Welcome | Received) -> bool:
        """Does the queuekeeper know the secret, too? Never, if none is known here."""
        return is_proved(answer.digest, self.secret, "queuekeeper", self.hello, self.challenge)
