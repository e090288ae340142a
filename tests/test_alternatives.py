"""Long expressions find what they find as they are written, only sooner."""

import re
import time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from txtr.alternatives import Expression
from txtr.gate import Gate

WORDS = ["a", "b", "c", "ab", "ba", ".", r"\.", r"\-", "-", "|", "|", "^", "$", "(?:", "(", ")", "[ab]", "*"]
WORDS += [
    "+",
    "?",
    "*+",
    "{2}",
    "{",
    r"\b",
    r"\Z",
    r"\x61",
    "(?P<n>",
    "(?i:",
    "(?!a)",
    "(?<=a)",
    "(?>",
    "[^])]",
]
USUAL_BEGINNINGS = [r"(^|\.)", r"(?:^|\.)", r"^(?:.*\.)?", r"^(.+\.)?", r"^(www\.)?", r"^(?:www\.)?"]
BEGINNINGS = [
    "",
    "^",
    r"\b",
    r".*\.",
    r"^.*",
    r"(.+\.)?",
    r"^(?:[^.]+\.)*",
    "[^b]",
    "(?!a)",
    "^(?:a|$)",
    "a*+",
    "b?",
]
ENDS = ["", "$", r"\b", ".*", r"\.(b|c)$", "[.]c", "*", "?", "{2}", "+c", "(a|b)?$", "(?=c)", r"\Z"]
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


@given(
    st.lists(
        st.tuples(
            st.sampled_from(USUAL_BEGINNINGS + BEGINNINGS),
            st.sampled_from(["ab", "abc", r"ab\.c", "bcab", r"ab\-b\.ca", "ab.c", "abab.b"]),
            st.sampled_from(ENDS),
        ).map("".join),
        min_size=1,
        max_size=5,
    ),
    st.lists(
        st.sampled_from(["a", "b", "c", ".", "www.", "ab", "abc", "ab.c", "bcab", "ab-b.ca"]), max_size=9
    ),
)
def test_alternatives_of_the_usual_forms_are_found_like_others(lines: list[str], name: list[str]) -> None:
    """Whatever stands before and after the letters."""
    pattern = "|".join(f"(?:{line})" for line in lines)
    assert Expression(pattern, long=0).finds("".join(name)) == bool(re.search(pattern, "".join(name)))


@pytest.mark.parametrize(
    "pattern",
    ["(?i)ABAB|baba", r"(a)bab\1|baba", "(?P<x>abab)(?P=x)|baba", "(a)?b(?(1)ab|c)|baba", "abab(?#()|baba"],
)
def test_what_must_be_read_to_be_understood_is_left_whole(pattern: str) -> None:
    expression = Expression(pattern, long=0)
    assert not expression.by_piece
    for name in ("abab", "ababa", "abababab", "baba", "ABAB", "c"):
        assert expression.finds(name) == bool(re.search(pattern, name))


def _server(number: int) -> str:
    return f"{number * 2654435761 % (1 << 32):08x}"


@pytest.mark.parametrize(
    "line",
    [
        r"%s\.example$",
        "%s.example",
        r"^www\.%s\.example$",
        *(rf"{beginning}%s\.example$" for beginning in USUAL_BEGINNINGS),
        r"\b%s\.example",
        r".*\.%s[.]example$",
        r"(?i:www)\.%s\.(example|test)$",
    ],
)
def test_a_list_of_thousands_of_servers_costs_microseconds_a_server(line: str) -> None:
    """With 300 KB a page of two thousand servers took two seconds, and with groups a server did."""
    gate = Gate(".*", "|".join(f"(?:{line % _server(number)})" for number in range(20_000)), depth=0)
    _refuses_the_last_thousand_of_twenty_thousand(gate)


@pytest.mark.parametrize("form", [r"(^|\.)(%s)\.example$", r"^(?:.*\.)?(?:%s)\.(example|test)$", "(%s)"])
def test_one_group_with_thousands_of_servers_is_a_list_too(form: str) -> None:
    gate = Gate(".*", form % "|".join(map(_server, range(20_000))), depth=0)
    _refuses_the_last_thousand_of_twenty_thousand(gate)


def _refuses_the_last_thousand_of_twenty_thousand(gate: Gate) -> None:
    begun = time.thread_time()
    refused = [gate.domain_refusal(f"www.{_server(number)}.example") for number in range(19_000, 21_000)]
    assert time.thread_time() - begun < 0.25
    assert refused == ["excluded"] * 1000 + [""] * 1000


def test_groups_of_what_is_left_cost_nothing() -> None:
    """Python remembers where each group was: with a thousand of them that took milliseconds a server."""
    letters = "abcdefghij"
    lines = [rf"(^|\.)[{a}][{b}][{c}]([.])[xy]$" for a in letters for b in letters for c in letters]
    expression = Expression("|".join(lines))
    assert expression.rest is not None and expression.rest.groups == 0
    assert expression.finds("www.abc.x") and not expression.finds("www.abk.x")
