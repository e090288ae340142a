"""What either library has packed, either unpacks: a state may be taken to a machine that has only one."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr import deflate

RAW = -15


@given(st.binary(max_size=5000))
def test_zlib_unpacks_what_we_pack_and_we_what_zlib_packs(data: bytes) -> None:
    assert zlib.decompress(deflate.packed(data), RAW) == data
    assert deflate.unpacked(zlib.compress(data, 4, RAW)) == data


@pytest.mark.parametrize(
    "data", [b"", b"no deflate at all", deflate.packed(b"cut off in the middle" * 50)[:-9]]
)
def test_damage_is_told_in_one_way_whoever_notices_it(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in (deflate.library, zlib):
        monkeypatch.setattr(deflate, "library", library)
        with pytest.raises(deflate.Unpackable):
            deflate.unpacked(data)
