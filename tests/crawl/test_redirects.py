"""Redirects between domains, robots.txt that lives elsewhere, and domains with several addresses."""

import socket
from collections import Counter

import pytest

from tests.crawl.evidence import failures, fetched_amiss, texts_amiss, trespasses
from tests.village.run import Crawl
from tests.village.village import Village, document
from txtr.demo.web import Host, gather, page, redirect

pytestmark = pytest.mark.web

OPTIONS = {
    "req_delay": 0.1,
    "max_hosts": 2,
    "max_reqs": 6,
    "general_pause": 0.5,
    "exclude": r"^zakazany\.cz$",
}
HOPS = 14  # more than the robot is willing to follow
PAGES = 12
RULES = "User-agent: *\nDisallow: /private\n"


class World:
    """Hosts in the making, and what is expected of them."""

    def __init__(self, port):
        self.port = port
        self.hosts, self.seeds = [], []
        self.must_fetch, self.never_fetch, self.kept, self.not_kept = set(), set(), set(), set()

    def url(self, name, path):
        return f"http://{name}:{self.port}{path}"

    def add(self, name, address, answers, robots=None):
        self.hosts.append(Host(name, address, answers, robots))

    def text(self, name, path, links=()):
        """A page that must be fetched and kept."""
        self.must_fetch.add(self.url(name, path))
        self.kept.add(marker(name, path))
        return page(document(marker(name, path), [f'<a href="{link}">dál</a>' for link in links]))

    def hidden(self, name, path):
        """A page that must never be fetched."""
        self.never_fetch.add(self.url(name, path))
        self.not_kept.add(marker(name, path))
        return page(document(marker(name, path), []))

    def moved(self, name, path, target):
        """A redirect that must be asked for once."""
        self.must_fetch.add(self.url(name, path))
        return redirect(target)

    def village(self):
        return Village(
            port=self.port,
            hosts=gather(self.hosts),
            seeds=tuple(self.seeds),
            must_fetch=frozenset(self.must_fetch),
            never_fetch=frozenset(self.never_fetch),
            kept=frozenset(self.kept),
            not_kept=frozenset(self.not_kept),
        )


def marker(name, path):
    return f"značka-{name.replace('.', '-')}{path.replace('/', '-')}-konec"


def build(port):
    world = World(port)
    moved_domain(world)
    ping_pong(world)
    endless_chain(world)
    robots_elsewhere(world)
    many_addresses(world)
    odd_addresses(world)
    return world.village()


def moved_domain(world):
    """Everything of stary.cz is at novy.cz now, where one page is private."""
    paths = [f"/{number}" for number in range(5)]
    links = [world.url("stary.cz", f"{path}") for path in [*paths, "/private/1"]]
    old = {path: world.moved("stary.cz", path, world.url("novy.cz", path)) for path in paths}
    old["/private/1"] = world.moved("stary.cz", "/private/1", world.url("novy.cz", "/private/1"))
    old["/"] = world.text("stary.cz", "/", links)
    new = {path: world.text("novy.cz", path) for path in paths}
    new["/private/1"] = world.hidden("novy.cz", "/private/1")
    world.add("stary.cz", "127.83.0.1", old)
    world.add("novy.cz", "127.83.0.2", new, RULES)
    world.seeds.append(world.url("stary.cz", "/"))


def ping_pong(world):
    """Two domains that each say that the other has it."""
    world.add("ping.cz", "127.83.0.3", {"/x": world.moved("ping.cz", "/x", world.url("pong.cz", "/x"))})
    world.add("pong.cz", "127.83.0.3", {"/x": world.moved("pong.cz", "/x", world.url("ping.cz", "/x"))})
    world.seeds.append(world.url("ping.cz", "/x"))


def endless_chain(world):
    """Redirects through many domains, to a page at the end that is not worth it."""
    for hop in range(HOPS):
        target = world.url(f"hop{hop + 1}.cz", "/")
        world.add(f"hop{hop}.cz", "127.83.0.4", {"/": redirect(target)})
    world.add(f"hop{HOPS}.cz", "127.83.0.4", {"/": world.hidden(f"hop{HOPS}.cz", "/")})
    world.seeds.append(world.url("hop0.cz", "/"))


