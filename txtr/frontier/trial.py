"""The trial of a domain: is it worth going on with?

Its yield is the text we kept of it, in bytes, beside the bytes we downloaded. After a fair trial a
domain whose yield is hopeless is abandoned. The bar rises with the number of documents: of a
domain that we have asked a thousand times more is expected than of one that we hardly know.
"""

from math import log10

import msgspec

from txtr.frontier.ranks import LEAST_DOUBTFUL
from txtr.model import Document, Figures

# The rule is SpiderLing's: 20 to 50 documents and 256 to 512 kB make a trial, and the bar is
# k (log10(documents) - 1), with k between .002 and .01. Both minima are the lower ones. The upper number of
# documents is enough whatever their size: what a server, and its turn in the queue, is burdened with is
# requests, and a site of small pages would be fetched whole before it brings 256 KiB.
FAIR_DOCUMENTS = 20
FAIR_BYTES = 256 * 1024
ENOUGH_DOCUMENTS = 50
K = 0.005
FEW_DOCUMENTS = 5  # are enough to say that a domain has been a disappointment so far
UNJUDGED = "aside"  # the fate of files whose text nobody has seen yet: they say nothing about a domain


class Trial(msgspec.Struct):
    """What a domain has brought so far, or since it was brought back."""

    documents: int = 0
    kept: int = 0
    usability: float = 0.0  # sum
    raw_bytes: int = 0
    kept_bytes: int = 0

    def add(self, document: Document, usability: float) -> None:
        if document.fate == UNJUDGED:
            return
        self.documents += 1
        self.usability += usability
        self.raw_bytes += max(0, document.size_bytes)
        if document.fate == "kept":
            self.kept += 1
            self.kept_bytes += max(0, document.text_bytes)

    def is_disappointing(self) -> bool:
        return self.documents >= FEW_DOCUMENTS and self.usability < LEAST_DOUBTFUL * self.documents

    def is_fair(self) -> bool:
        is_large = self.documents >= FAIR_DOCUMENTS and self.raw_bytes >= FAIR_BYTES
        return is_large or self.documents >= ENOUGH_DOCUMENTS

    def is_lost(self) -> bool:
        return self.is_fair() and self.kept_bytes < bar(self.documents) * self.raw_bytes

    def figures(self) -> Figures:
        return Figures(self.documents, self.kept, self.raw_bytes, self.kept_bytes)


def bar(documents: int) -> float:
    """The least yield of a domain with so many documents."""
    return K * (log10(documents) - 1)
