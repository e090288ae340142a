"""Whoever unpacks it, it is what was packed: a state may be taken to a machine that has only zlib."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr import deflate

RAW = -15


@given(st.binary(max_size=5000))
def test_whatever_is_packed_is_unpacked_by_either(data: bytes) -> None:
    assert zlib.decompress(deflate.packed(data), RAW) == data
    assert deflate.unpacked(deflate.packed(data)) == data


@pytest.mark.parametrize(
    "data", [b"", b"no deflate at all", deflate.packed(b"cut off in the middle" * 50)[:-9]]
)
def test_damage_is_told_in_one_way_whoever_notices_it(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for unpacker in (deflate.unpacker, zlib):
        monkeypatch.setattr(deflate, "unpacker", unpacker)
        with pytest.raises(deflate.Unpackable):
            deflate.unpacked(data)
