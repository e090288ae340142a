"""The hosts file."""

import pytest

from txtr.errors import UserMistake
from txtr.fetch.hosts_file import read_hosts


def test_every_name_gets_its_addresses_in_the_order_of_the_file():
    """As in /etc/hosts."""
    text = "# ours\n127.0.0.2  a.test B.test.  # two\n\n\t127.0.0.3 a.test\r\n::1 c.test\n127.0.0.2 a.test\n"
    assert read_hosts(text, "f") == {
        "a.test": ["127.0.0.2", "127.0.0.3"],
        "b.test": ["127.0.0.2"],
        "c.test": ["::1"],
    }


@pytest.mark.parametrize("line", ["a.test 127.0.0.1", "127.0.0.1", "300.0.0.1 a.test"])
def test_a_line_that_makes_no_sense_is_refused_by_its_number(line):
    """Left out in silence, it would send us to the real server of that name."""
    with pytest.raises(UserMistake, match="--hosts=f: line 2"):
        read_hosts(f"127.0.0.1 a.test\n{line}\n", "--hosts=f")


def test_the_hosts_file_of_this_machine_can_be_read():
    """Scopes as in fe80::1%lo0 are usual there."""
    assert read_hosts("127.0.0.1 localhost\nfe80::1%lo0 localhost\nff02::1 ip6-allnodes\n", "f")["localhost"]
