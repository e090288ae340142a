"""The status: the queuekeeper's state in a few numbers, for whoever watches."""

from txtr.queuekeeper.keeper import Keeper


def status(
    keeper: Keeper, stamp: str, pages_per_second: float, is_finished: bool, segmenter: str = ""
) -> dict[str, object]:
    frontier = keeper.frontier
    counts = keeper.counts()
    return {
        "time": stamp,
        "documents": frontier.links.fates["kept"],
        "rejected": frontier.links.fates["rejected"],
        "unjudged": keeper.unjudged(),
        "segmenter": segmenter,
        "fetched": int(counts.get("documents", 0)),
        "failed": frontier.links.fates["failed"],
        "queued": frontier.links.queued_count,
        "active_requests": frontier.links.leased_count,
        "parked": frontier.links.parked_count,
        "harvesters": sum(harvester.is_connected for harvester in keeper.harvesters.values()),
        "addresses": frontier.addresses.counts(),
        "domains": len(frontier.domains),
        "new_domains": len(frontier.domains.new) + len(frontier.asked_domains),
        "refused": frontier.refused,
        "pages_per_second": round(pages_per_second, 2),
        "finished": is_finished,
    }
