"""The budget: how many bytes of pages all downloads together may hold at once.

Invariants:

- Downloads never hold more than the limit. One download, the *eldest*, can always go on to its end as soon as
  the pages that arrived before are read. So no download waits for ever. Without an eldest, five hundred
  downloads that had each half of their page would wait for each other.
- A quarter of the limit is the *side room*. A download that holds more than a sixteenth of what is free there
  gets nothing of it. So a small page always finds room, however many large ones wait.
- A download that brings nothing is broken off while others wait (`stalled`), so none waits for it long.

Why not a limit of downloads, or a limit for each download: five hundred pages of 50 KB are nothing, and five
hundred pages of 10 MB are more than a machine has. The size of a page is known only when the page has come.
"""

from dataclasses import dataclass

SIDE_ROOM = 4  # the limit divided by this is the side room
ITS_SHARES = 16  # the free side room divided by this is for one download: of 500, each had 25 KB of 12 MB
SMALL_BYTES = 16 * 1024  # a download is begun if it could have so much
PERIOD = 5.0  # seconds in which a download must bring something while others wait
SLOWEST = 60.0  # seconds that all that a download holds may take, at the rate of its last period
WORTH_BYTES = 64 * 1024  # to break off a download that holds less than this would help no other


@dataclass(slots=True)
class Share:
    """What one download holds."""

    main_bytes: int = 0
    side_bytes: int = 0  # in the side room
    own_bytes: int = 0  # of main and side bytes together, those that its unpacker takes
    brought_bytes: int = 0  # of the page, so far
    marked_bytes: int = 0  # `brought_bytes` when its period began
    marked: float | None = None  # when its period began; None: not yet, or the download waits for a share

    @property
    def held_bytes(self) -> int:
        return self.main_bytes + self.side_bytes


class Budget:
    def __init__(self, limit_bytes: int, most_page_bytes: int, most_own_bytes: int = 0) -> None:
        """`limit_bytes` in all; a page takes `most_page_bytes` at most, an unpacker `most_own_bytes`.

        An unpacker that takes more than a quarter of the limit counts as a quarter, so that there is room for
        the longest page beside it.
        """
        self.limit_bytes = max(limit_bytes, 2 * most_page_bytes)
        self.most_own_bytes = min(most_own_bytes, self.limit_bytes // 4)
        self.most_bytes = most_page_bytes + self.most_own_bytes
        self.side_limit_bytes = self.limit_bytes // SIDE_ROOM
        self.main_limit_bytes = self.limit_bytes - self.side_limit_bytes
        self.main_bytes = self.side_bytes = 0  # used of the main room, and of the side room
        self.coming: dict[int, Share] = {}  # download -> its share, the eldest first; emptied by `arrived`
        self.there: dict[int, Share] = {}  # the same of pages not yet read; emptied by `give_back`

    @property
    def used_bytes(self) -> int:
        return self.main_bytes + self.side_bytes

    @property
    def is_short(self) -> bool:
        """Would even a small download that is begun now have to wait?"""
        return self._for_each() < SMALL_BYTES and not self._has_room(None, SMALL_BYTES)

    def take(self, download: int, size_bytes: int) -> bool:
        """May this download keep so many bytes more of its page? If not, it asks again later."""
        if not self._take(download, size_bytes):
            return False
        self.coming[download].brought_bytes += size_bytes
        return True

    def take_own(self, download: int, size_bytes: int) -> bool:
        """May the unpacker of this download take so many bytes, instead of what it takes now?

        An unpacker may always take fewer bytes than now.
        """
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
        """This download has ended, and its unpacker is gone. Its page is held until it is given back."""
        share = self.coming.pop(download, None) or Share()
        self._lessen(share, share.own_bytes)
        self.there[download] = share

    def give_back(self, download: int) -> None:
        """The page of this download has been read, or came to nothing."""
        for shares in (self.coming, self.there):
            if share := shares.pop(download, None):
                self._lessen(share, share.held_bytes)

    def waits(self, download: int) -> None:
        """This download waits for a share: it brings nothing meanwhile, and is not to blame."""
        if share := self.coming.get(download):
            share.marked = None

    def stalled(self, now: float) -> list[int]:
        """The downloads to be broken off because others wait. It is asked every second while others wait.

        A download is too slow if all that it holds would have taken more than a minute at the rate of its
        last period. A download that brings nothing always is. Those that hold most go first, and no more of
        them at once than are needed to free a quarter of the limit.
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
        """Is there so much room beside what the eldest download may still need?"""
        eldest = next(iter(self.coming), download)
        reserve = 0 if download == eldest or eldest is None else self._reserve(eldest)
        return self.main_bytes + size_bytes + reserve <= self.main_limit_bytes

    def _reserve(self, eldest: int) -> int:
        return max(0, self.most_bytes - self.coming[eldest].main_bytes)

    def _for_each(self) -> int:
        """How many bytes a download may hold and still get something of the side room."""
        return (self.side_limit_bytes - self.side_bytes) // ITS_SHARES

    def _lessen(self, share: Share, size_bytes: int) -> None:
        side_bytes = min(share.side_bytes, size_bytes)
        share.side_bytes -= side_bytes
        self.side_bytes -= side_bytes
        share.main_bytes -= size_bytes - side_bytes
        self.main_bytes -= size_bytes - side_bytes

    def _is_idle(self, share: Share, now: float) -> bool:
        """Has a period ended in which the download brought too little? If one has ended, the next begins."""
        if share.marked is not None and now - share.marked < PERIOD:
            return False
        brought = share.brought_bytes - share.marked_bytes
        is_idle = share.marked is not None and now - share.marked < 2 * PERIOD  # else no look fell into it
        share.marked, share.marked_bytes = now, share.brought_bytes
        return is_idle and brought < share.held_bytes * PERIOD / SLOWEST

    def _weight(self, download: int) -> int:
        """How many bytes others could have if this download was broken off."""
        share = self.coming[download]
        is_eldest = download == next(iter(self.coming))
        return share.held_bytes + (self._reserve(download) if is_eldest else 0)

    def __len__(self) -> int:
        """How many downloads hold something."""
        return len(self.coming) + len(self.there)
