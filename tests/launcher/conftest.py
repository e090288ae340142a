"""A start script whose queuekeeper and harvester are tiny fakes, in a directory of its own."""

import os
import signal

import pytest
from fake_programs import Place


@pytest.fixture
def crawl(tmp_path):
    place = Place(tmp_path)
    yield place
    for pid in place.processes():
        os.kill(pid, signal.SIGKILL)
