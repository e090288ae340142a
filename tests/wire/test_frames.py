"""Frames: messages as bytes, and nothing is believed."""

import contextlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from txtr.errors import TheirMistake
from txtr.model import Batch, Document, Failure, Report, Request, Trouble, Unvisited, Visit
from txtr.wire.frames import HEADER, MOST_BYTES, Decoder, encode
from txtr.wire.messages import (
    Ask,
    Claim,
    Deal,
    FromHarvester,
    FromQueuekeeper,
    Hello,
    Leaving,
    Message,
    Ping,
    Reported,
)

SAID: list[Message] = [
    Hello(1, "h1", "nonce", {3: 20, 4: 1}),
    Ask(7, 12, 0.25),
    Ping(1.5, {"documents": 3.0}),
    Reported(
        Report(
            9,
            documents=[
                Document("a.cz", "/x", "kept", 0.5, 200, 10, 0.1, title="Žluť", links=["http://a.cz/"])
            ],
            failures=[Failure("a.cz", "/y", Trouble.BUSY, retry_after=5.0)],
            unvisited=[Unvisited("a.cz", ["/z"])],
        )
    ),
    Claim(1, "http://a.cz/", "digest"),
    Leaving(),
]
STREAM = b"".join(map(encode, SAID))


@settings(max_examples=50)
@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_any_split_of_the_stream_gives_the_same_messages(cuts: list[int]) -> None:
    """The wire: TCP delivers bytes, not messages."""
    decoder, heard = Decoder(FromHarvester), []
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(STREAM)], strict=True):
        heard += decoder.feed(STREAM[start:end])
    assert heard == SAID
    assert not decoder.buffer


def test_a_stream_of_single_bytes_is_understood() -> None:
    """The slowest line there is."""
    decoder = Decoder(FromHarvester)
    assert [message for byte in STREAM for message in decoder.feed(bytes([byte]))] == SAID


def test_a_batch_comes_as_it_was_dealt() -> None:
    """Spec 7: a row is a list of domains and paths; order matters."""
    batch = Batch(3, [[Visit("a.cz", "2001:db8::1", 2.5, [Request("/"), Request("s:8443/?q=%C5%BE")])], []])
    assert list(Decoder(FromQueuekeeper).feed(encode(Deal(batch)))) == [Deal(batch)]


def test_half_a_message_is_waited_for() -> None:
    """No mistake, just not all of it yet."""
    decoder = Decoder(FromHarvester)
    assert list(decoder.feed(encode(Leaving())[:-1])) == []
    assert list(decoder.feed(encode(Leaving())[-1:])) == [Leaving()]


@pytest.mark.parametrize("length", [MOST_BYTES + 1, 2**32 - 1])
def test_a_frame_that_is_too_long_is_refused_before_it_comes(length: int) -> None:
    """The wire: frames with a size limit; the message says what came and what is the most."""
    with pytest.raises(TheirMistake, match=f"{length} bytes, the most is {MOST_BYTES}"):
        list(Decoder(FromHarvester).feed(length.to_bytes(HEADER, "big")))


def test_somebody_who_speaks_http_is_refused_at_once() -> None:
    """The issue: a stranger or garbage on the port harms nobody."""
    with pytest.raises(TheirMistake):
        list(Decoder(FromHarvester).feed(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))


def frame(body: bytes) -> bytes:
    return len(body).to_bytes(HEADER, "big") + body


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\xc0",
        b"garbage",
        msgspec.msgpack.encode({"type": "Nobody"}),
        msgspec.msgpack.encode({"type": "Hello"}),
        msgspec.msgpack.encode({"type": "Hello", "version": "one", "name": "x", "nonce": "y"}),
        msgspec.msgpack.encode({"type": "Ask", "seen": float("nan"), "rows": 1, "seconds_per_request": 1.0}),
        msgspec.msgpack.encode({"type": "Hello", "version": 2**63, "name": b"\xff", "nonce": ""}),
        msgspec.msgpack.encode(Leaving()) + b"\x00",
        encode(Deal(Batch(1, [])))[HEADER:],  # a message, but not one that harvesters say
        b"\x81\xa4type\xa5Hello",
        b"\xdd\xff\xff\xff\xff",  # a list of four billion
        b"\x91" * 5000,  # lists in lists
        b"\x81\xa4type" * 5000,
    ],
)
def test_a_frame_that_is_no_message_is_their_mistake(body: bytes) -> None:
    """The wire: a schema'd codec; that connection ends, the robot goes on."""
    with pytest.raises(TheirMistake):
        list(Decoder(FromHarvester).feed(frame(body)))


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_no_bytes_at_all_do_anything_worse_than_a_mistake(body: bytes) -> None:
    """Whatever comes is a message or TheirMistake."""
    with contextlib.suppress(TheirMistake):
        assert all(isinstance(message, Message) for message in Decoder(FromHarvester).feed(frame(body)))


@settings(max_examples=100)
@given(st.integers(HEADER, len(STREAM) - 1), st.integers(0, 255))
def test_a_damaged_byte_does_nothing_worse_than_a_mistake(place: int, byte: int) -> None:
    """The same, close to what is really said."""
    damaged = bytearray(STREAM)
    damaged[place] = byte
    with contextlib.suppress(TheirMistake):
        assert all(isinstance(message, Message) for message in Decoder(FromHarvester).feed(bytes(damaged)))


@pytest.mark.parametrize(
    "changed", [{"fate": "eaten"}, {"size_bytes": 2**63}, {"text_bytes": -1}, {"refused": 2**64 - 1}]
)
def test_a_document_that_no_table_could_hold_is_their_mistake(changed: dict[str, object]) -> None:
    """It would have stopped the queuekeeper, and all harvesters with it."""
    document = {
        "domain": "a.cz",
        "path": "/",
        "fate": "kept",
        "usability": 1.0,
        "status": 200,
        "size_bytes": 9,
    }
    report = {"batch": 1, "documents": [document | {"took": 0.1} | changed]}
    body = msgspec.msgpack.encode({"type": "Reported", "report": report})
    with pytest.raises(TheirMistake, match=r"documents\[0\]"):
        list(Decoder(FromHarvester).feed(frame(body)))
