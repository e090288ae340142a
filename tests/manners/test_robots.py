"""RFC 9309 as a table of cases, and the bounds that no robots.txt may break."""

import time
import tracemalloc

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from txtr.manners import matching, robots
from txtr.manners.robots import ALLOW_ALL, DISALLOW_ALL, MOST_BYTES, Robots, Verdict, decode, parse, verdict

EVERYBODY = "User-agent: *\n"
THREE_GROUPS = """
User-agent: texttractor
Disallow: /a

User-agent: other
Disallow: /c

User-agent: texttractor
Disallow: /b
"""

# (what it shows, robots.txt, path, may we fetch it?)
CASES = [
    # 2.2.1 the user-agent line
    ("an empty file allows everything", "", "/a", True),
    ("a group for everybody binds us", "User-agent: *\nDisallow: /a", "/a", False),
    ("a group for us binds us", "User-agent: texttractor\nDisallow: /a", "/a", False),
    ("a group for another does not", "User-agent: other\nDisallow: /", "/a", True),
    ("the name is compared without case", "User-Agent: TextTractor\nDisallow: /", "/a", False),
    ("field names have no case", "USER-AGENT: *\nDISALLOW: /", "/a", False),
    (
        "our group replaces everybody's",
        "User-agent: *\nDisallow: /\n\nUser-agent: texttractor\nDisallow: /b",
        "/a",
        True,
    ),
    (
        "even when it stands first",
        "User-agent: texttractor\nDisallow: /b\n\nUser-agent: *\nDisallow: /",
        "/a",
        True,
    ),
    (
        "even when it has no rules",
        "User-agent: *\nDisallow: /\nUser-agent: texttractor\nDisallow:",
        "/a",
        True,
    ),
    ("a version after the name is cut off", "User-agent: texttractor/1.0\nDisallow: /", "/a", False),
    ("a shorter name is another robot's", "User-agent: text\nDisallow: /", "/a", True),
    ("a longer name is another robot's", "User-agent: texttractor-news\nDisallow: /", "/a", True),
    ("a name that contains ours is another's", "User-agent: mytexttractor\nDisallow: /", "/a", True),
    ("asterisks around a name do not mean everybody", "User-agent: *Bot*\nDisallow: /", "/a", True),
    ("asterisks around our name mean us", "User-agent: *texttractor*\nDisallow: /", "/a", False),
    ("several names share the rules", "User-agent: other\nUser-agent: texttractor\nDisallow: /", "/a", False),
    (
        "groups with our name are one group, first part",
        THREE_GROUPS,
        "/a",
        False,
    ),
    (
        "groups with our name are one group, second part",
        THREE_GROUPS,
        "/b",
        False,
    ),
    (
        "groups for everybody are one group",
        "User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b",
        "/a",
        False,
    ),
    ("rules before any user-agent are ignored", "Disallow: /\nUser-agent: *\nDisallow: /b", "/a", True),
    ("a blank line ends no group", "User-agent: *\n\nDisallow: /a", "/a", False),
    # 2.2.4 other records
    ("a sitemap ends no group", "User-agent: *\nSitemap: http://x/s\nDisallow: /a", "/a", False),
    (
        "a sitemap does not part two names",
        "User-agent: texttractor\nSitemap: http://x/s\nUser-agent: b\nDisallow: /",
        "/a",
        False,
    ),
    (
        "an unknown line does not part two names",
        "User-agent: texttractor\nNonsense: 1\nUser-agent: b\nDisallow: /",
        "/a",
        False,
    ),
    ("an unknown line ends no group", "User-agent: *\nDisallow: /a\nHost: x\nDisallow: /b", "/b", False),
    (
        "a crawl delay is a rule of its group",
        "User-agent: *\nCrawl-delay: 5\n\nUser-agent: bad\nDisallow: /",
        "/a",
        True,
    ),
    # 2.2.2 allow and disallow
    ("an empty disallow forbids nothing", "User-agent: *\nDisallow:", "/a", True),
    ("a rule is a prefix", "User-agent: *\nDisallow: /a", "/abc/d", False),
    ("a rule is no substring", "User-agent: *\nDisallow: /a", "/b/a", True),
    ("paths have case", "User-agent: *\nDisallow: /A", "/a", True),
    ("the longest rule decides, allow", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
    ("the longest rule decides, disallow", "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", False),
    ("the order of rules means nothing", "User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b", True),
    ("on a tie the one that allows decides", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
    ("on a tie with a wildcard as well", "User-agent: *\nDisallow: /ab\nAllow: /a*", "/ab", True),
    ("the query belongs to the path", "User-agent: *\nDisallow: /a?b", "/a?b=1", False),
    ("robots.txt itself is always allowed", "User-agent: *\nDisallow: /", "/robots.txt", True),
    ("allowing index.html allows no more", "User-agent: *\nDisallow: /\nAllow: /index.html", "/", False),
    # 2.2.3 special characters
    ("an asterisk is anything", "User-agent: *\nDisallow: /*.php", "/x/y.php?z", False),
    ("an asterisk is nothing too", "User-agent: *\nDisallow: /a*b", "/ab", False),
    ("several asterisks", "User-agent: *\nDisallow: /*/a/*/b", "/x/a/y/z/b", False),
    ("several asterisks, in order only", "User-agent: *\nDisallow: /*/b/*/a/", "/x/a/y/b/", True),
    ("an asterisk at the end changes nothing", "User-agent: *\nDisallow: /a*", "/abc", False),
    ("an asterisk at the start", "User-agent: *\nDisallow: *.gif", "/x/y.gif", False),
    ("a dollar ends the path", "User-agent: *\nDisallow: /*.php$", "/y.php", False),
    ("nothing follows a dollar", "User-agent: *\nDisallow: /*.php$", "/y.php?z", True),
    ("a dollar without an asterisk", "User-agent: *\nDisallow: /a$", "/a", False),
    ("a dollar without an asterisk, longer path", "User-agent: *\nDisallow: /a$", "/ab", True),
    ("the end may not overlap the middle", "User-agent: *\nDisallow: /aba*ba$", "/aba", True),
    ("the last part is sought from the end", "User-agent: *\nDisallow: /*a$", "/a/b/a", False),
    ("a dollar elsewhere is a dollar", "User-agent: *\nDisallow: /a$b", "/a$b", False),
    ("a dollar at the end is no dollar", "User-agent: *\nDisallow: /a$", "/a$b", True),
    ("an encoded asterisk is an asterisk", "User-agent: *\nDisallow: /a%2Ab", "/a*b", False),
    ("an encoded asterisk is only an asterisk", "User-agent: *\nDisallow: /a%2Ab", "/axb", True),
    ("an encoded dollar is a dollar", "User-agent: *\nDisallow: /a%24", "/a$b", False),
    ("a comment ends the line", "User-agent: * # all\nDisallow: /a # really", "/a", False),
    ("a comment is no rule", "User-agent: *\n# Disallow: /", "/a", True),
    # 2.2.2 percent-encoding: both are spelled alike before they are compared
    ("%7E is ~", "User-agent: *\nDisallow: /%7Ejan", "/~jan", False),
    ("~ is %7E", "User-agent: *\nDisallow: /~jan", "/%7Ejan", False),
    ("%62%61%7A is baz", "User-agent: *\nDisallow: /foo/%62%61%7A", "/foo/baz", False),
    ("hex digits have no case", "User-agent: *\nDisallow: /%c4%8d", "/%C4%8D", False),
    ("a letter beyond ASCII is its encoding", "User-agent: *\nDisallow: /česky", "/%C4%8Desky", False),
    ("encoded letters that differ do differ", "User-agent: *\nDisallow: /%C4%8D", "/%C4%8F", True),
    ("encoded bytes that are no UTF-8 differ too", "User-agent: *\nDisallow: /%E8", "/%E9", True),
    ("encoded bytes that are no UTF-8 match themselves", "User-agent: *\nDisallow: /%e8", "/%E8", False),
    ("an encoded slash is no slash in the path", "User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
    ("an encoded question mark begins no query", "User-agent: *\nDisallow: /a%3Fb", "/a?b", True),
    (
        "reserved characters of the query are their encoding",
        "User-agent: *\nDisallow: /foo?baz=https%3A%2F%2Ffoo.bar",
        "/foo?baz=https://foo.bar",
        False,
    ),
    ("an asterisk reaches into the query", "User-agent: *\nDisallow: /a*/b", "/a?x=/b", False),
    ("a blank is %20", "User-agent: *\nDisallow: /a b", "/a%20b", False),
    ("a stray percent sign is one", "User-agent: *\nDisallow: /100%", "/100%25", False),
    ("two slashes are two", "User-agent: *\nDisallow: /b", "//a/b", True),
    ("two slashes in a rule", "User-agent: *\nDisallow: //a", "//a/b", False),
    # lines
    ("CR LF ends a line", "User-agent: *\r\nDisallow: /a\r\n", "/a", False),
    ("CR ends a line", "User-agent: *\rDisallow: /a\r", "/a", False),
    ("no end at the end", "User-agent: *\nDisallow: /a", "/a", False),
    ("a byte order mark is nothing", "\ufeffUser-agent: *\nDisallow: /a", "/a", False),
    ("blanks around everything", "  User-agent :\t*  \n\tDisallow  :  /a  ", "/a", False),
    ("a missing colon is forgiven", "User-agent *\nDisallow /a", "/a", False),
    ("a misspelt prohibition is one", "User-agent: *\nDissalow: /a", "/a", False),
    ("a form feed ends no line", "User-agent: *\nDisallow: /a\x0cAllow: /", "/b", True),
]


@pytest.mark.parametrize(("rule", "text", "path", "allowed"), CASES, ids=[case[0] for case in CASES])
def test_the_rfc_case(rule, text, path, allowed):
    """RFC 9309, section 2.2: matching, precedence, special characters, spelling."""
    assert parse(text, "texttractor").may_fetch(path) is allowed


def test_a_version_in_our_own_name_does_not_matter():
    """RFC 9309 2.2.1: only the product token is compared."""
    assert not parse("User-agent: texttractor\nDisallow: /", "TextTractor/0.1 (+http://x)").may_fetch("/a")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, Verdict.PARSE),
        (204, Verdict.PARSE),
        (301, Verdict.FOLLOW),
        (308, Verdict.FOLLOW),
        (400, Verdict.ALLOW),
        (401, Verdict.ALLOW),
        (403, Verdict.ALLOW),
        (404, Verdict.ALLOW),
        (410, Verdict.ALLOW),
        (451, Verdict.ALLOW),
        (429, Verdict.DISALLOW),
        (500, Verdict.DISALLOW),
        (503, Verdict.DISALLOW),
        (599, Verdict.DISALLOW),
        (0, Verdict.DISALLOW),
        (999, Verdict.DISALLOW),
    ],
)
def test_the_status_says_what_to_do_with_the_answer(status, expected):
    """RFC 9309 2.3.1: success, redirect, unavailable, unreachable; 429 is a server in trouble."""
    assert verdict(status) is expected


