"""Contributions of people are kept; what stands beside each of them is not."""

import pytest

from txtr.clean.content import alike, walk
from txtr.clean.html.bare import Bare

QUESTION = "Seit gestern springt die Kette auf dem dritten Ritzel, sobald ich kräftig in die Pedale trete."
ANSWER = "Miss erst die Kette mit einer Lehre, bei 4000 km ist sie wahrscheinlich gelängt."
THANKS = "Danke!"


def post(number: int, text: str, name: str = "kurbelkurt") -> str:
    return (
        f'<div class="post{number} bg{number % 2}"><p class="author">{name}</p>'
        f'<div class="content">{text}</div>'
        f'<div class="content"><a href="/{number}">Zitat {number}</a></div></div>'
    )


def settled(markup: str, kept: set[str]) -> list[str]:
    """What is kept of this page when the trees would keep these blocks."""
    page = walk.read(Bare(f"<html><body><main>{markup}</main></body></html>"))
    wanted = [number for number, text in enumerate(page.texts) if text in kept]
    return [page.texts[number] for number in alike.judge_alike(page, wanted)]


THREAD = post(1, QUESTION) + post(2, ANSWER, "Ritzelrechner") + post(3, THANKS, "bergziege")


def test_a_short_contribution_stands_where_the_long_ones_do():
    """Trees lose it; links that stand there are no contributions."""
    assert settled(THREAD, {QUESTION}) == [QUESTION, ANSWER, THANKS]


def test_one_name_that_was_kept_of_many_goes():
    """The same place in other posts holds what was not wanted."""
    names = "".join(post(number, QUESTION, f"Mitglied {number}") for number in range(4))
    assert settled(names, {QUESTION, "Mitglied 2"}) == [QUESTION] * 4


def test_two_boxes_are_no_repetition():
    """Two columns of a page may be of one look, and one of them not be wanted."""
    assert settled(post(1, QUESTION) + post(2, ANSWER), {QUESTION}) == [QUESTION]


def test_another_place_in_the_box_is_judged_by_itself():
    """What has another class is something else."""
    notes = THREAD.replace(f'<div class="content">{THANKS}', f'<div class="note">{THANKS}')
    assert settled(notes, {QUESTION}) == [QUESTION, ANSWER]


@pytest.mark.parametrize("kept", [set(), {"Nirgends."}])
def test_where_nothing_is_kept_nothing_is_added(kept):
    """Empty text rather than noise."""
    assert settled(THREAD, kept) == []
