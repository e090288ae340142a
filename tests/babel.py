"""A simulated multilingual web, clustered as the real one is, for the steering to be tried on.

Most hosts are of one language, some of several (half of these say so in their URLs); sizes are
uneven, some machines house many hosts. Pages link mostly to their own host and mostly within their
language. A fifth of the pages is in the wanted language. The judge errs now and then.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.world import RULES, Server, World
from txtr.manners.rules import Rules

WANTED = "cs"
SHARES = {"cs": 0.2, "en": 0.4, "de": 0.18, "pl": 0.12, "sk": 0.1}  # of the pages, roughly
MIXED = 0.2  # of the hosts are of several languages
OWN_MACHINE = 0.6  # of the hosts; the others are at hosters of up to ten
LINKS = 6  # from a page to others, beside those that hold a host together
HOME = 0.6  # of these stay on the host
WITHIN = 0.9  # of all links stay within the language
FRONT = 0.7  # of the links to other hosts lead to a front page
START = 2  # hosts of each language are in the start list
OVERLOOKED = 0.03  # of the wanted pages are judged useless (menus, short pages)
MISTAKEN = 0.02  # of the others look usable to the judge
FAST = Rules(req_delay=RULES.req_delay, max_hosts=2, max_reqs=10, general_pause=30.0)


@dataclass
class Page:
    host: str
    path: str
    language: str
    usability: float
    links: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


@dataclass
class Babel:
    """The whole web."""

    servers: dict[str, Server]
    seeds: list[str]
    wanted: set[str]  # URLs
    languages: dict[str, str]  # of all pages: URL -> code

    @property
    def pages(self) -> int:
        return sum(len(server.pages) for server in self.servers.values())

    def crawl(self, is_judged: bool, harvesters: int = 2, rules: Rules = FAST, seed: int = 0) -> list[str]:
        """The URLs in the order in which they arrive; every document is usable when nobody judges."""
        if not is_judged:
            for server in self.servers.values():
                server.usabilities = {}
        world = World(self.servers, rules, seed, wanted=[WANTED] if is_judged else [])
        world.start(*self.seeds, harvesters=harvesters)
        world.run()
        return world.reported

    def curve(self, fetched: Iterable[str]) -> list[int]:
        """How many of the first n are wanted, for every n."""
        found, curve = 0, [0]
        for url in fetched:
            found += url in self.wanted
            curve.append(found)
        return curve


def build(hosts: int, mean_pages: int = 40, seed: int = 0) -> Babel:
    rng = random.Random(seed)
    web = [_host(number, hosts, mean_pages, rng) for number in range(hosts)]
    by_language = {
        code: [page for pages in web for page in pages if page.language == code] for code in SHARES
    }
    fronts = {code: [pages[0] for pages in web if pages[0].language == code] for code in SHARES}
    for pages in web:
        for page in pages:
            page.links += [_target(page, pages, by_language, fronts, rng).url for _ in range(LINKS)]
    _connect([pages[0] for pages in web], by_language, rng)
    machines = _machines([pages[0].host for pages in web], rng)
    servers = {
        pages[0].host: Server(
            machines[pages[0].host],
            {page.path: page.links for page in pages},
            took=min(5.0, rng.lognormvariate(-1.5, 1.0)),
            usabilities={page.path: page.usability for page in pages},
        )
        for pages in web
    }
    seeds = [front.url for code in SHARES for front in fronts[code][:START]]
    languages = {page.url: page.language for pages in web for page in pages}
    return Babel(servers, seeds, {page.url for page in by_language[WANTED]}, languages)


def _host(number: int, hosts: int, mean_pages: int, rng: random.Random) -> list[Page]:
    """Its pages, the front page first: a tree, and within it a tree per language."""
    size = max(3, min(10 * mean_pages, int(rng.lognormvariate(0, 1.0) * mean_pages / 1.65)))
    codes = [_language((number + 0.5) / hosts)]
    if rng.random() < MIXED:
        codes = list(dict.fromkeys([*codes, *rng.choices(list(SHARES), SHARES.values(), k=2)]))
    says_so = rng.random() < 0.5
    name = f"host{number}.example"
    pages = [Page(name, "/", codes[0], _judge(codes[0], rng))]
    sections: dict[str, list[Page]] = {codes[0]: [pages[0]]}
    for serial in range(1, size):
        code = codes[serial % len(codes)]
        path = f"/{code}/{serial}" if says_so and len(codes) > 1 else f"/{serial}"
        page = Page(name, path, code, _judge(code, rng))
        rng.choice(sections.get(code) or [pages[0]]).links.append(page.url)
        sections.setdefault(code, []).append(page)
        pages.append(page)
    return pages


def _language(quantile: float) -> str:
    """So that the shares are right with few hosts too."""
    for code, share in SHARES.items():
        if quantile < share:
            return code
        quantile -= share
    return WANTED


def _judge(code: str, rng: random.Random) -> float:
    if code == WANTED:
        return 0.0 if rng.random() < OVERLOOKED else rng.uniform(0.5, 1.0)
    return rng.uniform(0.1, 0.5) if rng.random() < MISTAKEN else 0.0


def _target(
    page: Page,
    home: list[Page],
    by_language: dict[str, list[Page]],
    fronts: dict[str, list[Page]],
    rng: random.Random,
) -> Page:
    is_within = rng.random() < WITHIN
    if rng.random() < HOME:
        same = [other for other in rng.choices(home, k=8) if not is_within or other.language == page.language]
        return same[0] if same else home[0]
    code = page.language if is_within else rng.choices(list(SHARES), SHARES.values())[0]
    places = fronts[code] if fronts[code] and rng.random() < FRONT else by_language[code]
    return rng.choice(places or home)


def _connect(fronts: list[Page], by_language: dict[str, list[Page]], rng: random.Random) -> None:
    """Every host is known to two pages elsewhere, mostly of its language."""
    for front in fronts:
        for _ in range(2):
            code = front.language if rng.random() < WITHIN else rng.choices(list(SHARES), SHARES.values())[0]
            rng.choice(by_language[code]).links.append(front.url)


def _machines(names: list[str], rng: random.Random) -> dict[str, str]:
    shared = max(1, len(names) // 12)
    return {
        name: f"10.0.{n >> 8}.{n & 255}" if rng.random() < OWN_MACHINE else f"10.9.0.{rng.randrange(shared)}"
        for n, name in enumerate(names)
    }