def test_the_two_constants_allow_and_forbid_everything():
    """RFC 9309 2.3.1.3 and 2.3.1.4."""
    for path in ("/", "/a?b", "//x"):
        assert ALLOW_ALL.may_fetch(path)
        assert not DISALLOW_ALL.may_fetch(path)
    assert DISALLOW_ALL.may_fetch("/robots.txt")


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("Crawl-delay: 10", 10.0),
        ("crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 10 # seconds", 10.0),
        ("Crawl-delay: 5\nCrawl-delay: 20", 20.0),  # manners: the longer one
        ("Crawl-delay: soon", None),
        ("Crawl-delay: -3", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: 1e99", None),
        ("Crawl-delay: ٣", None),
        ("Crawl-delay:", None),
        ("Disallow: /", None),
    ],
)
def test_a_crawl_delay_is_a_number_of_seconds_or_nothing(lines, delay):
    """Spec 2, beyond: Crawl-delay is obeyed; garbage is ignored."""
    assert parse(EVERYBODY + lines, "texttractor").crawl_delay == delay


def test_the_crawl_delay_of_our_own_group_counts():
    """The groups are chosen for delays as for rules."""
    text = "User-agent: *\nCrawl-delay: 60\n\nUser-agent: texttractor\nCrawl-delay: 2"
    assert parse(text, "texttractor").crawl_delay == 2.0
    assert parse(text, "other").crawl_delay == 60.0


