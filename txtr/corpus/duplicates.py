"""Duplicates: a text is kept once.

Before a harvester writes a text it claims it: by the text's digest, and by the document's own
address (its canonical link, else its URL). The first claim wins. A claim is by URL, so a page
that has to be fetched again, because its harvester died before it could write, finds its own
claim and is kept. If the harvester died between writing and reporting, the text is in the corpus
already: whoever finds it there says so with `found`, and it is not kept again.
"""

from typing import Protocol


class Owners(Protocol):
    """Which URL something belongs to; a dict, or something on disk."""

    def get(self, key: str, default: str, /) -> str: ...

    def __setitem__(self, key: str, url: str, /) -> None: ...


class Claims:
    def __init__(self, texts: Owners | None = None, addresses: Owners | None = None) -> None:
        self.texts: Owners = {} if texts is None else texts  # digest -> URL that has it
        # Document's own address -> URL whose text stands for it.
        self.addresses: Owners = {} if addresses is None else addresses
        self.kept: set[str] = set()  # digests of texts that were written but not reported

    def found(self, url: str, digest: str) -> None:
        """This text stands in the corpus, though nobody reported it."""
        if self.texts.get(digest, url) == url:
            self.texts[digest] = url
        self.kept.add(digest)

    def claim(self, url: str, address: str, digest: str) -> str | None:
        """The URL whose text is kept already; None when the claimant may keep it."""
        first = self._first(url, address, digest)
        return None if first == url and digest not in self.kept else first

    def _first(self, url: str, address: str, digest: str) -> str:
        first = self.texts.get(digest, url)
        if first == url:
            first = self.addresses.get(address, url)
        if first == url:
            self.texts[digest] = url
            self.addresses[address] = url
        return first
