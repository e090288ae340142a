"""The lock of a state directory: who may hold it, and where it can be."""

import pytest

from txtr.errors import UserMistake
from txtr.store.lock import MOST_PATH_BYTES, hold_lock
from txtr.store.store import Store


def _state(tmp_path, size_bytes):
    """A path of so many bytes."""
    deep = tmp_path
    while (left := size_bytes - len(str(deep)) - 1) > 200:
        deep /= "d" * 100
    return deep / ("e" * left)


def test_a_state_whose_path_is_too_long_for_a_database_is_refused_by_the_option(tmp_path):
    """SQLite says only that it is unable to open the file."""
    with pytest.raises(UserMistake, match=r"^--state=.*: its whole path has 481 bytes, the most is 480$"):
        hold_lock(_state(tmp_path, MOST_PATH_BYTES + 1))
    assert not list(tmp_path.iterdir())


def test_the_longest_path_of_a_state_works(tmp_path):
    state = _state(tmp_path, MOST_PATH_BYTES)
    hold_lock(state).close()
    Store(state).close()
    assert (state / "frontier.sqlite").exists()
