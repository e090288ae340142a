"""Intake: a report in portions, between which everybody else is listened to.

A report may hold many pages, and a page twenty thousand links to servers that were never heard of. To take
that in at a stroke takes seconds, in which no ping is echoed. So a long report is taken in by portions, each
a report of its own; and a page with very many links by its links first, some at a time, then itself.

Invariant: the portions together bring what the report brings, each answer once. A page counts as answered
with its last portion only: after a crash before that the page is still leased, and brings its links again.
"""

from collections.abc import Callable, Iterator

import msgspec

from txtr.frontier.records import Record
from txtr.model import Answer, Document, Report, RobotsFile, Unvisited

# What taking something in costs, in links to the same server as the link before (1.3 microseconds each).
SERVER = 32  # a link to another server: a domain may have to be made for it
ANSWER = 100  # an answer, beside its links
LETTERS = 10  # letters of a robots.txt that cost as much as a link
MOST_EFFORT = 16_000  # of a portion: twenty milliseconds
FEW_LINKS, FEW_ANSWERS, FEW_LETTERS = 1000, 50, 100_000  # in a report that is less than a portion


class LinksAhead(msgspec.Struct, frozen=True):
    """Some links of a page that is reported later."""

    document: Document  # with these links only
    record: Record  # of the request


def portions_of(
    report: Report, request_of: Callable[[Document], Record | None]
) -> Iterator[Report | LinksAhead]:
    """A report by portions; `request_of` tells a page's request, if it is still leased."""
    if _is_short(report):
        yield report
        return
    portion, effort = Report(report.batch), 0
    for answer in report.answers():
        if isinstance(answer, Document) and (record := request_of(answer)) is not None:
            *ahead, links = _links(answer.links)
            for some in ahead:
                yield LinksAhead(msgspec.structs.replace(answer, links=some), record)
            answer = msgspec.structs.replace(answer, links=links)
        if effort and effort + _effort(answer) > MOST_EFFORT:
            yield portion
            portion, effort = Report(report.batch), 0
        portion.add(answer)
        effort += _effort(answer)
    yield portion


def _is_short(report: Report) -> bool:
    """Is it a portion, whatever its links are?"""
    if len(report.documents) + len(report.redirects) + len(report.failures) > FEW_ANSWERS:
        return False
    links = sum(len(document.links) for document in report.documents)
    return links <= FEW_LINKS and sum(len(file.text) for file in report.robots) <= FEW_LETTERS


def _effort(answer: Answer) -> int:
    match answer:
        case Document(links=links):
            return ANSWER + _effort_of_links(links)
        case RobotsFile(text=text):
            return ANSWER + len(text) // LETTERS
        case Unvisited(paths=paths):
            return ANSWER + len(paths)
        case _:
            return ANSWER


def _effort_of_links(links: list[str]) -> int:
    return sum(effort for _, effort in _priced(links))


def _links(links: list[str]) -> list[list[str]]:
    """Links by portions, at least one."""
    some: list[str] = []
    found, spent = [some], 0
    for link, effort in _priced(links):
        if spent + effort > MOST_EFFORT:
            some, spent = [], 0
            found.append(some)
        some.append(link)
        spent += effort
    return found


def _priced(links: list[str]) -> Iterator[tuple[str, int]]:
    """Each link and its effort: is it at the same server as the one before?"""
    server = "no server"  # what no link begins with
    for link in links:
        if link.startswith(server):
            yield link, 1
        else:
            server = link[: link.find("/", len("https://")) + 1] or "no server"
            yield link, SERVER
