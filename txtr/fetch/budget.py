"""The budget: how many bytes of other people's pages we hold at once, over all downloads together.

Invariants:

- What is held never exceeds the limit, and one download, the *eldest*, can always go on to its end as soon as
  what has arrived before is read. So nobody waits for ever: five hundred downloads that had each got half of
  their page and waited for the other half would.
- A quarter of it is the *side room*, of which a download that holds more than a sixteenth of what is free
  there gets nothing. So a small page always finds room, however many large ones wait.
- Nobody waits long for a download that brings nothing: while others wait, it is broken off (`stalled`).

A number of downloads, or a limit for each, would not do: five hundred pages of 50 KB are nothing, five
hundred of 10 MB are more than the machine has, and their sizes are known only when they have come.
"""

from dataclasses import dataclass

SIDE_ROOM = 4  # the limit by this
ITS_SHARES = 16  # what is free of it by this; with 500 downloads there, each has had 25 KB of 12 MB
SMALL_BYTES = 16 * 1024  # a download that can have so much can be begun
PERIOD = 5.0  # seconds in which a download must bring something while others wait
SLOWEST = 60.0  # seconds in which all that a download holds would have come, as fast as the last of it came
WORTH_BYTES = 64 * 1024  # of a download: to break off who holds less would help nobody


@dataclass(slots=True)
class Share:
    """What one download holds."""

    main_bytes: int = 0
    side_bytes: int = 0  # in the side room
    own_bytes: int = 0  # of all those, that its unpacker takes
    brought_bytes: int = 0  # of the page, so far
    marked_bytes: int = 0  # of those, when a period began
    marked: float | None = None  # when it began; None: not yet, or it waits for us

    @property
    def held_bytes(self) -> int:
        return self.main_bytes + self.side_bytes


class Budget:
    def __init__(self, limit_bytes: int, most_page_bytes: int, most_own_bytes: int = 0) -> None:
        """So many bytes in all; no page takes more than `most_page_bytes`, no unpacker more than the others.

        Longer windows count as a quarter of all, so that there is room for the longest page beside them.
        """
        self.limit_bytes = max(limit_bytes, 2 * most_page_bytes)
        self.most_own_bytes = min(most_own_bytes, self.limit_bytes // 4)
        self.most_bytes = most_page_bytes + self.most_own_bytes
        self.side_limit_bytes = self.limit_bytes // SIDE_ROOM
        self.main_limit_bytes = self.limit_bytes - self.side_limit_bytes
        self.main_bytes = self.side_bytes = 0  # used of either
        self.coming: dict[int, Share] = {}  # download -> what it has, the eldest first; emptied by `arrived`
        self.there: dict[int, Share] = {}  # arrived, not yet read; emptied by `give_back`

    @property
    def used_bytes(self) -> int:
        return self.main_bytes + self.side_bytes

    @property
    def is_short(self) -> bool:
        """Would even a download that is begun now have to wait?"""
        return self._for_each() < SMALL_BYTES and not self._has_room(None, SMALL_BYTES)

    def take(self, download: int, size_bytes: int) -> bool:
        """May this download keep so many bytes more of its page? If not, it asks again."""
        if not self._take(download, size_bytes):
            return False
        self.coming[download].brought_bytes += size_bytes
        return True

    def take_own(self, download: int, size_bytes: int) -> bool:
        """May its unpacker take so many bytes, instead of those it takes now? Fewer it always may."""
        size_bytes = min(size_bytes, self.most_own_bytes)
        share = self.coming.get(download) or Share()
        more = size_bytes - share.own_bytes
        if more > 0 and not self._take(download, more):
            return False
        if more < 0:
            self._lessen(share, -more)
        if more:
            self.coming[download].own_bytes = size_bytes
        return True

    def arrived(self, download: int) -> None:
        """It takes no more, and its unpacker is gone; what it has is held until it is given back."""
        share = self.coming.pop(download, None) or Share()
        self._lessen(share, share.own_bytes)
        self.there[download] = share

    def give_back(self, download: int) -> None:
        """Its bytes have been read, or were in vain."""
        for shares in (self.coming, self.there):
            if share := shares.pop(download, None):
                self._lessen(share, share.held_bytes)

    def waits(self, download: int) -> None:
        """It waits for us: what it brings meanwhile is nothing, and that is not its fault."""
        if share := self.coming.get(download):
            share.marked = None

    def stalled(self, now: float) -> list[int]:
        """Those to be broken off, because others wait; asked every second or so, as long as they do.

        A download holds too long what it holds if that would have taken more than a minute at the rate of
        the last seconds; one that brings nothing always does. Those who hold most go first, and no more of
        them at once than set a quarter of all free.
        """
        idle = [number for number, share in self.coming.items() if self._is_idle(share, now)]
        idle.sort(key=self._weight, reverse=True)
        chosen, free_bytes = [], 0
        for number in idle:
            if free_bytes >= self.side_limit_bytes or self._weight(number) < WORTH_BYTES:
                break
            chosen.append(number)
            free_bytes += self._weight(number)
        return chosen

    def _take(self, download: int, size_bytes: int) -> bool:
        share = self.coming.setdefault(download, Share())
        if self._has_room(download, size_bytes + share.side_bytes):
            self.main_bytes += size_bytes + share.side_bytes
            self.side_bytes -= share.side_bytes
            share.main_bytes, share.side_bytes = share.held_bytes + size_bytes, 0
            return True
        if share.held_bytes + size_bytes > self._for_each():
            return False
        share.side_bytes += size_bytes
        self.side_bytes += size_bytes
        return True

    def _has_room(self, download: int | None, size_bytes: int) -> bool:
        """Is there so much beside what the eldest may still need?"""
        eldest = next(iter(self.coming), download)
        reserve = 0 if download == eldest or eldest is None else self._reserve(eldest)
        return self.main_bytes + size_bytes + reserve <= self.main_limit_bytes

    def _reserve(self, eldest: int) -> int:
        return max(0, self.most_bytes - self.coming[eldest].main_bytes)

    def _for_each(self) -> int:
        """How much a download may hold and still get something of the side room."""
        return (self.side_limit_bytes - self.side_bytes) // ITS_SHARES

    def _lessen(self, share: Share, size_bytes: int) -> None:
        side_bytes = min(share.side_bytes, size_bytes)
        share.side_bytes -= side_bytes
        self.side_bytes -= side_bytes
        share.main_bytes -= size_bytes - side_bytes
        self.main_bytes -= size_bytes - side_bytes

    def _is_idle(self, share: Share, now: float) -> bool:
        """Has a period ended in which it brought too little? If one has ended, the next begins."""
        if share.marked is not None and now - share.marked < PERIOD:
            return False
        brought = share.brought_bytes - share.marked_bytes
        is_idle = share.marked is not None and now - share.marked < 2 * PERIOD  # else nobody has looked
        share.marked, share.marked_bytes = now, share.brought_bytes
        return is_idle and brought < share.held_bytes * PERIOD / SLOWEST

    def _weight(self, download: int) -> int:
        """How many bytes others could have if it was broken off."""
        share = self.coming[download]
        is_eldest = download == next(iter(self.coming))
        return share.held_bytes + (self._reserve(download) if is_eldest else 0)

    def __len__(self) -> int:
        """How many downloads hold something."""
        return len(self.coming) + len(self.there)
