"""The status: the crawl in a few numbers, for the programs and users that watch it.

Invariant: all numbers count links, not attempts, over all starts of the crawl, so that they can be compared.
There are two exceptions. Pages per second, and what waits for a segmenter or for memory, are of this moment.
Downloads that stalled are attempts of this run.
"""

from txtr.queuekeeper.keeper import Keeper

DOCUMENTS = ("kept", "rejected", "aside", "noindex", "duplicate", "empty")  # fates of what was fetched


def sum_up(
    keeper: Keeper, stamp: str, pages_per_second: float, is_finished: bool, segmenter: str = ""
) -> dict[str, object]:
    frontier = keeper.frontier
    fates = frontier.links.fates
    return {
        "time": stamp,
        "documents": fates["kept"],
        "rejected": fates["rejected"],
        "unjudged": keeper.unjudged(),
        "segmenter": segmenter,
        "waiting_for_memory": keeper.waiting(),
        "stalled": int(keeper.counts().get("stalled", 0)),
        "fetched": sum(fates[fate] for fate in DOCUMENTS),
        "failed": fates["failed"],
        "queued": frontier.links.queued_count,
        "active_requests": frontier.links.leased_count,
        "parked": frontier.links.parked_count,
        "harvesters": sum(harvester.is_connected for harvester in keeper.harvesters.values()),
        "awaited_batches": keeper.awaited(),
        "addresses": frontier.addresses.counts(),
        "domains": max(len(frontier.domains), frontier.archive.domain_count),
        "new_domains": len(frontier.domains.new) + len(frontier.asked_domains),
        "refused": frontier.refused,
        "pages_per_second": round(pages_per_second, 2),
        "finished": is_finished,
    }
