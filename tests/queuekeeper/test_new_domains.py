"""New domains: the other kind of batch."""

import pytest

from txtr.queuekeeper.batches import MOST_NAMES, share_names


@pytest.mark.parametrize(
    "waiting,harvesters,names", [(0, 3, 0), (1, 3, 1), (7, 3, 3), (10_000, 2, MOST_NAMES), (5, 0, 5)]
)
def test_names_are_shared_among_the_harvesters(waiting: int, harvesters: int, names: int) -> None:
    """Spec 6: a harvester, not the server, finds out their address; nobody gets them all."""
    assert share_names(waiting, harvesters) == names
