"""The question: a small protocol, and nothing that comes over it is believed."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from txtr.errors import TheirMistake
from txtr.segment.protocol import (
    GREETING,
    HEADER,
    MOST_ANSWER_BYTES,
    VERSION,
    Frames,
    Question,
    check_greeting,
    encode_answer,
    encode_frame,
    encode_greeting,
    encode_question,
    read_answer,
    read_languages,
    read_question,
)
from txtr.segment.usability import Judgement


def heard(data, most_bytes=MOST_ANSWER_BYTES):
    return list(Frames(most_bytes).feed(data))


def framed(body):
    return len(body).to_bytes(HEADER, "big") + body


@given(some.text(), some.text(), some.integers(1, 10))
def test_a_question_arrives_as_it_was_asked_however_the_bytes_are_cut(text, title, step):
    question = Question("http://example.cz/a", text.replace("\ud800", ""), title, "cs")
    frames, data = Frames(1 << 20), encode_question(7, question)
    values = [value for at in range(0, len(data), step) for value in frames.feed(data[at : at + step])]
    assert [read_question(value) for value in values] == [(7, question)]


def test_an_answer_arrives_as_it_was_given():
    given = Judgement(0.25, ("short", "mixed"), "cs", (0, 2))
    (value,) = heard(encode_answer(9, given))
    assert read_answer(value).judgement == given


def test_many_frames_may_come_at_once():
    data = b"".join(encode_answer(number, Judgement(1.0)) for number in range(5))
    assert [read_answer(value).number for value in heard(data)] == [0, 1, 2, 3, 4]


NO_NUMBERS = """NaN Infinity -Infinity 1e308 1e999 -0.1 1.0001 2 "0.5" null true [] {} [0.5]"""


@pytest.mark.parametrize("usability", [*NO_NUMBERS.split(), '"' + "x" * 100_000 + '"', "9" * 4000])
def test_what_is_no_number_from_0_to_1_is_named_and_concerns_one_document(usability):
    """Garbage from the segmenter is survived with a clear log line."""
    (value,) = heard(framed(f'{{"id": 3, "usability": {usability}}}'.encode()))
    said = read_answer(value)
    assert said.number == 3 and said.judgement is None
    assert said.wrong.endswith("is no number from 0 to 1") and len(said.wrong) < 150


@pytest.mark.parametrize("usability", [0, 1, 0.0, 1.0, 0.5, 1e-300])
def test_any_number_from_0_to_1_is_a_usability(usability):
    assert read_answer({"id": 1, "usability": usability}).judgement.usability == usability


@pytest.mark.parametrize(
    "body",
    [b"", b"hello", b"\xff\xfe", b"[1]", b"3", b"null", b"[" * 100_000, b'{"id": 1', b"9" * 5000],
)
def test_a_frame_without_a_json_object_ends_the_line(body):
    with pytest.raises(TheirMistake, match="expected"):
        heard(framed(body))


def test_a_megabyte_of_text_ends_the_line_before_it_is_read():
    with pytest.raises(TheirMistake, match="the most is"):
        heard((1 << 20).to_bytes(HEADER, "big"))


@pytest.mark.parametrize("number", [None, "1", 1.0, True, [1]])
def test_an_answer_without_a_number_is_none(number):
    with pytest.raises(TheirMistake, match="expected an id"):
        read_answer({"id": number, "usability": 1})


def test_another_version_is_refused_by_name():
    (hello,) = heard(encode_greeting(harvester="h"))
    check_greeting(hello)
    with pytest.raises(TheirMistake, match="speaks version 2, we speak 1"):
        check_greeting({GREETING: 2})
    with pytest.raises(TheirMistake, match="expected"):
        check_greeting({"hello": VERSION})


@pytest.mark.parametrize("wanted", [None, 3, "cs", [1, None]])
def test_a_strange_wish_for_languages_is_none(wanted):
    assert read_languages({"languages": wanted}) == frozenset()


def test_reasons_are_few_short_words():
    value = {"id": 1, "usability": 0.5, "reasons": ["a b, c\n", 3, "", "x" * 1000, *["r"] * 100]}
    reasons = read_answer(value).judgement.reasons
    assert reasons[:2] == ("a-b-c", "x" * 80) and len(reasons) <= 8


@pytest.mark.parametrize("numbers", [3, "0", ["0"], [-1], [0.5], [True]])
def test_strange_numbers_of_good_lines_mean_all_of_them(numbers):
    assert read_answer({"id": 1, "usability": 1, "good_lines": numbers}).judgement.kept is None


def test_good_lines_are_in_order_and_once_each():
    assert read_answer({"id": 1, "usability": 1, "good_lines": [4, 0, 4]}).judgement.kept == (0, 4)


def test_a_question_without_text_is_none():
    with pytest.raises(TheirMistake, match="question 4 has no text"):
        read_question({"id": 4})


@given(some.binary())
def test_any_bytes_are_survived(data):
    try:
        for value in heard(data):
            read_answer(value)
    except TheirMistake as mistake:
        assert str(mistake).isprintable()


ANYTHING = some.recursive(
    some.none() | some.booleans() | some.floats() | some.integers() | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
)


@example({"id": {"𐀀" * 15: None}})
@given(
    some.dictionaries(some.sampled_from(["id", "usability", "reasons", "language", "good_lines"]), ANYTHING)
)
def test_any_json_object_is_survived(value):
    try:
        said = read_answer(json.loads(json.dumps(value)))
        assert said.judgement is None or 0 <= said.judgement.usability <= 1
    except TheirMistake as mistake:
        assert len(str(mistake)) < 200


def test_half_a_character_does_not_stop_a_question():
    assert "text" in heard(encode_frame({"text": "a\ud800b"}))[0]


def test_an_answer_about_a_very_long_text_is_not_too_long():
    """Ours would break the protocol itself; what cannot be told by number counts as good."""
    long = encode_answer(1, Judgement(0.5, kept=tuple(range(2_000_000))))
    assert len(long) < MOST_ANSWER_BYTES and "good_lines" not in heard(long)[0]
    many = encode_answer(1, Judgement(0.5, kept=tuple(range(9_950_000, 10_000_000))))
    assert len(heard(many)[0]["good_lines"]) == 50_000
