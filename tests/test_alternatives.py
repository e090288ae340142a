"""Long expressions find what they find as they are written, only sooner."""

import re
import time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from txtr.alternatives import Expression
from txtr.gate import Gate

WORDS = ["a", "b", "c", "ab", "ba", ".", r"\.", r"\-", "-", "|", "|", "^", "$", "(?:", "(", ")", "[ab]", "*"]
NAMES = st.text("abc.-", max_size=9)


@given(st.lists(st.sampled_from(WORDS), max_size=25).map("".join), st.lists(NAMES, min_size=5, max_size=5))
@example("abab|", ["", "ab"])
@example("(?:abab)(?:b|^bab)", ["ababb", "bab"])
@example(r"(?:abab|(?:^baba\.c$|ab\)))", ["ababc", "baba.c", "ab)"])
def test_what_is_found_is_what_python_finds(pattern: str, names: list[str]) -> None:
    try:
        expected = re.compile(pattern)
    except re.error:
        assume(False)
    expression = Expression(pattern, long=0)
    assert [expression.finds(name) for name in names] == [bool(expected.search(name)) for name in names]


@given(st.lists(st.tuples(st.sampled_from(["", "^"]), NAMES, st.sampled_from(["", "$"])), min_size=1), NAMES)
def test_plain_alternatives_are_found_like_others(given_lines: list[tuple[str, str, str]], name: str) -> None:
    """Dots that stand for any letter included."""
    pattern = "|".join(map("".join, given_lines))
    assert Expression(pattern, long=0).finds(name) == bool(re.search(pattern, name))


@pytest.mark.parametrize(
    "pattern", ["(?i)ABAB|baba", r"(a)bab\1|baba", "(?P<x>abab)(?P=x)|baba", "(?=abab)|b"]
)
def test_what_must_be_read_to_be_understood_is_left_whole(pattern: str) -> None:
    expression = Expression(pattern, long=0)
    assert not expression.by_piece
    for name in ("abab", "ababa", "abababab", "baba", "ABAB", "c"):
        assert expression.finds(name) == bool(re.search(pattern, name))


def _server(number: int) -> str:
    return f"{number * 2654435761 % (1 << 32):08x}"


@pytest.mark.parametrize("line", [r"%s\.example$", "%s.example", r"^www\.%s\.example$"])
def test_a_list_of_thousands_of_servers_costs_microseconds_a_server(line: str) -> None:
    """With 300 KB a page of two thousand servers took two seconds, in both programs."""
    gate = Gate(".*", "|".join(line % _server(number) for number in range(15_000)), depth=0)
    begun = time.thread_time()
    refused = [gate.domain_refusal(f"www.{_server(number)}.example") for number in range(14_000, 16_000)]
    assert time.thread_time() - begun < 0.25
    assert refused == ["excluded"] * 1000 + [""] * 1000
