"""Hostile hosts: each costs whoever reads it as much as it can, in one way.

`beside(names)` builds a village of six honest hosts, the neighbours, and the named hostile ones, which
a robot meets at the same time. What is hostile is made once and kept, for the
server shares a process with the test.
"""

import gzip
from collections.abc import Callable, Iterator
from functools import cache, partial

import brotli

from tests.village.village import Village, document
from txtr.demo.web import Answer, Host, Misbehaviour, gather, page

HONEST = "poctive.cz"
HOSTILE = "zaludne.cz"
NEIGHBOURS = 6
PAGES = 30  # of each neighbour, its front page among them
HTML = {"Content-Type": "text/html; charset=utf-8"}


def beside(names: tuple[str, ...]) -> Callable[[int], Village]:
    """A village for any port: the six neighbours, and the hostile hosts of these names."""
    return partial(_village, names)


def _village(names: tuple[str, ...], port: int) -> Village:
    neighbours = [_neighbour(number) for number in range(NEIGHBOURS)]
    hostile = [host for name in names for host in HOSTS[name]()]
    return Village(
        port=port,
        hosts=gather([*neighbours, *hostile]),
        seeds=tuple(f"http://{host.name}:{port}/" for host in [*hostile, *neighbours]),
        must_fetch=frozenset(
            f"http://{host.name}:{port}{path}" for host in neighbours for path in host.answers
        ),
    )


def _neighbour(number: int) -> Host:
    """A front page that leads to all others."""
    paths = [f"/{page}" for page in range(1, PAGES)]
    links = [f'<a href="{path}">dál</a>' for path in paths]
    front = page(document(f"značka-{number}-konec", links))
    others = {path: page(document(f"značka-{number}-{path[1:]}-konec", [])) for path in paths}
    return Host(f"soused{number}.{HONEST}", f"127.79.0.{number + 1}", {"/": front} | others)


def _many(name: str, number: int, street: int, **what: object) -> Iterator[Host]:
    """So many hosts, each at an address of its own, that all do the same."""
    for house in range(number):
        address = f"127.79.{street}.{house + 1}"
        yield Host(f"{name}{house}.{HOSTILE}", address, **what)  # type: ignore[arg-type]


# robots.txt


@cache
def wild_rules(number: int) -> str:
    """Rules of 600 letters that nearly match everywhere in a path full of the same letter."""
    rules = [f"Disallow: /*{_nearly(n)}\n" for n in range(number)]
    return "User-agent: *\n" + "".join(rules)


def _nearly(number: int) -> str:
    return f"{'a' * (298 - number // 27)}b{'a' * (298 - number % 27)}"


@cache
def long_links(page_number: int) -> Answer:
    """A page with 1,990 links as long as links may be, and the way to the next such page."""
    links = [f'<a href="/{"a" * 1960}{page_number}-{n:04d}">x</a>' for n in range(1990)]
    match = f'<a href="/{_nearly(page_number)}">x</a>'  # so that no rule is out of the question
    return page(f'<a href="/strana{page_number + 1}">dál</a>{match}' + "".join(links))


@cache
def many_agents() -> str:
    """510 KB of names of robots before the first rule."""
    return "".join(f"useragent:{n:x}\n" for n in range(34_000)) + "Disallow: /x\n"


@cache
def many_rules(number: int) -> str:
    """510 KB of the shortest rules that differ."""
    return "user-agent: *\n" + "".join(f"allow:/{n + number * 46_000:x}\n" for n in range(39_000))


# pages


@cache
def unended() -> bytes:
    """10 KB that become 10 MB, and no end."""
    packed = gzip.compress(b"<p>" + b"x" * (10 * 1024 * 1024 - 4096), 9, mtime=0)
    return packed[:-200]


@cache
def window() -> bytes:
    """18 bytes of a stream that announces the largest window."""
    return brotli.compress(b"x" * 16_000_000, lgwin=24)[:18]


@cache
def unclosed_declarations() -> Answer:
    """A charset that is looked for among blanks and unclosed tags, and one among blanks of the header."""
    body = b"<meta" * 273 + b" charset=" + b" " * 2700
    links = "".join(f'<a href="/n{n}">x</a>' for n in range(20)).encode()
    return Answer(200, {"Content-Type": "text/html"}, body + links)


@cache
def blank_content_type() -> Answer:
    return Answer(200, {"Content-Type": f"text/html; charset={' ' * 30_000};"}, b"<p>Prazdno.</p>")


