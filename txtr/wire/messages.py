"""Messages: what the queuekeeper and its callers say to each other.

The harvester speaks first: Hello → Challenge → Proof → Welcome, or Refusal. After that both sides speak when
they like. The harvester asks for rows, reports, resolves names and claims texts; the queuekeeper deals
batches, tops them up and gives verdicts. conversation.py has the order of messages.

A *visitor* is a caller that gives orders instead of asking for work. After the same greeting it is received,
gives orders, and is told their results.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from txtr.model import Batch, Report, Resolution, Visit

VERSION = 3  # of this vocabulary: both programs must have the same


HARVESTER, VISITOR = ROLES = ("harvester", "visitor")  # of callers


MOST_COUNTS = 100  # names of counts in a ping
WAITING_FOR_MEMORY = "waiting-for-memory"  # a count: downloads that wait because memory is full
UNJUDGED = "waiting-for-segmenter"  # a count: documents that wait because the segmenter is away or slow


class Message(msgspec.Struct, frozen=True, tag=True):
    """The base of all messages."""


class Hello(Message, frozen=True):
    version: int
    name: str
    nonce: str
    held: dict[int, int] = {}  # after a break: batches it still works on -> requests it has got of each

    role: str = HARVESTER


class Challenge(Message, frozen=True):
    nonce: str


class Proof(Message, frozen=True):
    digest: str  # proves that the caller knows the secret


class Welcome(Message, frozen=True):
    digest: str  # proves that the queuekeeper knows the secret
    batches: list[int] = []  # of those held, the ones to go on with; the others are taken away
    include: str = ""  # expressions: links to servers that are not included, or are excluded, are refused
    exclude: str = "^$"


class Refusal(Message, frozen=True):
    reason: str


class Ask(Message, frozen=True):
    """The harvester wants rows, now or as soon as there are any."""

    seen: int  # the last batch that has arrived; an Ask with an older one is answered already
    rows: int  # rows the harvester is busy with
    seconds_per_request: float  # of its processor, on average; 0 = not measured yet
    batches: int = 0  # at most so many, however much room there is; 0 = any number
    seconds_per_answer: float = 0.0  # of the servers until the first byte, on average
    seconds_per_body: float = 0.0  # of the servers from there to the last, on average


class Deal(Message, frozen=True):
    batch: Batch


class More(Message, frozen=True):
    """Further visits of a running batch."""

    batch: int
    visits: list[Visit]


class NewDomains(Message, frozen=True):
    """The other kind of batch: names to be resolved."""

    batch: int
    domains: list[str]


class Resolved(Message, frozen=True):
    """The addresses of some or all names of a batch."""

    batch: int
    resolutions: list[Resolution]
    is_all: bool = True  # will nothing more be said of this batch?


class Reported(Message, frozen=True):
    report: Report


class Claim(Message, frozen=True):
    """The question whether a text may be kept, asked before it is written, so that none is kept twice."""

    serial: int
    url: str
    digest: str


class Verdict(Message, frozen=True):
    serial: int
    is_ours: bool
    first: str = ""  # if not ours: the URL to which the text belongs


# Names of what harvesters count, a few, for the summary.
CountName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z-]{1,40}\Z")]


class Ping(Message, frozen=True):
    """A sign of life. The answer extends the harvester's lease from the time `stamp`.

    Counts only grow, except UNJUDGED and WAITING_FOR_MEMORY, which are of this moment.
    """

    stamp: float
    counts: Annotated[dict[CountName, float], msgspec.Meta(max_length=MOST_COUNTS)] = {}


class Pong(Message, frozen=True):
    stamp: float


class Leaving(Message, frozen=True):
    """The harvester ends; it has reported everything."""


class Goodbye(Message, frozen=True):
    """The crawl is over, or is stopped: finish what is under way, report it, and leave."""


class Spare(Message, frozen=True):
    """To a harvester: leave this domain alone from now on, and hand its requests back."""

    domain: str


class Forget(Message, frozen=True):
    """To a harvester: links it has reported may be new again (robots.txt has changed, or an order came)."""


class Received(Message, frozen=True):
    """To a visitor: welcome."""

    digest: str  # that the queuekeeper knows the secret


class Order(Message, frozen=True):
    """From a visitor: do this with these links or domains."""

    verb: str
    names: list[str]


class Outcome(Message, frozen=True):
    """The result of an order, or of a part of it; it is on the queuekeeper's disk."""

    done: Sequence[tuple[str, str, int]]  # URL or domain, result, how many requests
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
