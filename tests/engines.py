"""The two engines of the links: the same suite for both."""

from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from txtr.frontier.memory import MemoryLinks
from txtr.frontier.storage import Links
from txtr.store.store import Store

ENGINES = ("memory", "disk")


def engine(name: str, directory: Path) -> Callable[[], Links]:
    """Makes links; those on disk each in a directory of its own."""
    if name == "memory":
        return MemoryLinks
    return lambda: Store(Path(mkdtemp(dir=directory))).links
