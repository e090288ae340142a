"""What is stored of a link: the record of a request to be fetched, or the entry of a settled link.

Invariant: a link that was let in is in exactly one of three states. It is *queued* under its domain and door,
by rank and in the order of arrival; *leased* while a harvester has it in a batch; or *settled* for good. A
settled link was downloaded or ended otherwise (redirect, failure, refusal), and is never tried again.
"""

from collections.abc import Collection
from functools import lru_cache
from math import ceil
from typing import NamedTuple

import msgspec

Token = object  # by which an engine leases what it saw; no other module looks into it


class Record(msgspec.Struct, frozen=True, array_like=True):
    """A request to be fetched. The links of one page to one domain share a record.

    Not a dataclass, because thousands are made and read at once."""

    depth: int  # clicks from a start page: an upper estimate
    usability: float  # of the document the link was found in
    tries: int = 0
    hops: int = 0  # redirects that led here
    promise: float = 1.0  # see promise.py
    source: str = ""  # URL of the page it was found on; '' for a start address
    since: int = 0  # wall time, whole seconds


class Found(NamedTuple):
    """Links behind one door of a domain that were found together, and share a record."""

    domain: str
    paths: Collection[str]
    record: Record


class Entry(msgspec.Struct, frozen=True):
    """A link that is settled, with all that later updates of the corpus need."""

    fate: str  # a document's fate (model.Document), or: redirect, failed, disallowed
    depth: int
    usability: float = 0.0
    fetched: float = 0.0  # wall time
    modified: float | None = None
    valid_until: float | None = None
    title: str = ""
    source: str = ""
    # Why there is no document: the trouble, rule or target of a redirect; or the owner of a duplicate's text.
    reason: str = ""


# In the order of their codes on disk: added to, never moved.
FATES = (
    "queued",  # not a fate: a link that is not settled
    "kept",
    "rejected",
    "aside",
    "noindex",
    "duplicate",
    "empty",
    "redirect",
    "failed",
    "disallowed",
    "skipped",  # let in, and not fetched after all: too deep, or a trap
)


@lru_cache(4096)  # judgements have few digits, and without a judge all are 1
def round_to_hundredths(usability: float) -> float:
    """A usability as it is stored, in hundredths. It is rounded up, so that only useless is 0."""
    return ceil(round(usability * 100, 6)) / 100


class Prospect(msgspec.Struct, frozen=True):
    """Requests behind one door that may be leased soon, as an engine saw them."""

    paths: list[str]
    deepest: int  # clicks from a start page
    token: Token
