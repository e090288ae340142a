"""python -m txtr.report: a table, and a page with plots."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import pytest

from txtr.config.places import YIELD
from txtr.diary.yields import Point, Yield, written
from txtr.files import replace
from txtr.model import Figures
from txtr.report.page import page
from txtr.report.plots import Bar, Curve, bars, curves
from txtr.report.program import main
from txtr.report.table import table

NASTY = "<script>alert(1)</script>\x1b[31m&\"'"


def known() -> Yield:
    figures = Figures(100, 60, 5_000_000, 600_000)
    return Yield(
        time=1.8e9,
        total=figures,
        languages={"cs": figures, NASTY: Figures(3, 0, 100, 0)},
        domains={"a.cz": figures, NASTY: Figures(3, 0, 100, 0), "b" * 300: Figures()},
        domain_count=1234,
        points=[Point(1.8e9 - 100 + n, Figures(n, n // 2, 50_000 * n, 6_000 * n)) for n in range(0, 101, 5)],
    )


def test_the_table_shows_languages_and_domains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Yield per domain and per language."""
    replace(tmp_path / YIELD, written(known()))
    assert main([f"--state={tmp_path}", "--config="]) == 0
    shown = capsys.readouterr().out
    assert "cs" in shown and "a.cz" in shown and "12.00 %" in shown and "1234" in shown
    assert shown.startswith("kept 60 of 100 documents: 600.0 kB of text from 5.0 MB downloaded, a yield of")
    assert "as of 2027-01-15T08:00:00.000Z" in shown and "other encodings can yield over 100 %" in shown
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) < 110


@pytest.mark.parametrize(
    "limit,shown,last",
    [
        ([], 20, "... and 230 more; --limit=200 shows 200 of them"),
        (
            ["--limit=200"],
            200,
            "... and 50 more: of 200, from which most was downloaded, figures are kept here",
        ),
        (["--limit", "7"], 7, "... and 243 more; --limit=200 shows 200 of them"),
    ],
)
def test_domains_that_are_not_shown_are_told_of(
    limit: list[str], shown: int, last: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found by a new user: 20 of 36, without a word."""
    domains = {f"{number}.cz": Figures(1, 1, 1000, 500) for number in range(200)}
    replace(tmp_path / YIELD, written(Yield(time=1.8e9, domains=domains, domain_count=250)))
    assert main([f"--state={tmp_path}", "--config=", *limit]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(".cz" in line for line in lines) == shown
    assert lines[-1] == last


def test_the_page_has_plots_and_loads_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An HTML page with plots; one file, no scripts."""
    replace(tmp_path / YIELD, written(known()))
    target = tmp_path / "yield.html"
    assert main([f"--state={tmp_path}", "--config=", f"--html={target}"]) == 0
    text = target.read_text("utf-8")
    assert text.count("<svg") == 5
    assert "<script" not in text and "src=" not in text and "@import" not in text
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"')


def test_plots_are_well_formed_whatever_they_show() -> None:
    """Names come from the web."""
    drawn = [
        curves(NASTY, [Curve(NASTY, [(0, 0), (1, 5)])], str, str),
        curves("one point", [Curve("a", [(5, 0)])], str, str),
        curves("nothing", [], str, str),
        bars(NASTY, [Bar(NASTY, 3.0, NASTY), Bar("x", 0.0, "")]),
        bars("nothing", []),
    ]
    for picture in drawn:
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert "nan" not in picture


@pytest.mark.parametrize(
    ("most", "least", "marks"),
    [
        (439, 1.0, ["0", "200", "400", "600"]),
        (1, 1.0, ["0", "1"]),
        (3, 1.0, ["0", "1", "2", "3"]),
        (0, 1.0, ["0", "1"]),
        (10_000, 1.0, ["0", "5000", "10000"]),
        (0.656, 0.001, ["0", "0.2", "0.4", "0.6", "0.8"]),
        (3e-9, 0.001, ["0", "0.001"]),
        (7.5e15, 1.0, ["0", "2e+15", "4e+15", "6e+15", "8e+15"]),
    ],
)
def test_the_marks_at_the_side_of_a_plot_are_round_numbers(
    most: float, least: float, marks: list[str]
) -> None:
    picture = curves("t", [Curve("c", [(0, 0), (1, most)])], lambda _: "", "{:g}".format, least)
    texts = [text.text for text in ElementTree.fromstring(picture).iter() if text.tag.endswith("text")]
    assert [text for text in texts if text in marks] == marks
    assert len([text for text in texts if text not in (None, "", "t", "c")]) == len(marks)


def test_one_point_is_seen_and_none_is_said() -> None:
    assert "<circle" in curves("one", [Curve("a", [(5, 2)])], str, str)
    assert "nothing yet" in curves("none", [Curve("a", [])], str, str)


def test_an_empty_harvest_can_be_shown() -> None:
    """Right after the start."""
    assert table(Yield())
    assert "<svg" in page(Yield())


@pytest.mark.parametrize(
    "arguments,message",
    [
        (["--state=nowhere"], "report: --state=nowhere: no crawl has kept count there"),
        (["--html"], "report: --html needs a value: --html=FILE"),
        (["--limit=all"], "report: --limit=all: expected a number of domains"),
        (
            ["--limit=10000000000"],
            "report: --limit=10000000000: expected a number of domains, 0 to 1000000000",
        ),
        (["--htm=x"], "report: unknown option --htm; see --help"),
        (["--state=/dev/null"], "report: --state=/dev/null: yield.json: Not a directory"),
        (["--state=."], "report: yield.json is damaged"),
        (["--state=good", "--html=/nowhere/x.html"], "report: --html=/nowhere/x.html: No such file"),
    ],
)
def test_mistakes_are_said_in_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Style 5."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / YIELD).write_text("garbage")
    (tmp_path / "good").mkdir()
    replace(tmp_path / "good" / YIELD, written(known()))
    assert main(["--config=", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith(message)
    assert said.count("\n") == 1


def test_help_says_how_to_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "--html=FILE" in capsys.readouterr().out


def test_a_page_goes_through_a_fifo_and_to_a_device_as_they_are(tmp_path: Path) -> None:
    """`report --html=/dev/null`, as root, made a file of the device."""
    replace(tmp_path / YIELD, written(known()))
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(fifo.read_text, "utf-8")
        assert main([f"--state={tmp_path}", "--config=", f"--html={fifo}"]) == 0
        assert read.result() == page(known())
    assert fifo.is_fifo()


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_on_the_standard_output_the_page_is_alone(kind: str, tmp_path: Path) -> None:
    """`report --html=/dev/stdout > page.html` is a page, without a table before it."""
    replace(tmp_path / YIELD, written(known()))
    command = [sys.executable, "-m", "txtr.report", f"--state={tmp_path}", "--config=", "--html=/dev/stdout"]
    with (tmp_path / "page.html").open("wb") as file:
        out = subprocess.run(command, stdout=file if kind == "file" else subprocess.PIPE, check=True).stdout
    shown = out if kind == "pipe" else (tmp_path / "page.html").read_bytes()
    assert shown.decode() == page(known())