def robots_elsewhere(world):
    """Three domains whose robots.txt is that of pravidla.cz, and one whose is at an excluded server."""
    for number in (1, 2, 3):
        name = f"pobocka{number}.cz"
        links = [world.url(name, "/private/1"), world.url(name, "/a")]
        pages = {"/": world.text(name, "/", links), "/a": world.text(name, "/a")}
        pages["/private/1"] = world.hidden(name, "/private/1")
        robots = redirect(world.url("pravidla.cz", "/robots.txt"), 301)
        world.add(name, f"127.83.0.{4 + number}", pages, robots)
        world.seeds.append(world.url(name, "/"))
    world.add("pravidla.cz", "127.83.0.8", {}, RULES)
    world.add("zakazany.cz", "127.83.0.9", {}, RULES)
    robots = redirect(world.url("zakazany.cz", "/robots.txt"))
    world.add("zavisly.cz", "127.83.0.10", {"/": world.hidden("zavisly.cz", "/")}, robots)
    world.seeds.append(world.url("zavisly.cz", "/"))


def many_addresses(world):
    """A domain that the hosts file knows at two addresses; the other one has a domain of its own."""
    paths = [f"/{number}" for number in range(PAGES)]
    links = [world.url("dve.cz", path) for path in paths[1:]]
    pages = {path: world.text("dve.cz", path) for path in paths[1:]}
    world.add("dve.cz", "127.83.0.11", {"/0": world.text("dve.cz", "/0", links), **pages})
    world.add("soused.cz", "127.83.0.12", {"/": world.text("soused.cz", "/")})
    world.seeds += [world.url("dve.cz", "/0"), world.url("soused.cz", "/")]


def odd_addresses(world):
    """A server that is known by its number only, and one at an IPv6 address."""
    world.add("127.83.0.13", "127.83.0.13", {"/": world.text("127.83.0.13", "/")})
    world.seeds.append(world.url("127.83.0.13", "/"))
    if has_ipv6():
        world.add("sest.cz", "::1", {"/": world.text("sest.cz", "/")})
        world.seeds.append(world.url("sest.cz", "/"))


def has_ipv6():
    """Has this machine an IPv6 loopback address?"""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    with Crawl(build, tmp_path_factory.mktemp("redirects"), OPTIONS) as running:
        with (running.directory / "hosts.txt").open("a") as hosts:
            hosts.write("127.83.0.12 dve.cz\n")
        running.start_queuekeeper()
        for _ in range(3):
            running.add_harvester()
        return running.finish(timeout=60)


def asked(outcome, name):
    """The paths that a host was asked for, and how often."""
    return Counter(entry.path for entry in outcome.entries if entry.host == name)


def test_redirect_hops_obey_every_rule(outcome):
    """Robots.txt requests, redirect hops and retries are requests like any other."""
    assert failures(outcome) == {}
    assert outcome.violations() == []


def test_a_redirect_to_another_domain_is_a_link_for_the_queue(outcome):
    """Not a hop to follow blindly: the other domain's robots.txt is asked and obeyed."""
    assert fetched_amiss(outcome) == texts_amiss(outcome) == {}
    assert trespasses(outcome) == []


def test_two_domains_that_redirect_to_each_other_are_asked_once_each(outcome):
    """Spec 5: with redirects both addresses count as downloaded."""
    assert asked(outcome, "ping.cz")["/x"] == asked(outcome, "pong.cz")["/x"] == 1


def test_a_chain_of_redirects_is_left_before_its_end(outcome):
    followed = [hop for hop in range(HOPS) if asked(outcome, f"hop{hop}.cz")["/"]]
    assert followed == list(range(len(followed))) and 5 <= len(followed) < HOPS


def test_a_robots_txt_may_live_at_another_host(outcome):
    """RFC 9309, 2.3.1.2: a redirected robots.txt counts for the domain that redirected."""
    for number in (1, 2, 3):
        assert asked(outcome, f"pobocka{number}.cz") == {"/robots.txt": 1, "/": 1, "/a": 1}
    assert asked(outcome, "pravidla.cz").keys() == {"/robots.txt"}


def test_an_excluded_server_is_not_even_asked_for_a_robots_txt(outcome):
    """Spec 4: excluded servers are never contacted; what cannot be read allows nothing."""
    assert asked(outcome, "zakazany.cz") == {}
    assert asked(outcome, "zavisly.cz").keys() == {"/robots.txt"}


def test_a_domain_with_two_addresses_is_pinned_to_one(outcome):
    """Pinned to one of them while it is known."""
    assert {entry.address for entry in outcome.entries if entry.host == "dve.cz"} == {"127.83.0.11"}
