"""Domains: new ones line up to be resolved, troubled ones sleep."""

from txtr.frontier.domains import Domains
from txtr.frontier.ranks import HOPELESS, PROMISING


def test_a_domain_lines_up_once_to_be_resolved() -> None:
    """Spec 6: domains never seen go to a separate queue."""
    domains = Domains()
    domain = domains.add("a.cz")
    domains.resolve(domain)
    domains.resolve(domain)
    assert list(domains.new) == ["a.cz"]


def test_the_promising_are_resolved_first_but_not_only_they() -> None:
    """Issue 4: better domains first, without starving the others."""
    domains = Domains()
    for number in range(40):
        domains.resolve(domains.add(f"hopeless{number}.cz"), HOPELESS)
        domains.resolve(domains.add(f"good{number}.cz"), PROMISING)
    resolved = [domains.new.popleft() for _ in range(40)]
    assert resolved[:9] == [f"good{number}.cz" for number in range(9)]
    assert [name for name in resolved if name.startswith("hopeless")] == [
        f"hopeless{number}.cz" for number in range(4)
    ]
    assert len(domains.new) == 40


def test_a_new_domain_moves_up_when_somebody_better_links_to_it() -> None:
    domains = Domains()
    for name in ("a.cz", "b.cz"):
        domains.resolve(domains.add(name), HOPELESS)
    domains.resolve(domains.domains["b.cz"], PROMISING)
    assert [domains.new.popleft(), domains.new.popleft()] == ["b.cz", "a.cz"]
    domains.resolve(domains.domains["b.cz"], PROMISING)
    assert not domains.new, "it is with a harvester"


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
