"""Heads: how much the heads of all answers that are under way may take together.

A head may have 256 KiB (connections.py), and is kept as long as its answer is read. Five hundred servers that
sent 250 KB of a head and then nothing more took 340 MB of memory beside the budget.

Invariants:

- What is counted never exceeds the limit: when it would, the longest heads are broken off. The first 16 KiB
  of each head are not counted.
- A head of 32 KiB or less is never broken off. The limit has 16 KiB for each connection, so when it is
  exceeded, the longest head has more than that beside what is not counted.

The budget of bodies (budget.py) does not hold heads. A body that finds the budget used up waits, because a
page is worth it. A head comes in a moment, so none needs to wait: one that is long and takes long is rarely
the head of a page.
"""

FREE_BYTES = 16 * 1024  # of each head; most have less than one
BYTES_FOR_A_CONNECTION = 16 * 1024  # of the limit
FEWEST_BYTES = 512 * 1024  # of the limit: a head and trailers, as long as they may be


class Heads:
    """The long heads of the answers that are under way, each by the number of its download."""

    def __init__(self, connections: int) -> None:
        self.limit_bytes = max(FEWEST_BYTES, connections * BYTES_FOR_A_CONNECTION)
        self.held_bytes = 0
        self.held: dict[int, int] = {}  # download -> bytes that count; filled by `hold`, emptied by `forget`

    def hold(self, download: int, size_bytes: int) -> list[int]:
        """Note how long the head of this download is now. Returns the downloads to be broken off."""
        self.forget(download)
        if size_bytes > FREE_BYTES:
            self.held[download] = size_bytes - FREE_BYTES
            self.held_bytes += size_bytes - FREE_BYTES
        chosen = []
        while self.held_bytes > self.limit_bytes:
            longest = max(self.held, key=self.held.__getitem__)
            self.forget(longest)
            chosen.append(longest)
        return chosen

    def forget(self, download: int) -> None:
        """The answer has ended, and its head is kept no longer."""
        self.held_bytes -= self.held.pop(download, 0)