def test_sitemaps_are_listed_wherever_they_stand():
    """Sitemap records belong to no group."""
    text = "Sitemap: http://x/1\nUser-agent: other\nDisallow: /\nsitemap: http://x/2"
    assert parse(text, "texttractor").sitemaps == ["http://x/1", "http://x/2"]


def test_the_rule_that_forbids_is_named_as_it_is_written():
    """Style 6: every refusal carries its reason."""
    found = parse("User-agent: *\nDisallow: /%7Ejan/*.php$\nAllow: /b", "texttractor")
    assert found.rule_for("/~jan/x.php") == "/%7Ejan/*.php$"
    assert found.rule_for("/b") == found.rule_for("/c") == ""


def test_only_the_first_500_kib_count():
    """RFC 9309 2.5."""
    filler = "# " + "x" * 1021 + "\n"
    text = EVERYBODY + filler * 500 + "Disallow: /late"
    assert len(text.encode()) > MOST_BYTES
    assert parse(text, "texttractor").may_fetch("/late")
    assert parse(decode(text.encode()), "texttractor").may_fetch("/late")


def test_a_line_cut_by_the_size_limit_is_left_out():
    """Half of `Allow: /public/` would be `Allow: /`."""
    head = EVERYBODY + "Disallow: /\n"
    body = (head + "#" * (MOST_BYTES - len(head) - 9) + "\nAllow: /public/").encode()
    assert body[:MOST_BYTES].endswith(b"Allow: /")
    assert not parse(decode(body[:MOST_BYTES]), "texttractor").may_fetch("/private")


