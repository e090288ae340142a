"""Deflate, by isal where there is one: it packs and unpacks in less than half of zlib's time.

What one of the two has packed the other unpacks.
"""

import zlib
from types import ModuleType

library: ModuleType = zlib
_level = 4  # 5 saves 2 % of the size and takes a sixth longer
try:
    from isal import isal_zlib
except ImportError:  # it is not made for every machine
    pass
else:
    library, _level = isal_zlib, 2  # a twentieth larger than zlib's 4, in a third of the time

_RAW = -15  # the largest window, and neither header nor checksum


class Unpackable(Exception):
    """This was never packed, or was damaged since."""


def packed(data: bytes) -> bytes:
    done: bytes = library.compress(data, _level, _RAW)
    return done


def unpacked(data: bytes) -> bytes:
    try:
        done: bytes = library.decompress(data, _RAW)
    except (zlib.error, library.error) as error:
        raise Unpackable(str(error)) from error
    return done
