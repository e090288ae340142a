"""The auditor finds every kind of violation, and nothing in a log that is right to the last tick."""

import json

import pytest

from tests.village.auditor import (
    NGINX_FORMAT,
    Entry,
    Rules,
    audit,
    read_access_log,
    read_nginx_log,
    series,
)

RULES = Rules(req_delay=0.5, max_hosts=2, max_reqs=3, general_pause=5.0)
AGENT = "texttractor/0.1 (+https://example.org/robot)"


def visit(start, path, host="a.cz", address="127.0.0.1", took=0.125, status=200, agent=AGENT):
    return Entry(start, start + took, address, host, path, status, agent)


def opening(host="a.cz", start=0.0, address="127.0.0.1"):
    return visit(start, "/robots.txt", host, address)


def broken(log, **more):
    return [violation.rule for violation in audit(log, RULES, **more)]


def test_a_log_that_keeps_every_rule_exactly_at_its_limit_passes():
    """The limits themselves are allowed: delay, domains, requests, pause."""
    first = [opening(), visit(0.5, "/1"), visit(1.0, "/2")]
    beside = [opening("b.cz", 0.25), visit(0.75, "/1", "b.cz"), visit(1.25, "/2", "b.cz", took=0.25)]
    after_the_pause = [visit(6.5, "/3"), opening("c.cz", 6.5)]
    assert broken(first + beside + after_the_pause) == []


@pytest.mark.parametrize(("second", "verdict"), [(0.5, []), (0.499, ["req-delay"]), (0.3, ["req-delay"])])
def test_requests_to_one_domain_start_req_delay_apart(second, verdict):
    """Rule 1, from start to start, without tolerance."""
    assert broken([opening(), visit(second, "/")]) == verdict


def test_two_domains_on_one_address_keep_their_own_delays():
    """Rule 1 is about a domain: two domains are two domains even on one address."""
    assert broken([opening("a.cz", 0.0), opening("b.cz", 0.0)]) == []


def test_a_crawl_delay_longer_than_ours_is_expected():
    """Spec 2, beyond: Crawl-delay when longer."""
    log = [opening(), visit(1.5, "/")]
    assert broken(log, robots={"a.cz": "User-agent: *\nCrawl-delay: 2\n"}) == ["req-delay"]
    assert broken(log, robots={"a.cz": "User-agent: *\nCrawl-delay: 0.1\n"}) == []


@pytest.mark.parametrize(
    ("took", "verdict"), [(0.5, []), (0.501, ["two-at-once"]), (1.5, ["two-at-once", "two-at-once"])]
)
def test_one_domain_never_has_two_requests_at_once(took, verdict):
    """Rule 1: a slow answer is waited for, however many requests later."""
    log = [visit(-9.0, "/robots.txt"), visit(0.5, "/slow", took=took), visit(1.0, "/1"), visit(1.5, "/2")]
    assert broken(log) == verdict


@pytest.mark.parametrize(("third", "verdict"), [(5.624, ["max-hosts"]), (5.625, [])])
def test_a_third_domain_on_an_address_needs_a_pause_before_it(third, verdict):
    """Rules 2 and 4: the pause counts from the end of the last answer."""
    log = [opening("a.cz", 0.0), opening("b.cz", 0.5), opening("c.cz", third)]
    assert broken(log) == verdict


def test_domains_on_other_addresses_do_not_count():
    """Rule 2 is about one address."""
    log = [opening(f"{letter}.cz", address=f"127.0.0.{n}") for n, letter in enumerate("abcdef")]
    assert broken(log) == []


@pytest.mark.parametrize(("fourth", "verdict"), [(1.5, ["max-reqs"]), (6.124, ["max-reqs"]), (6.125, [])])
def test_a_request_beyond_the_quota_needs_a_pause_before_it(fourth, verdict):
    """Rules 3 and 4: robots.txt counts as well."""
    log = [opening(), visit(0.5, "/1"), visit(1.0, "/2"), visit(fourth, "/3")]
    assert broken(log) == verdict


