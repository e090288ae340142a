"""Intake: a report in portions, between which everybody else is listened to.

A report may hold many pages, and a page twenty thousand links to servers that were never heard of. To take
that in at a stroke takes seconds, in which no ping is echoed. So a long report is taken in by portions, each
a report of its own; and a page with very many links by its links first, some at a time, then itself.

How much is a portion is learnt. A link with a path of forty segments, or to a server that is looked for in
a long list, costs many times as much as a usual one. So the first portion of a report is small, and the next
ones grow as long as they are quick.

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
LETTERS_OF_LINK = 64  # that cost as much as a link again
PORTION = 0.02  # seconds of processor time that a portion should take
FIRST_EFFORT, LEAST_EFFORT, MOST_EFFORT = (
    2_000,
    50,
    16_000,
)  # of a portion; the most takes twenty milliseconds
FEW_LINKS, FEW_ANSWERS, FEW_LETTERS = 300, 50, 100_000  # in a report that is less than a portion


class LinksAhead(msgspec.Struct, frozen=True):
    """Some links of a page that is reported later."""

    document: Document  # with these links only
    record: Record  # of the request


class Pace:
    """How much effort the next portion of a report may have."""

    def __init__(self) -> None:
        self.effort = FIRST_EFFORT

    def lasted(self, seconds: float) -> None:
        """The last portion took so much processor time."""
        if seconds > PORTION:
            self.effort = max(LEAST_EFFORT, int(self.effort * PORTION / seconds))
        elif seconds < PORTION / 4:
            self.effort = min(MOST_EFFORT, 2 * self.effort)


def portions_of(
    report: Report, request_of: Callable[[Document], Record | None], pace: Pace
) -> Iterator[Report | LinksAhead]:
    """A report by portions; `request_of` tells a page's request, if it is still leased."""
    if _is_short(report):
        yield report
        return
    portion, effort = Report(report.batch), 0
    for answer in report.answers():
        if isinstance(answer, Document) and (record := request_of(answer)) is not None:
            some = _links(answer.links, pace)
            links = next(some)
            for following in some:
                yield LinksAhead(msgspec.structs.replace(answer, links=links), record)
                links = following
            answer = msgspec.structs.replace(answer, links=links)
        if effort and effort + _effort(answer) > pace.effort:
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


def _links(links: list[str], pace: Pace) -> Iterator[list[str]]:
    """Links by portions, at least one."""
    some: list[str] = []
    spent = 0
    for link, effort in _priced(links):
        if some and spent + effort > pace.effort:
            yield some
            some, spent = [], 0
        some.append(link)
        spent += effort
    yield some


def _priced(links: list[str]) -> Iterator[tuple[str, int]]:
    """Each link and its effort: is it at the same server as the one before?"""
    server = "no server"  # what no link begins with
    for link in links:
        if link.startswith(server):
            yield link, 1 + len(link) // LETTERS_OF_LINK
        else:
            server = link[: link.find("/", len("https://")) + 1] or "no server"
            yield link, SERVER + len(link) // LETTERS_OF_LINK