def test_bytes_that_are_no_utf_8_are_read_as_their_percent_encoding():
    """A robots.txt in windows-1250 forbids the path that a browser would send."""
    text = decode("User-agent: *\nDisallow: /čeština".encode("cp1250"))
    assert not parse(text, "texttractor").may_fetch("/%E8e%9Atina")
    assert decode(b"\xef\xbb\xbfUser-agent: *") == "User-agent: *"


@given(st.text())
def test_no_text_makes_the_parser_fail(text):
    """Whatever a server sends, we read it."""
    found = parse(EVERYBODY + "disallow: " + text + "\n" + text, "texttractor")
    found.may_fetch("/" + text)
    assert found.may_fetch("/robots.txt")


@given(st.binary())
def test_no_bytes_make_the_parser_fail(body):
    """Whatever a server sends, we read it, and it can be sent over the wire."""
    text = decode(body)
    assert text.encode("utf-8").decode("utf-8") == text
    assert parse(text, "texttractor").may_fetch("/robots.txt")


@given(st.lists(st.sampled_from(["/", "a", "b", "*", "$", "?"]), max_size=8), st.text("/ab?$", max_size=8))
def test_matching_agrees_with_a_slow_obvious_model(pieces, rest):
    """RFC 9309 2.2.3, against a matcher that tries everything."""
    pattern, path = "/" + "".join(pieces), "/" + rest
    robot = parse(EVERYBODY + f"Disallow: {pattern}", "texttractor")
    assert robot.may_fetch(path) is not _matches(pattern, path)


def _matches(pattern: str, path: str) -> bool:
    if not pattern:
        return True
    if pattern == "$":
        return not path
    if pattern[0] == "*":
        return any(_matches(pattern[1:], path[at:]) for at in range(len(path) + 1))
    return path[:1] == pattern[0] and _matches(pattern[1:], path[1:])