def test_a_busy_neighbour_spoils_the_pause_of_the_address():
    """Rule 4: the address rests, not the domain."""
    log = [opening(), visit(0.5, "/1"), visit(1.0, "/2"), opening("b.cz", 4.0), visit(6.5, "/3")]
    assert broken(log) == ["max-reqs"]


def test_a_long_answer_puts_the_pause_off():
    """Rule 4: the pause begins at the latest end, not at the end of the latest start."""
    long = visit(0.0, "/robots.txt", "b.cz", took=4.0)
    log = [long, opening(start=0.5), visit(1.0, "/1"), visit(1.5, "/2"), visit(8.9, "/3")]
    assert broken(log) == ["max-reqs"]
    assert len(series([*log[:-1], visit(9.0, "/3")], RULES.general_pause)) == 2


def test_a_disallowed_page_is_found():
    """robots.txt is obeyed without exception; the group for our name wins."""
    rules = {"a.cz": "User-agent: texttractor\nDisallow: /x\nAllow: /x/y\n\nUser-agent: *\nAllow: /\n"}
    assert broken([opening(), visit(1.0, "/x/1")], robots=rules) == ["robots"]
    assert broken([opening(), visit(1.0, "/x/y")], robots=rules) == []


@pytest.mark.parametrize("log", [[visit(0.0, "/")], [visit(0.0, "/"), opening(start=1.0)]])
def test_a_page_before_robots_txt_is_found(log):
    """Who does not read the sign cannot obey it."""
    assert broken(log) == ["robots-first"]


def test_a_page_fetched_twice_is_found_but_a_retry_is_not():
    """0 double fetches; failures may be repeated, robots.txt may be refreshed."""
    again = [opening(), visit(1.0, "/"), visit(2.0, "/")]
    retry = [opening(), visit(1.0, "/", status=503), visit(2.0, "/")]
    assert broken(again) == ["double-fetch"]
    assert broken(retry) == []
    assert broken([opening(), opening(start=3.0)]) == []


@pytest.mark.parametrize("agent", ["", "curl/8.0", "texttractor/0.1", "Mozilla/5.0 texttractor/0.1 (x)"])
def test_a_request_that_hides_who_we_are_is_found(agent):
    """Every request identifies the robot with contact information."""
    assert broken([visit(0.0, "/robots.txt", agent=agent)]) == ["user-agent"]


def test_the_contact_is_looked_for_when_it_is_known():
    """The administrator must know where to complain."""
    assert broken([opening()], contact="https://example.org/robot") == []
    assert broken([opening()], contact="somebody@example.org") == ["user-agent"]


def test_nginx_logs_are_read_with_the_start_of_each_request():
    """nginx writes the end and the duration; both are whole milliseconds."""
    text = (
        f'1700000000.100 0.100 127.0.0.1 a.cz "GET /robots.txt HTTP/1.1" 200 "{AGENT}"\n'
        f'1700000000.501 0.001 127.0.0.1 a.cz "GET /p?q=%22x HTTP/1.1" 404 "{AGENT}"\n'
    )
    first, second = read_nginx_log(text)
    assert (first.start, first.end) == (1700000000.0, 1700000000.1)
    assert (second.path, second.status, second.host, second.agent) == ("/p?q=%22x", 404, "a.cz", AGENT)
    assert broken([first, second]) == []
    assert broken(read_nginx_log(text.replace("0.501", "0.500"))) == ["req-delay"]
    assert "$request_time" in NGINX_FORMAT


def test_our_own_log_is_read_by_the_monotonic_clock(tmp_path):
    """Somebody may set the wall clock while the crawl is running."""
    said = {"start": 9e9, "end": 9e9, "monotonic_start": 1.0, "monotonic_end": 2.0, "bytes": 7, "status": 200}
    said |= {"address": "127.0.0.1", "host": "a.cz", "method": "GET", "path": "/", "agent": AGENT}
    (tmp_path / "access.log").write_text(json.dumps(said) + "\n")
    assert read_access_log(tmp_path / "access.log") == [visit(1.0, "/", took=1.0)]
