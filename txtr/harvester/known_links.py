"""What was told: the links that this harvester has reported lately, so that they do not travel again.

Most links of a page are on its site's other pages too: the menu, the foot, the neighbours. The
queuekeeper learns nothing from the second telling, unless the page that has it is more usable, for then
the link promises more. Links to servers that it refuses (--include, --exclude) are counted and not told.

Invariant: a link is held back only if the queuekeeper refuses its server, or if this harvester has told it,
on the line that still stands, from a page at least as usable that the queuekeeper follows links of. When the
line was cut the queuekeeper may be another one, which has forgotten: everything is told again. With --depth,
where a shorter way counts, nothing is held back.

Two sets, the older one thrown away when the newer is full: constant time, and what is told all the time
stays.
"""

from collections.abc import Callable, Mapping

from txtr.urls import server_of, split

MOST_LINKS = 100_000  # links in each of the two, unless one page has more: some 10 MB; and servers


class KnownLinks:
    def __init__(self, most: int = MOST_LINKS) -> None:
        self.most = most
        self.newer: dict[int, float] = {}  # hash of a link -> usability of the best page it was told from
        self.older: dict[int, float] = {}
        self.refusal: Callable[[str], str] = lambda domain: ""
        self.verdicts: dict[str, str] = {}  # beginning of links, up to the path -> why they are refused

    def heed(self, refusal: Callable[[str], str]) -> None:
        """On a new line: this queuekeeper has heard nothing, and refuses domains for these reasons."""
        self.forget()
        self.refusal = refusal

    def allowed(self, links: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
        """Without those to refused servers; and of servers not met before, a link to each and the reason."""
        if len(self.verdicts) + len(links) > self.most:
            self.verdicts = {}
        allowed, refused, verdicts = [], [], self.verdicts
        server, verdict = "", None  # of the link before: neighbours are mostly on the same
        for link in links:
            if not server or not link.startswith(server):
                server = server_of(link)
                verdict = verdicts.get(server)
                if verdict is None:
                    verdict = verdicts[server] = self.refusal(split(server)[0])
                    if verdict:
                        refused.append((link, verdict))
            if not verdict:
                allowed.append(link)
        return allowed, refused

    def news(self, links: list[str], usability: float, hints: Mapping[str, str]) -> list[str]:
        """Those of a page's links that the queuekeeper should hear; they are told from now on."""
        if usability <= 0:
            return links  # it may not follow them: then the next page must tell them again
        if len(self.newer) + len(links) > self.most:
            self.newer, self.older = {}, self.newer
        newer, older, news = self.newer, self.older, []
        for link in links:
            key = hash(link)
            known = newer.get(key)
            if known is None:
                known = newer[key] = older.get(key, 0.0)
            if known < usability:
                newer[key] = usability
                news.append(link)
            elif link in hints:
                news.append(link)
        return news

    def forget(self) -> None:
        self.newer, self.older, self.verdicts = {}, {}, {}
