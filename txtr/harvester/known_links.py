"""Known links: the links that this harvester has reported lately, so that they do not travel again.

Most links of a page (the menu, the foot, the neighbours) are on other pages of its site, too. The queuekeeper
learns nothing from a second report of a link, unless the second page is more usable: then the link promises
more. Links to servers that the queuekeeper refuses (--include, --exclude) are counted and not reported.

Invariant: a link is held back in two cases only. Either the queuekeeper refuses its server. Or this harvester
has reported the link before, on the present line, from a page that is at least as usable and whose links the
queuekeeper follows. After a cut line the queuekeeper may be another one, which knows nothing, so every link
is reported again. With --depth, where a shorter way counts, no link is held back.

There are two sets; the older set is thrown away when the newer one is full. That takes constant time, and a
link that is met all the time stays.
"""

from collections.abc import Callable, Mapping

from txtr.urls import server_of, split

MOST_LINKS = 100_000  # links in each set, unless one page has more: some 10 MB; the most servers as well


class KnownLinks:
    def __init__(self, most: int = MOST_LINKS) -> None:
        self.most = most
        self.newer: dict[int, float] = {}  # hash of a link -> usability of the best page that has reported it
        self.older: dict[int, float] = {}
        self.refusal: Callable[[str], str] = lambda domain: ""
        self.verdicts: dict[str, str] = {}  # beginning of links, up to the path -> why they are refused

    def heed(self, refusal: Callable[[str], str]) -> None:
        """Begin a new line: its queuekeeper knows no link, and refuses domains for these reasons."""
        self.forget()
        self.refusal = refusal

    def allowed(self, links: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
        """The links to servers that are not refused; for each newly refused server, a link and the reason."""
        if len(self.verdicts) + len(links) > self.most:
            self.verdicts = {}
        allowed, refused, verdicts = [], [], self.verdicts
        server, verdict = "", None  # of the link before: neighbours are mostly on one server
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
        """The links of a page that the queuekeeper should hear; they are known from now on."""
        if usability <= 0:
            return links  # it may not follow them: then the next page must report them again
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
