"""Known links: links that the queuekeeper has heard do not travel again."""

from txtr.harvester.known_links import KnownLinks

MENU = ["http://a.cz/", "http://a.cz/o-nas", "http://a.cz/kontakt"]


def test_a_menu_is_reported_once() -> None:
    """Links are deduplicated in the harvester before they travel."""
    known = KnownLinks()
    assert known.news(MENU, 0.5, {}) == MENU
    assert known.news([*MENU, "http://a.cz/nový"], 0.5, {}) == ["http://a.cz/nový"]


def test_a_better_page_tells_its_links_again() -> None:
    """The link promises more, and may be fetched earlier."""
    known = KnownLinks()
    known.news(MENU, 0.2, {})
    assert known.news(MENU, 0.9, {}) == MENU
    assert known.news(MENU, 0.2, {}) == []


def test_links_of_a_useless_page_do_not_count_as_told() -> None:
    """The queuekeeper may not follow them; then a good page that has them must tell them."""
    known = KnownLinks()
    assert known.news(MENU, 0.0, {}) == MENU
    assert known.news(MENU, 0.0, {}) == MENU
    assert known.news(MENU, 0.1, {}) == MENU


def test_a_link_with_a_hint_is_told_every_time() -> None:
    """The hint may be news although the link is not."""
    known = KnownLinks()
    known.news(MENU, 0.5, {})
    assert known.news(MENU, 0.5, {MENU[1]: "en"}) == [MENU[1]]


def test_on_a_new_line_everything_is_told_again() -> None:
    """The queuekeeper may have been restarted, and know less than before."""
    known = KnownLinks()
    known.news(MENU, 0.5, {})
    known.forget()
    assert known.news(MENU, 0.5, {}) == MENU


def test_memory_is_bounded_and_what_is_told_all_the_time_stays() -> None:
    """A harvester meets millions of links."""
    known = KnownLinks(most=10)
    for number in range(1000):
        assert known.news([f"http://a.cz/{number}"], 0.5, {}), number
        assert not known.news(MENU, 0.5, {}) or number == 0
    assert len(known.newer) + len(known.older) <= 20


OUTSIDE = ["http://b.com/", "http://b.com/share?u=1"]


def refusal(domain: str) -> str:
    return "not-included" if domain == "b.com" else ""


def test_links_to_a_refused_server_are_not_told() -> None:
    """The harvester knows what the queuekeeper refuses, and writes it down itself, once."""
    known = KnownLinks()
    known.heed(refusal)
    assert known.allowed([OUTSIDE[0], *MENU, OUTSIDE[1]]) == (MENU, [(OUTSIDE[0], "not-included")])
    assert known.allowed(["http://b.com/share?u=2", *MENU]) == (MENU, [])


def test_on_a_new_line_servers_are_judged_again() -> None:
    """Another queuekeeper may refuse others."""
    known = KnownLinks()
    known.heed(refusal)
    assert known.allowed(OUTSIDE)[0] == []
    known.heed(lambda domain: "excluded" if domain == "a.cz" else "")
    assert known.allowed([*OUTSIDE, *MENU]) == (OUTSIDE, [(MENU[0], "excluded")])


def test_memory_of_servers_is_bounded() -> None:
    """The web has millions of them."""
    known = KnownLinks(most=10)
    known.heed(lambda domain: "excluded")
    for number in range(100):
        known.allowed([f"http://b{number}.com/", *MENU])
        assert len(known.verdicts) <= 10


def test_a_link_without_a_path_says_nothing_about_those_behind_it() -> None:
    known = KnownLinks()
    known.heed(lambda domain: "excluded" if domain == "a.com" else "")
    links = ["http://b.cz", "http://a.com/", "http://b.cz/"]
    assert known.allowed(links)[1] == [("http://a.com/", "excluded")]
