"""The villages keep what they promise: an obvious robot, without manners, sees what they expect."""

from collections import Counter
from urllib.parse import urljoin, urlsplit, urlunsplit

import pytest
from lxml import html
from protego import Protego

from tests.village.run import MARKER, as_argument
from tests.village.village import big, wicked

PORT = 8080
SMALL = big(PORT, hosts=40, addresses=15, pages=30, seed=7)


def obvious_crawl(village):
    """Fetch whatever may be fetched, one after another: URL -> answer."""
    rules = {name: Protego.parse(text) for name, text in village.robots_texts().items()}
    fetched, waiting = {}, list(village.seeds)
    while waiting:
        parts = urlsplit(waiting.pop())
        query = "" if "utm_" in parts.query else parts.query
        path = urlsplit(urljoin("http://h/", parts.path)).path  # resolves dot segments
        url = urlunsplit(("http", f"{parts.hostname}:{PORT}", path, query, ""))
        if url not in fetched and rules[parts.hostname].can_fetch(url, "texttractor"):
            fetched[url] = village.hosts[parts.hostname].find(path)
            waiting += [urljoin(url, link) for link in followed(fetched[url])]
    return fetched


def followed(answer):
    if "Location" in answer.headers:
        return [answer.headers["Location"]]
    tree = html.fromstring(answer.body.decode())
    tags = " ".join(tree.xpath("//meta[@name]/@content")) + answer.headers.get("X-Robots-Tag", "")
    return [] if "nofollow" in tags else tree.xpath("//a[not(@rel='nofollow')]/@href")


@pytest.fixture(scope="module")
def fetched():
    return obvious_crawl(SMALL)


def test_everything_that_must_be_fetched_can_be_reached_from_the_seeds(fetched):
    """Every reachable allowed page fetched."""
    assert SMALL.must_fetch <= set(fetched)


def test_nothing_that_must_never_be_fetched_can_be_reached_by_a_good_robot(fetched):
    """0 violations of robots.txt or meta tags."""
    assert SMALL.never_fetch and not SMALL.never_fetch & set(fetched)


def test_every_page_has_a_marker_of_its_own_and_an_expectation(fetched):
    """Each page's text once."""
    pages = [answer.body.decode() for url, answer in fetched.items() if "/tisk/" not in url]
    markers = Counter(marker for text in pages for marker in MARKER.findall(text))
    assert set(markers.values()) == {1}
    assert set(markers) <= SMALL.kept | SMALL.not_kept
    assert set(markers) >= SMALL.kept
    assert not SMALL.kept & SMALL.not_kept


def test_the_big_village_is_as_big_as_the_issue_asks():
    """300 hosts on 120 loopback addresses with thousands of pages, unevenly spread."""
    village = big(PORT)
    crowd = Counter(host.address for host in village.hosts.values())
    assert (len(village.hosts), len(crowd)) == (300, 120)
    assert len(village.must_fetch) > 3000
    assert max(crowd.values()) > 20 and min(crowd.values()) == 1


def test_the_same_seed_gives_the_same_village():
    """A failure must be repeatable."""
    assert big(PORT, 40, 15, 30, seed=7) == SMALL
    assert big(PORT, 40, 15, 30, seed=8) != SMALL


def test_the_wicked_village_has_every_named_misbehaviour():
    """Style 8: a small web on loopback with named misbehaviour."""
    village = wicked(PORT)
    for name in ("stall", "drop", "trickle", "loop", "huge", "bomb", "garbage", "flaky", "busy", "headers"):
        assert f"/{name}" in village.hosts[f"{name}.zle.cz"].answers
    assert len(village.hosts["robotshuge.zle.cz"].find("/robots.txt").body) > 590 * 1024
    assert "127.78.1.1" not in village.addresses


def test_options_are_written_as_a_user_writes_them():
    """Boolean options are plain flags; the others have a value."""
    assert as_argument("req_delay", 0.5) == "--req-delay=0.5"
    assert as_argument("allow_private", True) == "--allow-private"
    assert as_argument("allow_private", False) == ""
