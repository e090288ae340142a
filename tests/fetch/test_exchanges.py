"""Exchanges: a request on the wire, and the head of its answer."""

import asyncio

import pytest
from servers import answer, fetch, fetcher, server

from txtr.model import Trouble

pytestmark = pytest.mark.web

EARLY = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"


def test_what_comes_before_the_answer_is_not_taken_for_it():
    """RFC 9110, 15.2: interim answers may come first."""
    results, log = fetch(lambda n: EARLY + answer(), times=2)
    assert [result.outcome.body for result in results] == [b"ahoj"] * 2
    assert (log.connections, len(log.requests)) == (1, 2)


def test_a_server_that_only_ever_begins_is_left():
    results, log = fetch(lambda n: EARLY * 50 + answer(), times=2)
    assert [result.outcome.trouble for result in results] == [Trouble.DROPPED] * 2
    assert log.connections == 2


def test_a_server_that_wants_to_speak_something_else_is_left():
    """We have not asked for another protocol: what follows is no answer of HTTP."""
    head = b"Upgrade: chat\r\nConnection: Upgrade\r\n"
    results, log = fetch(lambda n: answer(b"", head, b"101 Switching Protocols"), times=2)
    assert [result.outcome.trouble for result in results] == [Trouble.NOT_HTTP] * 2
    assert log.connections == 2


@pytest.mark.parametrize("contact", ["a@b.cz\r\nX-Forged: yes", "a@b.cz\nX-Forged: yes"])
def test_no_header_of_ours_breaks_out_of_its_line(contact):
    async def run():
        async with server(lambda n: answer()) as log:
            robot = fetcher()
            robot._headers["From"] = contact
            async with robot:
                result = await robot.fetch(f"http://a.test:{log.port}/", "127.0.0.1")
        return result.outcome, log

    outcome, log = asyncio.run(run())
    assert outcome.trouble is Trouble.UNREADABLE
    assert log.requests == []
