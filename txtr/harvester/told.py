"""What was told: the links that this harvester has reported lately, so that they do not travel again.

Most links of a page are on its site's other pages too: the menu, the foot, the neighbours. The
queuekeeper learns nothing from the second telling, unless the page that has it is more usable, for then
the link promises more. Of servers that it refuses (--include, --exclude) it notes the first page that leads
there, and nothing later.

Invariant: a link is held back only if this harvester has told it, or that a page leads to its refused server,
on the line that still stands, from a page at least as usable that the queuekeeper follows links of. When the
line was cut the queuekeeper may be another one, which has forgotten: everything is told again. With --depth,
where a shorter way counts, nothing is held back.

Two sets, the older one thrown away when the newer is full: constant time, and what is told all the time
stays.
"""

from collections.abc import Callable, Mapping

from txtr.urls import server_of, split

MOST = 100_000  # links in each of the two, unless one page has more: some 10 MB; and servers


class Told:
    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.newer: dict[int, float] = {}  # hash of a link -> usability of the best page it was told from
        self.older: dict[int, float] = {}
        self.is_refused: Callable[[str], bool] = lambda domain: False
        self.verdicts: dict[str, bool] = {}  # beginning of links, up to the path -> is their server refused?

    def heed(self, is_refused: Callable[[str], bool]) -> None:
        """On a new line: this queuekeeper has heard nothing, and does not let these domains in."""
        self.forget()
        self.is_refused = is_refused

    def news(self, links: list[str], usability: float, hints: Mapping[str, str]) -> list[str]:
        """Those of a page's links that the queuekeeper should hear; they are told from now on."""
        if usability <= 0:
            return links  # it may not follow them: then the next page must tell them again
        links = self._allowed(links)
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

    def _allowed(self, links: list[str]) -> list[str]:
        """Without those to refused servers, but for servers that were not met before."""
        allowed, met, verdicts = [], set(), self.verdicts
        server, verdict = "\0", None  # of the link before: neighbours are mostly on the same
        for link in links:
            if not link.startswith(server):
                server = server_of(link)
                verdict = verdicts.get(server)
                if verdict is None:
                    met.add(server)
            if not verdict:
                allowed.append(link)
        if len(verdicts) + len(met) > self.most:
            verdicts.clear()
        verdicts.update((server, self.is_refused(split(server)[0])) for server in met)
        return allowed
