"""Duplicates: a text is kept once.

Before a harvester writes a text, it claims the text by its digest. The first claim wins. A claim belongs to a
URL. So a page that has to be fetched again, because its harvester died before it could write, finds its own
claim and is kept. If the harvester died between writing and reporting, the text is in the corpus already: the
program that finds it there calls `found`, and the text is not kept again.

Only the text decides. A canonical link is what one page says of another; if it counted, a page could keep
another page out of the corpus, or replace it. Copies of a document have its text anyway.
"""

from typing import Protocol


class Owners(Protocol):
    """Which URL a text belongs to, by its digest; a dict, or something on disk."""

    def get(self, key: str, default: str, /) -> str: ...

    def __setitem__(self, key: str, url: str, /) -> None: ...


class Claims:
    def __init__(self, texts: Owners | None = None) -> None:
        self.texts: Owners = {} if texts is None else texts  # digest -> URL to which the text belongs
        self.kept: set[str] = set()  # digests of texts that were written but not reported

    def found(self, url: str, digest: str) -> None:
        """Take in that this text stands in the corpus, though no harvester reported it."""
        if self.texts.get(digest, url) == url:
            self.texts[digest] = url
        self.kept.add(digest)

    def claim(self, url: str, digest: str) -> str | None:
        """The URL whose text is kept already; None when the claimant may keep it."""
        first = self.texts.get(digest, url)
        if first == url:
            self.texts[digest] = url
        return None if first == url and digest not in self.kept else first
