"""Admission: decides which links, of the thousands that come in, are queued.

A link must pass the gate, must not be known, and must be allowed by robots.txt, as far as that is at hand and
this moment has room for the check (checks.py). Links of a page that are behind one door and have the same
promise (promise.py) share a record. All links of a page are looked up at once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from txtr.frontier.promise import Cues, expect_usability
from txtr.frontier.records import Entry, Found, Record, round_to_hundredths
from txtr.frontier.state import FrontierState
from txtr.frontier.traps import is_trap
from txtr.model import Document, Link
from txtr.urls import door, join, server_of, split

_NO_SERVER = "no server"  # no URL begins with this
_SCHEMES = ("http://", "https://")


class Admission:
    def __init__(self, state: FrontierState, wanted: Collection[str]) -> None:
        """Wanted: codes of languages, none for any."""
        self.state = state
        self.cues = Cues(wanted)
        self.refreshed_later = ""  # the domain of the page that comes in: it is refreshed once, afterwards

    def admit(self, links: Iterable[Link], now: float) -> int:
        """Let links into the queue, if they may enter and are not known; return how many were new."""
        groups: dict[tuple[str, str, Record], list[str]] = {}
        for link in links:
            cue = self._cue(link.domain, link.path, link.language)
            record = Record(
                link.depth,
                round_to_hundredths(link.usability),
                hops=link.hops,
                promise=self._promise(link.domain, link.usability, cue),
                source=link.source,
                since=int(self.state.epoch + now),
            )
            groups.setdefault((link.domain, door(link.path), record), []).append(link.path)
        # One group after the other: a link may come twice, with different records.
        return sum(
            self._let_in([Found(domain, paths, record)], now)
            for (domain, _, record), paths in groups.items()
            if self._may_enter(domain, [join(domain, path) for path in paths], record.depth)
        )

    def follow(self, document: Document, depth: int, usability: float, now: float) -> None:
        """Admit the links of a page, all of one door and promise together."""
        source = join(document.domain, document.path)
        since, usability = int(self.state.epoch + now), round_to_hundredths(usability)
        records: dict[float, Record] = {}  # promise -> record
        found = []
        verdicts = self.state.gate.verdicts
        for server, urls in _group_by_server(document.links).items():
            domain, behind = _split_server(server)
            if verdicts.get(domain):  # refused, and noted before: most are, where few servers are wanted
                continue
            if not self._may_enter(domain, urls, depth):
                continue
            rest = len(server) - 1
            paths_there = [behind + url[rest:] for url in urls]
            for cue, paths in self._by_cue(domain, paths_there, urls, document.hints).items():
                expected = self._promise(domain, usability, cue)
                record = records.get(expected)
                if record is None:
                    record = Record(depth, usability, promise=expected, source=source, since=since)
                    records[expected] = record
                found.append(Found(domain, paths, record))
        if found:
            self.refreshed_later = document.domain
            self._let_in(found, now)
            self.refreshed_later = ""

    def _by_cue(
        self, domain: str, paths: list[str], urls: list[str], hints: Mapping[str, str]
    ) -> dict[bool | None, list[str]]:
        """The paths of links to one server, by whether they name a wanted language."""
        if not self.state.is_steering:
            return {None: paths}
        by_cue: dict[bool | None, list[str]] = {}
        for url, path in zip(urls, paths, strict=True):
            by_cue.setdefault(self._cue(domain, path, hints.get(url, "")), []).append(path)
        return by_cue

    def _may_enter(self, domain: str, urls: list[str], depth: int) -> bool:
        """The first check of links to one domain, by gate and depth."""
        gate = self.state.gate
        is_news = not gate.has_judged(domain)
        if reason := gate.domain_refusal(domain) or ("abandoned" if domain in self.state.abandoned else ""):
            self._refuse(urls, reason, is_news)
        elif gate.is_too_deep(depth):
            self._note_links("too-deep", urls, depth)
        else:
            return True
        return False

    def _let_in(self, found: Sequence[Found], now: float) -> int:
        """Queue the links that are new, of several doors at once; return how many."""
        new_count = 0
        for (domain, _, record), (new, corrected) in zip(found, self.state.links.meet(found), strict=True):
            if corrected:
                self._note_paths("corrected", domain, corrected, record.depth)
            if new:
                new_count += self._enqueue(domain, new, record, now)
        while self.state.links.lifted:
            self.state.refresh(self.state.domain(self.state.links.lifted.pop()), now)
        return new_count

    def _enqueue(self, domain: str, new: list[str], record: Record, now: float) -> int:
        state, behind = self.state, door(new[0])
        is_at_hand = state.permits.is_at_hand(domain)  # else links are checked when they are dealt
        rules = state.permits.rules(domain, behind, now) if is_at_hand else None
        forbidden = state.judge(rules, new, len(behind), now).forbidden if rules is not None else {}
        if forbidden:
            for path, rule in forbidden.items():
                state.disallow(domain, path, record.depth, rule)
            new = [path for path in new if path not in forbidden]
        trapped = {path: None for path in new if is_trap(path)}  # in their order; there may be thousands
        if trapped:
            self._leave_alone(domain, list(trapped), record)
            new = [path for path in new if path not in trapped]
        state.links.enqueue(domain, new, record)
        state.admitted += len(new)
        self._note_paths("queued", domain, new, record.depth)
        if domain != self.refreshed_later:
            state.refresh_found(state.domain(domain), now)
        return len(new)

    def _leave_alone(self, domain: str, trapped: list[str], record: Record) -> None:
        self.state.refused += len(trapped)
        for path in trapped:
            entry = Entry("skipped", record.depth, source=record.source, reason="the path repeats itself")
            self.state.links.settle(domain, path, entry)
        self.state.note("refused", join(domain, trapped[0]), reason="trap", links=len(trapped))

    def _refuse(self, urls: list[str], reason: str, is_news: bool) -> None:
        """Note a refusal: once for a domain outside the limits, always for an abandoned one."""
        if is_news or reason == "abandoned":
            self.state.refused += len(urls)
            self.state.note("refused", urls[0], reason=reason, links=len(urls))

    def _note_paths(self, what: str, domain: str, paths: list[str], depth: int) -> None:
        if self.state.is_verbose:
            self._note_links(what, [join(domain, path) for path in paths], depth)

    def _note_links(self, what: str, urls: list[str], depth: int) -> None:
        if self.state.is_verbose:
            for url in urls:
                self.state.note(what, url, depth=depth)

    def _cue(self, domain: str, path: str, language: str) -> bool | None:
        """Does a link name a wanted language? None if it names none."""
        if not self.state.is_steering:
            return None
        said = self.cues.names_wanted(language) if language else None
        return self.cues.cue(domain, path) if said is None else said

    def _promise(self, domain: str, usability: float, cue: bool | None) -> float:
        if not self.state.is_steering:
            return 1.0
        known = self.state.known(domain)
        documents, brought = (known.trial.documents, known.trial.usability) if known else (0, 0.0)
        return expect_usability(usability, documents, brought, cue)


def _group_by_server(urls: Iterable[str]) -> dict[str, list[str]]:
    """The links of a page by their beginnings, up to the path."""
    servers: dict[str, list[str]] = {}
    server, some = _NO_SERVER, [""]  # of the link before: most neighbours are on one server
    for url in urls:
        if not url.startswith(server):
            server = server_of(url) or _NO_SERVER
            some = servers.setdefault(server, [])
        some.append(url)
    return servers


def _split_server(server: str) -> tuple[str, str]:
    """Domain and door of a URL that ends where its path begins."""
    if server.startswith("https://"):
        domain, behind = server[8:-1], "s"
    else:
        domain, behind = server[7:-1], ""
    if ":" not in domain and "/" not in domain and server.startswith(_SCHEMES):  # no port: nearly all
        return domain, behind
    domain, path = split(server)
    return domain, path[:-1]
