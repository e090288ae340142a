"""Deal: rows of one address are spread evenly among the others.

Rows come grouped by address, at most max-hosts in a group. Dealt cyclically into max-hosts
lists that are concatenated at the end, the rows of one group lie a whole list apart.
"""

from typing import TypeVar

Row = TypeVar("Row")


def spread(rows: list[Row], max_hosts: int) -> list[Row]:
    """The same rows, neighbours of one address far apart."""
    return [row for first in range(min(max_hosts, len(rows))) for row in rows[first::max_hosts]]
