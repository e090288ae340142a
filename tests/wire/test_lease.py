"""The lease: no harvester is at an address that another has been given."""

from txtr.wire.lease import BREAK_OFF, LEASE, PATIENCE, PING_EVERY


def test_the_queuekeeper_is_more_patient_than_a_lease_lasts() -> None:
    """Spec 6: a dead harvester endangers nothing."""
    assert PATIENCE > LEASE + BREAK_OFF


def test_a_few_lost_pings_cost_no_lease() -> None:
    """A line that stutters must not stop the work."""
    assert LEASE >= 3 * PING_EVERY
