"""What strangers wrote stays one harmless line wherever it is shown."""

import asyncio
import contextlib
import csv
import io
import json
from importlib import import_module
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from txtr import escapes
from txtr.admin.crawl import Crawl
from txtr.config.options import Options
from txtr.console.program import complain, run_service
from txtr.corpus.shards import Lines
from txtr.diary import yields
from txtr.diary.events import line
from txtr.diary.yields import Yield
from txtr.errors import TheirMistake, UserMistake
from txtr.escapes import cell, escaped, json_line
from txtr.harvester import program
from txtr.launcher import files
from txtr.model import Document, Event, Figures, Report
from txtr.report.page import page
from txtr.report.table import table
from txtr.segment.protocol import read_answer
from txtr.wire import frames
from txtr.wire.conversation import Stage, queuekeeper_side
from txtr.wire.messages import MOST_COUNTS, Ping, Reported

FORGED = "cs\n% documents 999\x1b[2J\x7f\x9b1m\u2028\u202efdp\u2066\r"
COMMANDS = {
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u2028\u2029\u202a\u202e\u2066\u2069\u200f",
}


def is_harmless(text, but="\n"):
    return not COMMANDS - {but} & set(text) and "\n%" not in text


@given(some.text())
def test_whatever_is_escaped_is_one_line(text):
    shown = escaped(text)
    assert not COMMANDS & set(shown)
    assert len(shown.splitlines()) <= 1
    assert escaped(shown) == shown
    assert not text or shown.encode()


@given(some.recursive(some.text() | some.integers(), some.lists))
def test_a_line_of_json_means_what_it_meant(value):
    assert json.loads(json_line(value)) == value


@pytest.mark.parametrize(
    "text", ["", "Háčky a čárky", "字　字", "क्\u200dष", "👩\u200d👧", "a\u00a0b", "\\u001b"]
)
def test_letters_of_all_scripts_stay(text):
    assert escaped(text) == text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_what_looks_like_a_formula_is_text(text):
    """OWASP: a spreadsheet reckons it out, and may call programs."""
    assert str(cell(text)).startswith("'")
    assert is_harmless(str(cell(text)))


@pytest.mark.parametrize("value", ["a=1", "Titul\nna řádku", 3, 0.8, None, -1])
def test_what_looks_like_none_stays(value):
    assert cell(value) == value


# Each outlet


