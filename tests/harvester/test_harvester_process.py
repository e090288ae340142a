"""The harvester as a program."""

import pytest

from txtr.harvester.process import _own_name
from txtr.options import name_trouble


@pytest.mark.parametrize("machine", ["", "keeper.example.org", "Jan\u2019s iMac", "x" * 64])
def test_a_harvester_that_was_given_no_name_takes_one_that_is_admitted(machine):
    """By its machine, which may be called anything."""
    name = _own_name(machine)
    assert name_trouble(name) == ""
    assert name.startswith("harvester-")
