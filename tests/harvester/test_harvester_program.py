"""The harvester as a program."""

import pytest

from txtr.config.options import name_trouble
from txtr.harvester.program import _own_name, main


@pytest.mark.parametrize("machine", ["", "keeper.example.org", "Jan\u2019s iMac", "x" * 64])
def test_a_harvester_that_was_given_no_name_takes_one_that_is_admitted(machine):
    """By its machine, which may be called anything."""
    name = _own_name(machine)
    assert name_trouble(name) == ""
    assert name.startswith("harvester-")


def test_a_bad_hosts_file_is_named_by_its_option(tmp_path, monkeypatch, capsys):
    """It used to be called line 1, of nobody knew what."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hosts").write_text("www.priklad.cz\n")
    assert main(["--config=", "--hosts=hosts"]) == 2
    assert "harvester: --hosts=hosts: line 1: expected an IP address" in capsys.readouterr().err
