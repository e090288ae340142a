"""What the two programs say to each other.

The harvester speaks first:  Hello → Challenge → Proof → Welcome, or Refusal. Then both talk
freely: the harvester asks for rows, reports, resolves names and claims texts; the queuekeeper
deals batches, tops them up and gives verdicts. conversation.py says who may say what when.

A *visitor* is no harvester: somebody who looks after the queue. After the same greeting he is received, gives
orders, and is told what came of them.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from txtr.model import Batch, Report, Resolution, Visit

VERSION = 3  # of this vocabulary: both programs must have the same


HARVESTER, VISITOR = ROLES = ("harvester", "visitor")  # who may call


MOST_COUNTS = 100  # names of counts in a ping
WAITING_FOR_MEMORY = "waiting-for-memory"  # a count: downloads that wait because too much is held
UNJUDGED = "waiting-for-segmenter"  # a count: documents that wait because the segmenter is away or slow


class Message(msgspec.Struct, frozen=True, tag=True):
    """Anything said on the wire."""


class Hello(Message, frozen=True):
    version: int
    name: str
    nonce: str
    held: dict[int, int] = {}  # batches it still works on, when it comes back -> requests it has got of them

    role: str = HARVESTER


class Challenge(Message, frozen=True):
    nonce: str


class Proof(Message, frozen=True):
    digest: str  # that the harvester knows the secret


class Welcome(Message, frozen=True):
    digest: str  # that the queuekeeper knows it too
    batches: list[int] = []  # of those held, the ones to go on with; the others are no longer the harvester's
    include: str = ""  # expressions: links to servers that are not included, or are excluded, are refused
    exclude: str = "^$"


class Refusal(Message, frozen=True):
    reason: str


class Ask(Message, frozen=True):
    """Give me rows, now or as soon as there are any."""

    seen: int  # the last batch that has arrived: an older question has been answered already
    rows: int  # rows the harvester is busy with
    seconds_per_request: float  # of its processor, on average; 0 = not measured yet
    batches: int = 0  # at most so many, however much room there is; 0 = any number
    seconds_per_answer: float = 0.0  # of the servers until the first byte, on average
    seconds_per_body: float = 0.0  # of the servers from there to the last, on average


class Deal(Message, frozen=True):
    batch: Batch


class More(Message, frozen=True):
    """A running batch is topped up."""

    batch: int
    visits: list[Visit]


class NewDomains(Message, frozen=True):
    """The other kind of batch."""

    batch: int
    domains: list[str]


class Resolved(Message, frozen=True):
    """Some or all of the names of a batch."""

    batch: int
    resolutions: list[Resolution]
    is_all: bool = True  # nothing more will be said of this batch


class Reported(Message, frozen=True):
    report: Report


class Claim(Message, frozen=True):
    """May I keep this text? Asked before it is written, so that no text is kept twice."""

    serial: int
    url: str
    digest: str


class Verdict(Message, frozen=True):
    serial: int
    is_ours: bool
    first: str = ""  # else: the URL whose text it is


# What harvesters count: a few names, that go into the summary.
CountName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z-]{1,40}\Z")]


class Ping(Message, frozen=True):
    """I am alive. The answer extends the harvester's lease from the moment `stamp` was sent.

    Counts only grow, but for UNJUDGED and WAITING_FOR_MEMORY, which are numbers of this moment.
    """

    stamp: float
    counts: Annotated[dict[CountName, float], msgspec.Meta(max_length=MOST_COUNTS)] = {}


class Pong(Message, frozen=True):
    stamp: float


class Leaving(Message, frozen=True):
    """The harvester ends; everything it had has been reported."""


class Goodbye(Message, frozen=True):
    """The crawl is over, or is stopped: finish what is under way, report it, and leave."""


class Spare(Message, frozen=True):
    """To a harvester: leave this domain alone from now on; hand back what you were to ask it."""

    domain: str


class Forget(Message, frozen=True):
    """To a harvester: links that were told may be news again (rules have changed, or the user's mind)."""


class Received(Message, frozen=True):
    """To a visitor: welcome."""

    digest: str  # that the queuekeeper knows the secret


class Order(Message, frozen=True):
    """Of a visitor: do this with these links or domains."""

    verb: str
    names: list[str]


class Outcome(Message, frozen=True):
    """What came of an order, or of a part of it; it is on the queuekeeper's disk."""

    done: Sequence[tuple[str, str, int]]  # whom, what, how many requests
    is_last: bool


FromHarvester = (
    Hello | Proof | Ask | Resolved | Reported | Claim | Ping | Leaving | Order
)  # or from a visitor
FromQueuekeeper = (
    Challenge
    | Welcome
    | Refusal
    | Deal
    | More
    | NewDomains
    | Verdict
    | Pong
    | Goodbye
    | Spare
    | Forget
    | Received
    | Outcome
)
