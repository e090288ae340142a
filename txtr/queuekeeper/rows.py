"""Rows: a batch is filled by rows.

A row is a list of visits, one domain each; the harvester has one request of a row under way at a
time. A visit is never split, so a domain's requests cannot meet in any column. Every row gets one
visit first, because rows run side by side; only when there are more visits than rows do short
rows take further visits, one each in turn, until they are full. Constant time per visit.
"""

from collections.abc import Iterable, Iterator

from txtr.model import Visit


def fill(visits: Iterable[Visit], rows: int, length: int) -> list[list[Visit]]:
    """Lay visits into at most `rows` rows of about `length` requests, in the order they come.

    `visits` is drawn from only as long as there is room.
    """
    supply = iter(visits)
    table: list[list[Visit]] = []
    if rows > 0:
        for visit in supply:
            table.append([visit])
            if len(table) == rows:
                _lengthen(table, supply, length)
                break
    return table


def _lengthen(table: list[list[Visit]], supply: Iterator[Visit], length: int) -> None:
    """In turn: in a row with many short visits each waits for all others."""
    short = [(row, len(row[0].requests)) for row in table]
    while short := [(row, filled) for row, filled in short if filled < length]:
        for place, (row, filled) in enumerate(short):
            visit = next(supply, None)
            if visit is None:
                return
            row.append(visit)
            short[place] = row, filled + len(visit.requests)