def test_a_thousand_asterisks_cost_no_more_than_one_pass():
    """A hostile file must not take exponential time: a backtracking matcher would never end here."""
    robot = parse(EVERYBODY + "Disallow: /" + "*a" * 1400 + "$", "texttractor")
    assert robot.may_fetch("/" + "a" * 2000 + "b")
    assert not parse(EVERYBODY + "Disallow: /" + "*a" * 1000 + "b$", "texttractor").may_fetch(
        "/" + "a" * 1000 + "b"
    )


def processor_time(text: str) -> float:
    """Seconds it takes to read a robots.txt."""
    begun = time.thread_time()
    parse(text, "texttractor")
    return time.thread_time() - begun


def test_a_group_of_34000_robots_is_read_line_by_line():
    """Found by an attack: a set was copied for every line, which took nine seconds; now it takes 0.03."""
    agents = "".join(f"useragent:{number:x}\n" for number in range(34_000))
    assert processor_time(agents + "Disallow: /x") < 1


def test_a_name_among_very_many_is_heard():
    """RFC 9309 2.2.1: wherever in the group it stands."""
    others = "".join(f"useragent:{number:x}\n" for number in range(1000))
    text = f"{others}User-agent: texttractor\n{others}Disallow: /a\nUser-agent: other\nDisallow: /b"
    assert not parse(text, "texttractor").may_fetch("/a")
    assert parse(text, "texttractor").may_fetch("/b")


def test_more_wildcards_than_we_bear_forbid_more_not_less():
    """Beyond the bound a rule is cut at its asterisk; one that allows is dropped."""
    rules = "".join(f"Disallow: /x{number}*end$\n" for number in range(robots.MOST_PARTS))
    found = parse(EVERYBODY + rules + "Allow: /*\n", "texttractor")
    assert found.may_fetch("/x7/anything")
    assert not found.may_fetch("/x7/anything-end")
    assert not found.may_fetch(f"/x{robots.MOST_PARTS - 1}/anything")
    assert found.may_fetch("/y")


def test_the_parts_of_all_rules_together_are_bounded():
    """Found by review: two thousand rules of a hundred asterisks each cost a quarter of a second a link."""
    rules = "".join(f"Disallow: /{number}" + "*a" * 100 + "b\n" for number in range(2000))
    found = parse(EVERYBODY + rules, "texttractor")
    assert sum(line.count(b"*") for line in found.rules.splitlines()) < robots.MOST_PARTS
    assert not found.may_fetch("/1777/whatever")
    assert found.may_fetch("/a/whatever")


