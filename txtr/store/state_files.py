"""Edge: the open files of a state directory, and whether they are still the ones that have the names.

A file that is removed or replaced while a program has it open is written to as before, and nobody ever
finds it again: neither the program nor the system says anything. The inode does.
"""

from collections.abc import Iterable
from pathlib import Path

_Identity = tuple[int, int]  # device and inode


class OpenFiles:
    """Files of one directory, remembered from when they were first seen; to be looked at now and then."""

    def __init__(self, directory: Path, names: Iterable[str]) -> None:
        self.directory = directory
        self.names = tuple(names)
        self.seen: dict[str, _Identity] = {}
        self.lost()

    def lost(self) -> str:
        """The first of those seen that is gone, or is another file now; empty when all are what they were."""
        for name in self.names:
            try:
                about = (self.directory / name).stat()
            except (FileNotFoundError, NotADirectoryError):
                if name in self.seen:
                    return name
            except OSError:
                continue  # a disk that fails has not lost anything yet
            else:
                identity = about.st_dev, about.st_ino
                if self.seen.setdefault(name, identity) != identity:
                    return name
        return ""
