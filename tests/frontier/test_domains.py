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
    """Better domains first, without starving the others."""
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


def test_thousands_of_names_never_seen_do_not_hold_up_a_server_that_is_known() -> None:
    """A page led to 3,000 names that nobody knows: a server that asked for five seconds waited 165."""
    domains = Domains()
    for number in range(3000):
        domains.resolve(domains.add(f"nowhere{number}.cz"), PROMISING)
    for name in ("known.cz", "other.cz"):
        domain = domains.add(name)
        domain.address = "192.0.2.1"
        domains.resolve(domain)
    assert "known.cz" in domains.new and len(domains.new) == 3002
    assert [domains.new.popleft(), domains.new.popleft()] == ["known.cz", "other.cz"]
    assert len(domains.new) == 3000


def test_names_never_seen_are_looked_up_while_known_ones_line_up_again() -> None:
    """Addresses are believed for an hour: with many servers there is always one to look up again."""
    domains = Domains()
    domains.resolve(domains.add("never-seen.cz"), HOPELESS)
    for number in range(20):
        domain = domains.add(f"known{number}.cz")
        domain.address = "192.0.2.1"
        domains.resolve(domain)
    assert "never-seen.cz" in [domains.new.popleft() for _ in range(10)]


def test_names_that_a_dead_harvester_had_are_the_next() -> None:
    domains = Domains()
    for name in ("a.cz", "b.cz"):
        domains.resolve(domains.add(name), PROMISING)
    domains.new.append(domains.new.popleft())
    domains.resolve(domains.domains["a.cz"], HOPELESS)
    assert list(domains.new) == ["a.cz", "b.cz"], "each once"


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
