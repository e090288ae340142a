"""Events of a harvester: what the diary says of each request and each document, and what is counted.

Each has one event. Its line in the diary is the answer to an administrator's complaint. The summary and the
queuekeeper's status add up the counts.
"""

from txtr.fetch.outcome import Failed, Outcome, Page, RedirectTo
from txtr.harvester.columns import DealtRequest
from txtr.harvester.page import Processed
from txtr.model import Event, Purpose, Trouble


def describe_request(
    dealt: DealtRequest, url: str, outcome: Outcome, took: float, lasted: float
) -> tuple[Event, dict[str, int]]:
    """The event of a request, and what the request adds to the counts.

    took: seconds until it was answered. lasted: seconds until the answer had ended, which is now; so the
    diary tells when the request was made, however slow the body was.
    """
    is_page = int(dealt.request.purpose is Purpose.PAGE)
    facts: dict[str, object] = {"took": took, "lasted": lasted, "batch": dealt.batch}
    facts |= {"column": dealt.column, "address": dealt.address}
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


def describe_document(processed: Processed, url: str, fate: str, where: str, first: str) -> list[Event]:
    """The events of a document: where it is kept, or which document had its text first."""
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
