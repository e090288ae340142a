"""The guard: which addresses may be contacted at all, and how much time and memory one answer may take.

Invariant: an address is never public here if it leads to a machine that is not on the public internet, by
whatever spelling or tunnel. What cannot be read as an address is not public either.

A page may link to http://169.254.169.254/, or to a name that resolves to the printer next door. The robot
must not contact such machines for the author of a page.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

IPAddress = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one request may take; times in seconds."""

    connect: float = 15.0  # until the connection stands, TLS included
    read: float = 30.0  # between two pieces of the answer
    total: float = 120.0
    max_size_bytes: int = 10 * 1024 * 1024  # of the body, decompressed
    held_bytes: int = 48 * 1024 * 1024  # of all bodies at once: 700 usual pages, or four of the longest
    connections: int = 500  # in use at once; at most as many again are kept for the next request
    keep_alive: float = 75.0  # how long an idle connection is kept, as nginx does by default


_GLOBAL_IPV6 = IPv6Network("2000::/3")  # all public addresses are in it (RFC 4291, 2.4)
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: IPv4 in the last 32 bits
_SPECIAL = (  # in IANA's registries, but not yet in those of every Python 3.11
    IPv4Network("192.0.0.0/24"),  # RFC 6890: protocol assignments
    IPv4Network("192.88.99.0/24"),  # RFC 7526: not in use any more
)
_SPECIAL_IPV6 = (IPv6Network("3fff::/20"),)  # RFC 9637: documentation
_ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214: the third quarter of an address with IPv4 in the fourth
_BROADCAST = IPv4Address("255.255.255.255")


# Ports of other services (WHATWG Fetch, 2.9 "bad port"): a page must not lead the robot to a mail server.
_BAD = """
    0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113
    115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554
    556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665
    6666 6667 6668 6669 6679 6697 10080
"""
BAD_PORTS = frozenset(map(int, _BAD.split()))


def is_bad_port(port: int | None) -> bool:
    """Is this, by convention, the port of something other than a web server?"""
    return port in BAD_PORTS


def is_public(address: str) -> bool:
    """Is this the address of a machine on the public internet?"""
    parsed = _parse(address)
    return parsed is not None and _is_public(parsed)


@lru_cache(4096)
def may_contact(address: str, allow_private: bool) -> bool:
    """May the robot connect to this address?

    An address that is not one machine's: never. An address that is not public: only if the user allows it.
    """
    parsed = _parse(address)
    if parsed is None or parsed.is_multicast or parsed.is_unspecified or parsed == _BROADCAST:
        return False
    return allow_private or _is_public(parsed)


@lru_cache(4096)
def plain_address(address: str) -> str | None:
    """An address in its one spelling; None if it is no address. IPv4 mapped into IPv6 becomes IPv4."""
    parsed = _parse(address)
    return None if parsed is None else str(parsed)


@lru_cache(4096)  # every request asks several times about one address
def _parse(address: str) -> IPAddress | None:
    try:
        parsed = ip_address(address.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def _is_public(address: IPAddress) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and not _is_in(address, _SPECIAL)
    inner = _embedded(address)
    if inner is not None and not _is_public(inner):
        return False
    if address in _NAT64:
        return True
    return address in _GLOBAL_IPV6 and address.is_global and not _is_in(address, _SPECIAL_IPV6)


def _is_in(address: IPAddress, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    return any(address in network for network in networks)


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address to which packets for this IPv6 address are tunnelled, if there is one."""
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None
