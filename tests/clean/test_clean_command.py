"""The command python -m txtr.clean."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from txtr.clean.command import main

PAGE = """<html lang=cs><head><meta charset=windows-1250><title>Kůň</title></head><body>
    <article><p>Příliš žluťoučký kůň úpěl ďábelské ódy. Potom odešel do stáje a nevracel se – až ráno.</p>
    <p>Druhý den ho hledali všichni sousedé z celé vesnice a nakonec ho našli u řeky.</p></article>
    <a href="b.html">Dál</a></body></html>""".encode("cp1250")


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    return str(path)


def test_a_file_becomes_sentences(page, capfdbinary):
    """Usable on its own."""
    assert main([page, "--text=all"]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert lines[0] == "Příliš žluťoučký kůň úpěl ďábelské ódy."
    assert lines[-1] == "Dál"


def test_the_standard_input_is_a_page_as_well(monkeypatch, capfdbinary):
    """Without a file name, or with a dash for it."""
    for argv in ([], ["-"]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE)))
        assert main(argv) == 0
        assert "našli u řeky." in capfdbinary.readouterr().out.decode()


def test_json_has_everything(page, capfdbinary):
    """One object: text, title, language, charset and its source, links, metadata, paragraphs."""
    assert main([page, "--json", "--text=all", "--url=http://example.cz/a/"]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    assert (found["title"], found["language"], found["charset"]) == ("Kůň", "cs", "windows-1250")
    assert found["links"] == ["http://example.cz/a/b.html"]
    assert found["charset_source"] == "meta"
    assert sum(found["paragraphs"]) == len(found["text"].split("\n")) == 4
    assert found["directives"] == {"index": True, "follow": True}
    assert found["metadata"]["title"] == "Kůň"


def test_the_output_may_have_another_encoding(page, capfdbinary):
    """What it lacks is replaced by the rule of txtr/charset.py."""
    assert main([page, "--encoding=iso-8859-2"]) == 0
    assert "nevracel se - až ráno." in capfdbinary.readouterr().out.decode("iso-8859-2")


def test_json_loses_nothing_in_any_encoding(page, capfdbinary):
    """A quote that is replaced by a plain one would break it."""
    assert main([page, "--encoding=iso-8859-2", "--json"]) == 0
    assert "se – až" in json.loads(capfdbinary.readouterr().out.decode("iso-8859-2"))["text"]


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["--txt=all"], "--txt=all"),
        (["nowhere.html"], "nowhere.html"),
        (["--text=some"], "some"),
        (["--url=ftp://x/"], "ftp://x/"),
        (["--encoding=klingon"], "klingon"),
        (["--encoding=idna"], "idna"),
        (["--encoding=base64"], "base64"),
        (["--encoding="], "--encoding="),
        (["."], ".: "),
        (["a\0b"], "a"),
        (["--text"], "--text"),
        (["--url=http://"], "http://"),
        (["a", "b"], "b"),
    ],
)
def test_what_cannot_be_used_is_named_in_one_line(argv, complaint, monkeypatch, capsys):
    """Exit code 2."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE)))
    assert main(argv) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_a_file_that_is_no_text_is_named(tmp_path, capsys):
    """A picture gives no noise, but a complaint."""
    path = tmp_path / "picture.html"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert main([str(path)]) == 2
    assert "picture.html: expected an HTML page" in capsys.readouterr().err


def test_one_page_at_a_time(page, capsys):
    """Two texts in a row could not be told apart."""
    assert main([page, "b.html", "c.html"]) == 2
    assert capsys.readouterr().err == "clean: b.html c.html: expected one FILE, clean pages one by one\n"


@pytest.mark.parametrize(
    "script, program",
    [("/opt/tt/texttractor.sh", "sh /opt/tt/texttractor.sh clean"), (None, "python -m txtr.clean")],
)
def test_help_says_what_the_user_typed(capsys, monkeypatch, script, program):
    """From a crawl's directory python -m finds no module."""
    if script:
        monkeypatch.setenv("TXTR_SCRIPT", script)
    else:
        monkeypatch.delenv("TXTR_SCRIPT", raising=False)
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: {program} ")


def test_the_version_is_there(capsys):
    """As of every command."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("TextTractor ")


def test_help_is_there(capsys):
    """It names every option."""
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    for option in ("FILE", "--url", "--content-type", "--text", "--encoding", "--json"):
        assert option in said


@pytest.mark.web
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_named_in_one_line(page):
    """What went wrong, and code 2; no trace."""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "txtr.clean", page], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (ended.returncode, ended.stderr) == (2, "clean: standard output: No space left on device\n")


@pytest.mark.web
@pytest.mark.parametrize(
    ("closed", "complaint"),
    [
        ("<&-", "standard input: closed"),
        (">&-", "standard output: closed"),
        ("<&- >&-", "standard output: closed"),
    ],
)
def test_what_whoever_started_us_has_closed_is_named_in_one_line(page, closed, complaint):
    """A job of cron or of a service may have neither; a trace would say it less clearly."""
    name = page if closed == ">&-" else "-"
    ended = subprocess.run(
        ["sh", "-c", f'"$0" -m txtr.clean "$1" {closed}', sys.executable, name],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert complaint in ended.stderr and ended.stderr.count("\n") == 1


@pytest.mark.web
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full"])
def test_a_complaint_that_nobody_can_read_is_no_text(errors):
    """It went where the text goes, or ended in a trace; the exit code says enough."""
    ended = subprocess.run(
        ["sh", "-c", f'"$0" -m txtr.clean nowhere.html {errors}', sys.executable], capture_output=True
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, b"", b"")
