"""The gate: may this link enter?"""

import pytest

from txtr.gate import Gate


@pytest.mark.parametrize(
    "include,exclude,domain,reason",
    [
        (".*", "^$", "a.cz", ""),
        (".cz", "^$", "a.cz", ""),
        (".cz", "^$", "a.com", "not-included"),
        (r"\.cz$", "^$", "a.cz.com", "not-included"),
        (".*", r"^www\.", "www.a.cz", "excluded"),
        (".cz", "a", "a.cz", "excluded"),  # both: excluded servers are never contacted
        (".*", "^$", "", "no-domain"),
    ],
)
def test_include_and_exclude_are_expressions_on_the_server_name(
    include: str, exclude: str, domain: str, reason: str
) -> None:
    """Spec 4: excluded servers are never contacted; when include is set, nothing else is."""
    gate = Gate(include, exclude, depth=0)
    assert not gate.has_judged(domain)
    assert gate.domain_refusal(domain) == reason
    assert gate.has_judged(domain)
    assert gate.domain_refusal(domain) == reason  # what was judged once is not judged otherwise


@pytest.mark.parametrize("most,depth,is_refused", [(0, 1000, False), (3, 3, False), (3, 4, True)])
def test_nothing_deeper_than_depth_enters(most: int, depth: int, is_refused: bool) -> None:
    """Spec 4: the maximal number of clicks from a start page; 0 means no limit."""
    assert Gate(".*", "^$", most).is_too_deep(depth) == is_refused


def test_an_expression_is_made_ready_once_however_often_it_is_told() -> None:
    """A harvester is told both at every greeting, and of two megabytes each would take half a second."""
    first, second = Gate(".*", "a|b" * 1000, depth=0), Gate(".*", "a|b" * 1000, depth=3)
    assert first.exclude is second.exclude
    assert first.verdicts is not second.verdicts
