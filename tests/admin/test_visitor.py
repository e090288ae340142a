"""Who gives orders to a running crawl, and how he names whom they are about."""

import socket

import pytest

from txtr.admin.visitor import Visitor
from txtr.errors import UserMistake
from txtr.queue.command import domain_of


def test_a_queuekeeper_that_does_not_answer_is_not_waited_for_long(monkeypatch):
    """A process that is stopped still has its port: the kernel lets everybody in."""
    monkeypatch.setattr("txtr.admin.visitor.GREETING", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf, pytest.raises(UserMistake, match="does not answer"):
        Visitor("127.0.0.1", deaf.getsockname()[1], b"secret")


@pytest.mark.parametrize("text", ["-", "--", "_", "http://-/"])
def test_signs_are_no_domain(text):
    """`queue add -` reads from standard input; `queue block -` would block nobody."""
    assert domain_of(text) == ""
