"""Finding addresses, with a name server of our own making."""

import asyncio
import socket
import threading

import pytest

from txtr.fetch import dns as sockets
from txtr.fetch.dns import MOST_LOOKUPS, Names
from txtr.model import Trouble


def resolve(domain, hosts=None, allow_private=False):
    return asyncio.run(Names(hosts or {}, allow_private).resolve(domain))


@pytest.fixture
def dns(monkeypatch):
    """Names and their addresses; an error is raised."""
    known = {}

    def ask(name, *rest, **more):
        found = known.get(name.decode(), socket.gaierror(socket.EAI_NONAME, "unknown"))
        if isinstance(found, Exception):
            raise found
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    return known


def test_the_addresses_of_a_domain_come_ipv4_first(dns):
    """A domain is pinned to one of them; most machines reach IPv4."""
    dns["a.cz"] = ["2606:4700::1", "8.8.8.8", "::ffff:8.8.4.4", "8.8.8.8"]
    assert resolve("a.cz").addresses == ["8.8.8.8", "8.8.4.4", "2606:4700::1"]


def test_addresses_that_are_not_public_are_left_out(dns):
    """One public address is enough; none is GUARDED."""
    dns["a.cz"] = ["10.0.0.1", "8.8.8.8"]
    dns["b.cz"] = ["10.0.0.1", "127.0.0.1"]
    assert resolve("a.cz").addresses == ["8.8.8.8"]
    found = resolve("b.cz")
    assert (found.addresses, found.trouble, found.detail) == ([], Trouble.GUARDED, "10.0.0.1 127.0.0.1")
    assert resolve("b.cz", allow_private=True).addresses == ["10.0.0.1", "127.0.0.1"]


def test_the_hosts_file_is_asked_first(dns):
    """--hosts; the guard holds for it as well."""
    dns["a.test"] = ["8.8.8.8"]
    hosts = {"a.test": ["127.0.0.7"]}
    assert resolve("a.test", hosts, allow_private=True).addresses == ["127.0.0.7"]
    assert resolve("a.test", hosts).trouble is Trouble.GUARDED


@pytest.mark.parametrize(("domain", "address"), [("127.0.0.3", "127.0.0.3"), ("[::1]", "::1")])
def test_an_address_for_a_domain_is_itself(domain, address):
    """Nobody is asked."""
    assert resolve(domain, allow_private=True).addresses == [address]
    assert resolve(domain).trouble is Trouble.GUARDED


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (socket.gaierror(socket.EAI_NONAME, "no such name"), Trouble.NO_SUCH_DOMAIN),
        (socket.gaierror(socket.EAI_NODATA, "no address"), Trouble.NO_SUCH_DOMAIN),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), Trouble.DNS),
        (socket.gaierror(socket.EAI_FAIL, "failed"), Trouble.DNS),
        (OSError("odd"), Trouble.DNS),
    ],
)
def test_a_name_without_address_is_trouble(dns, error, trouble):
    """Does not exist, or just now cannot be found: the remedies differ."""
    dns["a.cz"] = error
    found = resolve("a.cz")
    assert (found.trouble, found.addresses) == (trouble, [])
    assert found.detail


def test_a_name_that_can_be_none_does_not_exist(dns):
    """And nothing raises."""
    assert resolve("čeština.cz").trouble is Trouble.NO_SUCH_DOMAIN
    assert resolve("").trouble is Trouble.NO_SUCH_DOMAIN


@pytest.mark.web
def test_a_name_server_that_does_not_answer_is_given_up(monkeypatch):
    """And the lookups that hang take no more than their slots."""
    asked, go = [], threading.Event()

    def ask(name, *rest, **more):
        asked.append(name)
        go.wait(30)
        raise socket.gaierror(socket.EAI_AGAIN, "late")

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    monkeypatch.setattr(sockets, "LOOKUP_TIME", 0.05)

    async def run():
        names = Names({}, False)
        many = [asyncio.create_task(names.resolve(f"a{number}.cz")) for number in range(MOST_LOOKUPS + 5)]
        done, waiting = await asyncio.wait(many, timeout=0.3)
        while len(done) < MOST_LOOKUPS:  # a busy machine takes its time to start a hundred threads
            done, waiting = await asyncio.wait(many, timeout=0.1)
        assert (len(done), len(waiting), len(asked)) == (MOST_LOOKUPS, 5, MOST_LOOKUPS)
        go.set()
        await asyncio.wait(waiting, timeout=2)
        return [task.result().trouble for task in many]

    assert set(asyncio.run(run())) == {Trouble.DNS}
