"""The ring of an address: the domains with something to do, the best first."""

from txtr.frontier.ranks import DOUBTFUL, HOPELESS, PROMISING, TURNS_PER_OTHER
from txtr.frontier.ring import CLOSER, MOST_GAPS, Ring


def ring() -> Ring:
    made = Ring()
    for name, rank in (("c.cz", HOPELESS), ("b.cz", DOUBTFUL), ("a.cz", PROMISING), ("d.cz", PROMISING)):
        made.put(name, rank)
    return made


def test_the_best_come_first_and_among_equals_who_waits_longest() -> None:
    """Better domains first."""
    assert list(ring()) == ["a.cz", "d.cz", "b.cz", "c.cz"]
    assert (len(ring()), ring().best(), ring().rank("b.cz")) == (4, PROMISING, DOUBTFUL)


def test_every_tenth_series_begins_with_another_rank() -> None:
    """Without starving the others."""
    made, firsts = ring(), []
    for made.series in range(4 * TURNS_PER_OTHER):
        firsts.append(next(iter(made)))
    assert firsts.count("a.cz") == 36
    assert firsts.count("b.cz") == firsts.count("c.cz") == 2


def test_a_domain_whose_rank_changes_is_there_once() -> None:
    """And keeps its place while its rank is the same."""
    made = ring()
    made.put("a.cz", PROMISING)
    made.put("c.cz", PROMISING)
    assert list(made) == ["a.cz", "d.cz", "c.cz", "b.cz"]
    made.pop("a.cz")
    assert "a.cz" not in made


def test_the_better_part_is_the_same_ring_without_the_hopeless() -> None:
    """What is taken out there is gone here too."""
    made = ring()
    assert list(made.better()) == ["a.cz", "d.cz", "b.cz"]
    made.better().pop("a.cz")
    assert "a.cz" not in made


def test_a_ring_that_many_have_left_is_the_same_ring() -> None:
    """Who is still there keeps his place, however often it is closed up."""
    made = Ring()
    names = [f"{number}.cz" for number in range(1000)]
    for name in names:
        made.put(name, PROMISING)
    for number, name in enumerate(names, 1):
        made.pop(name)
        assert list(made) == names[number:]
        assert made.gaps <= MOST_GAPS + len(made) // CLOSER
