"""The line: whom a harvester obeys."""

import asyncio
import hmac
from collections.abc import Callable

import pytest

from txtr.harvester import line as lines
from txtr.harvester.line import Line, Refused, Unreachable
from txtr.wire.conversation import make_proof, queuekeeper_side
from txtr.wire.messages import Challenge, Hello, Message, Proof, Welcome

CHALLENGE = Challenge("a nonce")


def by_empty_key(hello: Hello) -> str:
    said = "\n".join(("queuekeeper", hello.name, hello.nonce, CHALLENGE.nonce))
    return hmac.new(b"", said.encode(), "sha256").hexdigest()


def nothing(hello: Hello) -> str:
    return ""


def by_secret(hello: Hello) -> str:
    return make_proof(b"dub", "queuekeeper", hello, CHALLENGE)


class Impostor:
    """Sits at the port, takes every proof, and welcomes everybody."""

    def __init__(self, digest: Callable[[Hello], str]) -> None:
        self.digest = digest
        self.proofs: list[str] = []

    async def receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk, hello = queuekeeper_side(), Hello(0, "", "")
        while data := await reader.read(1 << 16):
            for message in talk.receive(data):
                if isinstance(message, Hello):
                    hello = message
                    writer.write(talk.send(CHALLENGE))
                elif isinstance(message, Proof):
                    self.proofs.append(message.digest)
                    writer.write(talk.send(Welcome(self.digest(hello), [])))
        writer.close()


async def _hold(impostor: Impostor, secrets: list[bytes], heard: list[Message]) -> Line:
    """A line to whoever sits at the port, which asks for these secrets one after the other."""
    server = await asyncio.start_server(impostor.receive, "127.0.0.1", 0)
    left = list(secrets)
    line = Line(
        "127.0.0.1",
        server.sockets[0].getsockname()[1],
        "h1",
        lambda: left.pop(0) if len(left) > 1 else left[0],
    )

    def hear(message: Message) -> None:
        heard.append(message)
        if line.writer:
            line.writer.close()

    async with server:
        await asyncio.wait_for(line.hold(dict, hear, lambda: False), 10)
    return line


@pytest.mark.parametrize("digest", [by_empty_key, nothing])
def test_a_harvester_that_knows_no_secret_obeys_nobody(digest: Callable[[Hello], str]) -> None:
    """Found by attack: without state/secret it took the empty one, and any user for its queuekeeper."""
    heard: list[Message] = []
    impostor = Impostor(digest)
    with pytest.raises(Refused, match="no secret is known here; give the --state of the crawl"):
        asyncio.run(_hold(impostor, [b""], heard))
    assert (heard, impostor.proofs) == ([], [""])


def test_a_harvester_whose_secret_was_removed_waits_for_its_queuekeeper_and_obeys_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`rm -rf state` while it works."""
    monkeypatch.setattr(lines, "RETRY", 0.01)
    monkeypatch.setattr(lines, "RECONNECT_PATIENCE", 0.2)
    heard: list[Message] = []
    impostor = Impostor(by_secret)
    with pytest.raises(Unreachable, match=r"no queuekeeper at .* no secret is known here"):
        asyncio.run(_hold(impostor, [b"dub", b""], heard))
    assert len(heard) == 1, "but for the welcome of the queuekeeper that it knew"
    assert len(impostor.proofs) > 2 and set(impostor.proofs[1:]) == {""}
