"""Plans: series that may begin soon, as they would be if they began now.

A plan is made while no harvester waits for an answer: its requests are read from disk then, and checked. It
promises nothing and changes nothing. It is dropped when anything happens to its address or domains, of which
`FrontierState.line_up` is told. Then the series begins as if there had been no plan.

Only a *plain* series is planned: no name to be resolved, no robots.txt to be fetched, no link forbidden. An
address is planned once while it waits: where much happens, plans would be made and dropped all the time.
"""

from collections.abc import Iterable
from itertools import islice

import msgspec

from txtr.frontier.domains import Domain
from txtr.frontier.records import Token
from txtr.frontier.series import Series
from txtr.model import Visit

MOST_AHEAD = 4000  # addresses that are planned before they are dealt: more than a batch of 1000 rows takes
MOST_PLANS = 2 * MOST_AHEAD  # that are remembered, 11 kB each


Pressing = tuple[str, float]  # a domain, and the distance of the horizon below which it is urgent


class PlannedVisit(msgspec.Struct):
    domain: Domain
    left: int  # of its quota, before this visit
    prospects: list[Token]  # requests to be leased, as the engine knows them
    pages: set[str]
    visit: Visit
    until: float  # when its address is no longer believed, or its rules are not fresh
    lasts: float  # seconds until the domain can be done, at the least


class Plan(msgspec.Struct):
    series: Series  # no domain takes part in it yet
    pressing: Pressing | None
    urgent: str | None  # the domain that is urgent, if the horizon has not moved
    visits: list[PlannedVisit]


class Plans:
    def __init__(self) -> None:
        self.plans: dict[str, Plan | None] = {}  # address -> its plan, if there is one; emptied by `take`

    def unseen(self, soon: Iterable[str], most: int) -> list[str]:
        """The first addresses that come soon and have no entry here."""
        if len(self.plans) > MOST_PLANS:  # many were planned, and then had nothing to do
            self.plans.clear()
        return list(islice((address for address in soon if address not in self.plans), most))

    def put(self, address: str, plan: Plan | None) -> None:
        self.plans[address] = plan

    def drop(self, address: str) -> None:
        """Drop the plan of an address to which something has happened."""
        if address in self.plans:
            self.plans[address] = None

    def take(self, address: str) -> Plan | None:
        """Take the plan of an address whose series begins."""
        return self.plans.pop(address, None)
