"""Plans: series that may begin soon, as they would be if they began now.

A plan is made when nobody waits for an answer: what is on disk is read then, and checked. It promises nothing
and changes nothing. Whatever may change what it says has it dropped (`FrontierState.line_up` is told of
everything that happens to an address or its domains), and then the series begins as if there had been none.

Only what is plain is planned: nothing to be resolved, no robots.txt to be fetched, nothing forbidden. An
address is looked at once while it waits: where much happens, plans would be made and dropped all the time.
"""

from collections.abc import Iterable
from itertools import islice

import msgspec

from txtr.frontier.domains import Domain
from txtr.frontier.records import Token
from txtr.frontier.series import Series
from txtr.model import Visit

MOST_AHEAD = (
    4000  # addresses that are looked at before they are dealt: more than a batch of a thousand rows takes
)
MOST_PLANS = 2 * MOST_AHEAD  # that are remembered, each with 11 kB


Pressing = tuple[str, float]  # domain that the address would wait for, if the horizon is nearer than so


class PlannedVisit(msgspec.Struct):
    domain: Domain
    left: int  # of its quota, before that
    prospects: list[Token]  # what is to be leased, as the engine knows it
    pages: set[str]
    visit: Visit
    until: float  # as long as its address is believed and its rules are fresh
    lasts: float  # seconds until the domain can be done, at the least


class Plan(msgspec.Struct):
    series: Series  # in which nobody takes part yet
    pressing: Pressing | None
    urgent: str | None  # who is urgent, if the horizon is where it was
    visits: list[PlannedVisit]


class Plans:
    def __init__(self) -> None:
        self.plans: dict[str, Plan | None] = {}  # address -> its plan, if there is one; emptied by `take`

    def unseen(self, soon: Iterable[str], most: int) -> list[str]:
        """The first of those who come soon that nobody has looked at."""
        if len(self.plans) > MOST_PLANS:  # many were looked at, and then had nothing to do
            self.plans.clear()
        return list(islice((address for address in soon if address not in self.plans), most))

    def put(self, address: str, plan: Plan | None) -> None:
        self.plans[address] = plan

    def drop(self, address: str) -> None:
        """Something has happened there."""
        if address in self.plans:
            self.plans[address] = None

    def take(self, address: str) -> Plan | None:
        """Its series begins."""
        return self.plans.pop(address, None)