ALMOST = "".join(f"/*{'a' * (298 - number // 27)}b{'a' * (298 - number % 27)}\n" for number in range(740))
HOSTILE = {
    "short": "".join(f"disallow:/{number:x}\n" for number in range(39_000)),
    "alike": "disallow:/abc\n" * 39_000,
    "that allow": "disallow:/\n" + "".join(f"allow:/{number:x}\n" for number in range(39_000)),
    "odd": "".join(f"disallow:/\u017e%c3{number:x}\n" for number in range(30_000)),
    "wild": "".join(f"disallow:/*{number:x}\n" for number in range(39_000)),
    "almost": "".join(f"disallow:{line}\n" for line in ALMOST.splitlines()),
    "of one letter": "disallow:/" + "\u017e" * 250_000,
    "of sitemaps": "".join(f"sitemap:{number:x}\n" for number in range(39_000)),
    "of sitemaps of a letter": "sitemap:\u017e\n" * 42_000,
    "of sitemaps of wide letters": "".join(f"sitemap:{number:x}\U0001f333\n" for number in range(30_000)),
    "of empty sitemaps": "sitemap:\n" * 56_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_a_file_leaves_to_be_remembered_is_bounded(text):
    """Found by an attack: 510 KB of short rules became 11 MB, of each of twenty thousand domains."""
    assert parse(EVERYBODY + text, "texttractor").size_bytes() <= 56 * 1024


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_to_be_remembered_takes_no_more_than_it_says(text):
    """Found by review: 56,000 sitemaps without a letter counted as nothing, of each of hundreds of doors."""
    kept = msgspec.msgpack.encode(parse(EVERYBODY + text, "texttractor"))
    tracemalloc.start()
    recalled = msgspec.msgpack.decode(kept, type=Robots)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken <= recalled.size_bytes() + 1024


def test_sitemaps_without_an_address_are_not_listed_and_cost_no_room():
    """What is too long to be listed costs none either."""
    text = "sitemap:\n" * 1000 + f"sitemap: http://x/{'a' * 9000}\n" + "sitemap: http://x/1\n"
    assert parse(text, "texttractor").sitemaps == ["http://x/1"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_file_is_read_in_a_fraction_of_a_second(text):
    """A tenth of a second at most here; the queuekeeper listens to nobody meanwhile."""
    assert processor_time(EVERYBODY + text) < 1


def test_rules_that_allow_everything_leave_nothing_to_be_remembered():
    """RFC 9309 2.2.2: what no rule forbids is allowed."""
    allowing = "".join(f"allow:/{number:x}\n" for number in range(39_000))
    assert parse(EVERYBODY + allowing, "texttractor") == ALLOW_ALL


def test_of_too_many_rules_those_in_excess_forbid_what_begins_like_them():
    """What we do not keep is read as more forbidden."""
    text = (
        "".join(f"disallow:/shop/{number:05}/basket\n" for number in range(4000))
        + "allow:/shop/03999/basket/x\n"
    )
    found = parse(EVERYBODY + text, "texttractor")
    assert found.rule_for("/shop/00007/basket") == "/shop/00007/basket"
    assert found.may_fetch("/shop/00007/")
    assert found.rule_for("/shop/03999/basket/x") == "/shop/0399*"
    assert found.may_fetch("/shop/04000") and found.may_fetch("/shoes")


_PIECES = st.lists(st.sampled_from(["/", "a", "b", "ab", "*", "$", "%61", "%c3", "\u00e9", "?"]), max_size=5)
_LINES = st.lists(
    st.tuples(st.booleans(), st.builds(lambda pieces: "/" + "".join(pieces), _PIECES)), max_size=9
)


@given(_LINES, st.text("/ab?$\u00e9", max_size=6), st.integers(0, 60), st.integers(0, 8), st.integers(0, 6))
def test_bounds_never_allow_what_the_rules_forbid(lines, rest, room, parts, excess):
    """Err on the polite side: whatever has to be widened or left out."""
    text = EVERYBODY + "".join(f"{'allow' if allows else 'disallow'}:{rule}\n" for allows, rule in lines)
    exact = parse(text, "texttractor")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(robots, "MOST_KEPT_BYTES", room)
        patch.setattr(robots, "MOST_PARTS", parts)
        patch.setattr(robots, "MOST_EXCESS_BYTES", excess)
        bounded = parse(text, "texttractor")
    if not exact.may_fetch("/" + rest):
        assert not bounded.may_fetch("/" + rest)


@pytest.mark.parametrize("start", [0, 1])
def test_many_paths_are_judged_like_one(start: int) -> None:
    """Asked of all at once, because most rules concern none of them."""
    files = (
        "",
        "Disallow: /a",
        "Disallow: /*x\nAllow: /*y",
        "Disallow: /%C3%A1",
        "Disallow: /*",
        "Disallow: /a$",
    )
    paths = ["/", "/a", "/b/x", "/yx", "/á", "/%c3%a1/", "/a%20b", "/b?x=y"]
    for rules in (parse(f"User-agent: *\n{text}", "texttractor") for text in files):
        for some in (paths, paths[:1], paths[2:4], paths[5:], []):
            named = ["s"[:start] + path for path in some]
            assert rules.judge(named, start).forbidden == {
                path: rule for path in named if (rule := rules.rule_for(path[start:]))
            }


@given(st.text(alphabet=st.sampled_from('aZ0%/?-_~*$ <"\\č\udc80\x00'), max_size=6))
def test_odd_characters_are_found_in_long_texts_as_in_short_ones(text: str) -> None:
    """RFC 9309 2.2.2: paths are compared after both are spelled alike; in doubt each is looked at alone."""
    assert matching.is_odd(text) == bool(matching._ODD.search(text))
