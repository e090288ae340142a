"""Comparing paths with rules: what it takes is bounded, and the bound only ever forbids more."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.manners import matching
from txtr.manners.matching import MOST_STEPS, STEPS_AT_ONCE, Matcher
from txtr.manners.robots import parse


def nearly(number: int) -> str:
    return f"{'a' * (298 - number // 27)}b{'a' * (298 - number % 27)}"


LONG = [f"/x{'a' * 1960}{number:04}" for number in range(300)]
NEARLY = "".join(f"Disallow: /x*{nearly(number)}\n" for number in range(60))
SHORT = "".join(f"Disallow: /x*a{number:x}\n" for number in range(700))


def rules(text: str) -> Matcher:
    return Matcher(parse("User-agent: *\n" + text, "texttractor").rules)


@pytest.mark.parametrize("text", [NEARLY, SHORT], ids=["nearly", "short"])
def test_a_long_path_costs_bounded_steps_whatever_the_rules_are(text: str) -> None:
    """Found by an attack: 1,990 links of a page took 240 seconds; these take one millisecond each."""
    begun = time.thread_time()
    judgement = rules(text).judge(LONG, 0, float("inf"))
    assert time.thread_time() - begun < 6
    assert judgement.steps <= len(LONG) * 1.3 * MOST_STEPS
    assert set(judgement.forbidden) == set(LONG)  # they begin like the rules, and more was not looked at


def test_what_begins_otherwise_stays_allowed() -> None:
    """A rule that is cut still has its beginning."""
    assert rules(NEARLY).judge(["/y" + path for path in LONG], 0, float("inf")).forbidden == {}


def test_usual_rules_are_compared_with_the_longest_links() -> None:
    """Two hundred rules with wild cards, and a link of 2,000 letters: the bound is far away."""
    text = "".join(f"Disallow: /*/section{number}/*?sort={number}\n" for number in range(200))
    long = "/" + "a/" * 980
    matcher = rules(text)
    assert matcher.rule_against(long) == ""
    assert matcher.rule_against(long + "section7/x?sort=7") == "/*/section7/*?sort=7"


def test_after_so_many_steps_the_other_paths_are_left() -> None:
    """Whoever asks goes on with them later; some are always compared."""
    matcher = rules(NEARLY)
    forbidden, left, steps = matcher.judge(LONG, 0, 10 * MOST_STEPS)
    assert [*forbidden, *left] == LONG
    assert 10 * MOST_STEPS <= steps <= 10 * MOST_STEPS + STEPS_AT_ONCE
    assert len(matcher.judge(LONG, 0, 0).forbidden) == 1


def test_to_make_rules_ready_is_counted_once() -> None:
    """A page may have links to hundreds of servers with very many rules each."""
    matcher = rules(NEARLY)
    first, second = (matcher.judge(["/"], 0, float("inf")).steps for _ in range(2))
    assert first > second + 1_000_000


def test_as_many_paths_as_are_promised_are_compared() -> None:
    """`most_paths` is what dealing goes by: who is leased is checked."""
    matcher = rules(NEARLY)
    number = matcher.most_paths(50 * MOST_STEPS)
    assert 10 < number < 50
    assert matcher.judge(LONG[:number], 0, 50 * MOST_STEPS).left == []
    assert matcher.most_paths(0) == 1


_PIECES = st.lists(st.sampled_from(["/", "a", "b", "ab", "*", "$"]), max_size=5)
_LINES = st.lists(
    st.tuples(st.booleans(), st.builds(lambda pieces: "/" + "".join(pieces), _PIECES)), max_size=9
)
_PATHS = st.lists(st.builds(lambda rest: "/" + rest, st.text("/ab$|", max_size=9)), min_size=1, max_size=4)


@given(_LINES, _PATHS, st.integers(0, 6000))
def test_the_bound_never_allows_what_the_rules_forbid(
    lines: list[tuple[bool, str]], paths: list[str], most_steps: int
) -> None:
    """Err on the polite side; and a path is judged alike alone and together with others."""
    text = "".join(f"{'allow' if allows else 'disallow'}:{rule}\n" for allows, rule in lines)
    exact = rules(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "MOST_STEPS", most_steps)
        bounded = rules(text)
        alone = {path: rule for path in paths if (rule := bounded.rule_against(path))}
        assert bounded.judge(paths, 0, float("inf")).forbidden == alone
    assert {path for path in paths if exact.rule_against(path)} <= set(alone)


def test_matchers_that_were_used_lately_are_kept_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as fit; the others are made ready again."""
    ready = matching._Ready()
    some = [parse(f"User-agent: *\nDisallow: /{number}", "texttractor").rules for number in range(9)]
    monkeypatch.setattr(matching, "MOST_READY_BYTES", 3 * Matcher(some[0]).size_bytes)
    for kept in some:
        assert ready.matcher(kept) is ready.matcher(kept)
    assert list(ready.matchers) == some[-3:]
    assert ready.size_bytes == sum(found.size_bytes for found in ready.matchers.values())
