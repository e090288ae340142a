"""Unended frames: the parts that have arrived of long questions from many harvesters.

A frame may have 64 MiB, and a few frames that never end would take all memory.

Invariant: all unended frames together have at most MOST_BYTES, and the bytes of one read. When there is more,
the line whose frame began first is cut. An honest question arrives in one go, so the eldest frame is most
likely one that never ends. The harvester of that line asks again on its next line.
"""

from typing import Generic, TypeVar

Line = TypeVar("Line")

MOST_BYTES = 128 * 1024 * 1024  # two of the longest frames
SHORT_BYTES = 64 * 1024  # not counted: every line may have that much


class Unended(Generic[Line]):
    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes: dict[Line, int] = {}  # of each line's unended frame, the eldest first
        self.all_bytes = 0

    def end(self, line: Line) -> None:
        """Take in that the frame of this line is whole, or that the line has ended."""
        self.all_bytes -= self.bytes.pop(line, 0)

    def hold(self, line: Line, size_bytes: int) -> list[Line]:
        """Take in how much of a line's frame has come; return the lines that have to go for it."""
        if size_bytes <= SHORT_BYTES:
            self.end(line)
            return []
        self.all_bytes += size_bytes - self.bytes.get(line, 0)
        self.bytes[line] = size_bytes
        leaving = []
        while self.all_bytes > self.most_bytes:
            eldest = next(iter(self.bytes))
            self.end(eldest)
            leaving.append(eldest)
        return leaving
