"""Villages: webs for tests that know what a good robot must have done to them.

`big` is a random but seeded graph of well-behaved hosts, large enough for rules to be broken in it;
`wicked` is a handful of hosts that each misbehave in one named way, and are sound otherwise.

Every page carries a *marker*, a word that occurs nowhere else, so that the corpus can be checked for
each text once. What is expected is part of the value: URLs that must and must never be
fetched, markers that must be kept exactly once and ones that must not be kept.
"""

import gzip
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from txtr.demo.texts import CZECH, write
from txtr.demo.web import Answer, Dynamic, Host, Misbehaviour, Web, gather, page, plain, redirect

THEMES = tuple(theme for theme in CZECH.themes if theme not in ("titulek", "vse"))
PRIVATE = (  # three ways to close /private/
    "User-agent: *\nDisallow: /private/\n",
    "User-agent: *\nDisallow:\n\nUser-agent: TextTractor\nDisallow: /private\n",
    "# nic\nUser-agent: jiny\nDisallow: /\n\nUser-agent: *\nAllow: /\nDisallow: /priv*/\n",
)
NOINDEX = (
    {"head": '<meta name="robots" content="noindex">'},
    {"head": '<META NAME="TextTractor" CONTENT="NOINDEX,FOLLOW">'},
    {"header": "noindex"},
    {"header": "texttractor: noindex"},
)
NOFOLLOW = (
    {"head": '<meta name="robots" content="nofollow">'},
    {"head": '<meta content="index, nofollow" name="robots"/>'},
    {"header": "nofollow"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Village(Web):
    """A web, and what a good robot does in it."""

    must_fetch: frozenset[str] = frozenset()  # URLs
    never_fetch: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()  # markers, each exactly once in the corpus
    not_kept: frozenset[str] = frozenset()

    def robots_texts(self) -> dict[str, str]:
        """Each host's robots.txt, for the auditor; a host whose file fails allows nothing."""
        return dict(_robots_text(host) for host in self.hosts.values())


def _robots_text(host: Host) -> tuple[str, str]:
    answer = host.find("/robots.txt")
    if answer.status >= 500 or answer.misbehaviour:
        return host.name, "User-agent: *\nDisallow: /\n"
    return host.name, answer.body.decode() if answer.status == 200 else ""


# The big village


@dataclass(slots=True)
class _Page:
    """A page while the village is being drawn."""

    host: "_House"
    path: str
    marker: str
    tags: dict[str, str] = field(default_factory=dict)  # head: markup, header: X-Robots-Tag
    links: list[str] = field(default_factory=list)  # markup of anchors
    copies: list[str] = field(default_factory=list)  # paths of its copies

    @property
    def url(self) -> str:
        return self.host.url(self.path)


@dataclass(slots=True)
class _House:
    """A host while the village is being drawn."""

    name: str
    address: str
    port: int
    robots: str | None
    open_pages: list[_Page] = field(default_factory=list)  # whose links are followed
    other_pages: list[_Page] = field(default_factory=list)
    redirects: dict[str, Answer] = field(default_factory=dict)

    def url(self, path: str) -> str:
        return f"http://{self.name}:{self.port}{path}"


def big(port: int, hosts: int = 300, addresses: int = 120, pages: int = 60, seed: int = 1) -> Village:
    """A graph of hosts with 1 to `pages` pages each, every page reachable from the seeds."""
    return _Drawing(port, random.Random(seed), pages).draw(hosts, addresses)


class _Drawing:
    """The big village in the making."""

    def __init__(self, port: int, rng: random.Random, most_pages: int) -> None:
        self.port = port
        self.rng = rng
        self.most_pages = most_pages
        self.houses: list[_House] = []
        self.must_fetch: set[str] = set()
        self.never_fetch: set[str] = set()
        self.kept: set[str] = set()
        self.not_kept: set[str] = set()

    def draw(self, hosts: int, addresses: int) -> Village:
        seeds = max(1, hosts // 20)
        for number, address in enumerate(_spread(hosts, addresses, self.rng)):
            house = self._house(number, address)
            self._front_page(house, is_seed=number < seeds)
            self.houses.append(house)
            self._furnish(house)
        return Village(
            port=self.port,
            hosts=gather([_host(house) for house in self.houses]),
            seeds=tuple(house.url("/") for house in self.houses[:seeds]),
            must_fetch=frozenset(self.must_fetch),
            never_fetch=frozenset(self.never_fetch),
            kept=frozenset(self.kept),
            not_kept=frozenset(self.not_kept),
        )

    def _house(self, number: int, address: str) -> _House:
        robots = None if self.rng.random() < 0.1 else self.rng.choice(PRIVATE)
        return _House(f"host{number:03d}.obec{number % 17}.cz", address, self.port, robots)

    def _front_page(self, house: _House, is_seed: bool) -> None:
        front = self._page(house, "/", house.open_pages)
        self.kept.add(front.marker)
        if not is_seed:
            neighbour = self.rng.choice(self.houses)
            self._lead(self.rng.choice(neighbour.open_pages), front)

    def _furnish(self, house: _House) -> None:
        """The other pages: as many as a logarithm gives, so that a few hosts have most of them."""
        kinds = {
            self._ordinary: 84,
            self._noindex: 4,
            self._nofollow: 3,
            self._private: 5 if house.robots else 0,
            self._copied: 3,
            self._missing: 1,
        }
        for number in range(1, int(self.most_pages ** self.rng.random())):
            [draw] = self.rng.choices(list(kinds), list(kinds.values()))
            draw(house, number)

    def _page(
        self, house: _House, path: str, shelf: list[_Page], tags: dict[str, str] | None = None
    ) -> _Page:
        """A page that must be fetched; it is linked by whoever asked for it."""
        part = path.strip("/").removesuffix(".html").replace("/", "-") or "úvod"
        marker = _marker(house.name.split(".")[0], part)
        made = _Page(house, path, marker, tags or {})
        shelf.append(made)
        self.must_fetch.add(made.url)
        return made

    def _ordinary(self, house: _House, number: int) -> None:
        parent = self.rng.choice(house.open_pages)
        made = self._page(house, f"/clanky/{number}.html", house.open_pages)
        self.kept.add(made.marker)
        self._lead(parent, made)
        if self.rng.random() < 0.3:  # a second way there, from anywhere
            house = self.rng.choice(self.houses)
            self._link(self.rng.choice(house.open_pages), made.url)

    def _noindex(self, house: _House, number: int) -> None:
        """Not kept, but its links lead on."""
        parent = self.rng.choice(house.open_pages)
        made = self._page(house, f"/kosik/{number}", house.open_pages, self.rng.choice(NOINDEX))
        self.not_kept.add(made.marker)
        self._lead(parent, made)

    def _nofollow(self, house: _House, number: int) -> None:
        """Kept, but what only it links to is never seen; the same for rel=nofollow."""
        parent = self.rng.choice(house.open_pages)
        made = self._page(house, f"/odkazy/{number}", house.other_pages, self.rng.choice(NOFOLLOW))
        self.kept.add(made.marker)
        self._lead(parent, made)
        made.links.append(f'<a href="{self._forbidden(house, f"/jen-odtud/{number}").path}">dál</a>')
        hidden = self._forbidden(house, f"/reklama/{number}")
        parent.links.append(f'<a rel="nofollow" href="{hidden.path}">reklama</a>')

    def _private(self, house: _House, number: int) -> None:
        made = self._forbidden(house, f"/private/{number}.html")
        self._link(self.rng.choice(house.open_pages), made.url)

    def _forbidden(self, house: _House, path: str) -> _Page:
        made = self._page(house, path, house.other_pages)
        self.must_fetch.remove(made.url)
        self.never_fetch.add(made.url)
        self.not_kept.add(made.marker)
        return made

    def _copied(self, house: _House, number: int) -> None:
        """An ordinary page with a copy that names it as the canonical one: one text, kept once."""
        self._ordinary(house, number)
        made = house.open_pages[-1]
        made.copies.append(f"/tisk/{number}")
        self.rng.choice(house.open_pages[:-1]).links.append(f'<a href="/tisk/{number}">tisk</a>')
        self.must_fetch.add(house.url(f"/tisk/{number}"))
        # Whether the original is fetched once its copy is in the corpus is the robot's choice.
        self.must_fetch.discard(made.url)

    def _missing(self, house: _House, number: int) -> None:
        self.rng.choice(house.open_pages).links.append(f'<a href="/neni/{number}.html">není</a>')

    def _lead(self, parent: _Page, child: _Page) -> None:
        """The one link that makes the child reachable: direct, or through a redirect."""
        if self.rng.random() < 0.06:
            old = f"/stare/{len(parent.host.redirects)}"
            parent.host.redirects[old] = redirect(child.url, self.rng.choice((301, 302, 303, 307, 308)))
            self.must_fetch.add(parent.host.url(old))
            self._link(parent, parent.host.url(old))
        else:
            self._link(parent, child.url)

    def _link(self, parent: _Page, url: str) -> None:
        """The link in one of the spellings that mean the same."""
        spelling = self.rng.randrange(8)
        written = url
        if spelling == 0:
            written = url + "#kapitola"
        elif spelling == 1:
            written = url + "?utm_source=vesnice&utm_medium=test"
            self.never_fetch.add(written)
        elif spelling == 2:
            written = url.replace("http://host", "HTTP://Host").replace(".obec", ".OBEC")
        elif spelling == 3:
            written = url.replace(f":{self.port}/", f":{self.port}/./x/../")
        elif spelling < 6 and url.startswith(parent.host.url("/")):
            written = url.removeprefix(parent.host.url(""))
        parent.links.append(f'<a href="{written}">odkaz</a>')


def _spread(hosts: int, addresses: int, rng: random.Random) -> Iterator[str]:
    """An address for each host: every address one, the rest by Zipf's law."""
    names = [f"127.77.{number // 200}.{number % 200 + 1}" for number in range(addresses)]
    rest = rng.choices(names, [1 / rank for rank in range(1, addresses + 1)], k=max(0, hosts - addresses))
    settled = names[:hosts] + rest
    rng.shuffle(settled)
    yield from settled


def _host(house: _House) -> Host:
    answers: dict[str, Answer | Dynamic] = dict(house.redirects)
    for made in house.open_pages + house.other_pages:
        answers[made.path] = _written(made)
        for copy in made.copies:
            answers[copy] = _written(made, f'<link rel="canonical" href="{made.url}">')
    return Host(house.name, house.address, answers, house.robots)


def _written(made: _Page, head: str = "") -> Answer:
    headers = {"X_Robots_Tag": made.tags["header"]} if "header" in made.tags else {}
    return page(document(made.marker, made.links, head + made.tags.get("head", "")), **headers)


def document(marker: str, links: list[str], head: str = "") -> str:
    """A Czech page with a text of its own, its marker and links."""
    text = write("cs", THEMES[sum(marker.encode()) % len(THEMES)], marker)
    paragraphs = "".join(f"<p>{paragraph}</p>\n" for paragraph in text.paragraphs)
    return (
        f"<!DOCTYPE html><html lang=cs><head><title>{text.title}</title>{head}</head><body>\n"
        f"<h1>{text.title}</h1>\n{paragraphs}<p>Tato stránka má označení {marker} a žádné jiné.</p>\n"
        f"<p>{' '.join(links)}</p>\n</body></html>\n"
    )


# The wicked village

WICKED = "zle.cz"
ENDLESS = b"<p>" + "Nekonečná stránka, která nikdy neskončí. ".encode()
BOMB_BYTES = 256 * 1024 * 1024  # what 1.4 MB of gzip becomes
LONG_ROBOTS_BYTES = 600 * 1024  # RFC 9309 asks for 500 KiB at least
CLOSED = ("robots500", "robotsstall")  # hosts whose rules cannot be known: nothing is allowed
ROBOTS_HOPS = 4  # RFC 9309 asks for five at least


def wicked(port: int) -> Village:
    """Hosts that misbehave in one way each; everything else about them is in order.

    Each host x has a front page, the misbehaviour at /x, and /po ("afterwards"), a
    sound page that must be fetched in spite of it.
    """
    drawing = _Wickedness(port)
    for name, answer in _misbehaviour(port).items():
        drawing.add(name, {f"/{name}": answer})
    for name, robots in _robots_misbehaviour().items():
        drawing.add(name, {"/private/1": _page(name, "private")}, robots)
    drawing.add("liar", _lies())
    drawing.add("slow", {}, wait=0.3)
    return drawing.village()


class _Wickedness:
    """The wicked village in the making; hosts share addresses by threes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.hosts: list[Host] = []

    def url(self, name: str, path: str) -> str:
        return f"http://{name}.{WICKED}:{self.port}{path}"

    def add(
        self,
        name: str,
        special: dict[str, Answer],
        robots: str | Answer = PRIVATE[0],
        wait: float = 0.0,
    ) -> None:
        links = [f'<a href="{path}">tam</a>' for path in [*special, "/po"]]
        answers: dict[str, Answer | Dynamic] = {
            "/": page(document(_marker(name, "úvod"), links)),
            "/po": _page(name, "po"),
            **special,
        }
        if isinstance(robots, Answer) and "Location" in robots.headers:
            answers |= dict(_robots_chain())
        address = f"127.78.0.{len(self.hosts) // 3 + 1}"
        self.hosts.append(Host(f"{name}.{WICKED}", address, answers, robots, wait=wait))

    def village(self) -> Village:
        names = [host.name.removesuffix(f".{WICKED}") for host in self.hosts]
        sound = [name for name in names if name not in CLOSED]
        refused = Host(f"refused.{WICKED}", "127.78.1.1")
        return Village(
            port=self.port,
            hosts=gather([*self.hosts, refused]),
            closed=frozenset({refused.address}),
            seeds=tuple(self.url(name, "/") for name in [*names, "refused"]),
            must_fetch=frozenset(self.url(name, path) for name in sound for path in ("/", "/po"))
            | {self.url("robots404", "/private/1")},
            never_fetch=frozenset(self.url(name, path) for name in CLOSED for path in ("/", "/po"))
            | {self.url(name, "/private/1") for name in names if name != "robots404"},
            kept=frozenset(_marker(name, part) for name in sound for part in ("úvod", "po"))
            | {_marker("flaky", "flaky"), _marker("busy", "busy"), _marker("robots404", "private")},
            not_kept=frozenset(_marker(name, part) for name in CLOSED for part in ("úvod", "po"))
            | {_marker(name, "private") for name in names if name != "robots404"}
            | {_marker("drop", "drop"), _marker("trickle", "trickle"), _marker("liar", "long")},
        )


def _marker(name: str, part: str) -> str:
    return f"značka-{name}-{part}-konec"


def _page(name: str, part: str) -> Answer:
    return page(document(_marker(name, part), []))


def _misbehaviour(port: int) -> dict[str, Answer]:
    html = {"Content-Type": "text/html; charset=utf-8"}
    return {
        "stall": Answer(misbehaviour=Misbehaviour.STALL),
        "drop": replace(_page("drop", "drop"), misbehaviour=Misbehaviour.DROP),
        "trickle": replace(_page("trickle", "trickle"), misbehaviour=Misbehaviour.TRICKLE),
        "loop": redirect(f"http://loop.{WICKED}:{port}/loop"),
        "huge": Answer(200, html, ENDLESS, misbehaviour=Misbehaviour.ENDLESS_BODY),
        "bomb": Answer(200, html | {"Content-Encoding": "gzip"}, _bomb()),
        "garbage": Answer(body=b"\x00\xffSSH-2.0-nonsense\r\n" * 9, misbehaviour=Misbehaviour.GARBAGE),
        "headers": Answer(200, html, misbehaviour=Misbehaviour.ENDLESS_HEADERS),
        "flaky": replace(_page("flaky", "flaky"), first_times=(Answer(500), Answer(500))),
        "busy": replace(_page("busy", "busy"), first_times=(Answer(429, {"Retry-After": "1"}),)),
    }


def _lies() -> dict[str, Answer]:
    """Content-Length too long and too short; a charset that is not the one."""
    long, short = _page("liar", "long"), _page("liar", "short")
    charset = page(document(_marker("liar", "charset"), []), "windows-1250")
    return {
        "/liar-long": _with(long, "Content-Length", str(len(long.body) + 500)),
        "/liar-short": _with(short, "Content-Length", "300"),
        "/liar-charset": _with(charset, "Content-Type", "text/html; charset=utf-8"),
    }


def _with(sound: Answer, header: str, value: str) -> Answer:
    return replace(sound, headers={**sound.headers, header: value})


@cache
def _bomb() -> bytes:
    return gzip.compress(b"<p>bum " * (BOMB_BYTES // 7), 1, mtime=0)


def _robots_misbehaviour() -> dict[str, str | Answer]:
    padding = "# " + "x" * 97 + "\n"
    return {
        "robots500": Answer(500),
        "robotsstall": Answer(misbehaviour=Misbehaviour.STALL),
        "robotschain": redirect("/hop1/robots.txt", 301),
        "robotshuge": PRIVATE[0] + padding * (LONG_ROBOTS_BYTES // len(padding)),
        "robots404": Answer(404, {}, b"User-agent: *\nDisallow: /\n"),
    }


def _robots_chain() -> Iterator[tuple[str, Answer]]:
    for hop in range(1, ROBOTS_HOPS):
        yield f"/hop{hop}/robots.txt", redirect(f"/hop{hop + 1}/robots.txt")
    yield f"/hop{ROBOTS_HOPS}/robots.txt", plain(PRIVATE[0])
