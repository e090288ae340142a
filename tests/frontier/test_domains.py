"""Domains: new ones line up to be resolved, troubled ones sleep."""

from txtr.frontier.domains import Domains


def test_a_domain_lines_up_once_to_be_resolved() -> None:
    """Spec 6: domains never seen go to a separate queue."""
    domains = Domains()
    domain = domains.add("a.cz")
    domains.resolve(domain)
    domains.resolve(domain)
    assert list(domains.new) == ["a.cz"]


def test_a_sleeping_domain_wakes_when_its_time_has_come() -> None:
    """Spec 2, beyond: Retry-After slows the domain down."""
    domains = Domains()
    domains.put_to_sleep(domains.add("a.cz"), until=10)
    assert domains.next_wake() == 10
    assert domains.wake(9.9) == []
    assert [domain.name for domain in domains.wake(10)] == ["a.cz"]
    assert domains.wake(11) == []
    assert domains.next_wake() is None


def test_the_longer_sleep_counts() -> None:
    """A second trouble does not shorten what the first one asked for."""
    domains = Domains()
    domain = domains.add("a.cz")
    domains.put_to_sleep(domain, until=100)
    domains.put_to_sleep(domain, until=10)
    domains.put_to_sleep(domain, until=200)
    assert domains.wake(100) == []
    assert domains.wake(200) == [domain]
