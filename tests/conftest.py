"""Tests may import each other's helpers as tests.<name>; and none is timed, for machines may be busy."""

import signal
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent.parent))
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by whoever is started in the background


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Packed bytes hold the second when they were packed; a test has the same name in every worker."""
    return f"{argname} of {len(val)} bytes" if isinstance(val, bytes) and b"\x1f\x8b" in val else None
