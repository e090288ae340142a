"""The contact that stands in."""

import getpass

import pytest

from txtr.console.contact import user_at_host


@pytest.mark.parametrize("trouble", [KeyError("uid not found"), OSError("no user name")])
def test_a_user_without_a_name_has_a_number(trouble: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs as a user of no /etc/passwd."""

    def nobody() -> str:
        raise trouble

    assert "@" in user_at_host()
    monkeypatch.setattr(getpass, "getuser", nobody)
    assert user_at_host().partition("@")[0].isdecimal()
