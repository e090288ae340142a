"""Where a link leads is cut off its URL; the same as what the words of URLs say."""

import pytest

from txtr.frontier.admission import _split_server
from txtr.urls import split


@pytest.mark.parametrize(
    "server",
    [
        "http://example.cz/",
        "https://example.cz/",
        "http://example.cz:8080/",
        "https://[2001:db8::1]/",
        "https://[2001:db8::1]:8443/",
        "http:///no/",
        "http:nothing/",
        "ftp://example.cz/",
        "no server",
    ],
)
def test_a_server_is_cut_into_domain_and_door_like_any_url(server: str) -> None:
    """Also what no harvester should have told: it must not become a domain that may be visited."""
    domain, path = split(server)
    assert _split_server(server) == (domain, path[:-1])
