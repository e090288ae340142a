"""Frames: messages as bytes. A frame is four bytes of length, then the message in MessagePack.

No frame is trusted: a length over the limit ends the conversation before any memory is spent on the frame,
and so does a body that is no message of the expected kind.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Any

import msgspec

from txtr.errors import TheirMistake

HEADER = 4  # bytes of length
MOST_BYTES = 16 * 1024 * 1024  # of one frame: a report with a page of very many links


_encode = msgspec.msgpack.Encoder().encode
_length = Struct(">I").unpack_from


def encode(message: msgspec.Struct) -> bytes:
    body = _encode(message)
    return len(body).to_bytes(HEADER, "big") + body


class Decoder:
    """Cuts a stream of bytes into messages of one vocabulary."""

    def __init__(self, vocabulary: Any, limit: int = MOST_BYTES) -> None:
        self.decoder = msgspec.msgpack.Decoder(vocabulary)
        self.buffer = bytearray()
        self.limit = limit  # bytes of one frame; may be changed between two messages

    def feed(self, data: bytes) -> Iterator[Any]:
        self.buffer += data
        while len(self.buffer) >= HEADER:
            (length,) = _length(self.buffer)
            if length > self.limit:
                raise TheirMistake(f"frame of {length} bytes, the most is {self.limit}")
            if len(self.buffer) < HEADER + length:
                return
            body = self.buffer[HEADER : HEADER + length]
            del self.buffer[: HEADER + length]
            yield self._decode(body)

    def _decode(self, body: bytearray) -> Any:
        try:
            return self.decoder.decode(body)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise TheirMistake(f"frame of {len(body)} bytes is no message: {error}") from error
