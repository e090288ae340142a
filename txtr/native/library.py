"""Edge: the compiled library, if it is there and made of these very sources."""

import sys
from ctypes import CDLL
from functools import cache
from pathlib import Path

PLACE = Path(sys.prefix)  # the virtual environment: setup.sh puts the library and a copy of its sources there


@cache
def library() -> CDLL | None:
    """The library; None where it could not be compiled, or was compiled from other sources."""
    try:
        is_ours = (PLACE / "native.c").read_bytes() == sources()
        return CDLL(str(PLACE / "native.so")) if is_ours else None
    except OSError:
        return None


def sources() -> bytes:
    """All sources, one after another, in the order of their names."""
    names = sorted(str(path) for path in Path(__file__).parent.glob("src/*.[ch]"))
    return b"".join(Path(name).read_bytes() for name in names)
