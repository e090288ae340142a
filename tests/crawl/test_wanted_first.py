"""What is wanted comes first: the real programs in a multilingual web, counted in the servers' log.

The web is the one that bench/steering.py simulates, filled with texts that the built-in judge really reads.
"""

from pathlib import Path

import pytest

from tests.babel import WANTED, Babel, build
from tests.crawl.evidence import failures
from tests.village.run import Outcome, crawl
from txtr.demo.texts import LANGUAGES, write
from txtr.demo.web import Answer, Host, Web, gather, page

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.1, "max_hosts": 2, "max_reqs": 20, "general_pause": 0.5}
FLOOR, FOUND = 2.5, 0.95  # docs/performance.md promises it


def answer(babel: Babel, url: str, links: list[str], port: int) -> Answer:
    """A page in its language, with the links of the simulated one."""
    language = babel.languages[url]
    theme = next(theme for theme in LANGUAGES[language].themes if theme not in ("titulek", "vse"))
    text = write(language, theme, url)
    body = "".join(f"<p>{paragraph}</p>" for paragraph in text.paragraphs)
    anchors = "".join(f'<li><a href="{with_port(link, port)}">{n}</a></li>' for n, link in enumerate(links))
    return page(f"<title>{text.title}</title><h1>{text.title}</h1>{body}<ul>{anchors}</ul>")


def with_port(url: str, port: int) -> str:
    return url.replace(".example/", f".example:{port}/")


def real(babel: Babel, port: int) -> Web:
    hosts = []
    for name, server in babel.servers.items():
        _, second, third, fourth = server.address.split(".")
        pages = {path: links for path, links in server.pages.items() if isinstance(links, list)}
        answers = {path: answer(babel, f"http://{name}{path}", links, port) for path, links in pages.items()}
        hosts.append(Host(name, f"127.{second}.{third}.{int(fourth) + 2}", answers, robots=""))
    return Web(port=port, hosts=gather(hosts), seeds=tuple(with_port(url, port) for url in babel.seeds))


def arrived(outcome: Outcome[Web]) -> list[str]:
    """The pages in the order in which the servers were asked for them."""
    return [
        f"http://{entry.host}{entry.path}"
        for entry in sorted(outcome.entries, key=lambda entry: entry.start)
        if entry.status == 200 and not entry.is_robots
    ]


def test_wanted_pages_come_first_and_nearly_all_of_them_come(tmp_path: Path) -> None:
    """2.5 times the share of --segmenter=none among the first fifth, and 95 % in the end."""
    babel = build(hosts=80, mean_pages=15, seed=5)
    curves = {}
    for segmenter in ("built-in", "none"):
        wishes = {"segmenter": segmenter, "language": WANTED}
        outcome = crawl(lambda port: real(babel, port), tmp_path / segmenter, 2, OPTIONS | wishes, 150)
        assert failures(outcome) == {} and outcome.violations() == []
        curves[segmenter] = babel.curve(arrived(outcome))
    steered, blind, first = curves["built-in"], curves["none"], babel.pages // 5
    assert blind[-1] == len(babel.wanted)
    assert steered[first] >= FLOOR * blind[first]
    assert steered[-1] >= FOUND * len(babel.wanted)
