"""TLS: certificates are checked unless the user says otherwise; both doors of a domain are one domain."""

import asyncio
import socket
import ssl
import threading
from pathlib import Path

import pytest

from tests.crawl.evidence import failures, fetched_amiss, texts_amiss
from tests.village.auditor import read_access_log, series
from tests.village.run import Crawl, free_port
from tests.village.village import Village, document
from txtr.demo.server import Server
from txtr.demo.web import Host, gather, page

pytestmark = pytest.mark.web

CERTIFICATE = Path(__file__).parents[1] / "fetch/certificate.pem"  # self-signed
OPTIONS = {"req_delay": 0.15, "max_hosts": 2, "max_reqs": 8, "general_pause": 0.6}
DOMAIN, ADDRESS = "dvoje-dvere.cz", "127.82.0.1"
PAGES = 7  # behind each door


class TwoDoors:
    """A server with a plain door and a TLS door, each with an access log of its own, in a thread."""

    def __init__(self, web, plain_doors, tls_door, directory):
        self.web, self.plain_doors, self.tls_door, self.directory = web, plain_doors, tls_door, directory
        self.is_open = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True)

    def start(self):
        self.thread.start()
        self.is_open.wait()

    def stop(self):
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join()

    async def serve(self):
        self.loop, self.ended = asyncio.get_running_loop(), asyncio.Event()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(CERTIFICATE)
        with (self.directory / "access.log").open("w") as plain_log, self.tls_log.open("w") as tls_log:
            async with (
                Server(self.web, plain_log).serve(self.plain_doors),
                Server(self.web, tls_log).serve([self.tls_door], tls),
            ):
                self.is_open.set()
                await self.ended.wait()

    @property
    def tls_log(self):
        return self.directory / "tls.log"


class TlsCrawl(Crawl):
    """A crawl of one domain with two doors; entries() are the requests at both."""

    def __init__(self, directory, options):
        tls_port = free_port()
        super().__init__(lambda port: two_doors(port, tls_port), directory, options)
        door = socket.create_server((ADDRESS, tls_port))
        self.service = TwoDoors(self.web, self.doors, door, directory)

    def entries(self):
        return super().entries() + read_access_log(self.service.tls_log)


def two_doors(port, tls_port):
    """Public pages behind the plain door, private ones behind TLS; each page links to all."""
    public = [f"/verejne/{number}" for number in range(PAGES)]
    private = [f"/tajne/{number}" for number in range(PAGES)]
    urls = [f"http://{DOMAIN}:{port}{path}" for path in public]
    urls += [f"https://{DOMAIN}:{tls_port}{path}" for path in private]
    links = [f'<a href="{url}">dál</a>' for url in urls]
    answers = {path: page(document(marker(path), links)) for path in [*public, *private]}
    host = Host(DOMAIN, ADDRESS, answers, "User-agent: *\nDisallow: /private\n")
    return Village(
        port=port,
        hosts=gather([host]),
        seeds=(urls[0], urls[PAGES]),
        must_fetch=frozenset(urls[:PAGES]),
        kept=frozenset(map(marker, answers)),
    )


def marker(path):
    return f"značka{path.replace('/', '-')}-konec"


def run(directory, **more):
    with TlsCrawl(directory, OPTIONS | more) as running:
        running.start_queuekeeper()
        for _ in range(2):
            running.add_harvester()
        return running.finish(timeout=60)


def behind_tls(outcome):
    return read_access_log(outcome.directory / "tls.log")


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path):
    """Certificates checked by default. The pages behind the other door do not suffer."""
    outcome = run(tmp_path)
    diary = "".join(path.read_text() for path in (tmp_path / "log").glob("harvester*"))
    assert failures(outcome) == fetched_amiss(outcome) == {}
    assert outcome.violations() == behind_tls(outcome) == []
    assert not any("tajne" in found for found in outcome.markers())
    assert " trouble=tls " in diary


def test_both_doors_of_a_domain_are_one_domain_for_manners(tmp_path):
    """Http and https, and all ports, of one domain are one domain for manners."""
    outcome = run(tmp_path, check_certificates="no")
    assert failures(outcome) == fetched_amiss(outcome) == texts_amiss(outcome) == {}
    assert outcome.violations() == []
    assert {entry.path for entry in behind_tls(outcome)} >= {f"/tajne/{number}" for number in range(PAGES)}
    runs = series(outcome.entries, OPTIONS["general_pause"])
    assert any({entry.path.split("/")[1] for entry in run} >= {"verejne", "tajne"} for run in runs)
    # RFC 9309, 2.3: the rules of one scheme and port say nothing about another.
    assert [entry.path for entry in outcome.entries].count("/robots.txt") == 2
    assert [entry.path for entry in behind_tls(outcome)].count("/robots.txt") == 1
