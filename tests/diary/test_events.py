"""The diary: one event is one line, whatever the web put into it."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from txtr.diary import events
from txtr.model import Event

STAMP = "2026-11-16T01:00:03.127Z"
ROOT = Path(__file__).parents[2]


def written(what="fetched", whom="http://example.cz/a", **facts):
    return events.line(Event(what, whom, facts), "harvester-07", STAMP)


def test_a_line_says_when_who_what_whom_and_the_facts():
    """Style guide 6."""
    assert written(status=200, bytes=5120, took=0.41, batch=88) == (
        "2026-11-16T01:00:03.127Z harvester-07 fetched http://example.cz/a"
        " status=200 bytes=5120 took=0.41 batch=88"
    )


def test_what_is_missing_is_a_dash_so_that_words_can_be_counted():
    assert written("started", "", title=None) == f"{STAMP} harvester-07 started - title=-"


@pytest.mark.parametrize(
    "value, word",
    [
        ("", '""'),
        ("a b", '"a b"'),
        ('say "no"', '"say \\"no\\""'),
        ("Žluťoučký kůň", '"Žluťoučký kůň"'),
        ("kůň", "kůň"),
        ("/private/", "/private/"),
        ("a\nb", '"a\\nb"'),
        ("a\u2028b", '"a\\u2028b"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("a\u00a0b", '"a\\u00a0b"'),
        ("\ud800", '"\\ud800"'),
        (True, "yes"),
        (2.0, "2"),
        (0.12345, "0.123"),
        (["a", "b"], "\"['a', 'b']\""),
    ],
)
def test_a_value_is_one_word(value, word):
    assert written(x=value).endswith(f" x={word}")


def test_a_title_cannot_forge_a_line():
    """A newline in a title, a URL or a name must not start another event."""
    forged = f"x\n{STAMP} harvester-07 fetched http://victim.cz/"
    assert len(written(title=forged).splitlines()) == 1
    assert len(written(whom=forged).splitlines()) == 1


def test_a_title_of_megabytes_is_cut():
    assert len(written(title="a" * 10_000_000)) < 5000


@given(some.text(), some.text())
def test_any_text_stays_one_line_of_the_same_number_of_words(whom, title):
    line = written(whom=whom, title=title)
    assert len(line.splitlines()) == 1
    line.encode("utf-8")
    when, who, what, rest = line.split(" ", 3)
    assert (when, who, what) == (STAMP, "harvester-07", "fetched")
    if rest.startswith('"'):
        value, end = json.JSONDecoder().raw_decode(rest)
        assert value == whom and rest[end:].startswith(" title=")
    else:
        assert rest.split(" ")[0] == (whom or "-")


@pytest.mark.parametrize(
    "pattern, path",
    [
        ("log/{instance}.log", "log/harvester-07.log"),
        ("all.d/crawl.log", "all.d/crawl-harvester-07.log"),
        ("all.d/crawl", "all.d/crawl-harvester-07"),
        ("{instance}/{x}.log", "harvester-07/{x}.log"),
    ],
)
def test_two_processes_never_share_a_log_file(pattern, path):
    assert events.place(pattern, "harvester-07") == path


def test_info_leaves_out_what_only_debug_shows():
    assert events.is_shown("fetched", debug=False)
    assert not events.is_shown("queued", debug=False)
    assert events.is_shown("queued", debug=True)


def test_the_manual_explains_every_word_of_the_vocabulary():
    """A documented, stable vocabulary of events."""
    manual = (ROOT / "docs/logs.md").read_text("utf-8")
    table = manual.split("<!-- vocabulary -->")[1].split("<!-- /vocabulary -->")[0].strip()
    rows = [f"| `{word}` | {level} | {meaning} |" for word, (level, meaning) in events.VOCABULARY.items()]
    assert table.splitlines() == ["| event | level | meaning |", "|---|---|---|", *rows]


def test_every_event_in_the_code_is_in_the_vocabulary():
    """Event("word", ...), and the helpers called note or _note that make one."""
    for path in sorted((ROOT / "txtr").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called in ("Event", "_note", "note"):
                    assert node.args[0].value in events.VOCABULARY, (
                        f"{path}:{node.lineno}: {node.args[0].value}"
                    )
