"""Builds a frontier as the options say: the same one for every program that opens a state."""

from collections.abc import Collection

from txtr.config import options
from txtr.config.options import Options
from txtr.frontier.frontier import Frontier
from txtr.frontier.state import Archive
from txtr.frontier.storage import Links
from txtr.gate import Gate
from txtr.manners.rules import Rules


def build_frontier(
    chosen: Options, wanted: Collection[str], links: Links, archive: Archive, epoch: float
) -> Frontier:
    """A frontier as these options say. Wanted: codes of languages; epoch: the wall time when `now` was 0."""
    rules = Rules(
        req_delay=chosen.req_delay,
        max_hosts=chosen.max_hosts,
        max_reqs=chosen.max_reqs,
        general_pause=chosen.general_pause,
    )
    gate = Gate(chosen.include, chosen.exclude, chosen.depth)
    frontier = Frontier(
        rules, gate, chosen.agent, wanted, _is_judging(chosen), links, archive, chosen.rest_rooms
    )
    frontier.epoch = epoch
    frontier.is_verbose = chosen.log_level == "DEBUG"
    return frontier


def _is_judging(chosen: Options) -> bool:
    """Do judgements steer the crawl? Those of the built-in judge do only if a language is wanted."""
    if chosen.segmenter == options.BUILT_IN:
        return bool(chosen.language)
    return chosen.segmenter != options.NONE