@cache
def fat_head() -> Answer:
    """250 headers of 32 KB; written down once, for to put them together costs the server more than us."""
    headers = "".join(f"X-{n}: {'x' * 32_000}\r\n" for n in range(250))
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n<p>Hlavicka.</p>"
    return Answer(200, HTML, answer.encode(), misbehaviour=Misbehaviour.GARBAGE)


@cache
def many_links(number: int, is_elsewhere: bool) -> Answer:
    """20,000 short links of this server, or of as many others."""
    where = "http://{0:x}.inde.zaludne.cz/" if is_elsewhere else "/{0:x}"
    urls = (where.format(number * 20_000 + n) for n in range(20_000))
    return page("".join(f'<a href="{url}">x</a>' for url in urls))


def _front(*paths: str) -> Answer:
    return page("".join(f'<a href="{path}">{path}</a>' for path in paths))


def _same(answer: Callable[[], Answer], pages: int = 8) -> dict[str, object]:
    """A front page, and some pages that all are this answer."""
    paths = [f"/p{n}" for n in range(pages)]
    return {"answers": {"/": _front(*paths), **{path: answer() for path in paths}}}


def _rules_against_links(rules: int) -> Iterator[Host]:
    answers = {f"/strana{n}": long_links(n) for n in range(1, 5)}
    yield from _many("pravidla", 1, 1, answers={"/": long_links(0), **answers}, robots=wild_rules(rules))


def _stalls() -> Iterator[Host]:
    body = Answer(200, HTML | {"Content-Encoding": "gzip"}, unended(), misbehaviour=Misbehaviour.HOLD)
    yield from _many("visi", 40, 2, **_same(lambda: body))


def _declarations() -> Iterator[Host]:
    yield from _many("znaky", 3, 3, **_same(unclosed_declarations))
    yield from _many("mezery", 3, 4, **_same(blank_content_type))


def _canonical_links() -> Iterator[Host]:
    """Pages that say they were another one, in front of that; and a copy, which is one."""
    canonical = '<link rel="canonical" href="/obet">'
    victim, liars = document("značka-obet-konec", []), [f"/lhar{n}" for n in range(4)]
    answers = {path: page(document(f"značka-{path[1:]}-konec", [], canonical)) for path in liars}
    copy = page(document("značka-obet-konec", [], canonical))
    answers |= {"/": _front(*liars, "/obet", "/kopie"), "/obet": page(victim), "/kopie": copy}
    yield Host(f"kanonicke.{HOSTILE}", "127.79.10.1", answers)


def _agents() -> Iterator[Host]:
    yield from _many("jmena", 3, 5, answers={"/": _front("/a")}, robots=many_agents())


def _rules() -> Iterator[Host]:
    for number in range(60):
        yield Host(f"radky{number}.{HOSTILE}", "127.79.6.1", {"/": _front("/a")}, many_rules(number))


def _heads() -> Iterator[Host]:
    yield from _many("hlavy", 40, 7, **_same(fat_head))


def _windows() -> Iterator[Host]:
    body = Answer(200, HTML | {"Content-Encoding": "br"}, window(), misbehaviour=Misbehaviour.HOLD)
    yield from _many("okna", 100, 8, **_same(lambda: body))


def _links(is_elsewhere: bool) -> Iterator[Host]:
    for house in range(4):
        pages = {f"/p{n}": many_links(house * 8 + n, is_elsewhere) for n in range(8)}
        name = f"odkazy{house}.{HOSTILE}"
        yield Host(name, f"127.79.9.{house + 1}", {"/": _front(*pages), **pages}, otherwise=_front())


HOSTS: dict[str, Callable[[], Iterator[Host]]] = {
    "rules-against-long-links": partial(_rules_against_links, 740),  # 457 KB
    "few-rules-against-long-links": partial(_rules_against_links, 60),  # as many as are kept as they are
    "downloads-that-stall": _stalls,
    "unclosed-declarations": _declarations,
    "canonical-links-to-others": _canonical_links,
    "34000-agents": _agents,
    "39000-rules-of-sixty-hosts": _rules,
    "heads-of-8-megabytes": _heads,
    "brotli-windows": _windows,
    "20000-links-of-a-page": partial(_links, is_elsewhere=False),
    "20000-servers-of-a-page": partial(_links, is_elsewhere=True),
}
