"""Edge: whether the open files of a state directory are still the files that have their names.

A program that has a file open goes on writing to it after the file was removed or replaced. What it writes
then is lost, and neither the program nor the system says so. The inode that the name leads to tells it.
"""

from collections.abc import Iterable
from pathlib import Path

_Identity = tuple[int, int]  # device and inode


class OpenFiles:
    """Files of one directory, with their inodes when they were first seen; call `lost` now and then."""

    def __init__(self, directory: Path, names: Iterable[str]) -> None:
        self.directory = directory
        self.names = tuple(names)
        self.seen: dict[str, _Identity] = {}
        self.lost()

    def lost(self) -> str:
        """The first name seen before that is gone, or leads to another file now; '' when there is none."""
        for name in self.names:
            try:
                about = (self.directory / name).stat()
            except (FileNotFoundError, NotADirectoryError):
                if name in self.seen:
                    return name
            except OSError:
                continue  # a disk that fails has not lost the file yet
            else:
                identity = about.st_dev, about.st_ino
                if self.seen.setdefault(name, identity) != identity:
                    return name
        return ""
