"""A miniature web as a value: hosts on addresses, and what each answers to each path.

Invariant: what a host answers depends only on the path and on how many times it was asked before. So one web,
asked in the same way, always answers the same.

The model knows no sockets: `server.py` puts a web on loopback addresses, `sites.py` fills a web for the
demonstration, and the tests fill others. Bad servers are part of the model, because a robot meets them every
minute: a misbehaviour is a named value, and the server acts it out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

ROBOTS_PATH = "/robots.txt"


class Misbehaviour(StrEnum):
    """What a server may do instead of answering properly."""

    STALL = "stall"  # accepts the request, never answers
    HOLD = "hold"  # sends the body, but never the end of it: says nothing more
    DROP = "drop"  # closes the connection in the middle of the body
    TRICKLE = "trickle"  # sends the body a byte a second
    ENDLESS_BODY = "endless-body"  # the body is repeated without end
    ENDLESS_HEADERS = "endless-headers"  # the headers never end
    GARBAGE = "garbage"  # sends the body as it is: no status line, no headers


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent for one path.

    A header given here replaces the server's header of that name; an empty value leaves it out.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    wait: float = 0.0  # seconds before the first byte of the answer
    misbehaviour: Misbehaviour | None = None
    first_times: tuple["Answer", ...] = ()  # given once each, in order, before this one

    def at_time(self, count: int) -> "Answer":
        """The answer to the request that was preceded by `count` others for the same path."""
        return self.first_times[count] if count < len(self.first_times) else self


Dynamic = Callable[[str], Answer]  # the path and its query -> the answer

NOT_FOUND = Answer(404, {"Content-Type": "text/html; charset=utf-8"}, b"<h1>404</h1><p>No such page.</p>")
MISDIRECTED = Answer(421, {"Content-Type": "text/plain"}, b"No such host here.\n")


@dataclass(frozen=True, slots=True)
class Host:
    """One domain: its address and its answers."""

    name: str
    address: str
    answers: Mapping[str, Answer | Dynamic] = field(default_factory=dict)  # path with query -> answer
    robots: str | Answer | None = None  # the text of robots.txt, or a stranger answer; None is a 404
    otherwise: Answer | Dynamic = NOT_FOUND  # for paths that are not listed
    wait: float = 0.0  # a slow host: added to the wait of every answer

    def find(self, path: str) -> Answer:
        """What this host has at the path, whatever was asked before."""
        if path == ROBOTS_PATH and self.robots is not None:
            return plain(self.robots) if isinstance(self.robots, str) else self.robots
        found = self.answers.get(path, self.otherwise)
        return found if isinstance(found, Answer) else found(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """Hosts, all on one port, and the start list of a crawl through them."""

    port: int
    hosts: Mapping[str, Host]
    seeds: tuple[str, ...] = ()
    closed: frozenset[str] = frozenset()  # addresses that refuse connections

    @property
    def addresses(self) -> list[str]:
        """Where to listen, each address once, in the order of the hosts."""
        every = dict.fromkeys(host.address for host in self.hosts.values())
        return [address for address in every if address not in self.closed]

    def hosts_file(self) -> str:
        """The hosts of this web in the format of /etc/hosts."""
        return "".join(f"{host.address} {host.name}\n" for host in self.hosts.values())

    def start_list(self) -> str:
        """The seeds, one to a line."""
        return "".join(f"{url}\n" for url in self.seeds)


def gather(hosts: list[Host]) -> dict[str, Host]:
    """Hosts by name; a name given twice would silently lose pages."""
    named = {host.name: host for host in hosts}
    if len(named) != len(hosts):
        raise ValueError("two hosts of one web have the same name")
    return named


def page(html: str, charset: str = "utf-8", **headers: str) -> Answer:
    """A proper HTML answer, its charset declared in the header; X_Robots_Tag="..." adds a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content_type = {"Content-Type": f"text/html; charset={charset}"}
    return Answer(200, content_type | named, html.encode(charset, "xmlcharrefreplace"))


def plain(text: str) -> Answer:
    """A plain text answer, such as robots.txt."""
    return Answer(200, {"Content-Type": "text/plain; charset=utf-8"}, text.encode())


def redirect(target: str, status: int = 302) -> Answer:
    """The page is elsewhere."""
    return Answer(status, {"Location": target})
