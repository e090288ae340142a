"""What the demonstration shows at its end."""

import json

from txtr.launcher.findings import Findings, lines
from txtr.options import Options

LOG = [
    json.dumps({"host": host, "monotonic_start": start})
    for host, start in (("a.cz", 5.0), ("a.cz", 5.25), ("b.cz", 5.1), ("a.cz", 5.5))
]


def test_the_user_sees_what_arrived_and_how_polite_it_was():
    """Issue: --demo shows what arrived and where it lies."""
    text = "Nadpis\nStarý rybář každé ráno vyjížděl na klidnou hladinu rybníka.\n"
    found = Findings(texts=[text, text, "Krátké."], files_aside=3, disallowed=5, access_log=LOG)
    assert lines(found, Options(req_delay=0.2), "demo-run") == [
        "",
        "3 documents arrived: 5 sentences, 21 words, such as",
        "  Starý rybář každé ráno vyjížděl na klidnou hladinu rybníka.",
        "3 files that are not HTML were stored aside;"
        " 5 URLs are forbidden by robots.txt and were not visited.",
        "The servers saw 4 requests to 2 domains, never two to one domain within 0.25 s (the rule: 0.2 s).",
        "texts: demo-run/corpus   files: demo-run/aside   forbidden: demo-run/disallowed.txt"
        "   logs: demo-run/log",
    ]


def test_nothing_found_is_said_too():
    shown = lines(Findings([], 0, 0, []), Options(), "demo-run")
    assert "0 documents arrived: 0 sentences, 0 words, such as" in shown
