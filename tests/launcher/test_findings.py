"""What the demonstration shows at its end."""

import json

from txtr.config.options import Options
from txtr.launcher.findings import Findings, lines

LOG = [
    json.dumps({"host": host, "monotonic_start": start})
    for host, start in (("a.cz", 5.0), ("a.cz", 5.25), ("b.cz", 5.1), ("a.cz", 5.5))
]


def test_the_user_sees_what_arrived_and_how_polite_it_was():
    """Issue: --demo shows what arrived and where it lies."""
    text = "Nadpis\nStarý rybář každé ráno vyjížděl na klidnou hladinu rybníka.\n"
    found = Findings([text, text, "Krátké."], 3, 5, rejected=131, abandoned=1, access_log=LOG)
    assert lines(found, Options(req_delay=0.2), "demo-run", "sh ../t.sh") == [
        "",
        "3 documents arrived: 5 sentences, 21 words, such as",
        "  Starý rybář každé ráno vyjížděl na klidnou hladinu rybníka.",
        "3 files that are not HTML were stored aside;"
        " 5 URLs are forbidden by robots.txt and were not visited.",
        "131 texts were rejected and are kept nowhere (--rejected-target).",
        "Abandoned, for too little text: 1 domain, listed in demo-run/abandoned.txt.",
        "The servers saw 4 requests to 2 domains, never two to one domain within 0.25 s (the rule: 0.2 s).",
        "texts: demo-run/corpus   files: demo-run/aside   forbidden: demo-run/disallowed.txt"
        "   logs: demo-run/log",
        "yield: sh ../t.sh report --state=demo-run/state",
    ]


def test_rejected_texts_that_were_kept_are_shown_where_they_are():
    found = Findings([], 0, 0, rejected=7, abandoned=0, access_log=[])
    shown = lines(found, Options(rejected_target="no"), "demo-run", "sh t.sh")
    assert "7 texts were rejected and are in demo-run/no (--rejected-target)." in shown
    assert not any("Abandoned" in line for line in shown)


def test_nothing_found_is_said_too():
    shown = lines(Findings([], 0, 0, 0, 0, []), Options(), "demo-run", "sh t.sh")
    assert "0 documents arrived: 0 sentences, 0 words, such as" in shown


def test_a_directory_of_the_users_own_is_shown_as_it_is():
    shown = lines(Findings([], 0, 0, 0, 0, []), Options(state="/data/state"), "demo-run", "sh t.sh")
    assert "yield: sh t.sh report --state=/data/state" in shown