@pytest.mark.parametrize("mistake", [UserMistake(FORGED), TheirMistake(FORGED), OSError(FORGED)])
def test_the_programs_complain_in_one_line(mistake, capsys):
    def work(_):
        raise mistake

    assert run_service("queuekeeper", ["--config="], "", work) in (1, 2)
    said = capsys.readouterr().err
    assert is_harmless(said) and len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("queuekeeper.program", []),
        ("harvester.program", []),
        ("segmenter.program", []),
        ("launcher.program", []),
        ("launcher.program", ["add"]),
        ("report.program", []),
        ("queue.program", []),
        ("queue.program", ["export"]),
        ("clean.command", []),
        ("demo.program", ["--dir=unused"]),
    ],
)
@pytest.mark.parametrize("argument", [f"--{FORGED}", f"--{FORGED}=1", f"--port={FORGED}", FORGED])
def test_arguments_that_a_program_does_not_know_are_repeated_harmlessly(
    name, before, argument, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    main = import_module(f"txtr.{name}").main
    with contextlib.suppress(SystemExit):  # argparse
        assert main([*before, argument])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err and is_harmless(said.err)


def test_commands_complain_in_one_line(capsys):
    complain("queue", f"the queuekeeper refuses us: {FORGED}")
    said = capsys.readouterr().err
    assert is_harmless(said) and len(said.splitlines()) == 1


@pytest.mark.parametrize("is_raised", [False, True])
def test_a_harvester_repeats_what_a_queuekeeper_said_in_one_line(is_raised, capsys):
    async def run():
        if is_raised:
            raise TheirMistake(FORGED)

    asyncio.run(program._work(SimpleNamespace(run=run, trouble=FORGED)))
    said = capsys.readouterr().err
    assert is_harmless(said) and len(said.splitlines()) == 1


def test_the_launcher_repeats_what_programs_said_in_one_line(tmp_path, monkeypatch):
    """In a file, which is perhaps of an earlier version, or was written by somebody else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queuekeeper.out").write_text(f"queuekeeper: {FORGED[2:]}\nqueuekeeper: no\x1b[2J\u2028way\n")
    assert is_harmless(files.complaint("queuekeeper"))
    assert "no\\u001b[2J\\u2028way" in files.last_words("queuekeeper")
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "status.json").write_text(json.dumps({"segmenter": FORGED, "time": FORGED}))
    status = Crawl(Options(state=str(tmp_path / "state"))).progress()
    assert is_harmless(status["segmenter"]) and is_harmless(status["time"])


def test_the_report_is_harmless():
    """Languages that an older robot has believed, and names of domains."""
    figures = Figures(3, 1, 100, 50)
    known = Yield(total=figures, languages={FORGED: figures}, domains={FORGED: figures}, domain_count=1)
    assert is_harmless("".join(table(known)), but="")
    assert is_harmless(page(known))
    assert all(is_harmless(said, but="") for said in yields.abandoned_lines({FORGED: figures}, "here"))


def test_a_list_of_urls_has_one_in_a_line(tmp_path):
    lines = Lines(tmp_path / "disallowed.txt")
    lines.add(f"http://a.cz/{FORGED}")
    lines.close()
    written = (tmp_path / "disallowed.txt").read_text()
    assert is_harmless(written) and written.count("\n") == 1


def test_a_line_of_a_log_is_harmless():
    assert is_harmless(line(Event("kept", FORGED, {"reason": FORGED}), FORGED, "now"), but="")


# What is not even believed


@pytest.mark.parametrize("name", [FORGED, "", "a" * 41, "Documents", "a b", "ž", "kept\n"])
def test_a_count_without_a_proper_name_is_no_count(name):
    """It went into the summary, and forged lines of it."""
    with pytest.raises(TheirMistake, match=r"is no message: .*counts"):
        heard(Ping(0.0, {name: 1.0}))


def test_a_harvester_counts_few_things():
    counts = {f"a-{'b' * number}": 1.0 for number in range(30)}
    assert heard(Ping(0.0, counts)) == [Ping(0.0, counts)]
    with pytest.raises(TheirMistake, match=r"is no message: .*counts"):
        heard(Ping(0.0, {f"{a}{b}": 1.0 for a in "abcdefghijk" for b in "abcdefghij"}))
    assert MOST_COUNTS == 100


@pytest.mark.parametrize("language", [FORGED, "c s", "x" * 36, "česky", "cs\n"])
def test_a_language_that_is_no_code_is_no_language(language):
    document = Document("a.cz", "/", "kept", 1.0, 200, 1, 0.1, language=language)
    with pytest.raises(TheirMistake, match=r"is no message: .*documents\[0\]\.language"):
        heard(Reported(Report(1, documents=[document])))
    answer = read_answer({"id": 7, "usability": 1, "language": language.replace("\n", "\n!")})
    assert (answer.number, answer.judgement) == (7, None)
    assert answer.wrong.startswith("language ") and answer.wrong.isprintable()


@pytest.mark.parametrize(
    "said, meant", [("cs", "cs"), ("zh-Hant", "zh-Hant"), ("cs_CZ ", "cs-CZ"), (None, "")]
)
def test_codes_of_languages_are_taken_as_they_are(said, meant):
    judgement = read_answer({"id": 7, "usability": 1, "language": said}).judgement
    assert judgement is not None and judgement.language == meant
    document = Document("a.cz", "/", "kept", 1.0, 200, 1, 0.1, language=meant)
    assert heard(Reported(Report(1, documents=[document])))[0].report.documents == [document]


def heard(message):
    """What a queuekeeper understands of a message."""
    talk = queuekeeper_side()
    talk._enter(Stage.TALKING)
    return list(talk.receive(frames.encode(message)))


def test_the_formulas_of_a_table_are_those_of_spreadsheets():
    rows = io.StringIO()
    csv.writer(rows).writerow(map(cell, ['=HYPERLINK("http://x")', "a"]))
    assert rows.getvalue().startswith("\"'=HYPERLINK")
    assert set("=+-@\t\r") <= set(escapes._FORMULAS)
