"""Which addresses are public: a table of the ones a page may lure us to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.fetch.guard import is_public, may_contact, plain_address

PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2001:4860:4860::8888", "64:ff9b::8.8.8.8"]
NOT_PUBLIC = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",  # shared by a provider's customers
    "169.254.169.254",  # link-local: where clouds keep their secrets
    "192.0.0.8",
    "192.0.2.1",  # documentation
    "192.88.99.1",  # retired relay
    "198.18.0.1",  # benchmarks
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.1.2.3",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "[::1]",
    "::127.0.0.1",  # IPv4-compatible, long abolished
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::127.0.0.1",  # through a translator
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::8.8.8.8",  # a local translator
    "2002:7f00:1::",  # 6to4 of 127.0.0.1
    "2002:a00:1::1",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe",  # Teredo to 10.0.0.1
    "2001:470:1::5efe:10.0.0.1",  # ISATAP
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "localhost",
    "2130706433",  # 127.0.0.1, as some would write it
    "0x7f.1",
    "127.1",
    "010.0.0.1",
    "8.8.8.8:80",
    "8.8.8.8 ",
    "1.2.3",
    "☃",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_on_the_internet_is_public(address):
    """The issue: addresses that are not public are refused, others are not."""
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_on_the_internet_is_not_public(address):
    """The issue: loopback, private, link-local, in every disguise."""
    assert not is_public(address)


@given(st.text())
def test_garbage_is_not_public(address):
    """What cannot be read as an address is never contacted; and nothing raises."""
    if plain_address(address) is None:
        assert not is_public(address)
        assert not may_contact(address, allow_private=True)


def test_private_addresses_may_be_contacted_when_the_user_says_so():
    """--allow-private, which --demo and the tests give."""
    for address in ("127.0.0.3", "10.0.0.1", "::1", "fe80::1"):
        assert may_contact(address, allow_private=True)
        assert not may_contact(address, allow_private=False)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "224.0.0.1", "ff02::1", "255.255.255.255"])
def test_what_is_not_one_machine_is_never_contacted(address):
    """0.0.0.0 would be whatever this machine makes of it."""
    assert not may_contact(address, allow_private=True)


@pytest.mark.parametrize(
    ("written", "spelled"),
    [("[::1]", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("::ffff:1.2.3.4", "1.2.3.4"), ("1.2.3.4", "1.2.3.4")],
)
def test_an_address_has_one_spelling(written, spelled):
    """The address is the unit of politeness: two spellings would be two machines."""
    assert plain_address(written) == spelled
