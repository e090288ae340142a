"""Edge: does deeds again that the journal has and the database has not, after a crash."""

from collections.abc import Callable, Iterable

from txtr.frontier.records import Entry, Found, Record
from txtr.store.deeds import Deed
from txtr.store.links import DiskLinks


def redo(links: DiskLinks, deeds: Iterable[Deed]) -> None:
    """Do again what an earlier run did after its last commit."""
    for what, *given in deeds:
        _REDO[what](links, *given)
    links.deeds.clear()
    links.lifted.clear()


_REDO: dict[str, Callable[..., object]] = {
    "number": lambda links, number, domain: links.homes.number(number, domain),
    "meet": lambda links, domain, paths, record: links.meet([Found(domain, paths, Record(*record))]),
    "enqueue": lambda links, domain, paths, record: links.enqueue(domain, paths, Record(*record)),
    "lease": DiskLinks.lease_of_rank,
    "tried": DiskLinks.tried,
    "give_back": DiskLinks.give_back,
    "take": DiskLinks.take,
    "settle": lambda links, domain, path, entry: links.settle(domain, path, Entry(**entry)),
    "drop": DiskLinks.drop,
    "unsettle": DiskLinks.unsettle,
    "forget_disallowed": DiskLinks.forget_disallowed,
    "park": DiskLinks.park,
    "unpark": DiskLinks.unpark,
    "write": lambda links, statement, rows: links.others.write_again(statement, rows),
}
