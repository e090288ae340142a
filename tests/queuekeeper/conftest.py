"""Everything here holds for both engines of the links."""

from pathlib import Path

import pytest

from tests.engines import ENGINES, engine


@pytest.fixture(autouse=True, params=ENGINES)
def _every_engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frontier that is given no links makes them with this engine."""
    directory: Path = tmp_path_factory.mktemp("state")
    monkeypatch.setattr("txtr.frontier.state.MemoryLinks", engine(request.param, directory))
