"""The budget: how many bytes of other people's pages we hold at once, over all downloads together.

Invariant: what is held never exceeds the limit, and one download, the *eldest*, can always go on to its
end as soon as what has arrived before is read. So nobody waits for ever: five hundred downloads that had
each got half of their page and waited for the other half would.

A number of downloads, or a limit for each, would not do: five hundred pages of 50 KB are nothing, five
hundred of 10 MB are more than the machine has, and their sizes are known only when they have come.
"""


class Budget:
    def __init__(self, limit_bytes: int, most_page_bytes: int, most_own_bytes: int = 0) -> None:
        """So many bytes in all; no page takes more than `most_page_bytes`, no unpacker more than the others.

        Longer windows count as a quarter of all, so that there is room for the longest page beside them.
        """
        self.limit_bytes = max(limit_bytes, 2 * most_page_bytes)
        self.most_own_bytes = min(most_own_bytes, self.limit_bytes // 4)
        self.most_bytes = most_page_bytes + self.most_own_bytes
        self.used_bytes = 0
        self.own: dict[int, int] = {}  # download -> bytes of those, that its unpacker takes; emptied likewise
        self.coming: dict[int, int] = {}  # download -> bytes, the eldest first; emptied by `arrived`
        self.there: dict[int, int] = {}  # arrived, not yet read; emptied by `give_back`

    def take(self, download: int, size_bytes: int) -> bool:
        """May this download keep so many bytes more? If not, it asks again when some were given back."""
        taken = self.coming.setdefault(download, 0)
        eldest = next(iter(self.coming))
        reserve = 0 if download == eldest else self.most_bytes - self.coming[eldest]
        if self.used_bytes + size_bytes + reserve > self.limit_bytes:
            return False
        self.coming[download] = taken + size_bytes
        self.used_bytes += size_bytes
        return True

    def take_own(self, download: int, size_bytes: int) -> bool:
        """May its unpacker take so many bytes, instead of those it takes now? Fewer it always may."""
        size_bytes = min(size_bytes, self.most_own_bytes)
        more = size_bytes - self.own.get(download, 0)
        if more > 0 and not self.take(download, more):
            return False
        if more < 0:
            self.coming[download] += more
            self.used_bytes += more
        self.own[download] = size_bytes
        return True

    def arrived(self, download: int) -> None:
        """It takes no more, and its unpacker is gone; what it has is held until it is given back."""
        self.used_bytes -= self.own.get(download, 0)
        self.there[download] = self.coming.pop(download, 0) - self.own.pop(download, 0)

    def give_back(self, download: int) -> None:
        """Its bytes have been read, or were in vain."""
        self.used_bytes -= self.coming.pop(download, 0) + self.there.pop(download, 0)
        self.own.pop(download, None)

    def __len__(self) -> int:
        """How many downloads hold something."""
        return len(self.coming) + len(self.there)
