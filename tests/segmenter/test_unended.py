"""What many harvesters have sent of long questions."""

from txtr.segmenter.unended import SHORT_BYTES, Unended

MIB = 1 << 20


def test_the_eldest_frame_goes_when_all_of_them_have_too_much():
    """Found by attack: eight frames that never ended took 553 MB."""
    unended = Unended(most_bytes=10 * MIB)
    for size in range(MIB, 5 * MIB, MIB):
        assert unended.hold("a", size) == unended.hold("b", size) == []
    assert unended.hold("c", 3 * MIB) == ["a"]
    assert unended.all_bytes == 7 * MIB


def test_a_frame_that_ends_makes_room():
    unended = Unended(most_bytes=10 * MIB)
    for _ in range(5):
        unended.hold("a", 6 * MIB)
        unended.end("a")
    assert (unended.hold("b", 6 * MIB), unended.all_bytes) == ([], 6 * MIB)
    assert unended.hold("b", 100) == []
    assert (unended.bytes, unended.all_bytes) == ({}, 0)


def test_short_frames_are_never_in_the_way():
    unended = Unended(most_bytes=MIB)
    assert not any(unended.hold(number, SHORT_BYTES) for number in range(1000))


def test_a_frame_too_long_for_all_goes_itself():
    unended = Unended(most_bytes=MIB)
    assert unended.hold("a", 2 * MIB) == ["a"]
    assert unended.all_bytes == 0
