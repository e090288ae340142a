"""The gate: may this link enter?"""

import pytest

from txtr.frontier.gate import Gate
from txtr.model import Link


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
    assert gate.refusal(Link(domain, "/", depth=99)) == reason
    assert gate.has_judged(domain)
    assert gate.domain_refusal(domain) == reason


@pytest.mark.parametrize("most,depth,reason", [(0, 1000, ""), (3, 3, ""), (3, 4, "depth")])
def test_nothing_deeper_than_depth_enters(most: int, depth: int, reason: str) -> None:
    """Spec 4: the maximal number of clicks from a start page; 0 means no limit."""
    assert Gate(".*", "^$", most).refusal(Link("a.cz", "/", depth)) == reason
