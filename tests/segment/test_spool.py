"""The spool: a question leaves it once, whatever happens to the line."""

from hypothesis import given
from hypothesis import strategies as some

from txtr.segment.protocol import Question
from txtr.segment.spool import MOST_BYTES, MOST_QUESTIONS, SILENCE, TRIES, WINDOW, Spool


def question(number=1, text="Ahoj."):
    return Question(f"http://example.cz/{number}", text)


def spool_of(count):
    spool = Spool()
    for number in range(count):
        spool.put(question(number + 1))
    return spool


def numbers(due):
    return [number for number, _ in due]


def test_many_questions_are_under_way_at_once():
    """Pipelined, so that the answer's latency does not cost throughput."""
    spool = spool_of(1000)
    assert numbers(spool.next(now=0)) == list(range(1, WINDOW + 1))
    assert spool.next(now=0) == []
    spool.take(7, now=0)
    assert numbers(spool.next(now=0)) == [WINDOW + 1]


def test_what_was_asked_and_not_answered_is_asked_again_one_by_one():
    """One of them may have killed the segmenter."""
    spool = spool_of(WINDOW + 2)
    spool.next(now=0)
    for number in range(4, WINDOW + 1):
        spool.take(number, now=0)
    assert spool.cut() == []
    for number in (1, 2, 3):
        assert numbers(spool.next(now=1)) == [number]
        spool.take(number, now=1)
    assert numbers(spool.next(now=1)) == [WINDOW + 1, WINDOW + 2]


def test_an_answer_counts_once():
    spool = spool_of(1)
    spool.next(now=0)
    assert spool.take(1, now=0) == question()
    assert spool.take(1, now=0) is None
    assert not spool.waiting and not spool.size_bytes


def test_an_answer_to_what_was_not_asked_counts_nothing():
    spool = spool_of(2)
    assert spool.take(2, now=0) is None and spool.take(77, now=0) is None
    assert len(spool.waiting) == 2


def test_a_document_that_kills_the_segmenter_is_given_up_alone():
    spool = spool_of(100)
    spool.next(now=0)
    assert spool.cut() == []
    for _ in range(TRIES - 1):
        assert numbers(spool.next(now=0)) == [1]
        assert spool.cut() == []
    assert numbers(spool.next(now=0)) == [1]
    assert spool.cut() == [1]
    spool.forget(1)
    assert numbers(spool.next(now=0)) == [2]


def test_a_segmenter_that_is_restarted_again_and_again_costs_nobody_a_try():
    spool = spool_of(100)
    for _ in range(10 * TRIES):
        for number in sorted(spool.suspects):
            assert numbers(spool.next(now=0)) == [number]
            spool.take(number, now=0)
            spool.put(question())
        spool.next(now=0)
        assert spool.cut() == []


def test_a_segmenter_that_is_away_costs_nobody_a_try():
    spool = spool_of(5)
    for _ in range(10 * TRIES):
        assert spool.cut() == []


def test_a_silent_segmenter_is_noticed_but_a_slow_one_is_not():
    spool = spool_of(3)
    assert spool.silent(now=1000) == 0
    spool.next(now=1000)
    assert spool.silent(now=1000 + SILENCE) == SILENCE
    spool.take(1, now=1000 + SILENCE)
    spool.next(now=1000 + SILENCE)
    assert spool.silent(now=1002 + SILENCE) == 2


def test_the_lag_is_that_of_the_oldest_question_under_way():
    """Slow segmenters are to be told of."""
    spool = spool_of(3)
    assert spool.lag(now=5) == 0
    spool.next(now=1000)
    spool.take(1, now=1004)
    assert spool.lag(now=1007) == 7


def test_the_page_that_is_kept_in_memory_counts_with_its_text():
    """Spool within a bound. A megabyte of tags around a line of text is a megabyte."""
    spool = Spool()
    number = spool.put(Question("u", "Ahoj.", held_bytes=MOST_BYTES))
    assert spool.room(1) == 0
    spool.forget(number)
    assert spool.room(0) == MOST_QUESTIONS


def test_who_was_given_up_before_is_given_up_at_the_first_fruitless_line():
    spool = spool_of(3)
    assert len(spool.fruitless(tries=1)) == 3


def test_after_fruitless_lines_everything_that_waits_is_given_up():
    spool = spool_of(3)
    for _ in range(TRIES - 1):
        assert spool.fruitless() == []
    assert spool.fruitless() == [1, 2, 3]


def test_the_spool_is_bounded_in_number_and_bytes():
    """Harvesters spool within a bound, and slow down."""
    spool = Spool()
    assert (
        spool.room(0) == MOST_QUESTIONS
        and spool.room(MOST_QUESTIONS) == 0
        and spool.room(MOST_QUESTIONS + 9) == 0
    )
    spool.put(question(text="x" * MOST_BYTES))
    assert spool.room(1) == 0
    spool.forget(1)
    assert spool.room(0) == MOST_QUESTIONS


@given(some.lists(some.sampled_from(["put", "next", "take", "cut", "fruitless", "forget"]), max_size=60))
def test_whatever_happens_no_question_is_lost_or_answered_twice(history):
    spool, put, gone = Spool(), 0, []
    for what in history:
        if what == "put":
            put = spool.put(question())
        elif what == "next":
            spool.next(now=0)
        elif what == "take" and spool.asked:
            number = next(iter(spool.asked))
            assert spool.take(number, now=0) is not None
            gone.append(number)
        elif what == "forget" and spool.waiting:
            number = max(spool.waiting)
            spool.forget(number)
            gone.append(number)
        elif what in ("cut", "fruitless"):
            for number in getattr(spool, what)():
                spool.forget(number)
                gone.append(number)
        assert sorted([*gone, *spool.waiting]) == list(range(1, put + 1))
        assert set(spool.asked) | set(spool.unasked) >= set(spool.waiting)
        assert spool.size_bytes == 5 * len(spool.waiting)
