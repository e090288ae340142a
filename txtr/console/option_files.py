"""Edge: the options of a program, and the texts of files that options name.

Invariant: a file that cannot be used is a UserMistake that names the option, and the path as the user gave
it.
"""

from collections.abc import Sequence
from pathlib import Path

from txtr.config import layers
from txtr.config.options import Options
from txtr.errors import UserMistake


def load(argv: Sequence[str]) -> Options:
    """Defaults, config.txt, command line."""
    return layers.load(argv, _read)


def load_with_words(argv: Sequence[str], most_words: int) -> tuple[Options, list[str]]:
    """The same for a command line that also holds words which are no options."""
    return layers.load_with_words(argv, _read, most_words)


def text(option: str, path: str) -> str:
    """The text of a file that an option, such as --urls, names."""
    try:
        return content(option, path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserMistake(f"{option}={path}: not UTF-8") from error


def content(option: str, path: str) -> bytes:
    """Its bytes."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UserMistake(f"{option}={path}: {error.strerror}") from error


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
