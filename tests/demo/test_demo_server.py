"""The server of miniature webs: answers by host, acts out misbehaviour, keeps an access log."""

import asyncio
import json
import signal
import subprocess
import sys
from io import StringIO

import aiohttp
import pytest

from txtr.demo.server import Server, open_web
from txtr.demo.web import Answer, Host, Misbehaviour, Web, gather, page, plain

pytestmark = pytest.mark.web


def small_web(port):
    bad = {f"/{kind}": Answer(body=b"abcdefgh" * 100, misbehaviour=kind) for kind in Misbehaviour}
    return Web(
        port=port,
        hosts=gather(
            [
                Host("a.test", "127.43.0.1", {"/": page("<p>á</p>"), "/q?x=1": plain("query")}),
                Host("b.test", "127.43.0.1", {"/": plain("b")}, robots="User-agent: *\nDisallow: /\n"),
                Host(
                    "c.test",
                    "127.43.0.2",
                    bad,
                ),
                Host(
                    "d.test", "127.43.0.2", {"/": Answer(body=b"ok", first_times=(Answer(500),))}, wait=0.05
                ),
            ]
        ),
    )


def run(ask):
    """Serve the small web while `ask(get, web)` runs; return what it returns and the access log."""

    async def play():
        log = StringIO()
        web, doors = open_web(small_web)
        async with Server(web, log).serve(doors), aiohttp.ClientSession() as session:

            async def get(domain, path="/", **options):
                url = f"http://{web.hosts[domain].address}:{web.port}{path}"
                async with session.get(url, headers={"Host": f"{domain}:{web.port}"}, **options) as answer:
                    return answer.status, await answer.read()

            result = await ask(get, web)
        return result, [json.loads(line) for line in log.getvalue().splitlines()]

    return asyncio.run(play())


def test_hosts_on_one_address_are_told_apart_by_name():
    """Two domains are two domains even on one address."""

    async def ask(get, web):
        return [
            await get("a.test"),
            await get("b.test"),
            await get("a.test", "/q?x=1"),
            await get("a.test", "/no"),
        ]

    answers, log = run(ask)
    assert answers[:3] == [(200, "<p>á</p>".encode()), (200, b"b"), (200, b"query")]
    assert answers[3][0] == 404
    assert [(entry["host"], entry["path"]) for entry in log] == [
        ("a.test", "/"),
        ("b.test", "/"),
        ("a.test", "/q?x=1"),
        ("a.test", "/no"),
    ]


def test_the_access_log_dates_the_start_and_end_of_each_request():
    """The four rules are proved from these times."""

    async def ask(get, web):
        return [await get("d.test"), await get("d.test")]

    answers, log = run(ask)
    assert [status for status, _ in answers] == [500, 200]
    for entry in log:
        assert entry["monotonic_end"] - entry["monotonic_start"] >= 0.05
        assert entry["address"] == "127.43.0.2"
    assert log[0]["monotonic_end"] <= log[1]["monotonic_start"]


@pytest.mark.parametrize("kind", [Misbehaviour.STALL, Misbehaviour.TRICKLE])
def test_a_request_that_the_visitor_gives_up_ends_when_he_hangs_up(kind):
    """Otherwise every timeout would look like two requests at once."""

    async def ask(get, web):
        with pytest.raises(asyncio.TimeoutError):
            await get("c.test", f"/{kind}", timeout=aiohttp.ClientTimeout(total=0.2))
        await asyncio.sleep(0.1)

    _, [entry] = run(ask)
    assert not entry["complete"]
    assert entry["monotonic_end"] - entry["monotonic_start"] < 0.5


@pytest.mark.parametrize("kind", [Misbehaviour.DROP, Misbehaviour.GARBAGE, Misbehaviour.ENDLESS_HEADERS])
def test_answers_that_make_no_sense_fail_at_the_visitor(kind):
    """Bad servers are part of the web."""

    async def ask(get, web):
        with pytest.raises(aiohttp.ClientError):
            await get("c.test", f"/{kind}")

    _, [entry] = run(ask)
    assert not entry["complete"]


def test_an_endless_body_never_ends():
    """A size limit is the only way out."""

    async def ask(get, web):
        with pytest.raises(asyncio.TimeoutError):
            await get("c.test", f"/{Misbehaviour.ENDLESS_BODY}", timeout=aiohttp.ClientTimeout(total=0.3))
        await asyncio.sleep(0.1)

    _, [entry] = run(ask)
    assert entry["bytes"] > 100_000


def test_the_program_says_when_it_is_ready_and_ends_when_asked(tmp_path):
    """The start script reads the line and sends SIGTERM at the end."""
    command = [sys.executable, "-m", "txtr.demo.program", f"--dir={tmp_path}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        ready = program.stdout.readline()
        program.send_signal(signal.SIGTERM)
        assert program.wait(timeout=10) == 0
    port = int(ready.removeprefix("ready port="))
    assert f":{port}/" in (tmp_path / "urls.txt").read_text()
    assert (tmp_path / "hosts.txt").exists() and (tmp_path / "access.log").exists()
