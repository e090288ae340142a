"""The account: what is written down and counted of every request and every document.

One event each: the diary's line is the answer to an administrator's complaint, and the counts are
what the summary and the queuekeeper's status add up.
"""

from txtr.fetch.outcome import Failed, Outcome, Page, RedirectTo
from txtr.harvester.columns import Errand
from txtr.harvester.page import Processed
from txtr.model import Event, Purpose, Trouble


def of_request(
    errand: Errand, url: str, outcome: Outcome, took: float, lasted: float
) -> tuple[Event, dict[str, int]]:
    """What came of a request, and what it adds to the counts.

    It took so long to be answered, and it lasted so long until the answer had ended, which is now: so the
    diary says when it was made, however slow the body was."""
    is_page = int(errand.request.purpose is Purpose.PAGE)
    facts: dict[str, object] = {"took": took, "lasted": lasted, "batch": errand.batch}
    facts |= {"column": errand.column, "address": errand.address}
    match outcome:
        case Page(status=status, body=body):
            event = Event("fetched", url, {"status": status, "bytes": len(body), **facts})
            return event, {"requests": 1, "documents": is_page, "bytes": len(body)}
        case RedirectTo(target, status):
            event = Event("redirected", url, {"status": status, "target": target, **facts})
            return event, {"requests": 1, "redirects": 1}
        case Failed(trouble, detail):
            event = Event("failed", url, {"trouble": trouble, "detail": detail, **facts})
            stalled = {"stalled": 1} if trouble is Trouble.STALLED else {}
            return event, {"requests": 1, "failed": is_page, **stalled}


def of_document(processed: Processed, url: str, fate: str, where: str, first: str) -> list[Event]:
    """What became of a document: where it is, or which one had its text first."""
    document = processed.document
    facts: dict[str, object] = {"usability": document.usability, "links": len(document.links)}
    if processed.question is not None:
        reasons = processed.metadata["reasons"]
        assert isinstance(reasons, list)
        facts |= {"language": document.language or None, "reasons": ",".join(reasons) or None}
        facts |= {"cut": processed.metadata["cut"]} if "cut" in processed.metadata else {}
    facts |= {"where": where} if where else {}
    facts |= {"first": first} if fate == "duplicate" else {}
    events = [Event(fate, url, facts)]
    return [*events, Event("nofollow", url)] if processed.wants_nofollow else events
