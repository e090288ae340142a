"""What the tests of the queue program begin with."""

import pytest

from tests.queue.states import everything


@pytest.fixture
def state(tmp_path, monkeypatch):
    """The state of an ended crawl, in the current directory."""
    monkeypatch.chdir(tmp_path)
    everything(tmp_path / "state")
    return tmp_path / "state"
