"""The four rules as one value."""

import pytest

from txtr.manners.rules import Rules


@pytest.mark.parametrize("delay,quota", [(2.0, 20), (1.0, 20), (4.0, 10), (3.9, 10), (41.0, 1), (1e9, 1)])
def test_a_domain_with_a_longer_delay_gets_fewer_requests_in_a_series(delay: float, quota: int) -> None:
    """It must not keep the other domains of its address waiting; but it gets at least one."""
    rules = Rules(req_delay=2.0, max_hosts=2, max_reqs=20, general_pause=30.0)
    assert rules.quota(delay) == quota


def test_a_quota_is_never_more_than_max_reqs() -> None:
    """Spec 2: max-reqs is the most."""
    rules = Rules(req_delay=0.0, max_hosts=2, max_reqs=20, general_pause=30.0)
    assert rules.quota(0.0) == 20
    assert rules.quota(5.0) == 1
