"""Turns: whose turn it is behind a door, by rank, for the next requests (ranks.py)."""

from txtr.frontier.ranks import serve
from txtr.store.packs import Group, paths_of


def turns(left: list[int], turn: int, most: int) -> list[int]:
    """The ranks of the next requests, when so many are left of each, from the given turn on."""
    ranks = [of_rank for of_rank, number in enumerate(left) if number]
    if len(ranks) == 1:  # nobody else is there to take turns with
        return ranks * min(most, left[ranks[0]])
    left, order = list(left), list[int]()
    while len(order) < most and (served := serve(left, turn + len(order))) is not None:
        left[served] -= 1
        order.append(served)
    return order


def in_turn(turns: list[int], lines: dict[int, list[Group]]) -> list[str]:
    """Paths from several lines, by whose turn it was."""
    if len(lines) <= 1:
        return [path for groups in lines.values() for _, paths in groups for path in paths]
    lists = {of_rank: paths_of(groups) for of_rank, groups in lines.items()}
    return [path for of_rank in turns for path in [next(lists[of_rank], "")] if path]
