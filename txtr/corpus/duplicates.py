"""Duplicates: a text is kept once.

Before a harvester writes a text it claims it: by the text's digest, and by the document's own
address (its canonical link, else its URL). The first claim wins. A claim is by URL, so a page
that has to be fetched again, because its harvester died before it could report, finds its own
claim and is kept.
"""


class Claims:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}  # digest -> URL that has it
        self.addresses: dict[str, str] = {}  # document's own address -> URL whose text stands for it

    def claim(self, url: str, address: str, digest: str) -> str:
        """The URL whose text this is: the claimant itself, or the one that was first."""
        first = self.texts.get(digest, url)
        if first == url:
            first = self.addresses.get(address, url)
        if first == url:
            self.texts[digest] = url
            self.addresses[address] = url
        return first
